"""Chances and rankings of positions, by whatever knows them."""

import threading
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import programs
from tests.solver.duel.conftest import looked_through
from tests.solver.duel.minimax import Minimax, small
from tests.strategies import rolls
from tests.waiting import DEADLINE, until
from yachtdice import (
    ALL_DICE,
    CATEGORIES,
    TRADITIONAL,
    Category,
    Dice,
    Hold,
    Position,
    Score,
    Scorecard,
)
from yachtdice.presets import find_rules
from yachtdice.solver import ValueTableError, ValueTableReason
from yachtdice.solver.duel import Duel, DuelError, DuelReason, DuelTable, build_table
from yachtdice.solver.duel.sources import FLOAT_ERROR, SubGame, TableSource
from yachtdice.solver.duel.table import ERROR
from yachtdice.solver.duel.tree import Boxes
from yachtdice.solver.duel.view import View

SOME = small(*CATEGORIES[7:])
TWO = small(Category.YACHT, Category.LITTLE_STRAIGHT, rolls=2)


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel(SOME)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> DuelTable:
    programs.need("numba")
    return build_table(tmp_path_factory.mktemp("tables") / "table", SOME)


def played(seed: int, turns: int, seats: int = 2) -> Position:
    """Return a position after so many turns, each scored at once in a box drawn at random."""
    random = Random(seed)  # noqa: S311 - no secret
    position = Position.start(SOME, seats)
    for _ in range(turns):
        position = position.roll(Dice(random.choices(range(1, 7), k=5)))
        position = position.play(Score(random.choice(position.card.open)))
    return position


def mirrored(position: Position) -> Position:
    """Return the position with the seats changed over."""
    return Position(
        position.rules,
        position.cards[::-1],
        1 - position.seat,
        position.dice,
        position.rolls_left,
        frozenset(1 - seat for seat in position.resigned),
    )


@given(rolls, rolls, st.integers(0, 31))
@settings(max_examples=8)
def test_every_step_of_a_game_is_worth_what_every_outcome_says(
    first: Dice, second: Dice, hold: int
) -> None:
    minimax, duel = looked_through(TWO), Duel(TWO)
    position = Position.start(TWO, 2)

    def check() -> None:
        chances = duel.win_odds(position)
        assert chances.kind == "exact"
        assert chances.seats[0] == pytest.approx(float(minimax(position)), abs=2e-7)
        assert sum(chances.seats) == pytest.approx(1)
        for choice in duel.rank(position).choices:
            value = minimax(position.play(choice.move))
            mine = 1 - value if position.seat else value
            assert choice.value == pytest.approx(float(mine), abs=3e-6)

    check()
    while not position.is_over:
        position = position.roll(first)
        check()
        position = position.play(Hold(first.holds()[hold % (len(first.holds()) - 1)]))
        check()
        rest = Dice(second.faces[: 5 - len(position.dice)])
        position = position.roll(rest)
        check()
        position = position.play(Score(position.card.open[hold % len(position.card.open)]))
    check()


def test_what_one_seat_wins_the_other_loses(duel: Duel) -> None:
    for seed in range(20):
        position = played(seed, seed % 10)
        chances = duel.win_odds(position)
        other = duel.win_odds(mirrored(position))
        assert chances.seats == other.seats[::-1]
        assert sum(chances.seats) == pytest.approx(1, abs=1e-12)


def test_chances_fit_together_from_step_to_step(duel: Duel) -> None:
    for seed in range(10):
        position = played(seed, seed)
        mover = position.seat
        before = duel.win_odds(position).seats[mover]
        after = sum(
            float(p) * duel.win_odds(position.roll(dice)).seats[mover]
            for dice, p in position.outcomes()
        )
        assert after == pytest.approx(before, abs=1e-9)
        position = position.roll(Dice([1, 2, 2, 5, 6]))
        ranking = duel.rank(position)
        best = ranking.choices[0]
        assert best.value == pytest.approx(duel.win_odds(position).seats[mover], abs=3e-6)
        for choice in ranking.choices:
            chance = duel.win_odds(position.play(choice.move)).seats[mover]
            assert choice.value == pytest.approx(chance, abs=4e-6)
            assert choice.loss == pytest.approx(best.value - choice.value, abs=1e-12)
            assert choice.is_best == (choice.loss == 0)


