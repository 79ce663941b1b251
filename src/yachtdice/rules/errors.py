"""What the package refuses, and why. Each error carries its context; its message is for developers.

A person is shown a translated sentence made from the error's `reason` instead of the message.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yachtdice.rules.position import Position


def shown(value: object) -> str:
    """Return what a message says about *value*: its `repr`, which may be endless or impossible."""
    try:
        return f"{value!r:.100}"
    except (RecursionError, ValueError):  # nested too deep; a number of too many digits
        return f"<{type(value).__name__}>"


class YachtError(Exception):
    """The base of every error that this package raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy without `__init__`, which takes other arguments than the message."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class DiceError(YachtError, ValueError):
    """Dice that cannot exist: a face other than 1 to 6, or too many or too few dice.

    Attributes:
        faces: What was given instead of dice.
    """

    def __init__(self, faces: tuple[object, ...], why: str) -> None:
        super().__init__(f"{shown(list(faces))}: {why}")
        self.faces = faces


class SetupReason(Enum):
    """Why a game or a position cannot be set up like this."""

    SEAT_COUNT = "a game has 1 to 12 seats"
    FIRST_SEAT = "the seat that starts is not one of the seats"
    NAME = "a name is text that can be encoded as UTF-8"
    NOT_STARTED = "the first event, and no other, is GameStarted"
    CARD = "a scorecard holds attainable points for the categories of its rule set, None elsewhere"
    POSITION = "the parts of the position contradict each other"


class SetupError(YachtError, ValueError):
    """A game or position that cannot exist.

    Attributes:
        reason: Why it cannot.
    """

    def __init__(self, reason: SetupReason, detail: str = "") -> None:
        super().__init__(f"{reason.value} ({detail})" if detail else reason.value)
        self.reason = reason


class IllegalMoveReason(Enum):
    """Why something may not be done now."""

    GAME_OVER = "the game is over"
    MUST_ROLL = "the dice have to be rolled first"
    MUST_DECIDE = "the dice are rolled: hold or score first"
    DICE_COUNT = "not the number of dice that are to be rolled"
    NO_ROLLS_LEFT = "no rolls are left in this turn"
    NOT_ON_TABLE = "those dice are not on the table"
    KEEPS_ALL = "keeping all five dice is not a move: score them"
    NOT_IN_RULES = "the rule set has no such category"
    CATEGORY_USED = "the category is used already"
    NOT_USED = "the box is still open: there is nothing to correct"
    TURN_BEGUN = "the turn has begun: it cannot be entered as a whole any more"
    WRONG_POINTS = "the dice are not worth that, or no dice are"
    NOT_A_MOVE = "a move is a Hold of Dice or the Score of a Category"
    WRONG_SEAT = "it is another seat's turn, or there is no such seat"
    RESIGNED = "the seat has resigned already"


class IllegalMoveError(YachtError, ValueError):
    """Something that the rules do not allow in this position.

    Attributes:
        reason: Why they do not.
        position: Where it was tried.
        move: What was tried: a move, dice, an event or a seat.
    """

    def __init__(self, reason: IllegalMoveReason, position: Position, move: object) -> None:
        super().__init__(f"{shown(move)}: {reason.value}")
        self.reason = reason
        self.position = position
        self.move = move


class NotationReason(Enum):
    """What is wrong with a piece of text."""

    BAD_DICE = "dice are faces 1 to 6, such as 5-5-2, or - for none"
    TOO_MANY_DICE = "there are at most five dice"
    BAD_NUMBER = "a small whole number in plain digits is expected"
    BAD_VERSION = "the first line has to be 'yacht 1'"
    BAD_HEADER = "not a header of this notation, or twice the same, or after the first turn"
    BAD_VALUE = "not a value that this header takes"
    MISSING_HEADER = "a header is missing"
    UNKNOWN_RULES = "no such rule set, and no definition follows"
    BAD_RULES = "the definition of the rule set is wrong"
    BAD_TURN = "a turn begins with its round and seat, such as 3.1:"
    WRONG_TURN = "that turn is not the next one"
    BAD_TOKEN = "not something that may stand here"  # noqa: S105 - no password
    BAD_CARD = "a card has an entry for each of the twelve boxes: points it can hold, or -"
    UNKNOWN_CATEGORY = "no such category"
    ILLEGAL = "the rules do not allow that here"
    UNFINISHED_TURN = "a turn has to be scored before the next one begins"
    WRONG_POINTS = "the dice are not worth so many points there"
    LINE_ENDS = "the line ends too early"
    WRONG_RESULT = "the result is not the one of these turns"
    NOT_TEXT = "the file is not UTF-8 text"


class NotationError(YachtError, ValueError):
    """Text that cannot be read.

    Attributes:
        reason: What is wrong with it.
        text: The word or the line that is wrong.
        line: Which line it is, counted from 1; 0 for a text of one line that is no record.
        column: Where in the line it begins, counted from 1.
        detail: What more there is to say, for developers; may be empty.
    """

    def __init__(
        self,
        reason: NotationReason,
        text: str,
        line: int = 0,
        column: int = 1,
        detail: str = "",
    ) -> None:
        place = f"line {line}, column {column}" if line else f"column {column}"
        where = f"{place}: {text[:60]!r}: {reason.value}"
        super().__init__(f"{where} ({detail})" if detail else where)
        self.reason = reason
        self.text = text
        self.line = line
        self.column = column
        self.detail = detail


class RuleSetError(YachtError, ValueError):
    """A rule set that cannot be.

    `i18n` translates the phrase that says what is allowed, with its values apart; keys stand for
    themselves as the value `keys` of the phrase `{keys}`.

    Attributes:
        key: The wrong entry, as a rule file names it: `rolls`, `categories.ones.face`, ...
        found: What it holds.
        phrase: What it may be, with names in braces for *values*.
        values: What stands for these names; `line` and `column` where the text is no TOML.
    """

    def __init__(self, key: str, found: object, phrase: str, **values: object) -> None:
        self.key = key
        self.found = found
        self.phrase = phrase
        self.values = values
        super().__init__(f"{key}: {shown(found)} is wrong; allowed: {self.allowed}")

    @property
    def allowed(self) -> str:
        """What the entry may be, for developers."""
        return self.phrase.format_map(self.values) if self.values else self.phrase
