"""Positions and moves as text: in one line, as a FEN does it for chess."""

from __future__ import annotations

import re

from yachtdice.notation.lines import Line, is_number, read_definition, read_lines
from yachtdice.notation.record import definition_lines
from yachtdice.rules import (
    CATEGORIES,
    Dice,
    Hold,
    Move,
    NotationError,
    NotationReason,
    Position,
    RuleSet,
    Score,
    Scorecard,
    SetupError,
)

# A key with a letter, cards and a seat. Neither a record nor dice begin like that.
_LIKE_A_POSITION = re.compile(r"\s*[0-9-]*[a-z][a-z0-9-]*[ \t]+[0-9./-]+[ \t]+[0-9]+([ \t]|$)")


def format_position(position: Position) -> str:
    """Return *position* as text; `parse_position` makes the same position of it.

    It is one line under the rule sets that come with the package. Under any others, lines with
    their definition follow.

    >>> from yachtdice import TRADITIONAL
    >>> position = Position.start(TRADITIONAL, 2).roll(Dice([1, 2, 2, 4, 6]))
    >>> format_position(position)
    'traditional -/- 1 1-2-2-4-6 2'
    """
    return "\n".join([str(position), *definition_lines(position.rules)])


def parse_position(text: str) -> Position:
    """Return the position in *text*.

    >>> parse_position("traditional - 1 4-4-2-1-6 2").dice
    Dice([1, 2, 4, 4, 6])

    Raises:
        NotationError: If it is not a position that can be; names line, column and reason.
    """
    lines = [*read_lines(text)]
    line = lines[0] if lines else Line(1, "")
    if "\n" not in text.strip():
        line.number = 0
    rules = line.rules_word(read_definition(text))
    cards = _cards(line, rules)
    seat = _seat(line.take("a seat"), line.column, line, len(cards))
    dice = Dice(line.dice_word("dice"))
    rolls_left = line.number_word("the rolls that are left")
    resigned = _resigned(line, len(cards)) if line.has_more else frozenset[int]()
    line.end()
    if len(lines) > 1:
        lines[1].take("nothing")
        raise lines[1].error(NotationReason.BAD_TOKEN, "the position is in the line before")
    try:
        return Position(rules, cards, seat, dice, rolls_left, resigned)
    except SetupError as error:
        raise line.error(NotationReason.ILLEGAL, str(error)) from error


def is_like_position(text: str) -> bool:
    """Return whether *text* begins as a position does, and neither as a record nor as dice.

    A rule set whose key has no letter is not recognised.
    """
    return _LIKE_A_POSITION.match(text) is not None


def format_move(move: Move) -> str:
    """Return *move* as a record has it; `parse_move` makes the same move of it.

    >>> from yachtdice import Category
    >>> format_move(Hold(Dice([4, 4]))), format_move(Score(Category.CHOICE))
    ('keep 4-4', '= choice')
    """
    if isinstance(move, Hold):
        return f"keep {move.kept}"
    return f"= {move.category.value}"


def parse_move(text: str) -> Move:
    """Return the move in *text*: `keep 4-4`, `keep -` or `= choice`. It may not be legal.

    Raises:
        NotationError: If it is anything else; names column and reason.
    """
    line = Line(0, text)
    match line.take("keep or ="):
        case "keep":
            move: Move = Hold(Dice(line.dice_word("the dice kept")))
        case "=":
            move = Score(line.category_word())
        case _:
            raise line.error(NotationReason.BAD_TOKEN, "keep | =")
    line.end()
    return move


def _cards(line: Line, rules: RuleSet) -> tuple[Scorecard, ...]:
    word = line.take("a card")
    cards = []
    column = line.column
    for text in word.split("/"):
        cards.append(_card(text, column, line, rules))
        column += len(text) + 1
    return tuple(cards)


def _card(text: str, column: int, line: Line, rules: RuleSet) -> Scorecard:
    if text == "-":
        return Scorecard(rules)
    entries = text.split(".")
    if len(entries) != len(CATEGORIES):
        detail = f"{len(entries)} entries instead of {len(CATEGORIES)}"
        raise NotationError(NotationReason.BAD_CARD, text, line.number, column, detail)
    points: list[int | None] = []
    for category, entry in zip(CATEGORIES, entries, strict=True):
        number = int(entry) if is_number(entry) else None
        is_right = entry == "-" or (rules.has(category) and rules.can_pay(category, number))
        if not is_right:
            raise NotationError(
                NotationReason.BAD_CARD, entry, line.number, column, f"in {category.value}"
            )
        points.append(number)
        column += len(entry) + 1
    return Scorecard(rules, tuple(points))


def _seat(text: str, column: int, line: Line, seats: int) -> int:
    if not is_number(text):
        raise NotationError(NotationReason.BAD_NUMBER, text, line.number, column, "a seat")
    if not 1 <= int(text) <= seats:
        detail = f"there are seats 1 to {seats}"
        raise NotationError(NotationReason.ILLEGAL, text, line.number, column, detail)
    return int(text) - 1


def _resigned(line: Line, seats: int) -> frozenset[int]:
    word = line.take("seats that have resigned")
    column = line.column
    resigned: list[int] = []
    for text in word.split("."):
        seat = _seat(text, column, line, seats)
        if resigned and seat <= resigned[-1]:
            detail = "seats stand once each, in rising order"
            raise NotationError(NotationReason.ILLEGAL, text, line.number, column, detail)
        resigned.append(seat)
        column += len(text) + 1
    return frozenset(resigned)
