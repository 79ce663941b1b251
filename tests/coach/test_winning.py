"""A game for two in winning chances: the sums, the curve, what cost most, what is said of it."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import programs
from tests.coach.games import duel_of, played
from tests.solved import solved
from tests.strategies import examples, games
from yachtdice import ALL_DICE, TRADITIONAL, Category, Dice, Game, Hold, RuleSet
from yachtdice.bots import LEVELS
from yachtdice.cli.support.screen import Look
from yachtdice.cli.text.report import report_lines
from yachtdice.coach import Report, WinOddsReport, analyse, report_data, win_odds_report
from yachtdice.coach.pages import report_body
from yachtdice.coach.words.win_odds import kind_sentence
from yachtdice.solver.duel import Duel, build_table

EXACTLY = 1e-9
"""Sums add up to this: they are taken in float64, whatever the chances come from."""
FLOAT32 = 2e-6
"""What a decision may seem to cost that cannot be told apart from the best, by a sub-game."""

published = st.sampled_from([TRADITIONAL, ALL_DICE])


def told(game: Game, duel: Duel | None = None) -> WinOddsReport:
    duel = duel or duel_of(game.rules)
    assert duel is not None
    return win_odds_report(duel, game)


def report(game: Game) -> Report:
    return analyse(game, solved(game.rules), duel=duel_of(game.rules))


def check(game: Game, duel: Duel | None = None) -> WinOddsReport:
    """Return *game* in winning chances; every part of it has to add up."""
    found = told(game, duel)
    for seat in found.seats:
        parts = seat.luck - seat.lost - seat.their_luck + seat.their_lost + seat.other + seat.source
        assert seat.chance == pytest.approx(seat.start + parts, abs=EXACTLY)
        assert seat.lost >= -EXACTLY
        losses = [lost.loss for lost in seat.costliest]
        assert losses == sorted(losses, reverse=True)
        assert sum(losses) <= seat.lost + EXACTLY
        for lost in seat.costliest:
            position = Game.replay(game.events[: lost.event]).position
            assert (position.seat, position.dice) == (seat.seat, lost.dice)
            assert {lost.move, lost.best} <= set(position.legal_moves())
            assert 0 < lost.loss <= 1 - lost.chance + EXACTLY
    first, second = found.seats
    assert first.chance + second.chance == pytest.approx(1, abs=EXACTLY)
    assert (first.luck, first.lost) == (second.their_luck, second.their_lost)
    assert first.source == pytest.approx(-second.source, abs=EXACTLY)
    position = game.position
    if position.is_over and position.winners:
        wins = 1 / len(position.winners) if 0 in position.winners else 0.0
        assert first.chance == pytest.approx(wins, abs=EXACTLY)
    marks = found.curve
    assert [mark.event for mark in marks] == list(range(len(game.events)))
    assert [mark.rounds for mark in marks] == sorted(mark.rounds for mark in marks)
    assert (marks[0].chance, marks[-1].chance) == (first.start, first.chance)
    # Boxes fill up: what is exact once stays so.
    kinds = [mark.kind for mark in marks]
    assert kinds == sorted(kinds, key=("estimate", "exact").index)
    assert all(-EXACTLY <= mark.chance <= 1 + EXACTLY for mark in marks)
    return found


@examples(60)
@given(games(published, most_seats=2))
def test_every_game_for_two_adds_up(game: Game) -> None:
    """Also unfinished ones, with turns entered as a whole, corrections and resignations."""
    assume(len(game.names) == 2)
    check(game)


def tables(bot: str, count: int) -> Iterator[tuple[str, tuple[str, str], str]]:
    """Yield that many tables for *bot* and another: a rule set, who sits there, a seed."""
    random = Random(bot)  # noqa: S311 - no secret
    for number in range(count):
        first, second = random.sample([bot, random.choice(list(LEVELS))], 2)
        yield ("traditional", "all-dice")[number % 2], (first, second), f"{bot}/{number}"


def check_bot(bot: str, count: int) -> None:
    """Check games of *bot* against others under both rule sets."""
    for key, levels, seed in tables(bot, count):
        found = check(played(key, levels, seed))
        assert found.kinds == {"exact", "estimate"}
        assert found.exact_from is not None
        assert found.exact_from.rounds == 8
        for swing in found.breakdown.swings:
            # Champion has played by the same chances: where they are exact, it has lost nothing.
            if levels[swing.seat] == "champion" and swing.part == "decision":
                assert swing.best is None
                assert -swing.change <= (FLOAT32 if swing.kind == "exact" else EXACTLY)


@pytest.mark.parametrize("bot", LEVELS)
def test_games_of_every_bot_add_up(bot: str) -> None:
    check_bot(bot, 6)


@pytest.mark.soak
@pytest.mark.parametrize("bot", LEVELS)
def test_many_games_of_every_bot_add_up(bot: str) -> None:
    check_bot(bot, 300)


def test_with_a_table_a_whole_game_is_exact(tmp_path_factory: pytest.TempPathFactory) -> None:
    programs.need("numba")
    few = tuple(Category)[:4]
    rules = RuleSet("few", {category: TRADITIONAL.scorers[category] for category in few})
    table = build_table(tmp_path_factory.mktemp("table") / "few.table", rules)
    duel = Duel(rules, table, solo=solved(rules), rounds=0)
    random = Random(4)  # noqa: S311 - no secret
    game = Game.start(rules, ["Ana", "Rui"])
    while not game.position.is_over:
        position = game.position
        if position.must_roll:
            game = game.roll(random.choices(range(1, 7), k=5 - len(position.dice)))
        elif position.seat:
            game = game.play(random.choice(position.legal_moves()))
        else:
            game = game.play(duel.rank(position).choices[0].move)
    found = check(game, duel)
    assert found.kinds == {"exact"}
    assert found.exact_from == found.curve[0]
    assert kind_sentence(found) == "All of these chances are exact."
    # The table rounds to 65,535ths: nothing that it cannot tell apart is called a loss.
    assert found.seats[0].costliest == ()
    assert found.seats[1].costliest
    assert abs(found.seats[0].source) < 8 * 2e-5


def test_only_two_seats_have_such_a_report() -> None:
    for levels in (("casual",), ("casual", "skilled", "greedy")):
        found = report(played("traditional", levels, 1))
        assert found.win_odds is None
        assert report_data(found)["winning"] is None
        assert "Winning chances" not in report_body(found)
    with pytest.raises(ValueError, match="two seats"):
        told(played("traditional", ("casual",), 1))
    assert report(played("console", ("casual", "skilled"), 1)).win_odds is None


def test_every_form_says_whether_it_is_exact() -> None:
    found = report(played("all-dice", ("casual", "novice"), 5))
    body = report_body(found)
    text = "\n".join(report_lines(found, Look(80)))
    plain = "\n".join(report_lines(found, Look(80, plain=True)))
    for said in (body, text, plain):
        assert "These chances are exact from round 9 on, and estimates before." in said
        assert "What cost most chances" in said
    # Each stands in the legend, too.
    assert body.count("coach-line coach-exact") == body.count("coach-line coach-estimate") == 2
    assert plain.count("(estimate).") == 8
    assert plain.count("(exact).") == 5
    kinds = [kind for *_, kind in report_data(found)["winning"]["curve"]]
    assert kinds == [mark.kind for mark in told(played("all-dice", ("casual", "novice"), 5)).curve]


def test_a_game_that_has_not_come_so_far_is_an_estimate() -> None:
    found = report(played("traditional", ("casual", "novice"), 5, turns=6))
    assert found.win_odds is not None
    assert found.win_odds.exact_from is None
    assert kind_sentence(found.win_odds) == "All of these chances are estimates."
    assert "coach-exact" not in report_body(found)


def test_where_both_have_given_up_it_is_as_good_as_a_tie() -> None:
    game = Game.start(TRADITIONAL, ["Ana", "Rui"]).resign(0).resign(1)
    assert game.position.is_over
    assert [seat.chance for seat in check(game).seats] == [0.5, 0.5]


def test_what_was_best_for_points_is_said() -> None:
    """One point behind a full card, two fives promise more than three ones, and win less often."""
    game = Game.start(TRADITIONAL, ["Ana", "Rui"], first=1)
    for category in TRADITIONAL.categories:
        if category is not Category.FOUR_OF_A_KIND:
            ahead = category is Category.CHOICE
            least = TRADITIONAL.possible_points(category)[0]
            game = game.enter(category, least + ahead).enter(category, least)
    game = game.enter(Category.FOUR_OF_A_KIND, 0)
    game = game.roll([1, 1, 1, 5, 5]).play(Hold(Dice([5, 5])))
    found = report(game)
    assert found.win_odds is not None
    (lost,) = found.win_odds.seats[0].costliest
    assert lost.best == Hold(Dice([1, 1, 1]))
    assert lost.kind == "exact"
    assert found.seats[0].decisions[-1].loss == 0
    for said in (report_body(found), "\n".join(report_lines(found, Look(80)))):
        assert "For points it was the best move." in said
