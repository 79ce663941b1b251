"""The trainer of a visitor: its exercises, and how they were answered, which the store keeps.

A visitor has one stream, named after the public half of their token. Each answer is an event that
holds the exercise with everything that is known of it since; so the newest event of each counts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

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
from yachtdice.web.services import coaching

if TYPE_CHECKING:
    from yachtdice.notation import Record
    from yachtdice.rules import Move, RuleSet

KIND = "exercise_answered"
STAGE = "trainer"
POOL = 20
"""How many exercises are generated at a time; the same ones for everybody."""
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Trainer:
    """What a visitor has answered."""

    deck: Deck
    version: int
    """The number of answers."""


async def load(store: Store, who: str) -> Trainer:
    """Return what *who* has answered so far."""
    stored = await store.load(_stream(who))
    return await coaching.quickly(lambda: _read(stored))


def _read(stored: Sequence[Stored]) -> Trainer:
    items: dict[str, Item] = {}
    for event in stored:
        try:
            items.update(Deck.from_data(event.data).items)
        except DeckError:
            continue  # from a newer version, say; the exercise is asked as if it were new
    return Trainer(Deck(items), len(stored))


async def with_exercises(
    trainer: Trainer,
    rules: RuleSet,
    theme: Theme | None,
    games: Sequence[tuple[Record, tuple[int, ...]]],
) -> Deck:
    """Return the deck with exercises under *rules* on *theme*, None for all themes.

    They are the mistakes in *games* and generated ones, more of them the more were answered.
    """
    deck = trainer.deck
    if theme in {None, Theme.OWN}:
        for record, seats in games:
            report = await coaching.report_of(record)
            deck = deck.with_exercises(own_exercises(record.game, report, seats))
    if theme is Theme.OWN:
        return deck
    themes = GENERATED if theme is None else (theme,)
    answered = sum(
        item.exercise.theme in themes and item.exercise.rules.fingerprint == rules.fingerprint
        for item in trainer.deck.items.values()
    )
    for number in range(1 + answered // POOL):
        deck = deck.with_exercises(await generated(rules, themes, number))
    return deck


async def generated(rules: RuleSet, themes: tuple[Theme, ...], number: int) -> tuple[Exercise, ...]:
    """Return one lot of generated exercises on *themes*."""
    return await coaching.slowly(lambda: _generated(rules, themes, number))


async def answer(  # noqa: PLR0913, PLR0917 - who, what, how
    store: Store, who: str, deck: Deck, exercise: Exercise, move: Move, request_id: str
) -> tuple[Decided, datetime] | None:
    """Keep what *who* has answered; return what the coach says of it and when it comes back.

    None if the answer was forced.

    Raises:
        IllegalMoveError: If the move is not legal.
        VersionConflictError: If the same visitor answers elsewhere all the time.
    """
    position = exercise.position
    decided = await coaching.quickly(lambda: judge(position, move, coaching.solved(exercise.rules)))
    if decided is None:
        return None
    now = time.time()
    item = deck.answered(exercise, decided, datetime.fromtimestamp(now, UTC)).items[exercise.id]
    data = Deck({exercise.id: item}).to_data()
    for attempt in range(_TRIES):
        version = (await load(store, who)).version
        write = Write(_stream(who), version, [Entry(KIND, data)], now, who, request_id, (), STAGE)
        try:
            await store.append(write)
        except RequestRepeatedError:  # the same answer, sent twice: the first one counts
            item = (await load(store, who)).deck.items[exercise.id]
            break
        except VersionConflictError:
            if attempt == _TRIES - 1:
                raise
        else:
            break
    assert item.due is not None  # it was answered
    return decided, item.due


def _stream(who: str) -> str:
    return f"trainer-{who}"


@lru_cache(maxsize=64)
def _generated(rules: RuleSet, themes: tuple[Theme, ...], number: int) -> tuple[Exercise, ...]:
    found = generated_exercises(coaching.solved(rules), themes, f"web-{number}")
    return tuple(islice(found, POOL))
