"""What dice are worth, written from the rules in the most obvious way; shares no code with them.

Dice are sorted text here, such as "12246".
"""

from collections.abc import Callable, Iterable


def total(dice: str) -> int:
    return sum(int(face) for face in dice)


def is_full_house(dice: str) -> bool:
    three_and_two = dice[0] == dice[1] == dice[2] and dice[3] == dice[4]
    two_and_three = dice[0] == dice[1] and dice[2] == dice[3] == dice[4]
    return (three_and_two or two_and_three) and dice[0] != dice[4]


def is_yacht(dice: str) -> bool:
    return dice[0] == dice[4]


def has_four_alike(dice: str) -> bool:
    return dice[0] == dice[3] or dice[1] == dice[4]


def has_four_in_a_row(dice: str) -> bool:
    faces = "".join(sorted(set(dice)))
    return "1234" in faces or "2345" in faces or "3456" in faces


def four_alike_pay_all_dice(dice: str) -> int:
    return total(dice) if has_four_alike(dice) else 0


def full_house_or_five_alike(dice: str) -> int:
    return total(dice) if is_full_house(dice) or is_yacht(dice) else 0


BOTH_PAGES: dict[str, Callable[[str], int]] = {
    "ones": lambda dice: 1 * dice.count("1"),
    "twos": lambda dice: 2 * dice.count("2"),
    "threes": lambda dice: 3 * dice.count("3"),
    "fours": lambda dice: 4 * dice.count("4"),
    "fives": lambda dice: 5 * dice.count("5"),
    "sixes": lambda dice: 6 * dice.count("6"),
    "full_house": lambda dice: total(dice) if is_full_house(dice) else 0,
    "little_straight": lambda dice: 30 if dice == "12345" else 0,
    "big_straight": lambda dice: 30 if dice == "23456" else 0,
    "choice": total,
    "yacht": lambda dice: 50 if is_yacht(dice) else 0,
}
SCORES: dict[str, dict[str, Callable[[str], int]]] = {
    "traditional": {
        **BOTH_PAGES,
        # Sorted, four alike always cover the middle die.
        "four_of_a_kind": lambda dice: 4 * int(dice[2]) if has_four_alike(dice) else 0,
    },
    "all-dice": {
        **BOTH_PAGES,
        "four_of_a_kind": four_alike_pay_all_dice,
    },
    "console": {
        **BOTH_PAGES,
        "four_of_a_kind": four_alike_pay_all_dice,
        "full_house": full_house_or_five_alike,
        "little_straight": lambda dice: 15 if has_four_in_a_row(dice) else 0,
        "big_straight": lambda dice: 30 if dice in ("12345", "23456") else 0,
    },
    "knizia": {
        **BOTH_PAGES,
        "four_of_a_kind": four_alike_pay_all_dice,
        "full_house": full_house_or_five_alike,
    },
}


def points_by_hand(rules: str, category: str, faces: Iterable[int]) -> int:
    """Return what five dice are worth under the rule set of that key."""
    return SCORES[rules][category]("".join(sorted(str(face) for face in faces)))