def test_a_ranking_holds_every_legal_move_once(duel: Duel) -> None:
    position = played(3, 4).roll(Dice([1, 1, 4, 4, 6]))
    moves = [choice.move for choice in duel.rank(position).choices]
    assert len(moves) == len(set(moves)) == len(position.legal_moves())
    assert set(moves) == set(position.legal_moves())
    assert duel.rank(Position.start(SOME, 2)).choices == ()
    held = position.play(Hold(Dice([4, 4])))
    assert duel.rank(held).choices == ()


def test_moves_that_win_as_often_are_ordered_by_points(duel: Duel) -> None:
    # The game is decided: whatever is done, it is won.
    cards = tuple(Scorecard(SOME) for _ in range(2))
    ahead = cards[0]
    for category, points in zip(CATEGORIES[7:11], (24, 30, 30, 30), strict=True):
        ahead = ahead.fill(category, points)
    behind = Scorecard(SOME, tuple(0 if i in range(7, 11) and i != 10 else None for i in range(12)))
    behind = behind.fill(Category.CHOICE, 5)
    position = Position(SOME, (ahead, behind), 0, Dice([5, 5, 5, 2, 1]), 2)
    ranking = duel.rank(position)
    assert {choice.value for choice in ranking.choices} == {1.0}
    assert {choice.place for choice in ranking.choices} == {1}
    assert [c.move for c in ranking.choices] == [c.move for c in duel.solo.rank(position)]
    assert ranking.choices[0].move == Hold(Dice([5, 5, 5]))


def test_who_has_not_resigned_wins() -> None:
    duel = Duel(SOME)
    position = played(1, 3).resign(0)
    assert duel.win_odds(position).seats == pytest.approx((0.0, 1.0))
    assert duel.win_odds(position).kind == "exact"
    ranking = duel.rank(position.roll(Dice([1, 2, 3, 4, 5])))
    assert {round(choice.value, 12) for choice in ranking.choices} == {1.0}
    assert ranking.choices[0].move == Score(Category.LITTLE_STRAIGHT)
    # Of three seats two are left: that is a duel.
    position = played(1, 5, seats=3).resign(1)
    chances = duel.win_odds(position)
    assert chances.kind == "exact"
    assert chances.seats[1] == 0
    assert sum(chances.seats) == pytest.approx(1)


def test_a_game_alone_is_won() -> None:
    assert Duel(SOME).win_odds(Position.start(SOME)).seats == pytest.approx((1.0,))


def test_at_the_end_the_winners_share() -> None:
    position = Position.start(TWO, 3)
    for points in (50, 50, 0, 0, 0, 30):
        category = Category.YACHT if points == 50 or position.card.mask == 0 else None
        position = position.enter(category or Category.LITTLE_STRAIGHT, points)
    assert position.is_over
    duel = Duel(TWO)
    assert duel.win_odds(position).seats == (0.5, 0.5, 0.0)
    assert duel.rank(position).choices == ()
    with pytest.raises(ValueError, match="over"):
        duel.turn(position)


@pytest.mark.parametrize("turns", range(9))
def test_the_table_says_what_the_sub_game_says(duel: Duel, table: DuelTable, turns: int) -> None:
    by_table = Duel(SOME, table, rounds=0)
    position = played(turns, turns).roll(Dice([2, 3, 3, 4, 6]))
    found, exact = by_table.rank(position), duel.rank(position)
    assert found.kind == exact.kind == "exact"
    values = {choice.move: choice.value for choice in exact.choices}
    slack = 2 * ERROR + 3 * FLOAT_ERROR + 2 * ERROR  # moves that share a place have its best value
    for choice in found.choices:
        assert choice.value == pytest.approx(values[choice.move], abs=slack)
    chances = by_table.win_odds(position).seats
    assert chances == pytest.approx(duel.win_odds(position).seats, abs=ERROR + FLOAT_ERROR)


