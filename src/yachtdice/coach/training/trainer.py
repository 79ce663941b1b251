"""The trainer's deck: exercises scheduled by spaced repetition.

A deck is immutable. FSRS, the scheduler that Anki uses, decides when an exercise is due again
(https://pypi.org/project/fsrs); the solver decides how good an answer was:

    a best move               Good
    fine, up to half a point  Hard
    anything else             Again

With FSRS's own parameters, a wrong answer comes back in the same session, a right one after ten
minutes, then after days, then weeks. Days are those of the person who practises, and begin at 4 in
the morning: what comes back on a day is asked from its beginning.

A deck goes to JSON and back without loss.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from fsrs import Card, Rating, Scheduler

from yachtdice.coach.analysis.labels import Label
from yachtdice.coach.encoding import move_data
from yachtdice.coach.training.exercises import Exercise, Theme
from yachtdice.notation.record import is_built_in
from yachtdice.presets import find_rules, load_rules
from yachtdice.rules import CATEGORIES, Category, Dice, Scorecard, YachtError, format_rules

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import tzinfo

    from fsrs.card import CardDict

    from yachtdice.coach.analysis.report import Decided
    from yachtdice.rules import RuleSet

FORMAT = "yacht-trainer 1"

# No fuzz: the same answers at the same times lead to the same plan.
_SCHEDULER = Scheduler(enable_fuzzing=False)

DAY_BEGINS = 4
"""The hour at which a new day begins: who practises after midnight has not gone to bed yet."""
_DAY = timedelta(days=1)

_RATINGS = {Label.BEST: Rating.Good, Label.FINE: Rating.Hard}


class DeckError(YachtError, ValueError):
    """Text that is not a deck."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and its loss in points."""

    time: datetime
    move: Mapping[str, Any]
    """As `encoding.move_data` writes it."""
    loss: float


@dataclass(frozen=True, slots=True)
class Item:
    """An exercise in a deck."""

    exercise: Exercise
    answers: tuple[Answer, ...] = ()
    due: datetime | None = None
    """When it should be asked again; None for one that was never asked."""
    memory: Mapping[str, Any] = field(default_factory=dict)
    """The state of the FSRS card, as a dictionary."""

    def asked_from(self, zone: tzinfo | None) -> datetime | None:
        """Return when it is asked again by somebody in *zone*; None if it was never asked."""
        if self.due is None or not self.answers or self.due - self.answers[-1].time < _DAY:
            return self.due
        due = self.due.astimezone(zone)
        begun = due.replace(hour=DAY_BEGINS, minute=0, second=0, microsecond=0)
        return begun if begun <= due else begun - _DAY

    def reviewed(self, now: datetime) -> datetime:
        """Return the time for FSRS of an answer at *now*: one on the day that it is due is in time.

        For FSRS a day is 24 hours; what is answered earlier would count as not yet forgotten.
        """
        is_asked_by_day = self.due and self.answers and self.due - self.answers[-1].time >= _DAY
        if self.due and is_asked_by_day and now < self.due < now + _DAY:
            return self.due
        return now.astimezone(UTC)


