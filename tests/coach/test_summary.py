"""Sentences about a game as a whole."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.coach.games import played
from tests.solved import solved
from yachtdice import TRADITIONAL, Category, Dice, Game, Score
from yachtdice.coach import analyse
from yachtdice.coach.analysis.report import Report
from yachtdice.coach.analysis.statistics import DiceStatistics
from yachtdice.coach.words.overview import dice_sentences, dice_verdict
from yachtdice.coach.words.summary import (
    breakdown,
    circumstances,
    day,
    title,
    total_heading,
    unknown_text,
    verdict,
)
from yachtdice.coach.words.terms import comes_back_text, player
from yachtdice.i18n import use_language
from yachtdice.notation import parse_record

RECORDS = Path(__file__).parent / "records"


def report(game: Game) -> Report:
    return analyse(game, solved(game.rules))


def filled(*points: int) -> Game:
    """Return a game in which every box is entered with its most points, but Choice as given."""
    game = Game.start(TRADITIONAL, ["Ana", "Rui", "Dewi"][: len(points)])
    for category in TRADITIONAL.categories:
        for choice in points:
            most = TRADITIONAL.possible_points(category)[-1]
            game = game.enter(category, choice if category is Category.CHOICE else most)
    return game


def test_who_has_won() -> None:
    assert verdict(report(filled(30, 20, 25)))[0] == "Ana wins."
    assert verdict(report(filled(30, 20, 30)))[0] == "Ana, Dewi share the win."


def test_of_an_unfinished_game_it_is_said_who_is_ahead() -> None:
    game = Game.start(TRADITIONAL, ["Ana", "Rui"])
    assert verdict(report(game)) == (
        "The game is not over. Ana, Rui are level.",
        "With average luck, Ana, Rui would be level.",
    )
    game = game.roll([5, 5, 5, 5, 5])
    assert verdict(report(game)) == (
        "The game is not over. Ana is ahead.",
        "With average luck, Ana, Rui would be level.",
    )


def test_who_would_have_won_with_average_luck() -> None:
    found = report(parse_record((RECORDS / "four-at-a-table.yacht").read_text("utf-8")).game)
    assert verdict(found) == ("Wacław wins.", "With average luck, Dewi would have won.")
    best = played("traditional", ("perfect", "random"), "same")
    assert "It is the same with average luck." in verdict(report(best))


def test_unfinished_with_another_leader_by_luck() -> None:
    game = Game.start(TRADITIONAL, ["Ana", "Rui"]).roll([5, 5, 5, 5, 5])
    # Luck gives more than the wrong box takes.
    luck = report(game).seats[0].luck
    ranked = solved(TRADITIONAL).rank(game.position)
    wrong = next(c for c in ranked if isinstance(c.move, Score) and 5 < c.loss < luck - 5)
    game = game.play(wrong.move)
    assert verdict(report(game))[1] == "With average luck, Rui would be ahead."


def test_what_is_unknown_is_not_called_luck() -> None:
    assert verdict(report(filled(30, 20)))[1] == (
        "With average luck in the rolls that are known, first would be: Ana."
    )


def test_nobody_is_left() -> None:
    game = Game.start(TRADITIONAL, ["Ana", "Rui"]).resign(1).resign(0)
    assert verdict(report(game)) == ("Everybody has given up.",)


def test_the_account_adds_up() -> None:
    for path in RECORDS.glob("*.yacht"):
        for seat in report(parse_record(path.read_text("utf-8")).game).seats:
            assert abs(sum(value for _, value in breakdown(seat)) - seat.expected) < 1e-9


def test_titles_and_circumstances() -> None:
    found = replace(report(filled(30, 20)), date="2026-11-30", hints=True)
    assert title(found) == "Ana\N{NO-BREAK SPACE}· Rui"
    assert circumstances(found) == ("Traditional", "Nov 30, 2026", "Played with hints")
    assert total_heading(found) == "Total"
    assert day("yesterday") == "yesterday"


def test_computers_without_a_name_are_called_so() -> None:
    game = Game.start(TRADITIONAL, ["", "", ""])
    one = analyse(game, solved(TRADITIONAL), bots={1: "casual"})
    assert [player(one, seat) for seat in one.seats] == ["Player 1", "Computer", "Player 3"]
    two = analyse(game, solved(TRADITIONAL), bots={1: "casual", 2: "casual"})
    assert [player(two, seat) for seat in two.seats] == ["Player 1", "Computer 1", "Computer 2"]


def test_an_entered_turn_says_what_it_has_cost_at_least() -> None:
    game = Game.start(TRADITIONAL, [""]).enter(Category.YACHT, 0)
    assert "The box has cost at least: " in unknown_text(report(game).seats[0].turns[0])
    game = Game.start(TRADITIONAL, [""]).enter(Category.YACHT, Dice([5, 5, 5, 5, 5]))
    assert "at least" not in unknown_text(report(game).seats[0].turns[0])


def test_what_is_said_of_dice() -> None:
    fair = DiceStatistics((100, 104, 96, 98, 103, 99))
    assert dice_verdict(fair) == "600 dice were rolled, and they look like fair dice."
    assert len(list(dice_sentences(fair))) == 3
    assert len(list(dice_sentences(DiceStatistics((1, 0, 0, 0, 0, 0))))) == 1


def test_when_an_exercise_comes_back_is_said_as_people_do() -> None:
    now = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
    for later, said in (
        (timedelta(seconds=-5), "It comes back in 1 minute."),
        (timedelta(seconds=61), "It comes back in 2 minutes."),
        (timedelta(minutes=59), "It comes back in 59 minutes."),
        (timedelta(hours=3), "It comes back later today."),
        (timedelta(hours=5), "It comes back: Dec 1, 2026"),
    ):
        assert comes_back_text(now + later, now) == said
    with use_language("de"):
        assert comes_back_text(now + timedelta(days=3), now).endswith("03.12.2026")
