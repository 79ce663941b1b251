"""Sources of dice."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from yachtdice import FACES, YachtError, format_dice
from yachtdice.dice_source import (
    DiceExhaustedError,
    DiceSource,
    ScriptedDice,
    SeededDice,
    SystemDice,
)

seeds = st.integers() | st.text()


def test_the_dice_of_a_seed_are_the_same_everywhere(golden: Callable[[str, str], None]) -> None:
    lines = ["The first 60 dice of some seeds\n"]
    for seed in ("", "0", "7", "42", "-1", "yacht", "Würfel", "骰子", "a/b c", "7 "):
        dice_source = SeededDice(seed)
        lines += ["\n", f"{seed!r}\n"]
        for _ in range(3):
            line = "  ".join(format_dice(dice_source.roll(5)) for _ in range(4))
            lines.append(f"{line}\n")
    golden("seeded-dice.txt", "".join(lines))


@given(seeds)
def test_the_stream_is_what_its_definition_says(seed: int | str) -> None:
    blocks = [sha256(f"yachtdice/1/{seed}/{n}".encode()).digest() for n in range(10)]
    dice = [1 + byte % 6 for byte in b"".join(blocks) if byte < 252]
    assert SeededDice(seed).roll(len(dice)) == tuple(dice)


@pytest.mark.parametrize(
    "seed", ["\udc80", "\0", "x" * 100_000, "\N{FULLWIDTH DIGIT SEVEN}"], ids=range(4)
)
def test_any_text_is_a_seed(seed: str) -> None:
    assert SeededDice(seed).roll(5) == SeededDice(seed).roll(5)


def test_a_number_is_the_same_seed_as_its_digits() -> None:
    assert SeededDice(7).roll(100) == SeededDice("7").roll(100)
    assert SeededDice(7).roll(100) != SeededDice("07").roll(100)


@given(seeds, st.lists(st.integers(0, 7)), st.integers(0, 100))
def test_the_stream_does_not_depend_on_how_it_is_cut(
    seed: int | str, counts: list[int], skip: int
) -> None:
    dice_source = SeededDice(seed)
    one_by_one = [die for count in counts for die in dice_source.roll(count)]
    assert tuple(one_by_one) == SeededDice(seed).roll(sum(counts))
    assert SeededDice(seed, skip).roll(5) == SeededDice(seed).roll(skip + 5)[skip:]


def test_seeded_dice_are_fair() -> None:
    """Chi-square at the 0.1 % level, for single dice and for pairs; the seed is fixed."""
    dice = SeededDice("fair").roll(120_000)
    singles = Counter(dice)
    expected = len(dice) / 6
    assert sum((singles[face] - expected) ** 2 / expected for face in FACES) < 20.5
    pairs = Counter(zip(dice[::2], dice[1::2], strict=True))
    expected = len(dice) / 2 / 36
    assert len(pairs) == 36
    assert sum((n - expected) ** 2 / expected for n in pairs.values()) < 66.6


def test_other_seeds_give_other_dice() -> None:
    assert len({SeededDice(seed).roll(20) for seed in range(1000)}) == 1000


def test_system_dice_are_in_range_and_show_every_face() -> None:
    dice = SystemDice().roll(1000)
    assert len(dice) == 1000
    assert {*dice} == {*FACES}
    assert SystemDice().roll(0) == ()
    assert SystemDice().roll(100) != SystemDice().roll(100)


@given(st.lists(st.lists(strategies.faces, max_size=5)))
def test_scripted_dice_come_in_their_order_until_there_are_no_more(
    rolls: list[list[int]],
) -> None:
    dice_source = ScriptedDice(face for roll in rolls for face in roll)
    for roll in rolls:
        assert dice_source.roll(len(roll)) == tuple(roll)
    assert dice_source.roll(0) == ()
    with pytest.raises(DiceExhaustedError, match="the script has 0 dice left, 1 are needed"):
        dice_source.roll(1)


def test_a_script_that_is_too_short_for_a_roll_is_one_of_our_errors() -> None:
    with pytest.raises(YachtError, match="the script has 2 dice left, 5 are needed"):
        ScriptedDice([1, 2]).roll(5)


def test_every_source_is_a_dice_source() -> None:
    sources: list[DiceSource] = [
        SystemDice(),
        SeededDice(1),
        ScriptedDice([1, 2, 3, 4, 5]),
    ]
    assert all(len(source.roll(5)) == 5 for source in sources)
