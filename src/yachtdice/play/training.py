"""The trainers of a server's visitors: exercises, and their answers, which are stored.

A visitor has one stream, named after the public half of their token. Each answer is an event that
holds the exercise with its whole history, so the newest event of each exercise counts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar

from yachtdice.coach import Decided, judge
from yachtdice.coach.training.exercises import (
    GENERATED,
    Exercise,
    Theme,
    generated_exercises,
    own_exercises,
)
from yachtdice.coach.training.trainer import Deck, DeckError, Item
from yachtdice.store.contract import (
    Entry,
    RequestRepeatedError,
    Store,
    Stored,
    VersionConflictError,
    Write,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from yachtdice.coach import Report
    from yachtdice.notation import Record
    from yachtdice.rules import Move, RuleSet
    from yachtdice.solutions import Solutions

KIND = "exercise_answered"
STAGE = "trainer"
POOL = 20
"""The number of exercises in a lot; the same ones for everybody."""
_TRIES = 5
T = TypeVar("T")


class Coach(Protocol):
    """What the trainers need of a coach that works off the event loop."""

    @property
    def solutions(self) -> Solutions:
        """The solved rule sets."""
        ...

    def report_of(self, record: Record) -> Awaitable[Report]:
        """Return the analysis of the game in *record*."""
        ...

    def quickly(self, work: Callable[[], T]) -> Awaitable[T]:
        """Return the result of *work* that takes less than a second."""
        ...

    def slowly(self, work: Callable[[], T]) -> Awaitable[T]:
        """Return the result of *work* that takes seconds."""
        ...


@dataclass(frozen=True, slots=True)
class Trainer:
    """The exercises that a visitor has answered."""

    deck: Deck
    version: int
    """The number of answers."""


class Training:
    """The trainers of all viewers of one server."""

    def __init__(self, store: Store, coach: Coach) -> None:
        """Store answers in *store*, and judge them by *coach*."""
        self._store = store
        self._coach = coach
        self._lots = lru_cache(maxsize=64)(self._generate)

    async def load(self, holder: str) -> Trainer:
        """Return the answers of *holder* so far."""
        stored = await self._store.load(_stream(holder))
        return await self._coach.quickly(lambda: _read(stored))

    async def with_exercises(
        self,
        trainer: Trainer,
        rules: RuleSet,
        theme: Theme | None,
        games: Sequence[tuple[Record, tuple[int, ...]]],
    ) -> Deck:
        """Return the deck with exercises under *rules* on *theme*, None for all themes.

        They are the mistakes in *games* and generated ones: the more were answered, the more.
        """
        deck = trainer.deck
        if theme in {None, Theme.OWN}:
            for record, seats in games:
                report = await self._coach.report_of(record)
                deck = deck.with_exercises(own_exercises(record.game, report, seats))
        if theme is Theme.OWN:
            return deck
        themes = GENERATED if theme is None else (theme,)
        answered = sum(
            item.exercise.theme in themes and item.exercise.rules.fingerprint == rules.fingerprint
            for item in trainer.deck.items.values()
        )
        for number in range(1 + answered // POOL):
            deck = deck.with_exercises(await self.generated(rules, themes, number))
        return deck

    async def generated(
        self, rules: RuleSet, themes: tuple[Theme, ...], number: int
    ) -> tuple[Exercise, ...]:
        """Return one lot of generated exercises on *themes*."""
        return await self._coach.slowly(lambda: self._lots(rules, themes, number))

    async def answer(
        self, holder: str, deck: Deck, exercise: Exercise, move: Move, request_id: str
    ) -> tuple[Decided, Item] | None:
        """Store an answer; return what the coach says of it, and the exercise as it is then.

        None if the answer was forced.

        Raises:
            IllegalMoveError: If the move is not legal.
            VersionConflictError: If the same visitor keeps answering elsewhere.
        """
        solo = self._coach.solutions.solo
        decided = await self._coach.quickly(
            lambda: judge(exercise.position, move, solo(exercise.rules))
        )
        if decided is None:
            return None
        now = time.time()
        item = deck.answered(exercise, decided, datetime.fromtimestamp(now, UTC)).items[exercise.id]
        data = Deck({exercise.id: item}).to_data()
        stream = _stream(holder)
        for attempt in range(_TRIES):
            version = (await self.load(holder)).version
            write = Write(stream, version, [Entry(KIND, data)], now, holder, request_id, (), STAGE)
            try:
                await self._store.append(write)
            except RequestRepeatedError:  # the same answer, sent twice: the first one counts
                item = (await self.load(holder)).deck.items[exercise.id]
                break
            except VersionConflictError:
                if attempt == _TRIES - 1:
                    raise
            else:
                break
        return decided, item

    def _generate(
        self, rules: RuleSet, themes: tuple[Theme, ...], number: int
    ) -> tuple[Exercise, ...]:
        solution = self._coach.solutions.solo(rules)
        return tuple(islice(generated_exercises(solution, themes, f"web-{number}"), POOL))


def _read(stored: Sequence[Stored]) -> Trainer:
    items: dict[str, Item] = {}
    for event in stored:
        try:
            items.update(Deck.from_data(event.data).items)
        except DeckError:
            continue  # perhaps from a newer version; the exercise counts as new
    return Trainer(Deck(items), len(stored))


def _stream(holder: str) -> str:
    return f"trainer-{holder}"
