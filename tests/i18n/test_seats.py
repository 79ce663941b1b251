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
