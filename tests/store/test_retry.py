"""What is tried again, and for how long."""

import time

import pytest

from yachtdice.store.sql.waiting import MIN_TRIES, retry


class Failing:
    """Fails so many times."""

    def __init__(self, failures: int) -> None:
        self.left = failures
        self.tries = 0

    def __call__(self) -> str:
        self.tries += 1
        self.left -= 1
        if self.left >= 0:
            raise OSError
        return "done"


def is_transient(error: Exception) -> bool:
    return isinstance(error, OSError)


def test_it_is_tried_until_it_succeeds() -> None:
    failing = Failing(2 * MIN_TRIES)
    assert retry(failing, is_transient, time.monotonic() + 3600) == "done"
    assert failing.tries == 2 * MIN_TRIES + 1


def test_when_the_time_is_over_it_is_given_up() -> None:
    failing = Failing(100)
    with pytest.raises(OSError):  # noqa: PT011 - has no text
        retry(failing, is_transient, time.monotonic() - 1)
    assert failing.tries == MIN_TRIES


def test_what_does_not_pass_is_not_tried_again() -> None:
    failing = Failing(1)
    with pytest.raises(OSError):  # noqa: PT011
        retry(failing, lambda _: False, time.monotonic() + 3600)
    assert failing.tries == 1
