"""Whatever happens in a game, what the coach says of it adds up to the points on the card."""

from collections.abc import Callable, Iterator
from math import sqrt
from random import Random

import pytest
from hypothesis import given

from tests.coach.games import played
from tests.solved import solved
from tests.strategies import examples, games, rule_sets
from yachtdice import Game
from yachtdice.bots import LEVELS
from yachtdice.coach import Label, Report, analyse
from yachtdice.rules import CategoryScored, DiceHeld, DiceRolled

RULES = ("traditional", "all-dice", "console")


def check(game: Game) -> Report:
    """Return the report of *game*; every part of it has to add up."""
    report = analyse(game, solved(game.rules))
    assert report.is_over == game.position.is_over
    for seat in report.seats:
        card = game.position.cards[seat.seat]
        assert seat.points == card.total
        parts = seat.luck - seat.loss + seat.unknown + seat.corrected - seat.given_up
        assert seat.expected == pytest.approx(seat.start + parts, abs=1e-9)
        if report.is_over or seat.resigned is not None:
            assert seat.expected == pytest.approx(seat.points, abs=1e-9)
        for turn in seat.turns:
            assert all(decision.loss >= 0 for decision in turn.decisions)
            if not (seat.corrections or seat.resigned):
                total = turn.start + turn.luck - turn.loss + turn.unknown
                assert turn.expected == pytest.approx(total, abs=1e-9)
        marks = seat.curve()
        assert (marks[0].expected, marks[-1].expected) == (seat.start, seat.expected)
        assert [mark.event for mark in marks] == sorted(mark.event for mark in marks)
        assert [mark.turns for mark in marks] == sorted(mark.turns for mark in marks)
    return report


@examples(150)
@given(games())
def test_every_game_adds_up(game: Game) -> None:
    """Also unfinished ones, with turns entered as a whole, corrections and resignations."""
    check(game)


@examples(20)
@given(games(rule_sets, most_seats=2))
def test_games_under_house_rules_add_up(game: Game) -> None:
    check(game)


def tables(bot: str, count: int) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield that many tables for *bot* and others: a rule set, who sits there, a seed."""
    random = Random(bot)  # noqa: S311 - no secret
    for number in range(count):
        others = random.choices(list(LEVELS), k=number // len(RULES) % 4)
        yield RULES[number % len(RULES)], (bot, *others), f"{bot}/{number}"


def check_tables(bot: str, count: int) -> dict[str, str]:
    """Check games of *bot* and others, and that luck averages to zero under each rule set.

    Return what it came to, for those who want to read it.
    """
    luck: dict[str, list[float]] = {key: [] for key in RULES}
    for key, levels, seed in tables(bot, count):
        report = check(played(key, levels, seed))
        luck[key] += [seat.luck for seat in report.seats]
        for level, seat in zip(levels, report.seats, strict=True):
            if level == "perfect" or (level == "champion" and len(levels) == 1):
                assert seat.loss == 0
                assert all(decision.label is Label.BEST for decision in seat.decisions)
    said = {}
    for key, found in luck.items():
        mean = sum(found) / len(found)
        variance = sum((value - mean) ** 2 for value in found) / (len(found) - 1)
        error = sqrt(variance / len(found))
        assert abs(mean) < 4 * error
        said[key] = f"{len(found)} cards, mean luck {mean:+.3f}, standard error {error:.3f}"
    return said


@pytest.mark.parametrize("bot", LEVELS)
def test_games_of_every_bot_add_up_and_luck_averages_to_zero(bot: str) -> None:
    check_tables(bot, 48)


@pytest.mark.soak
@pytest.mark.parametrize("bot", LEVELS)
def test_ten_thousand_games_of_every_bot(
    bot: str, record_property: Callable[[str, object], None]
) -> None:
    """`make soak ARGS="-k ten_thousand --junit-xml FILE"` writes down what they came to."""
    for key, said in check_tables(bot, 10_000).items():
        record_property(key, said)


@given(games(plain=True))
@examples(30)
def test_what_was_rolled_and_decided_is_all_there(game: Game) -> None:
    report = analyse(game, solved(game.rules))
    positions = list(game.positions())
    for seat in report.seats:
        rolls = {step.event for turn in seat.turns for step in turn.rolls}
        decided = {decision.event: decision for decision in seat.decisions}
        for number, event in enumerate(game.events):
            if getattr(event, "seat", None) != seat.seat:
                continue
            assert (number in rolls) == isinstance(event, DiceRolled)
            before = positions[number - 1]
            forced = len(before.legal_moves()) == 1
            is_move = isinstance(event, (DiceHeld, CategoryScored))
            assert (number in decided) == (is_move and not forced)
            if number in decided:
                rank = solved(game.rules).rank(before)
                decision = decided[number]
                assert decision.best == tuple(choice.move for choice in rank if choice.is_best)
                choice = next(choice for choice in rank if choice.move == decision.move)
                assert decision.loss == pytest.approx(choice.loss, abs=1e-9)
                assert decision.expected == pytest.approx(choice.value, abs=1e-9)
