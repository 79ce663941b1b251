"""The pages of the trainer: an exercise, and what the coach says of the answer."""

from __future__ import annotations

import asyncio
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from yachtdice.coach.pages import decision_body
from yachtdice.i18n import current_language, mark, pgettext
from yachtdice.play.table import Seat, Table
from yachtdice.play.table_events import DiceKind, Mode, TableOpened
from yachtdice.presets import find_rules
from yachtdice.rules import Category, Dice, Hold, IllegalMoveError, Move, RuleSet, Score
from yachtdice.web import training
from yachtdice.web.coach_pages import PATIENCE, games_of, page, tables_of
from yachtdice.web.forms import kept_places, order_of, read_request
from yachtdice.web.lobby import RULE_SETS, rule_choices
from yachtdice.web.security import RefusedError, ensure_viewer, read_form, viewer
from yachtdice.web.stream import Scene
from yachtdice.web.views import TableView, table_view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from yachtdice.coach.exercises import Exercise
    from yachtdice.coach.trainer import Deck

MOST_GAMES = 20
"""From how many of the latest games of a device mistakes become exercises."""

_THEMES = {
    # Translators: what an exercise is about, as a heading.
    "own": mark("theme", "From your own game"),
    "opening": mark("theme", "The first turns"),
    "keep": mark("theme", "Which dice to keep"),
    "stop": mark("theme", "Roll on or score"),
    "box": mark("theme", "Which box to fill"),
    "zero": mark("theme", "Which box to give up"),
    "endgame": mark("theme", "The last turns"),
}


async def ask(request: Request) -> Response:
    """Show the exercise that is to be asked next."""
    rules = _rules(request.query_params.get("rules", ""))
    working = asyncio.ensure_future(_deck(request, viewer(request), rules))
    done, _pending = await asyncio.wait({working}, timeout=PATIENCE)
    if not done:
        return page(request, "counting.html")
    due = working.result().due(_now(), rules)
    if not due:
        return page(request, "trained.html", rules=rules, rule_sets=rule_choices())
    exercise = due[0].exercise
    return page(
        request,
        "train.html",
        view=_view(exercise),
        exercise=exercise.id,
        theme=pgettext(*_THEMES[exercise.theme.value]),
        rules=rules,
        rule_sets=rule_choices(),
        request_id=secrets.token_hex(8),
    )


async def answered(request: Request) -> Response:
    """Keep an answer, and show what the coach says of it."""
    fields = await read_form(request)
    who = ensure_viewer(request)
    rules = _rules(fields.get("rules", ""))
    deck = await _deck(request, who, rules)
    item = deck.items.get(fields.get("exercise", ""))
    if item is None:  # its game was put away meanwhile
        return RedirectResponse(f"/train?rules={rules.key}", 303)
    exercise = item.exercise
    try:
        move = _move(fields)
        decided = await training.answer(
            tables_of(request).store, who, deck, exercise, move, read_request(fields)
        )
    except IllegalMoveError as error:
        raise RefusedError(400, "malformed", "the move is not legal") from error
    if decided is None:
        return RedirectResponse(f"/train?rules={rules.key}", 303)
    body = Markup(decision_body(decided, rules))  # noqa: S704 - the coach has escaped it
    theme = pgettext(*_THEMES[exercise.theme.value])
    return page(request, "answered.html", body=body, theme=theme, rules=rules)


async def _deck(request: Request, who: str | None, rules: RuleSet) -> Deck:
    tables = tables_of(request)
    trainer = await training.load(tables.store, who or "")
    games = await games_of(tables, who, MOST_GAMES)
    return await training.with_exercises(trainer, rules, games)


def _view(exercise: Exercise) -> TableView:
    """Return *exercise* as a table at which it is one's turn."""
    me = "trainer"
    rules = exercise.rules
    opened = TableOpened(rules, DiceKind.SYSTEM, Mode.DEVICE, me, 1, hints=False, date="")
    table = Table("train", opened, 1, (Seat("", me),), exercise.game)
    return table_view(Scene(table, (0,), language=current_language()))


def _move(fields: Mapping[str, str]) -> Move:
    for name in ("score", "sure"):
        if name in fields:
            if fields[name] not in {category.value for category in Category}:
                raise RefusedError(400, "malformed", "no such box")
            return Score(Category(fields[name]))
    order = order_of(fields)
    if fields.get("do") != "roll" or not order:
        raise RefusedError(400, "malformed", "no move")
    return Hold(Dice(order[place] for place in kept_places(fields)))


def _rules(key: str) -> RuleSet:
    return find_rules(key if key in RULE_SETS else RULE_SETS[0])


def _now() -> datetime:
    return datetime.now(UTC)


ROUTES = (
    Route("/train", ask, methods=["GET"]),
    Route("/train", answered, methods=["POST"]),
)