@dataclass(frozen=True)
class Deck:
    """Exercises by id, and how they were answered. Times are in UTC."""

    items: Mapping[str, Item] = field(default_factory=dict)

    def with_exercises(self, exercises: Iterable[Exercise]) -> Deck:
        """Return the deck with those of *exercises* that are not in it yet."""
        new = {exercise.id: Item(exercise) for exercise in exercises}
        return Deck({**new, **self.items}) if new.keys() - self.items.keys() else self

    def answered(self, exercise: Exercise, decided: Decided, now: datetime) -> Deck:
        """Return the deck after *exercise* was answered; *decided* is what the coach says of it."""
        item = self.items.get(exercise.id, Item(exercise))
        card = _card(item.memory) if item.memory else Card(card_id=0, due=now)
        rating = _RATINGS.get(decided.label, Rating.Again)
        card, _ = _SCHEDULER.review_card(card, rating, item.reviewed(now))
        answer = Answer(now.astimezone(UTC), move_data(decided.move), decided.loss)
        item = replace(
            item, answers=(*item.answers, answer), due=card.due, memory=dict(card.to_dict())
        )
        return Deck({**self.items, exercise.id: item})

    def due(
        self, now: datetime, rules: RuleSet, themes: Collection[Theme] = tuple(Theme)
    ) -> list[Item]:
        """Return what should be asked now, the longest overdue first, then what was never asked.

        *now* is in the time zone of whoever is asked, whose days count.

        Only exercises under the same rules and on *themes*. New ones come in the order of their
        ids, which is none: next to each other, the mistakes of a game would give each other away.
        """
        fitting = [
            item
            for item in self.items.values()
            if item.exercise.theme in themes
            and item.exercise.rules.fingerprint == rules.fingerprint
        ]
        again = sorted(
            (item for item in fitting if (at := item.asked_from(now.tzinfo)) and at <= now),
            key=_due,
        )
        new = sorted(
            (item for item in fitting if item.due is None), key=lambda item: item.exercise.id
        )
        return again + new

    def next_due(
        self, now: datetime, rules: RuleSet, themes: Collection[Theme] = tuple(Theme)
    ) -> datetime | None:
        """Return when the next exercise that was asked before is asked; None if there is none.

        *now* is in the time zone of whoever is asked, whose days count.

        Only of exercises under the same rules and on *themes*.
        """
        later = [
            at
            for item in self.items.values()
            if (at := item.asked_from(now.tzinfo)) is not None
            and at > now
            and item.exercise.theme in themes
            and item.exercise.rules.fingerprint == rules.fingerprint
        ]
        return min(later, default=None)

    def to_data(self) -> dict[str, Any]:
        """Return the deck as what `json.dumps` can write."""
        return {"format": FORMAT, "exercises": [_item_data(item) for item in self.items.values()]}

    @classmethod
    def from_data(cls, data: object) -> Deck:
        """Return the deck that `to_data` has made *data* of.

        Raises:
            DeckError: If it is no such thing.
        """
        match data:
            case {"format": str(found), "exercises": list(entries)} if found == FORMAT:
                pass
            case {"format": str(found)}:
                raise DeckError(f"the format is {found!r:.40}, not {FORMAT!r}")
            case _:
                raise DeckError("it is not a trainer's file")
        try:
            items = [_item(entry) for entry in entries]
        except (YachtError, ValueError, TypeError, LookupError, AttributeError) as error:
            raise DeckError(f"an exercise is damaged: {error}") from error
        return cls({item.exercise.id: item for item in items})


def _due(item: Item) -> datetime:
    assert item.due is not None  # by the caller
    return item.due


def _card(memory: Mapping[str, Any]) -> Card:
    return Card.from_dict(cast("CardDict", memory))


def _item_data(item: Item) -> dict[str, Any]:
    exercise = item.exercise
    rules = exercise.rules
    built_in = is_built_in(rules)
    return {
        "rules": {"key": rules.key} if built_in else {"toml": format_rules(rules)},
        "card": {c.value: exercise.card[c] for c in CATEGORIES if exercise.card[c] is not None},
        "dice": list(exercise.dice.faces),
        "rolls_left": exercise.rolls_left,
        "theme": exercise.theme.value,
        "source": exercise.source,
        "due": item.due.isoformat() if item.due else None,
        "memory": dict(item.memory),
        "answers": [
            {"time": answer.time.isoformat(), "move": dict(answer.move), "loss": answer.loss}
            for answer in item.answers
        ],
    }


def _item(data: dict[str, Any]) -> Item:
    rules = data["rules"]
    known = find_rules(rules["key"]) if "key" in rules else load_rules(rules["toml"])
    points = {Category(key): value for key, value in data["card"].items()}
    card = Scorecard(known, tuple(points.get(category) for category in CATEGORIES))
    exercise = Exercise(
        card,
        Dice(data["dice"]),
        int(data["rolls_left"]),
        Theme(data["theme"]),
        str(data["source"]),
    )
    if not exercise.position.legal_moves():
        raise DeckError("there is nothing to decide")
    answers = tuple(
        Answer(_time(entry["time"]), dict(entry["move"]), float(entry["loss"]))
        for entry in data["answers"]
    )
    memory = dict(data["memory"])
    if memory:
        _card(memory)
    due = _time(data["due"]) if data["due"] else None
    return Item(exercise, answers, due, memory)


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(f"{text!r:.40} has no time zone")
    return time.astimezone(UTC)
