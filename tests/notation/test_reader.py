"""Reading records: what is understood, and what is refused, where and why."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from yachtdice import (
    TRADITIONAL,
    Category,
    CategoryScored,
    Dice,
    DiceHeld,
    DiceRolled,
    Game,
    GameStarted,
    NotationError,
    NotationReason,
    PlayerResigned,
    ScoreCorrected,
    TurnEntered,
    YachtError,
)
from yachtdice.notation import parse_game, parse_record

RECORD = """\
yacht 1  # a comment
rules traditional

seat 1 "Ana"
seat 2 "" bot greedy  # the computer
dice seed 7
date 2026-11-30
first 2
hints yes
chances yes

# the first round
1.2: 1-2-2-4-6 keep 2-2, 4-4-6 keep 4-4, 1-4-4 = four_of_a_kind 16
1.1: ... 4-4-1-4-2 = fours
2.2:	resign 1 5-5-3-1-5  keep -   2-1-1-3-6 # not finished
"""


HEAD = 'yacht 1\nrules traditional\nseat 1 "A"\n'
TWO = HEAD + 'seat 2 "B"\n'
R = NotationReason


def test_every_part_of_a_record_is_understood() -> None:
    record = parse_record(RECORD)
    assert record.date == "2026-11-30"
    assert record.dice == "seed 7"
    assert record.bots == {1: "greedy"}
    assert record.hints
    assert record.shows_odds
    assert record.game.events == (
        GameStarted(TRADITIONAL, ("Ana", ""), 1),
        DiceRolled(1, (1, 2, 2, 4, 6)),
        DiceHeld(1, Dice([2, 2])),
        DiceRolled(1, (4, 4, 6)),
        DiceHeld(1, Dice([4, 4])),
        DiceRolled(1, (1, 4, 4)),
        CategoryScored(1, Category.FOUR_OF_A_KIND, 16),
        TurnEntered(0, Category.FOURS, 12, Dice([1, 2, 4, 4, 4])),
        PlayerResigned(0),
        DiceRolled(1, (5, 5, 3, 1, 5)),
        DiceHeld(1, Dice()),
        DiceRolled(1, (2, 1, 1, 3, 6)),
    )


def test_windows_line_ends_a_byte_order_mark_and_bytes_are_the_same_record() -> None:
    assert parse_record("\ufeff" + RECORD.replace("\n", "\r\n")) == parse_record(RECORD)
    assert parse_record(RECORD.encode()) == parse_record(RECORD)


def test_a_turn_may_be_spread_over_lines_with_the_same_label() -> None:
    assert parse_game(f"{TWO}1.1: resign 2\n1.1: 1-2-3-4-5\n1.1: = ones 1") == parse_game(
        f"{TWO}1.1: resign 2, 1-2-3-4-5 = ones 1"
    )


def test_corrections_after_the_end_stand_in_a_line_of_their_own() -> None:
    game = Game.start(TRADITIONAL, ["A"])
    for category in Category:
        game = game.enter(category, TRADITIONAL.possible_points(category)[0])
    game = game.correct(0, Category.SIXES, 18)
    text = (
        'yacht 1\nrules traditional\nseat 1 "A"\n'
        + "".join(
            f"{turn}.1: ... = {category.value} {TRADITIONAL.possible_points(category)[0]}\n"
            for turn, category in enumerate(Category, start=1)
        )
        + "end: correct 1 sixes 18"
    )
    assert parse_game(text) == game
    assert game.events[-1] == ScoreCorrected(0, Category.SIXES, 18)


@pytest.mark.parametrize(
    ("text", "reason", "line", "column"),
    [
        ("", R.BAD_VERSION, 1, 1),
        ("# nothing\n\n", R.BAD_VERSION, 1, 1),
        ("yacht 2", R.BAD_VERSION, 1, 1),
        ("\nrules traditional", R.BAD_VERSION, 2, 1),
        ("yacht 1", R.MISSING_HEADER, 1, 1),
        ('yacht 1\nseat 1 "A"', R.MISSING_HEADER, 2, 1),
        ("yacht 1\nrules traditional", R.MISSING_HEADER, 2, 1),
        ("yacht 1\nrules", R.LINE_ENDS, 2, 6),
        ("yacht 1\nrules none", R.UNKNOWN_RULES, 2, 7),
        ("yacht 1\nrules traditional x", R.BAD_TOKEN, 2, 19),
        ("yacht 1\nrules x\n| key", R.BAD_RULES, 2, 7),
        (
            'yacht 1\nrules x\n| key = "y"\n| [categories]\n| choice = {scorer = "total"}',
            R.BAD_RULES,
            2,
            7,
        ),
        (
            HEAD.replace(
                'seat 1 "A"', '| key = "traditional"\n| [categories]\n| choice = {scorer = "total"}'
            ),
            R.BAD_RULES,
            2,
            7,
        ),
        (HEAD + "rules all-dice", R.BAD_HEADER, 4, 1),
        (HEAD + "weather fine", R.BAD_HEADER, 4, 1),
        (HEAD + 'seat 3 "B"', R.BAD_VALUE, 4, 6),
        (HEAD + 'seat 1 "B"', R.BAD_VALUE, 4, 6),
        (HEAD + "seat 2 B", R.BAD_VALUE, 4, 8),
        (HEAD + 'seat 2 "\\x"', R.BAD_VALUE, 4, 8),
        (HEAD + "seat 2 " + "[" * 20_000, R.BAD_VALUE, 4, 8),
        (HEAD + 'seat 2 "\\ud800"', R.ILLEGAL, 4, 8),
        (HEAD + 'seat two "B"', R.BAD_NUMBER, 4, 6),
        (HEAD + "seat 2", R.LINE_ENDS, 4, 7),
        (HEAD + 'seat 2 "B" human', R.BAD_VALUE, 4, 12),
        (HEAD + 'seat 2 "B" bot', R.LINE_ENDS, 4, 15),
        (HEAD + 'seat 2 "B" bot greedy now', R.BAD_TOKEN, 4, 23),
        (HEAD + "date 2026-02-30", R.BAD_VALUE, 4, 6),
        (HEAD + "date 20260230", R.BAD_VALUE, 4, 6),
        (HEAD + "date 20260228", R.BAD_VALUE, 4, 6),
        (HEAD + "dice", R.LINE_ENDS, 4, 5),
        (HEAD + 'dice "seed', R.BAD_VALUE, 4, 6),
        (HEAD + "first 2", R.ILLEGAL, 4, 7),
        (HEAD + "first 0", R.ILLEGAL, 4, 7),
        (HEAD + "first ٢", R.BAD_NUMBER, 4, 7),
        (HEAD + "first 99999", R.BAD_NUMBER, 4, 7),
        (HEAD + "hints maybe", R.BAD_VALUE, 4, 7),
        (HEAD + "chances 50%", R.BAD_VALUE, 4, 9),
        (HEAD + "chances no\nchances yes", R.BAD_HEADER, 5, 1),
        (HEAD + "result 3 winner 1", R.WRONG_RESULT, 4, 8),
        (HEAD + "1.1 1-2-3-4-5", R.BAD_HEADER, 4, 1),
        (HEAD + "1.2: 1-2-3-4-5", R.WRONG_TURN, 4, 1),
        (HEAD + "2.1: 1-2-3-4-5", R.WRONG_TURN, 4, 1),
        (HEAD + "end: correct 1 ones 1", R.WRONG_TURN, 4, 1),
        (HEAD + "1.1: 1-2-3-4-5 = ones\nones 1", R.BAD_TURN, 5, 1),
        (HEAD + "1.1: 1-2-3-4-5 = ones\nfirst 1", R.BAD_TURN, 5, 1),
        (TWO + "1.1: 1-2-3-4-5\n1.2: 1-2-3-4-5", R.UNFINISHED_TURN, 6, 1),
        (HEAD + "1.1: 1-2-3-4", R.ILLEGAL, 4, 6),
        (HEAD + "1.1: 1-2-3-4-5-6", R.TOO_MANY_DICE, 4, 6),
        (HEAD + "1.1: 1-2-3-4-7", R.BAD_TOKEN, 4, 6),
        (HEAD + "1.1: 1-2-3-4-5 keep 6", R.ILLEGAL, 4, 21),
        (HEAD + "1.1: 1-2-3-4-5 keep 7", R.BAD_DICE, 4, 21),
        (HEAD + "1.1: 1-2-3-4-5 keep 1-2-3-4-5", R.ILLEGAL, 4, 21),
        (HEAD + "1.1: 1-2-3-4-5 keep", R.LINE_ENDS, 4, 20),
        (HEAD + "1.1: keep 1", R.ILLEGAL, 4, 11),
        (HEAD + "1.1: = ones", R.ILLEGAL, 4, 8),
        (HEAD + "1.1: 1-2-3-4-5 = Ones", R.UNKNOWN_CATEGORY, 4, 18),
        (HEAD + "1.1: 1-2-3-4-5 = ones 2", R.WRONG_POINTS, 4, 23),
        (HEAD + "1.1: 1-2-3-4-5 = ones x", R.BAD_NUMBER, 4, 23),
        (HEAD + "1.1: 1-2-3-4-5 = ones 1 1-2-3-4-5", R.BAD_TOKEN, 4, 25),
        (HEAD + "1.1: ... 1-2-3-4-5 ones", R.BAD_TOKEN, 4, 20),
        (HEAD + "1.1: ... 1-2-3-4-5 = ones 2", R.WRONG_POINTS, 4, 27),
        (HEAD + "1.1: ... = ones", R.LINE_ENDS, 4, 16),
        (HEAD + "1.1: ... = ones 7", R.ILLEGAL, 4, 17),
        (HEAD + "1.1: 1-2-3-4-5 ... = ones 1", R.ILLEGAL, 4, 27),
        (HEAD + "1.1: correct 1 ones 1", R.ILLEGAL, 4, 21),
        (HEAD + "1.1: correct 2 ones 1", R.ILLEGAL, 4, 21),
        (HEAD + "1.1: resign 2", R.ILLEGAL, 4, 13),
        (HEAD + "1.1: resign x", R.BAD_NUMBER, 4, 13),
        (HEAD + "1.1: hold 2", R.BAD_TOKEN, 4, 6),
    ],
)
def test_a_wrong_line_is_refused_with_its_place_and_reason(
    text: str, reason: NotationReason, line: int, column: int
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(text)
    error = caught.value
    assert (error.reason, error.line, error.column) == (reason, line, column), error


def test_bytes_that_are_no_utf_8_are_refused_with_their_line() -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(b"yacht 1\nrules \xff")
    assert (caught.value.reason, caught.value.line) == (NotationReason.NOT_TEXT, 2)


def test_an_illegal_step_keeps_the_refusal_of_the_rules_as_its_cause() -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(HEAD + "1.1: 1-2-3-4-5 keep 6")
    assert isinstance(caught.value.__cause__, YachtError)


def _read_or_refuse(text: str | bytes) -> None:
    lines = text.count("\n" if isinstance(text, str) else b"\n") + 1  # type: ignore[arg-type]
    try:
        parse_record(text)
    except NotationError as error:
        place = (error.line, error.column)
    else:
        return
    assert 1 <= place[0] <= lines
    assert place[1] >= 1


WORDS = [
    *("yacht", "1", "2", "rules", "traditional", "seat", '"A"', '"', "bot", "greedy", "first"),
    *("result", "unfinished", "winner", "-", "1.1:", "2.1:", "1.2:", "end:", "keep", "=", "..."),
    *("resign", "correct", "from", "ones", "yacht", "1-2-3-4-5", "6-6", "#", "|", ",", "\n", "\0"),
]


@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join) | st.binary())
@example('yacht 1\nrules x\n| key = "x"\n| a = ' + "[" * 5000)
@example('yacht 1\nrules x\n| key = "x"\n| rolls = ' + "9" * 5000)
@example('yacht 1\nrules traditional\nseat 1 "\\u0000"\ndice ' + "x" * 100_000)
def test_no_text_ends_in_anything_but_a_game_or_a_notation_error(text: str | bytes) -> None:
    _read_or_refuse(text)


@given(st.data())
def test_no_change_to_a_good_record_ends_in_anything_else_either(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(RECORD)))
    end = data.draw(st.integers(start, min(len(RECORD), start + 12)))
    put = data.draw(st.text(max_size=8) | st.sampled_from(WORDS))
    changed = RECORD[:start] + put + RECORD[end:]
    _read_or_refuse(changed)