def test_the_table_knows_positions_of_play_only(table: DuelTable) -> None:
    source = TableSource(table)
    mask = SOME.mask
    assert source.covers(View(mask, mask, 0))
    assert source.covers(View(mask, mask & (mask - 1), 0))
    assert not source.covers(View(mask & (mask - 1), mask, 0))
    # Such a position comes about by corrections: it is solved as a sub-game.
    position = Position(
        SOME, (Scorecard(SOME, played(2, 1).cards[0].points), Scorecard(SOME)), 0, Dice(), 3
    )
    assert Duel(SOME, table).win_odds(position).kind == "exact"
    assert Duel(SOME, table, rounds=0).win_odds(position).kind == "estimate"


def test_a_sub_game_serves_what_follows_from_it() -> None:
    duel = Duel(SOME)
    position = played(5, 2)
    duel.win_odds(position)
    games = list(duel.sub_games)
    assert len(games) == 1
    while not position.is_over:
        position = position.roll(Dice([1, 3, 3, 6, 6]))
        duel.rank(position)
        position = position.play(Score(position.card.open[-1]))
        duel.win_odds(position)
    assert duel.sub_games == games
    # Another game is another sub-game; only some are kept.
    for seed in range(10):
        duel.win_odds(played(100 + seed, 0).enter(Category.CHOICE, 10 + seed))
    assert len(duel.sub_games) == 8


def test_a_sub_game_does_not_answer_for_others() -> None:
    duel = Duel(SOME)
    start = Position.start(SOME, 2).enter(Category.CHOICE, 30)
    duel.win_odds(start)
    game = duel.sub_games[0]
    mask, choice = SOME.mask, 1 << Category.CHOICE.index
    assert game.covers(View(mask, mask ^ choice, -30))
    assert game.covers(View(mask ^ choice, mask ^ choice, 0))
    assert game.covers(View(mask ^ choice, mask ^ choice, 1))
    assert not game.covers(View(mask, mask ^ choice, -29))
    assert not game.covers(View(mask ^ choice, mask ^ choice, -1))  # 31 in Choice
    assert not game.covers(View(mask, mask, 0))
    assert not game.covers(View(mask, mask ^ 1 << Category.YACHT.index, -30))


def test_rounds_decide_between_exact_and_estimate() -> None:
    for rounds, kind in ((4, "estimate"), (5, "exact")):
        assert Duel(SOME, rounds=rounds).win_odds(Position.start(SOME, 2)).kind == kind
    assert Duel(SOME, rounds=4).win_odds(played(0, 2)).kind == "exact"
    assert Duel(SOME, rounds=4).win_odds(played(0, 1)).kind == "estimate"


def test_without_numba_the_last_rounds_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Duel(SOME).win_odds(played(0, 4))
    for module in ("backward", "duel"):
        monkeypatch.setattr(f"yachtdice.solver.duel.{module}.has_numba", lambda: False)
    duel = Duel(SOME)
    assert duel.rounds == 6
    plain = duel.win_odds(played(0, 4))
    assert plain.kind == "exact"
    assert plain.seats == pytest.approx(compiled.seats, abs=FLOAT_ERROR)
    assert Duel(TRADITIONAL).win_odds(Position.start(TRADITIONAL, 2)).kind == "estimate"


def test_other_rules_are_refused(duel: Duel, table: DuelTable) -> None:
    for refused in (
        lambda: duel.win_odds(Position.start(TRADITIONAL, 2)),
        lambda: duel.rank(Position.start(TRADITIONAL, 2)),
        lambda: duel.turn(Position.start(TRADITIONAL, 2)),
        lambda: Duel(TRADITIONAL, table),
    ):
        with pytest.raises(ValueTableError) as caught:
            refused()
        assert caught.value.reason is ValueTableReason.OTHER_RULES
    with pytest.raises(DuelError) as refusal:
        Duel(find_rules("console"))
    assert refusal.value.reason is DuelReason.BONUS


