"""Where dice come from."""

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from yachtdice import FACES, DiceError, YachtError, format_dice
from yachtdice.chance import (
    Chance,
    ChanceExhaustedError,
    ScriptedChance,
    SeededChance,
    SystemChance,
    TypedChance,
)

seeds = st.integers() | st.text()


def test_the_dice_of_a_seed_are_the_same_everywhere(golden: Callable[[str, str], None]) -> None:
    lines = ["The first 60 dice of some seeds\n"]
    for seed in ("", "0", "7", "42", "-1", "yacht", "Würfel", "骰子", "a/b c", "7 "):
        chance = SeededChance(seed)
        lines += ["\n", f"{seed!r}\n"]
        for _ in range(3):
            line = "  ".join(format_dice(chance.roll(5)) for _ in range(4))
            lines.append(f"{line}\n")
    golden("seeded-dice.txt", "".join(lines))


@given(seeds)
def test_the_stream_is_what_its_definition_says(seed: int | str) -> None:
    blocks = [sha256(f"yachtdice/1/{seed}/{n}".encode()).digest() for n in range(10)]
    dice = [1 + byte % 6 for byte in b"".join(blocks) if byte < 252]
    assert SeededChance(seed).roll(len(dice)) == tuple(dice)


@pytest.mark.parametrize(
    "seed", ["\udc80", "\0", "x" * 100_000, "\N{FULLWIDTH DIGIT SEVEN}"], ids=range(4)
)
def test_any_text_is_a_seed(seed: str) -> None:
    assert SeededChance(seed).roll(5) == SeededChance(seed).roll(5)


def test_a_number_is_the_same_seed_as_its_digits() -> None:
    assert SeededChance(7).roll(100) == SeededChance("7").roll(100)
    assert SeededChance(7).roll(100) != SeededChance("07").roll(100)


@given(seeds, st.lists(st.integers(0, 7)), st.integers(0, 100))
def test_the_stream_does_not_depend_on_how_it_is_cut(
    seed: int | str, counts: list[int], skip: int
) -> None:
    chance = SeededChance(seed)
    one_by_one = [die for count in counts for die in chance.roll(count)]
    assert tuple(one_by_one) == SeededChance(seed).roll(sum(counts))
    assert SeededChance(seed, skip).roll(5) == SeededChance(seed).roll(skip + 5)[skip:]


def test_seeded_dice_are_fair() -> None:
    """Chi-square at the 0.1 % level, for single dice and for pairs; the seed is fixed."""
    dice = SeededChance("fair").roll(120_000)
    singles = Counter(dice)
    expected = len(dice) / 6
    assert sum((singles[face] - expected) ** 2 / expected for face in FACES) < 20.5
    pairs = Counter(zip(dice[::2], dice[1::2], strict=True))
    expected = len(dice) / 2 / 36
    assert len(pairs) == 36
    assert sum((n - expected) ** 2 / expected for n in pairs.values()) < 66.6


def test_other_seeds_give_other_dice() -> None:
    assert len({SeededChance(seed).roll(20) for seed in range(1000)}) == 1000


def test_system_dice_are_in_range_and_show_every_face() -> None:
    dice = SystemChance().roll(1000)
    assert len(dice) == 1000
    assert {*dice} == {*FACES}
    assert SystemChance().roll(0) == ()
    assert SystemChance().roll(100) != SystemChance().roll(100)


@given(st.lists(st.lists(strategies.faces, max_size=5)))
def test_scripted_dice_come_in_their_order_until_there_are_no_more(
    rolls: list[list[int]],
) -> None:
    chance = ScriptedChance(face for roll in rolls for face in roll)
    for roll in rolls:
        assert chance.roll(len(roll)) == tuple(roll)
    assert chance.roll(0) == ()
    with pytest.raises(ChanceExhaustedError, match="the script has 0 dice left, 1 are needed"):
        chance.roll(1)


def test_a_script_that_is_too_short_for_a_roll_is_one_of_our_errors() -> None:
    with pytest.raises(YachtError, match="the script has 2 dice left, 5 are needed"):
        ScriptedChance([1, 2]).roll(5)


def test_a_person_is_asked_for_so_many_dice() -> None:
    asked = []

    def ask(count: int) -> Sequence[int]:
        asked.append(count)
        return [6, 1, 6][:count]

    chance = TypedChance(ask)
    assert chance.roll(3) == (6, 1, 6)
    assert chance.roll(1) == (6,)
    assert asked == [3, 1]


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [1, 2, 3, 4],
        [1, 2, 3, 4, 5, 6],
        [1, 2, 3, 4, 7],
        [0, 2, 3, 4, 5],
        "12345",
        "١٢٣٤٥",
        [None] * 5,
        [1.5] * 5,
        [10**5000] * 5,
    ],
    ids=range(10),
)
def test_an_answer_that_is_not_so_many_faces_is_refused(answer: list[int]) -> None:
    with pytest.raises(DiceError, match="5 dice are needed") as caught:
        TypedChance(lambda _: answer).roll(5)
    assert caught.value.faces == tuple(answer)


def test_every_source_is_a_chance() -> None:
    sources: list[Chance] = [
        SystemChance(),
        SeededChance(1),
        ScriptedChance([1, 2, 3, 4, 5]),
        TypedChance(lambda count: [1] * count),
    ]
    assert all(len(source.roll(5)) == 5 for source in sources)
