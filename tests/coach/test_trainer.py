"""Exercises, the deck in which they come back, and its file."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given

from tests.solved import solved
from tests.strategies import examples, games
from yachtdice import TRADITIONAL, Category, Dice, Game, Hold, Score, Scorecard
from yachtdice.coach import Label, analyse, judge
from yachtdice.coach.training.deckfile import DeckFile, DeckFileError
from yachtdice.coach.training.exercises import (
    GENERATED,
    MAX_GAP,
    MIN_GAP,
    Exercise,
    Theme,
    generated_exercises,
    own_exercises,
)
from yachtdice.coach.training.trainer import Deck, DeckError
from yachtdice.notation import parse_game
from yachtdice.presets import find_rules

RECORDS = Path(__file__).parent / "records"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def own(name: str = "alone") -> tuple[Exercise, ...]:
    game = parse_game((RECORDS / f"{name}.yacht").read_text())
    report = analyse(game, solved(game.rules))
    return own_exercises(game, report, {0}, name)


def answer(deck: Deck, exercise: Exercise, now: datetime, *, right: bool) -> Deck:
    ranked = solved(exercise.rules).rank(exercise.position)
    move = ranked[0 if right else -1].move
    decided = judge(exercise.position, move, solved(exercise.rules))
    assert decided is not None
    return deck.answered(exercise, decided, now)


@pytest.mark.parametrize("name", ["alone", "real-dice", "unfinished"])
def test_mistakes_become_exercises(name: str) -> None:
    game = parse_game((RECORDS / f"{name}.yacht").read_text())
    report = analyse(game, solved(game.rules))
    wrong = [d for d in report.seats[0].decisions if d.label.is_wrong]
    exercises = own(name)
    assert len(exercises) == len(wrong)
    for exercise, decision in zip(exercises, sorted(wrong, key=lambda d: -d.loss), strict=True):
        judged = judge(exercise.position, decision.move, solved(game.rules))
        assert judged is not None
        assert judged.loss == pytest.approx(decision.loss, abs=1e-9)
        assert (exercise.theme, exercise.source) == (Theme.OWN, name)


def test_each_theme_has_exercises_that_fit_it() -> None:
    solution = solved(TRADITIONAL)
    exercises = list(islice(generated_exercises(solution, GENERATED, 7), 60))
    assert {exercise.theme for exercise in exercises} == set(GENERATED)
    for exercise in exercises:
        choices = solution.rank(exercise.position)
        second = next(choice for choice in choices if choice.place > 1)
        assert MIN_GAP <= second.loss <= MAX_GAP
        best = choices[0].move
        open_boxes = len(exercise.card.open)
        match exercise.theme:
            case Theme.OPENING:
                assert open_boxes > 9
                assert isinstance(best, Hold)
            case Theme.KEEP:
                assert isinstance(best, Hold)
            case Theme.STOP:
                assert isinstance(best, Hold) != isinstance(second.move, Hold)
            case Theme.BOX | Theme.ZERO:
                assert isinstance(best, Score)
                assert not exercise.rolls_left
                points = TRADITIONAL.score(best.category, exercise.dice)
                assert (points == 0) == (exercise.theme is Theme.ZERO)
            case Theme.ENDGAME:
                assert open_boxes <= 3
            case Theme.OWN:
                pytest.fail("own mistakes cannot be generated")


def test_the_same_seed_makes_the_same_exercises() -> None:
    solution = solved(TRADITIONAL)

    def made(seed: int) -> list[Exercise]:
        return list(islice(generated_exercises(solution, [Theme.BOX], seed), 5))

    assert made(1) == made(1)
    assert made(1) != made(2)
    assert {exercise.theme for exercise in made(1)} == {Theme.BOX}


def test_nothing_can_be_generated_without_a_theme() -> None:
    with pytest.raises(ValueError, match="no theme"):
        next(generated_exercises(solved(TRADITIONAL), [Theme.OWN], 1))


@examples(30)
@given(games(plain=True, most_seats=2))
def test_an_exercise_can_be_played_as_a_game(game: Game) -> None:
    position = game.position
    if position.legal_moves():
        exercise = Exercise(position.card, position.dice, position.rolls_left, Theme.OWN)
        assert exercise.game.position == exercise.position


def test_the_same_question_has_the_same_id() -> None:
    dice = Dice([1, 2, 2, 4, 6])
    empty = Scorecard(TRADITIONAL)
    first = Exercise(empty.fill(Category.FOURS, 12), dice, 1, Theme.OWN, "a")
    same = Exercise(empty.fill(Category.FOURS, 16), dice, 1, Theme.KEEP, "b")
    assert first.id == same.id
    others = [
        Exercise(empty.fill(Category.FIVES, 10), dice, 1, Theme.OWN),
        Exercise(first.card, Dice([1, 2, 2, 4, 5]), 1, Theme.OWN),
        Exercise(first.card, dice, 0, Theme.OWN),
    ]
    assert len({exercise.id for exercise in (first, *others)}) == 4
    # Towards a bonus the points matter.
    console = Scorecard(find_rules("console"))
    low, high = (Exercise(console.fill(Category.FOURS, n), dice, 1, Theme.OWN) for n in (12, 16))
    assert low.id != high.id


def test_a_wrong_answer_comes_back_sooner_than_a_right_one() -> None:
    exercise = own()[0]
    deck = Deck().with_exercises(own())
    wrong = answer(deck, exercise, NOW, right=False).items[exercise.id].due
    right = answer(deck, exercise, NOW, right=True).items[exercise.id].due
    assert wrong is not None
    assert right is not None
    assert NOW < wrong <= NOW + timedelta(minutes=1) < right


def test_right_answers_come_back_later_and_later() -> None:
    exercise = own()[0]
    deck = Deck().with_exercises([exercise])
    now, gaps = NOW, []
    for _ in range(5):
        deck = answer(deck, exercise, now, right=True)
        due = deck.items[exercise.id].asked_from(UTC)
        assert due is not None
        gaps.append(due - now)
        assert deck.due(now, TRADITIONAL) == []
        assert deck.next_due(now, TRADITIONAL) == due
        now = due
        assert [item.exercise for item in deck.due(now, TRADITIONAL)] == [exercise]
    assert gaps == sorted(set(gaps))
    assert gaps[-1] > timedelta(days=14)


@pytest.mark.parametrize(
    ("answered", "zone", "asked"),
    [
        # Noon in Warsaw, and two days later from 4 in the morning on.
        ("2026-11-28T11:00+00:00", "Europe/Warsaw", "2026-11-30T04:00+01:00"),
        # Evening there, which is the same day yet; the next day in Auckland.
        ("2026-11-28T11:00+00:00", "Pacific/Auckland", "2026-11-30T04:00+13:00"),
        # After midnight: the day has not ended before 4.
        ("2026-11-28T01:00+00:00", "Europe/Warsaw", "2026-11-29T04:00+01:00"),
        # Over the change to winter time a day begins at 4 by the clock.
        ("2026-10-23T10:00+00:00", "Europe/Warsaw", "2026-10-25T04:00+01:00"),
    ],
)
def test_what_comes_back_on_a_day_is_asked_from_4_in_the_morning(
    answered: str, zone: str, asked: str
) -> None:
    exercise = own()[0]
    now = datetime.fromisoformat(answered)
    deck = Deck().with_exercises([exercise])
    deck = answer(deck, exercise, now - timedelta(minutes=10), right=True)
    deck = answer(deck, exercise, now, right=True)
    due = deck.items[exercise.id].due
    assert due == now + timedelta(days=2)
    begins = datetime.fromisoformat(asked).astimezone(ZoneInfo(zone))
    assert deck.next_due(now.astimezone(ZoneInfo(zone)), TRADITIONAL) == begins
    assert deck.due(begins - timedelta(seconds=1), TRADITIONAL) == []
    assert [item.exercise for item in deck.due(begins, TRADITIONAL)] == [exercise]
    # An answer in the morning counts like one at the hour of the last one.
    early = answer(deck, exercise, begins, right=True).items[exercise.id]
    late = answer(deck, exercise, due, right=True).items[exercise.id]
    assert early.memory["stability"] == late.memory["stability"]
    assert early.due == late.due


def test_what_was_asked_before_comes_before_what_is_new() -> None:
    exercises = own()
    deck = Deck().with_exercises(exercises)
    asked = exercises[-1]
    deck = answer(deck, asked, NOW - timedelta(days=1), right=False)
    due = deck.due(NOW, TRADITIONAL)
    assert due[0].exercise == asked
    assert len(due) == len(deck.items)
    assert deck.due(NOW, find_rules("all-dice")) == []
    assert deck.due(NOW, TRADITIONAL, [Theme.BOX]) == []


def test_a_fine_answer_is_neither_right_nor_wrong() -> None:
    solution = solved(TRADITIONAL)
    for exercise in own():
        for choice in solution.rank(exercise.position):
            decided = judge(exercise.position, choice.move, solution)
            assert decided is not None
            if decided.label is Label.FINE:
                item = Deck().answered(exercise, decided, NOW).items[exercise.id]
                assert item.memory["stability"] == pytest.approx(1.2931)
                return
    pytest.fail("no fine move in any exercise")


def test_a_deck_goes_to_json_and_back() -> None:
    deck = Deck().with_exercises([*own(), *own("unfinished")])
    for number, exercise in enumerate(own()):
        deck = answer(deck, exercise, NOW + timedelta(hours=number), right=number % 2 == 0)
    data = json.loads(json.dumps(deck.to_data()))
    assert Deck.from_data(data) == deck


def test_exercises_that_are_known_stay_as_they_are() -> None:
    exercises = own()
    deck = answer(Deck().with_exercises(exercises), exercises[0], NOW, right=True)
    assert deck.with_exercises(exercises) is deck


@pytest.mark.parametrize(
    "change",
    [
        {"dice": [1, 2, 3]},
        {"dice": [1, 2, 3, 4, 7]},
        {"theme": "poetry"},
        {"card": {"ones": 99}},
        {"rules": {"key": "unheard-of"}},
        {"rolls_left": 3},
        {"due": "2026-11-30"},
        {"answers": [{"time": "soon"}]},
        {"memory": {"state": 9}},
    ],
)
def test_a_damaged_exercise_is_refused(change: dict[str, object]) -> None:
    data = Deck().with_exercises(own()[:1]).to_data()
    data["exercises"][0] |= change
    with pytest.raises(DeckError):
        Deck.from_data(data)


@pytest.mark.parametrize("data", [None, [], {}, {"format": "yacht-trainer 2", "exercises": []}])
def test_what_is_no_deck_is_refused(data: object) -> None:
    with pytest.raises(DeckError):
        Deck.from_data(data)


def test_the_file_keeps_the_deck(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "trainer.json"
    deck = answer(Deck().with_exercises(own()), own()[0], NOW, right=True)
    with DeckFile(path) as file:
        assert file.read() == Deck()
        file.write(deck)
    with DeckFile(path) as file:
        assert file.read() == deck
        with pytest.raises(DeckFileError) as caught, DeckFile(path):
            pass
        assert caught.value.in_use
    assert not path.with_name(".trainer.json.new").exists()
    # A line for each exercise, so that the file can be read.
    assert len(path.read_text().splitlines()) == len(deck.items) + 2


@pytest.mark.parametrize("text", ["", "{", '{"format": "something else"}', "\udcff"])
def test_a_damaged_file_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "trainer.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with DeckFile(path) as file, pytest.raises(DeckFileError) as caught:
        file.read()
    assert not caught.value.in_use
    assert path.read_bytes() == text.encode(errors="surrogateescape")


def test_a_file_that_cannot_be_written_keeps_what_it_held(tmp_path: Path) -> None:
    path = tmp_path / "trainer.json"
    with DeckFile(path) as file:
        file.write(Deck())
        before = path.read_text()
        (tmp_path / ".trainer.json.new").mkdir()
        with pytest.raises(DeckFileError):
            file.write(Deck().with_exercises(own()))
    assert path.read_text() == before


def test_house_rules_travel_with_their_exercises() -> None:
    rules = replace(TRADITIONAL, key="at-home", rolls=4)
    exercise = Exercise(Scorecard(rules), Dice([1, 2, 2, 4, 6]), 3, Theme.KEEP)
    data = json.loads(json.dumps(Deck().with_exercises([exercise]).to_data()))
    (item,) = Deck.from_data(data).items.values()
    assert item.exercise == exercise
