"""Values of the two-player solver, against looking at every outcome and against one another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import programs
from tests.solver.duel.conftest import solved
from tests.solver.duel.minimax import Minimax, small
from tests.strategies import scorers
from yachtdice import ALL_DICE, CATEGORIES, TRADITIONAL, Category, Position, RuleSet
from yachtdice.presets import find_rules
from yachtdice.solver.duel import Duel, DuelError, DuelReason
from yachtdice.solver.duel.backward import OddsArray, end_values, solve_layer
from yachtdice.solver.duel.sources import FLOAT_ERROR
from yachtdice.solver.duel.tree import Boxes, Layer, Root, layers, subsets, whole_game

BACKENDS = [
    pytest.param(
        True, id="numba", marks=pytest.mark.skipif(programs.is_missing("numba"), reason="no Numba")
    ),
    pytest.param(False, id="numpy"),
]


def waiting(found: list[tuple[Layer, OddsArray]], position: Position) -> float:
    """Return the chance of the seat that is not to move at the start of a turn."""
    mask = position.rules.mask
    mover, waiter = position.card, position.cards[1 - position.seat]
    open_ = mask & ~mover.mask, mask & ~waiter.mask
    counts = open_[0].bit_count(), open_[1].bit_count()
    layer, values = next(pair for pair in found if pair[0].counts == counts)
    i, j = np.searchsorted(layer.mover, open_[0]), np.searchsorted(layer.waiter, open_[1])
    lead = waiter.total - mover.total
    if not layer.low[i, j] <= lead <= layer.high[i, j]:
        return float(lead > layer.high[i, j])
    return float(values[layer.start[i, j] + lead - layer.low[i, j]])


@pytest.mark.parametrize("numba", BACKENDS)
@pytest.mark.parametrize(("dtype", "error"), [(np.float32, 2e-7), (np.float64, 1e-14)])
def test_every_state_is_worth_what_every_outcome_says(
    looked_at: Minimax, *, numba: bool, dtype: type[np.float32 | np.float64], error: float
) -> None:
    found = solved(next(iter(looked_at.starts)).rules, numba=numba, dtype=dtype)
    for position, value in looked_at.starts.items():
        if not position.is_over:
            chance = value if position.seat else 1 - value
            assert waiting(found, position) == pytest.approx(float(chance), abs=error)


@pytest.mark.parametrize("numba", BACKENDS)
def test_cards_need_not_have_as_many_open_boxes(
    monkeypatch: pytest.MonkeyPatch, *, numba: bool
) -> None:
    rules = small(Category.YACHT, Category.LITTLE_STRAIGHT, rolls=2)
    position = Position.start(rules, 2).enter(Category.YACHT, 50)
    # As after a correction: the second seat has both boxes used, the first still has one.
    position = position.enter(Category.YACHT, 50)
    minimax = Minimax()
    full = position.correct(0, Category.LITTLE_STRAIGHT, 0, Category.YACHT)
    alone = Position(
        rules,
        (full.cards[0], full.cards[1].fill(Category.LITTLE_STRAIGHT, 30)),
        0,
        full.dice,
        rules.rolls,
    )
    both = Position(rules, (Position.start(rules).card, alone.cards[1]), 0, full.dice, 2)
    for start in (alone, both):
        minimax(start)
    monkeypatch.setattr("yachtdice.solver.duel.backward.has_numba", lambda: numba)
    duel = Duel(rules)
    for start, value in minimax.starts.items():
        if not start.is_over:
            chances = duel.win_odds(start)
            assert chances.kind == "exact"
            assert chances.seats[0] == pytest.approx(float(value), abs=2e-7)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Return rule sets of one to three boxes of any kind."""
    categories = draw(st.lists(st.sampled_from(CATEGORIES), min_size=1, max_size=3, unique=True))
    return RuleSet("drawn", {c: draw(scorers) for c in categories}, draw(st.integers(1, 4)))


@pytest.mark.skipif(programs.is_missing("numba"), reason="no Numba")
@settings(max_examples=25)
@given(rule_sets())
def test_compiled_and_plain_agree(rules: RuleSet) -> None:
    size = sum(layer.size for layer in layers(Boxes(rules), whole_game(Boxes(rules))))
    if size > 20_000:
        return
    plain = solved(rules, numba=False, dtype=np.float64)
    double = solved(rules, numba=True, dtype=np.float64)
    single = solved(rules, numba=True)
    for (_, a), (_, b), (_, c) in zip(plain, double, single, strict=True):
        assert np.abs(a - b).max() < 1e-13
        assert np.abs(a - c).max() < FLOAT_ERROR


@pytest.mark.parametrize("numba", BACKENDS)
def test_a_larger_lead_is_never_worse(*, numba: bool) -> None:
    for layer, values in solved(small(*CATEGORIES[8:]), numba=numba):
        ends = layer.ends
        rises = np.diff(values[:-2]) >= 0
        rises[ends[1:-1] - 1] = True  # from one pair to the next
        assert rises.all()
        assert values.min() >= 0
        assert values.max() <= 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads: int) -> None:
    boxes = Boxes(small(*CATEGORIES[6:]))
    chain = layers(boxes, whole_game(boxes))
    last = end_values(chain[-1], np.float32)
    found: list[int] = []
    one = solve_layer(chain[-2], chain[-1], last)
    many = solve_layer(chain[-2], chain[-1], last, threads=threads, progress=found.append)
    assert (one == many).all()
    assert sum(found) == chain[-2].size


def test_the_numbers_of_pairs_and_states_are_known() -> None:
    boxes = Boxes(TRADITIONAL)
    chain = layers(boxes, whole_game(boxes))
    assert sum(layer.pairs for layer in chain) == 5_200_300  # the end of the game among them
    assert [layer.counts for layer in chain[:3]] == [(12, 12), (12, 11), (11, 11)]
    assert sum(layer.size for layer in chain) == 1_245_089_080


def test_windows_leave_out_what_is_decided_or_cannot_be() -> None:
    rules = small(Category.YACHT, Category.CHOICE)
    boxes = Boxes(rules)
    chain = layers(boxes, whole_game(boxes))
    assert [layer.counts for layer in chain] == [(2, 2), (2, 1), (1, 1), (1, 0), (0, 0)]
    assert (chain[0].low.item(), chain[0].high.item()) == (0, 0)
    # The waiter has Choice left and scored 0 or 50 in Yacht, or the other way 5 to 30.
    assert chain[1].low.tolist() == [[0, 5]]
    assert chain[1].high.tolist() == [[50, 30]]


def test_an_empty_window_stands_where_everything_is_decided() -> None:
    rules = small(Category.ONES)
    boxes = Boxes(rules)
    for lead, side in ((500, 1.0), (-500, 0.0)):
        first = layers(boxes, Root((rules.mask, rules.mask), lead))[0]
        low, high = first.low.item(), first.high.item()
        assert low == high + 1
        assert (lead > high) == bool(side)
        assert (lead < low) == (not side)


def test_subsets_rise() -> None:
    assert subsets(0b1011, 2).tolist() == [0b0011, 0b1001, 0b1010]
    assert subsets(0b1011, 0).tolist() == [0]
    assert len(subsets(ALL_DICE.mask, 6)) == 924


def test_an_upper_bonus_is_refused() -> None:
    with pytest.raises(DuelError) as caught:
        Boxes(find_rules("console"))
    assert caught.value.reason is DuelReason.BONUS