def test_threads_share_a_duel() -> None:
    duel = Duel(SOME)
    positions = [played(seed % 5, 3) for seed in range(20)]
    found: list[tuple[int, float]] = []
    threads = [
        threading.Thread(target=lambda i=i, p=p: found.append((i, duel.win_odds(p).seats[0])))
        for i, p in enumerate(positions)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = Duel(SOME)
    assert dict(found) == {i: alone.win_odds(p).seats[0] for i, p in enumerate(positions)}


def test_who_cannot_wait_gets_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is exact as soon as it is solved; one sub-game is solved at a time."""
    may_solve, asked = threading.Event(), list[View]()

    def solve(boxes: Boxes, view: View) -> SubGame:
        asked.append(view)
        assert may_solve.wait(DEADLINE)
        return SubGame(boxes, view)

    monkeypatch.setattr("yachtdice.solver.duel.duel.SubGame", solve)
    duel, here, elsewhere = Duel(SOME), played(0, 2), played(1, 2)
    for position in (here, here, elsewhere):
        assert duel.win_odds(position, timeout=0).kind == "estimate"
        rolled = position.roll(Dice([1, 2, 3, 3, 6]))
        assert duel.rank(rolled, timeout=0).kind == "estimate"
    until(lambda: asked)
    assert len(asked) == 1
    may_solve.set()
    assert duel.win_odds(here, timeout=DEADLINE).kind == "exact"
    assert duel.win_odds(here, timeout=0).kind == "exact"
    assert duel.win_odds(elsewhere).kind == "exact"
    alone = Duel(SOME)
    for position in (here, elsewhere):
        assert duel.win_odds(position) == alone.win_odds(position)


def test_while_everything_is_made_ready_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    may_solve, begun = threading.Event(), threading.Event()

    def solve(boxes: Boxes, view: View) -> SubGame:
        begun.set()
        assert may_solve.wait(DEADLINE)
        return SubGame(boxes, view)

    monkeypatch.setattr("yachtdice.solver.duel.duel.SubGame", solve)
    duel = Duel(SOME)
    preparing = threading.Thread(target=duel.prepare)
    preparing.start()
    assert begun.wait(DEADLINE)
    assert duel.win_odds(played(0, 2), timeout=DEADLINE).kind == "estimate"
    may_solve.set()
    preparing.join()
    assert duel.win_odds(played(0, 2), timeout=DEADLINE).kind == "exact"


@pytest.mark.parametrize("rounds", [0, 5])
def test_everything_can_be_made_ready(rounds: int) -> None:
    duel = Duel(SOME, rounds=rounds)
    duel.prepare()
    assert {"solo", "estimate", "rounds"} <= vars(duel).keys()
    assert duel.sub_games == []


def test_sub_games_tell_how_far_they_are() -> None:
    duel, told = Duel(SOME), list[int]()
    game = SubGame(Boxes(SOME), View(SOME.mask, SOME.mask, 0), progress=told.append)
    assert sum(told) == sum(layer.size for layer in game.layers[:-1])
    assert game.first == pytest.approx(duel.win_odds(Position.start(SOME, 2)).seats[0], abs=1e-6)


def test_both_published_rules_are_won_by_who_has_more() -> None:
    for rules in (TRADITIONAL, ALL_DICE):
        duel = Duel(rules)
        cards = [Scorecard(rules), Scorecard(rules)]
        for category in CATEGORIES[:11]:
            low, *_, high = rules.possible_points(category)
            cards = [cards[0].fill(category, high), cards[1].fill(category, low)]
        position = Position(rules, (cards[0], cards[1]), 1, Dice(), 3)
        assert duel.win_odds(position).seats == (1.0, 0.0)


def test_one_box_each_is_a_fair_game_by_symmetry() -> None:
    # The second to roll knows what to beat, and can do nothing about it with one box.
    rules = small(Category.YACHT)
    assert Minimax()(Position.start(rules, 2)) == Fraction(1, 2)
    assert Duel(rules).win_odds(Position.start(rules, 2)).seats[0] == pytest.approx(0.5, abs=1e-6)
