"""What seats are called that have no name of their own."""

import pytest

from yachtdice.i18n import own_seat_name, seat_name, seat_names, use_language


@pytest.mark.parametrize(
    ("names", "bots", "called"),
    [
        ((), (), ()),
        (("Ana", ""), (), ("Ana", "Player 2")),
        (("Ana", ""), {1: "casual"}, ("Ana", "Computer")),
        (("", "", "Hal"), {0, 1, 2}, ("Computer 1", "Computer 2", "Hal")),
        (("", "", "", "Bo"), [2, 0], ("Computer 1", "Player 2", "Computer 2", "Bo")),
        (("Hal", ""), [0, 1], ("Hal", "Computer")),
    ],
)
def test_names_numbers_and_computers(
    names: tuple[str, ...], bots: dict[int, str] | set[int] | list[int], called: tuple[str, ...]
) -> None:
    assert seat_names(names, bots) == called
    assert tuple(seat_name(names, seat, bots) for seat in range(len(names))) == called


def test_names_are_in_the_active_language() -> None:
    with use_language("de"):
        assert seat_names(("Ana", "", ""), [2]) == ("Ana", "Person 2", "Computer")
        assert own_seat_name() == "Du"
    assert own_seat_name() == "You"


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (("Ada", "Ben", "ada\u200b"), ("Ada (1)", "Ben", "ada (3)")),
        (("Same", "Same"), ("Same (1)", "Same (2)")),
        (("", "Player 1"), ("Player 1 (1)", "Player 1 (2)")),
        (("Ada", "Ada", "Ada (2)"), ("Ada (1)", "Ada (2) (2)", "Ada (2) (3)")),
        (("x" * 50, "x" * 60), (f"{'x' * 30} (1)", f"{'x' * 30} (2)")),
        (("\U0001f44d", "\U0001f44e"), ("\U0001f44d", "\U0001f44e")),
        (("a\x1b[2J\nb", "\u202ex"), ("a[2J b", "x")),
    ],
)
def test_seats_that_look_alike_are_marked(names: tuple[str, ...], called: tuple[str, ...]) -> None:
    assert seat_names(names) == called
