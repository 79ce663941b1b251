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
from yachtdice.coach.exercises import (
    GENERATED,
    Exercise,
    Theme,
    generated_exercises,
    own_exercises,
)
from yachtdice.coach.trainer import Deck, DeckError, Item
from yachtdice.store.entries import (
    Entry,
    RequestRepeatedError,
    Store,
    VersionConflictError,
    Write,
)
from yachtdice.web import coaching

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
    items: dict[str, Item] = {}
    for event in stored:
        try:
            items.update(Deck.from_data(event.data).items)
        except DeckError:
            continue  # from a newer version, say; the exercise is asked as if it were new
    return Trainer(Deck(items), len(stored))


async def with_exercises(
    trainer: Trainer, rules: RuleSet, games: Sequence[tuple[Record, tuple[int, ...]]]
) -> Deck:
    """Return the deck with the mistakes in *games*, and with generated exercises for *rules*."""
    deck = trainer.deck
    for record, seats in games:
        report = await coaching.report_of(record)
        deck = deck.with_exercises(own_exercises(record.game, report, seats))
    answered = sum(
        item.exercise.theme is not Theme.OWN
        and item.exercise.rules.fingerprint == rules.fingerprint
        for item in trainer.deck.items.values()
    )
    for number in range(1 + answered // POOL):
        deck = deck.with_exercises(await generated(rules, number))
    return deck


async def generated(rules: RuleSet, number: int) -> tuple[Exercise, ...]:
    """Return one lot of generated exercises."""
    return await coaching.slowly(lambda: _generated(rules, number))


async def answer(  # noqa: PLR0913, PLR0917 - who, what, how
    store: Store, who: str, deck: Deck, exercise: Exercise, move: Move, request_id: str
) -> Decided | None:
    """Keep what *who* has answered; return what the coach says of it, None if it was forced.

    Raises:
        IllegalMoveError: If the move is not legal.
        VersionConflictError: If the same visitor answers elsewhere all the time.
    """
    solution = await coaching.solution(exercise.rules)
    decided = judge(exercise.position, move, solution)
    if decided is None:
        return None
    now = time.time()
    after = deck.answered(exercise, decided, datetime.fromtimestamp(now, UTC))
    data = Deck({exercise.id: after.items[exercise.id]}).to_data()
    for attempt in range(_TRIES):
        version = (await load(store, who)).version
        write = Write(_stream(who), version, [Entry(KIND, data)], now, who, request_id, (), STAGE)
        try:
            await store.append(write)
        except RequestRepeatedError:  # the same answer, sent twice
            break
        except VersionConflictError:
            if attempt == _TRIES - 1:
                raise
        else:
            break
    return decided


def _stream(who: str) -> str:
    return f"trainer-{who}"


@lru_cache(maxsize=64)
def _generated(rules: RuleSet, number: int) -> tuple[Exercise, ...]:
    found = generated_exercises(coaching.solved(rules), GENERATED, f"web-{number}")
    return tuple(islice(found, POOL))
