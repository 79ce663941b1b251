"""A game is its events: each step is checked, recorded and can be replayed."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tests import strategies
from tests.rules.wrong import NO_NUMBERS, refusal
from yachtdice import (
    ALL_DICE,
    TRADITIONAL,
    Category,
    CategoryScored,
    Dice,
    DiceError,
    DiceHeld,
    DiceRolled,
    Event,
    Game,
    GameStarted,
    Hold,
    IllegalMoveError,
    IllegalMoveReason,
    OfAKind,
    PlayerResigned,
    Position,
    RuleSet,
    Score,
    ScoreCorrected,
    SetupError,
    SetupReason,
    Total,
    TurnEntered,
)
from yachtdice.presets import RULE_SET_KEYS, find_rules

TWO_BOXES = RuleSet("two-boxes", {Category.YACHT: OfAKind(5, 50), Category.CHOICE: Total()})

START = Game.start(TRADITIONAL, ["Ana", "Guest"])
ROLLED = START.roll([6, 2, 4, 2, 1])
HELD = ROLLED.play(Hold(Dice([2, 2])))
SCORED = ROLLED.play(Score(Category.CHOICE))
OVER = START.resign(0).resign(1)


@pytest.mark.parametrize(("rules", "points"), [(TRADITIONAL, 16), (ALL_DICE, 17)])
def test_the_worked_turn_of_the_rules_page(rules: RuleSet, points: int) -> None:
    game = (
        Game.start(rules, ["Ana"])
        .roll([1, 2, 2, 4, 6])
        .play(Hold(Dice([2, 2])))
        .roll([4, 4, 6])
        .play(Hold(Dice([4, 4])))
        .roll([1, 4, 4])
        .play(Score(Category.FOUR_OF_A_KIND))
    )
    assert game.position.cards[0][Category.FOUR_OF_A_KIND] == points
    assert game.position.cards[0].total == points
    assert game.position.is_turn_start
    assert game.events == (
        GameStarted(rules, ("Ana",)),
        DiceRolled(0, (1, 2, 2, 4, 6)),
        DiceHeld(0, Dice([2, 2])),
        DiceRolled(0, (4, 4, 6)),
        DiceHeld(0, Dice([4, 4])),
        DiceRolled(0, (1, 4, 4)),
        CategoryScored(0, Category.FOUR_OF_A_KIND, points),
    )


@pytest.mark.parametrize("rules", [TRADITIONAL, ALL_DICE])
def test_two_pairs_in_the_worked_turn_are_no_full_house(rules: RuleSet) -> None:
    game = Game.start(rules, ["Ana"]).roll([1, 2, 2, 4, 6]).play(Hold(Dice([2, 2]))).roll([4, 4, 6])
    assert game.position.dice == Dice([2, 2, 4, 4, 6])
    assert game.play(Score(Category.FULL_HOUSE)).position.cards[0].total == 0


# The start.


def test_a_new_game_knows_who_plays_what() -> None:
    game = Game.start(ALL_DICE, ["Ana", "", "Ana"], first=2)
    assert game.rules is ALL_DICE
    assert game.names == ("Ana", "", "Ana")
    assert game.started == GameStarted(ALL_DICE, ("Ana", "", "Ana"), 2)
    assert game.version == 1
    assert game.position == Position.start(ALL_DICE, 3, 2)


@pytest.mark.parametrize(
    ("names", "first", "reason"),
    [
        ([], 0, SetupReason.SEAT_COUNT),
        (["a"] * 13, 0, SetupReason.SEAT_COUNT),
        (["a", "b"], 2, SetupReason.FIRST_SEAT),
        (["a", "b"], -1, SetupReason.FIRST_SEAT),
        (["a", "b\udc80"], 0, SetupReason.NAME),
    ],
)
def test_a_game_that_cannot_be_is_not_started(
    names: list[str], first: int, reason: SetupReason
) -> None:
    with pytest.raises(SetupError) as caught:
        Game.start(TRADITIONAL, names, first)
    assert caught.value.reason is reason
    str(caught.value).encode()  # can be shown


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_the_first_seat_is_a_number_and_a_name_is_text(kind: str) -> None:
    value = NO_NUMBERS[kind]
    with pytest.raises(SetupError, match="the seat that starts"):
        Game.start(TRADITIONAL, ["a", "b"], value)
    if kind not in ("text", "arabic-indic", "full-width"):
        with pytest.raises(SetupError, match="a name is text"):
            Game.start(TRADITIONAL, ["a", value])


def test_one_text_is_no_list_of_names() -> None:
    with pytest.raises(SetupError, match="instead of a list") as caught:
        Game.start(TRADITIONAL, "Ana")
    assert caught.value.reason is SetupReason.NAME


def test_a_game_is_shown_in_one_line() -> None:
    assert repr(HELD) == ("Game(['Ana', 'Guest'], events=3, position='traditional -/- 1 2-2 2')")
    assert repr(HELD.started) == (
        "GameStarted(rules=RuleSet('traditional'), names=('Ana', 'Guest'), first=0)"
    )


@pytest.mark.parametrize(
    "name", ["", " ", "Ana", "Ана", "安娜", "👩‍👧", "a\nb", "\0", "x" * 10_000]
)
def test_any_text_is_a_name(name: str) -> None:
    assert Game.start(TRADITIONAL, [name]).names == (name,)


# Steps.


def test_faces_are_recorded_in_the_order_in_which_they_fell() -> None:
    assert ROLLED.events[-1] == DiceRolled(0, (6, 2, 4, 2, 1))
    assert ROLLED.position.dice == Dice([1, 2, 2, 4, 6])


def test_faces_are_recorded_as_true_numbers() -> None:
    event = START.roll(np.array([1, 2, 3, 4, 5])).events[-1]  # type: ignore[arg-type]
    assert repr(event) == "DiceRolled(seat=0, faces=(1, 2, 3, 4, 5))"


def test_a_turn_is_entered_by_its_dice_or_its_points() -> None:
    assert START.enter(Category.FULL_HOUSE, Dice([3, 3, 3, 6, 6])).events[-1] == TurnEntered(
        0, Category.FULL_HOUSE, 21, Dice([3, 3, 3, 6, 6])
    )
    assert START.enter(Category.FULL_HOUSE, 21).events[-1] == TurnEntered(
        0, Category.FULL_HOUSE, 21
    )
    for four_alike in (Dice([4] * 4), Dice(), Dice([4])):
        with pytest.raises(DiceError, match="five dice"):
            START.enter(Category.FULL_HOUSE, four_alike)


def test_corrections_and_resignations_are_recorded() -> None:
    corrected = SCORED.correct(0, Category.CHOICE, 16)
    assert corrected.events[-1] == ScoreCorrected(0, Category.CHOICE, 16)
    moved = SCORED.correct(0, Category.TWOS, 4, instead_of=Category.CHOICE)
    assert moved.events[-1] == ScoreCorrected(0, Category.TWOS, 4, Category.CHOICE)
    assert SCORED.resign(1).events[-1] == PlayerResigned(1)
    assert SCORED.version == 3


def test_undo_is_keeping_the_old_game() -> None:
    assert HELD.roll([1, 1, 1]) != HELD.roll([1, 1, 2])
    assert HELD.events == (*ROLLED.events, DiceHeld(0, Dice([2, 2])))
    assert ROLLED.position.rolls_left == 2


def test_a_seat_that_resigns_is_skipped_keeps_its_points_and_cannot_win() -> None:
    game = Game.start(TWO_BOXES, ["a", "b", "c"])
    game = game.enter(Category.CHOICE, 30).enter(Category.CHOICE, 20).enter(Category.CHOICE, 20)
    game = game.resign(0)
    assert game.position.seat == 1
    game = game.enter(Category.YACHT, 0).enter(Category.YACHT, 0)
    assert game.position.is_over
    assert [card.total for card in game.position.cards] == [30, 20, 20]
    assert game.position.winners == (1, 2)


def test_an_unfinished_turn_is_dropped_by_resigning() -> None:
    for game in (START, ROLLED, HELD):
        after = game.resign(0)
        assert (after.position.seat, after.position.dice) == (1, Dice())
        assert after.position.is_turn_start
        other = game.resign(1)
        assert (other.position.seat, other.position.dice) == (0, game.position.dice)


def test_a_game_is_over_when_nobody_is_left_to_move() -> None:
    assert not START.resign(0).position.is_over
    assert OVER.position.is_over
    assert OVER.position.winners == ()
    # The last one who is there plays on alone, and wins.
    alone = Game.start(TWO_BOXES, ["a", "b"]).resign(0)
    alone = alone.enter(Category.CHOICE, 5).enter(Category.YACHT, 0)
    assert alone.position.winners == (1,)


NO_MOVES: list[Any] = [
    *(None, 5, "keep 2", [2, 2], (), Dice([2, 2]), Category.CHOICE),
    *(Hold([2, 2]), Hold((2, 2)), Hold("2-2"), Hold(None), Hold({}), Hold),  # type: ignore[arg-type]
]

NO_EVENTS: list[Any] = [None, [], 5, Hold(Dice()), ROLLED.position, ROLLED]

REFUSED: dict[IllegalMoveReason, list[Callable[[], Game]]] = {
    IllegalMoveReason.GAME_OVER: [
        lambda: OVER.roll([1, 2, 3, 4, 5]),
        lambda: OVER.play(Hold(Dice())),
        lambda: OVER.play(Score(Category.CHOICE)),
        lambda: OVER.enter(Category.CHOICE, 5),
        lambda: OVER.enter(Category.CHOICE, Dice([1, 1, 1, 1, 1])),
        lambda: OVER.resign(0),
        # Whoever's turn it would be.
        lambda: OVER.apply(DiceRolled(0, (1, 2, 3, 4, 5))),
        lambda: OVER.apply(DiceRolled(1, (1, 2, 3, 4, 5))),
        lambda: OVER.apply(DiceHeld(0, Dice())),
        lambda: OVER.apply(CategoryScored(0, Category.CHOICE, 5)),
        lambda: OVER.apply(TurnEntered(0, Category.CHOICE, 5)),
        lambda: OVER.apply(TurnEntered(99, Category.CHOICE, 5)),
    ],
    IllegalMoveReason.MUST_ROLL: [
        lambda: START.play(Score(Category.CHOICE)),
        lambda: START.apply(DiceHeld(0, Dice())),
        lambda: HELD.apply(CategoryScored(0, Category.CHOICE, 4)),
    ],
    IllegalMoveReason.MUST_DECIDE: [
        lambda: ROLLED.roll([1, 2, 3, 4, 5]),
        lambda: ROLLED.apply(DiceRolled(0, ())),
    ],
    IllegalMoveReason.DICE_COUNT: [
        lambda: START.roll([1, 2, 3, 4]),
        lambda: HELD.apply(DiceRolled(0, (1, 2))),
    ],
    IllegalMoveReason.NOT_ON_TABLE: [
        lambda: ROLLED.play(Hold(Dice([3]))),
        lambda: ROLLED.apply(DiceHeld(0, Dice([3]))),
    ],
    IllegalMoveReason.NOT_IN_RULES: [
        lambda: Game.start(TWO_BOXES, [""]).enter(Category.ONES, 1),
        lambda: Game.start(TWO_BOXES, [""]).enter(Category.ONES, Dice([1, 1, 1, 1, 1])),
    ],
    IllegalMoveReason.TURN_BEGUN: [
        lambda: ROLLED.enter(Category.CHOICE, 15),
        lambda: ROLLED.enter(Category.CHOICE, ROLLED.position.dice),
    ],
    IllegalMoveReason.WRONG_POINTS: [
        lambda: ROLLED.apply(CategoryScored(0, Category.CHOICE, 16)),
        lambda: ROLLED.apply(CategoryScored(0, Category.YACHT, 50)),
        lambda: START.enter(Category.ONES, 6),
        lambda: START.apply(TurnEntered(0, Category.CHOICE, 16, Dice([1, 2, 2, 4, 6]))),
    ],
    IllegalMoveReason.WRONG_SEAT: [
        lambda: START.apply(DiceRolled(1, (1, 2, 3, 4, 5))),
        lambda: ROLLED.apply(DiceHeld(1, Dice([2, 2]))),
        lambda: ROLLED.apply(CategoryScored(1, Category.CHOICE, 15)),
        lambda: START.apply(TurnEntered(2, Category.CHOICE, 15)),
        lambda: START.resign(2),
        lambda: SCORED.correct(2, Category.CHOICE, 15),
    ],
    IllegalMoveReason.RESIGNED: [lambda: START.resign(0).resign(0)],
    IllegalMoveReason.NOT_A_MOVE: [
        *(partial(ROLLED.play, move) for move in NO_MOVES),
        *(partial(OVER.play, move) for move in NO_MOVES),
        lambda: ROLLED.apply(DiceHeld(0, [2, 2])),  # type: ignore[arg-type]
        *(partial(ROLLED.apply, event) for event in NO_EVENTS),
        *(partial(OVER.apply, event) for event in NO_EVENTS),
    ],
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_not_allowed_is_refused_with_its_reason(reason: IllegalMoveReason) -> None:
    for action in REFUSED[reason]:
        assert refusal(action) is reason


@pytest.mark.parametrize(
    "faces",
    [
        *([0, 1, 2, 3, 4], [1, 2, 3, 4, 7], [1] * 6),
        *(["1"] * 5, "12345", [None] * 5, [1.5] * 5, [1.0] * 5, [True] * 5),
    ],
)
def test_faces_that_no_die_has_are_refused(faces: list[int]) -> None:
    with pytest.raises(DiceError):
        START.roll(faces)
    with pytest.raises(DiceError):
        START.apply(DiceRolled(0, tuple(faces)))


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_numbers_in_events_are_true_whole_numbers(kind: str) -> None:
    value = NO_NUMBERS[kind]
    with pytest.raises(DiceError):
        START.apply(DiceRolled(0, (value, 2, 3, 4, 5)))
    wrong_seats: list[tuple[Game, Event]] = [
        (START.resign(0), DiceRolled(value, (1, 2, 3, 4, 5))),
        (START.resign(0), TurnEntered(value, Category.CHOICE, 5)),
        (START, PlayerResigned(value)),
        (SCORED, ScoreCorrected(value, Category.CHOICE, 5)),
    ]
    for game, event in wrong_seats:
        assert refusal(game.apply, event) is IllegalMoveReason.WRONG_SEAT
    wrong_points: list[tuple[Game, Event]] = [
        (START.roll([1, 2, 3, 4, 6]), CategoryScored(0, Category.ONES, value)),
        (START, TurnEntered(0, Category.ONES, value)),
        (START, TurnEntered(0, Category.ONES, value, Dice([1, 2, 3, 4, 6]))),
        (SCORED, ScoreCorrected(0, Category.CHOICE, value)),
    ]
    for game, event in wrong_points:
        assert refusal(game.apply, event) is IllegalMoveReason.WRONG_POINTS


def test_a_refused_event_is_in_the_error() -> None:
    event = DiceRolled(1, (1, 2, 3, 4, 5))
    with pytest.raises(IllegalMoveError, match=r"^DiceRolled\(seat=1, .*: it is another") as caught:
        START.apply(event)
    assert caught.value.move == event
    assert caught.value.position is START.position


# Replay.


@given(strategies.games())
def test_replaying_the_events_gives_the_same_game(game: Game) -> None:
    again = Game.replay(iter(game.events))
    assert again == game
    assert hash(again) == hash(game)
    assert again.position == game.position
    assert again.version == game.version == len(game.events)


@given(strategies.games(strategies.rule_sets, most_seats=3))
def test_replaying_the_events_gives_the_same_game_under_any_house_rules(game: Game) -> None:
    assert Game.replay(game.events).position == game.position


@given(strategies.games(most_seats=4))
def test_there_is_a_position_for_each_event(game: Game) -> None:
    positions = [*game.positions()]
    assert len(positions) == game.version
    assert positions[-1] == game.position
    for number in range(1, game.version, 7):
        assert Game.replay(game.events[:number]).position == positions[number - 1]


@given(strategies.games(most_seats=4))
def test_a_copied_or_pickled_game_is_equal(game: Game) -> None:
    for same in (
        pickle.loads(pickle.dumps(game)),  # noqa: S301 - our own
        copy.copy(game),
        copy.deepcopy(game),
    ):
        assert same == game
        assert hash(same) == hash(game)
        assert same.position == game.position


@pytest.mark.parametrize("events", [[], [PlayerResigned(0)], [None], [START]])
def test_a_game_begins_with_its_start(events: list[Event]) -> None:
    with pytest.raises(SetupError, match="GameStarted") as caught:
        Game.replay(events)
    assert caught.value.reason is SetupReason.NOT_STARTED
    assert len(str(caught.value)) < 200


def test_a_game_starts_once() -> None:
    with pytest.raises(SetupError, match="a game starts once"):
        Game.replay([START.started, START.started])
    with pytest.raises(SetupError, match="a game starts once"):
        OVER.apply(START.started)


def test_a_start_that_cannot_be_is_not_replayed() -> None:
    with pytest.raises(SetupError, match="1 to 12 seats"):
        Game.replay([GameStarted(TRADITIONAL, ())])
    with pytest.raises(SetupError, match="the seat that starts"):
        Game.replay([GameStarted(TRADITIONAL, ("a",), 1)])


@given(strategies.games(most_seats=2, plain=True))
def test_events_in_a_wrong_order_are_not_replayed(game: Game) -> None:
    started, *events = game.events
    if not events:
        return
    with pytest.raises(IllegalMoveError):
        Game.replay([started, *events, events[-1]])
    if len(events) > 1:
        with pytest.raises(IllegalMoveError):
            Game.replay([started, *events[1:]])


@pytest.mark.parametrize(
    "event",
    [
        *(START.started, DiceRolled(0, (1, 2)), DiceHeld(0, Dice())),
        *(CategoryScored(0, Category.ONES, 1), TurnEntered(0, Category.ONES, 1)),
        *(ScoreCorrected(0, Category.ONES, 1), PlayerResigned(0), START),
    ],
    ids=lambda value: type(value).__name__,
)
def test_events_and_games_never_change(event: Event | Game) -> None:
    for name in (*type(event).__dataclass_fields__, "colour"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(event, name, 1)
    assert replace(event) == event


# Whole games.


@pytest.mark.parametrize("seats", range(1, 7))
def test_a_thousand_random_games_end_after_12_turns_a_seat_in_cyclic_order(seats: int) -> None:
    random = Random(seats)  # noqa: S311 - no secret
    for number in range(1000 // 6 + 1):
        rules = find_rules(RULE_SET_KEYS[number % len(RULE_SET_KEYS)])
        first = number % seats
        game = Game.start(rules, [""] * seats, first)
        while not game.position.is_over:
            game = strategies.step(game, random)
        turns = [event.seat for event in game.events if isinstance(event, CategoryScored)]
        assert turns == [(first + turn) % seats for turn in range(12 * seats)]
        assert all(card.is_full for card in game.position.cards)
        totals = [card.total for card in game.position.cards]
        assert game.position.winners == tuple(
            seat for seat, total in enumerate(totals) if total == max(totals)
        )


@given(strategies.games(plain=True))
def test_turns_follow_each_other_in_cyclic_order_in_games_of_up_to_12_seats(game: Game) -> None:
    seats = len(game.names)
    turns = [event.seat for event in game.events if isinstance(event, CategoryScored)]
    assert turns == [(game.started.first + turn) % seats for turn in range(len(turns))]
    assert game.position.is_over == (len(turns) == seats * 12)


@given(strategies.games(strategies.known_rules | strategies.rule_sets, most_seats=3, plain=True))
def test_a_turn_has_one_roll_at_least_and_at_most_as_many_as_the_rules_say(game: Game) -> None:
    rolls = 0
    for event in game.events:
        rolls += isinstance(event, DiceRolled)
        assert rolls <= game.rules.rolls
        if isinstance(event, CategoryScored):
            assert rolls >= 1
            rolls = 0
