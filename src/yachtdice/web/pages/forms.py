"""Parsing the forms and queries of a table's page: fields to actions, queries to hands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yachtdice.play.table.actions import (
    Action,
    AddBot,
    Begin,
    Correct,
    EnterDice,
    EnterPoints,
    Fill,
    Leave,
    PlayOn,
    Rematch,
    Remove,
    Resign,
    Return,
    Roll,
    Skip,
)
from yachtdice.play.table.events import DiceKind
from yachtdice.rules import DICE, Category, Dice
from yachtdice.web.edge.security import RefusedError
from yachtdice.web.views.entry import Hand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.play.table.table import Table

_FIGURES = frozenset("123456")
_MAX_DIGITS = 9
_REQUEST = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_PLAIN: dict[str, Action] = {
    "leave": Leave(),
    "return": Return(),
    "rematch": Rematch(),
    "resign": Resign(),
}


def read_hand(query: Mapping[str, str]) -> Hand:
    """Return the unfinished input in the query of a table's page; invalid parts are ignored."""
    zero, box, into = (_category_or_none(query.get(name, "")) for name in ("zero", "box", "into"))
    dice = query.get("dice", "")
    if not _FIGURES.issuperset(dice) or len(dice) > DICE:
        dice = ""
    seat, _, category = query.get("fix", "").partition(".")
    fixed = _category_or_none(category)
    fix = (int(seat) - 1, fixed) if fixed and _is_number(seat) else None
    return Hand(zero, dice, box, fix, into)


def hand_query(hand: Hand) -> dict[str, str]:
    """Return the query for *hand*."""
    query = {}
    if hand.zero is not None:
        query["zero"] = hand.zero.value
    if hand.dice:
        query["dice"] = hand.dice
    return query


def read_version(fields: Mapping[str, str]) -> int:
    """Return the version of the table that a form was made for.

    Raises:
        RefusedError: If it is missing or invalid (400).
    """
    return _number(fields.get("version", ""))


def read_request(fields: Mapping[str, str]) -> str:
    """Return the request id of a form; empty if it has none.

    Raises:
        RefusedError: If it is invalid (400): stores do not accept any text.
    """
    text = fields.get("request", "")
    if text and not _REQUEST.fullmatch(text):
        raise _malformed("request")
    return text


def read_action(table: Table, fields: Mapping[str, str]) -> Action | Hand:
    """Return the action of a form, or for a zero that is not confirmed yet the hand to ask with.

    Raises:
        RefusedError: If the fields are invalid (400).
    """
    if "sure" in fields:
        return _score_action(table, _category(fields["sure"]), fields)
    if "score" in fields:
        category = _category(fields["score"])
        if _is_zero(table, category, fields):
            return Hand(zero=category, dice=fields.get("dice", ""))
        return _score_action(table, category, fields)
    if "points" in fields:
        return _points_action(fields)
    verb, _, rest = fields.get("do", "").partition(" ")
    return _verb_action(verb, rest, fields)


def kept_places(fields: Mapping[str, str]) -> tuple[int, ...]:
    """Return the places, from 0, of the dice that a form keeps."""
    return tuple(place for place in range(DICE) if f"keep{place + 1}" in fields)


def order_of(fields: Mapping[str, str]) -> tuple[int, ...]:
    """Return the faces by place on the page that sent a form; none before the first roll.

    Raises:
        RefusedError: If it is not five faces (400).
    """
    order = fields.get("order", "")
    if order and (len(order) != DICE or not _FIGURES.issuperset(order)):
        raise _malformed("order")
    return tuple(int(figure) for figure in order)


def _verb_action(  # noqa: PLR0911 - one case a verb
    verb: str, rest: str, fields: Mapping[str, str]
) -> Action:
    if verb in _PLAIN and not rest:
        return _PLAIN[verb]
    match verb:
        case "roll":
            order = order_of(fields)
            return Roll(Dice(order[place] for place in kept_places(fields)) if order else None)
        case "begin":
            first = fields.get("first", "0")
            return Begin(None if first == "lots" else _number(first))
        case "bot":
            return AddBot(rest)
        case "remove":
            return Remove(_number(rest))
        case "skip":
            return Skip(_number(rest))
        case "play-on":
            return PlayOn(_number(rest))
        case _:
            raise _malformed("do")


def _is_zero(table: Table, category: Category, fields: Mapping[str, str]) -> bool:
    game = table.game
    # A form for an earlier state will be refused, so it need not be confirmed.
    if game is None or read_version(fields) != table.version or category not in game.rules.scorers:
        return False
    dice = _typed_dice(fields) if fields.get("dice") else game.position.dice
    return len(dice) == DICE and not game.rules.score(category, dice)


def _score_action(table: Table, category: Category, fields: Mapping[str, str]) -> Action:
    if table.dice is DiceKind.REAL and fields.get("dice"):
        return EnterDice(category, _typed_dice(fields))
    return Fill(category)


def _points_action(fields: Mapping[str, str]) -> Action:
    points = _number(fields["points"])
    if "enter" in fields:
        return EnterPoints(_category(fields["enter"]), points)
    seat, _, key = fields.get("fix", "").partition(".")
    category, number = _category(key), _number(seat) - 1
    if "into" in fields:
        return Correct(number, _category(fields["into"]), points, instead_of=category)
    return Correct(number, category, points)


def _typed_dice(fields: Mapping[str, str]) -> Dice:
    figures = fields.get("dice", "")
    if len(figures) > DICE or not _FIGURES.issuperset(figures):
        raise _malformed("dice")
    return Dice(int(figure) for figure in figures)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS


def _number(text: str) -> int:
    if not _is_number(text):
        raise _malformed("a number")
    return int(text)


def _category_or_none(key: str) -> Category | None:
    return Category(key) if key in {category.value for category in Category} else None


def _category(key: str) -> Category:
    category = _category_or_none(key)
    if category is None:
        raise _malformed("a box")
    return category


def _malformed(what: str) -> RefusedError:
    return RefusedError(400, "malformed", f"the form is not one of ours: {what}")
