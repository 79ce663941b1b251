"""Every key and every refusal of the engine has words for people."""

from dataclasses import replace

import pytest
from hypothesis import given

from tests.strategies import positions
from yachtdice import (
    ALL_DICE,
    TRADITIONAL,
    Category,
    Dice,
    DiceError,
    IllegalMoveError,
    IllegalMoveReason,
    NotationError,
    NotationReason,
    Position,
    Score,
    SetupError,
    SetupReason,
    YachtError,
    parse_dice,
    parse_rules,
)
from yachtdice.bots import LEVELS
from yachtdice.i18n import (
    category_name,
    explain,
    level_name,
    level_note,
    points_text,
    rolls_left_text,
    rules_name,
    rules_note,
)
from yachtdice.i18n.levels import DESCRIBED_LEVELS
from yachtdice.notation import parse_record
from yachtdice.presets import RULE_SET_KEYS, find_rules


@pytest.mark.parametrize("reason", IllegalMoveReason)
def test_every_illegal_move_has_its_sentence(reason: IllegalMoveReason) -> None:
    position = Position.start(TRADITIONAL)
    assert explain(IllegalMoveError(reason, position, None)).endswith(".")


@pytest.mark.parametrize("reason", SetupReason)
def test_every_wrong_setup_has_its_sentence(reason: SetupReason) -> None:
    assert explain(SetupError(reason)).endswith(".")


@pytest.mark.parametrize("reason", NotationReason)
def test_every_wrong_text_has_its_sentence_and_in_a_file_its_place(reason: NotationReason) -> None:
    alone = explain(NotationError(reason, "x"))
    assert explain(NotationError(reason, "x", 3, 5)) == f"Line 3, column 5: {alone}"


def test_an_illegal_step_of_a_record_is_explained_by_the_rule_it_breaks() -> None:
    with pytest.raises(NotationError) as caught:
        parse_record('yacht 1\nrules traditional\nseat 1 "A"\n1.1: 1-2-3-4-5 keep 6')
    assert explain(caught.value) == "Line 4, column 21: Those dice are not on the table."


def test_wrong_dice_and_rule_files_are_explained() -> None:
    with pytest.raises(DiceError) as dice:
        Dice([7])
    assert explain(dice.value) == "Dice are faces from 1 to 6, such as 5-5-2."
    with pytest.raises(NotationError) as text:
        parse_dice("5-5-7")
    assert explain(text.value) == "Dice are faces from 1 to 6, such as 5-5-2."
    with pytest.raises(YachtError) as rules:
        parse_rules('key = "x"\nrolls = 0\n[categories]\nchoice = { scorer = "total" }')
    assert explain(rules.value) == (
        "The rule set's entry rolls is wrong. It may be: a whole number from 1 to 9."
    )


@given(positions())
def test_whatever_is_refused_can_be_explained(position: Position) -> None:
    for category in Category:
        if Score(category) not in position.legal_moves():
            with pytest.raises(IllegalMoveError) as caught:
                position.play(Score(category))
            assert explain(caught.value)


def test_names_and_numbers() -> None:
    assert len({category_name(category) for category in Category}) == len(Category)
    assert [points_text(n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [rolls_left_text(n) for n in (1, 2)] == ["1 roll left", "2 rolls left"]
    assert rules_name(TRADITIONAL) == "Traditional"
    assert rules_name(ALL_DICE) == "All dice"
    assert rules_name(find_rules("console")) == "console"
    notes = {rules_note(find_rules(key)) for key in RULE_SET_KEYS}
    assert len(notes) == len(RULE_SET_KEYS)
    assert all(note.endswith(".") for note in notes)
    assert (
        rules_note(replace(TRADITIONAL, rolls=2)) == rules_note(replace(TRADITIONAL, key="x")) == ""
    )


def test_every_level_of_the_computer_has_its_words() -> None:
    assert set(LEVELS) == set(DESCRIBED_LEVELS)
    for level in LEVELS:
        assert level_name(level).casefold() == level_name(level, inline=True) == level
        assert level_note(level).endswith(".")
    assert level_name("of-another-version") == level_name("of-another-version", inline=True)
