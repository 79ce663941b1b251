"""Every number in a sentence is one that the solver has computed."""

import re
from collections.abc import Iterator

import pytest

from tests.coach.games import played
from tests.solved import solved
from yachtdice import TRADITIONAL, Category, Dice, Hold, Position, Score, Scorecard
from yachtdice.coach import Decided, Kind, analyse, hint, hint_sentences, judge, reasons
from yachtdice.coach.words.terms import cost, number, percent, signed
from yachtdice.i18n import category_name


def sentences(decision: Decided) -> Iterator[str]:
    for reason in reasons(decision):
        yield reason.sentence
        yield from reason.facts


def truths(decision: Decided) -> set[str]:
    """Return everything that sentences about *decision* may say in figures."""
    facts = decision.facts
    assert facts is not None
    said = {number(decision.loss, 2)}
    for outlook in (facts.chosen, facts.best):
        said |= {number(outlook.points), number(outlook.later), number(outlook.points, 0)}
        said |= {percent(chance) for chance in outlook.chances.values()}
    said |= {number(abs(facts.best.later - facts.chosen.later), 2), percent(0.0)}
    for move in (decision.move, decision.best[0]):
        if isinstance(move, Hold):
            said.add(str(move.kept))
    return said


def wrong_decisions() -> Iterator[Decided]:
    for seed in range(12):
        game = played("all-dice", ("novice", "random"), f"reasons {seed}")
        for seat in analyse(game, solved(game.rules)).seats:
            yield from (decision for decision in seat.decisions if decision.label.is_wrong)


def test_every_number_in_a_sentence_is_a_fact() -> None:
    kinds = set()
    for decision in wrong_decisions():
        kinds.add(decision.kind)
        allowed = truths(decision)
        found = list(sentences(decision))
        assert found
        for sentence in found:
            figures = re.findall(r"under [\d.]+%|over [\d.]+%|[\d.,-]*\d%?", sentence)
            assert set(figures) <= allowed, (sentence, allowed)
    assert kinds == set(Kind)


def test_fine_decisions_need_no_reason() -> None:
    game = played("traditional", ("skilled",), "fine")
    for decision in analyse(game, solved(game.rules)).seats[0].decisions:
        assert bool(reasons(decision)) == decision.label.is_wrong


def test_what_a_box_would_have_been_worth_later() -> None:
    card = Scorecard(TRADITIONAL)
    position = Position(TRADITIONAL, (card,), 0, Dice([1, 1, 2, 4, 6]), 0)
    solution = solved(TRADITIONAL)
    decision = judge(position, Score(Category.YACHT), solution)
    assert decision is not None
    best = decision.best[0]
    assert isinstance(best, Score)

    def later(box: Category) -> float:
        after = position.play(Score(box))
        return solution.value(after) - after.card.total

    more = later(best.category) - later(Category.YACHT)
    name = category_name(Category.YACHT)
    expected = f"{name}, left open, is worth more later than the other box: {number(more, 2)}"
    assert expected in list(sentences(decision))


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0.04, 1, "0.0"), (-0.04, 1, "0.0"), (-1.25, 1, "−1.3"), (1234.5, 1, "1,234.5")],
)
def test_numbers(value: float, digits: int, text: str) -> None:
    assert number(value, digits) == text


def test_signs() -> None:
    assert (signed(1.26), signed(-1.26), signed(0.01)) == ("+1.3", "−1.3", "0.0")
    assert (cost(1.26), cost(0.0)) == ("−1.3", "0.0")


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0, "0%"),
        (1, "100%"),
        (1e-9, "under 0.1%"),
        (1 + 1e-15, "100%"),
        (0.9999, "over 99.9%"),
        (0.5, "50.0%"),
    ],
)
def test_what_can_happen_is_never_nought_per_cent(chance: float, text: str) -> None:
    assert percent(chance) == text


def test_a_hint_names_the_best_keep_and_box_and_the_expected_total() -> None:
    solution = solved(TRADITIONAL)
    position = Position.start(TRADITIONAL)
    start = hint(position, solution)
    assert start is not None
    assert (start.best, start.keep, start.box) == (None, None, None)
    assert hint_sentences(start) == ("Expected total: 167.0",)
    position = position.roll(Dice([4, 4, 2, 1, 6]))
    given = hint(position, solution)
    assert given is not None
    choices = solution.rank(position)
    assert given.best == choices[0].move == Hold(Dice([4, 4]))
    assert given.expected == choices[0].value
    assert given.keep == Dice([4, 4])
    assert given.keep_value == given.expected
    box = next(choice for choice in choices if isinstance(choice.move, Score))
    assert isinstance(box.move, Score)
    assert (given.box, given.box_value) == (box.move.category, box.value)
    said = hint_sentences(given)
    assert said[0] == "Best: keep 4-4"
    assert said[-1] == f"Expected total: {number(given.expected)}"


def test_a_hint_to_score() -> None:
    solution = solved(TRADITIONAL)
    position = Position.start(TRADITIONAL).roll(Dice([5, 5, 5, 5, 5]))
    given = hint(position, solution)
    assert given is not None
    assert given.best == Score(Category.YACHT)
    first, second, last = hint_sentences(given)
    assert first == "Best box: Yacht"
    assert second.startswith("Rolling on with ")
    assert last == f"Expected total: {number(given.expected)}"
    over = Position(
        TRADITIONAL, (Scorecard(TRADITIONAL, (0,) * 6 + (0, 0, 0, 0, 5, 0)),), 0, Dice(), 0
    )
    assert hint(over, solution) is None


def test_a_hint_without_rolls_left_has_no_dice_to_keep() -> None:
    position = Position(TRADITIONAL, (Scorecard(TRADITIONAL),), 0, Dice([1, 2, 2, 4, 6]), 0)
    given = hint(position, solved(TRADITIONAL))
    assert given is not None
    assert (given.keep, given.keep_value) == (None, None)
    assert len(hint_sentences(given)) == 2
