"""The pages of the trainer: an exercise, and what the coach says of the answer."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from yachtdice.coach.pages import decision_body
from yachtdice.coach.training.exercises import Theme
from yachtdice.coach.words.terms import comes_back_text, theme_name
from yachtdice.i18n import current_language, pgettext
from yachtdice.play.table.events import DiceKind, Mode, TableOpened
from yachtdice.play.table.table import Seat, Table
from yachtdice.presets import find_rules
from yachtdice.rules import Category, Dice, Hold, IllegalMoveError, Move, RuleSet, Score
from yachtdice.web.context import services, tables_of
from yachtdice.web.edge.cookies import find_cookies, headers_of
from yachtdice.web.edge.security import RefusedError, read_form, viewer
from yachtdice.web.pages.coach import computing, games_of, in_time, style_url
from yachtdice.web.pages.context import page
from yachtdice.web.pages.forms import kept_places, order_of, read_request
from yachtdice.web.scene import Scene
from yachtdice.web.views.lobby import RULE_SETS, rule_choices
from yachtdice.web.views.table import TableView, table_view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from yachtdice.coach.training.exercises import Exercise
    from yachtdice.coach.training.trainer import Deck

_ZONE_COOKIE = "zone"
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,30}(/[A-Za-z0-9_+-]{1,30}){0,2}")

MAX_GAMES = 20
"""How many of the latest games of a holder provide exercises."""


@dataclass(frozen=True, slots=True)
class ThemeView:
    """A theme to choose from."""

    name: str
    address: str
    is_chosen: bool


async def ask(request: Request) -> Response:
    """Show the next exercise."""
    rules, theme = _rules_and_theme(request.query_params)
    deck = await in_time(request, _deck(request, viewer(request).holder, rules, theme))
    if deck is None:
        # Translators: the title of a page.
        return computing(request, pgettext("page", "Trainer"))
    now, themes = now_at(request), [theme] if theme else list(Theme)
    due = deck.due(now, rules, themes)
    if not due:
        later = deck.next_due(now, rules, themes)
        return page(
            request,
            "trained.html",
            # Only the theme of one's own mistakes can be empty: other exercises are generated.
            is_empty=later is None,
            comes_back=comes_back_text(later, now) if later else "",
            themes=_themes(rules, theme),
        )
    exercise = due[0].exercise
    return page(
        request,
        "train.html",
        view=_view(exercise),
        exercise=exercise.id,
        theme=theme_name(exercise.theme),
        chosen=theme.value if theme else "",
        themes=_themes(rules, theme),
        rules=rules,
        rule_sets=rule_choices(),
        request_id=secrets.token_hex(8),
    )


async def answer(request: Request) -> Response:
    """Store an answer, and show how the coach judges it."""
    fields = await read_form(request)
    holder = viewer(request).ensure_holder()
    rules, theme = _rules_and_theme(fields)
    next_url = _address(rules, theme)
    deck = await _deck(request, holder, rules, theme)
    item = deck.items.get(fields.get("exercise", ""))
    if item is None:  # its game was deleted meanwhile
        return RedirectResponse(next_url, 303)
    exercise = item.exercise
    try:
        move = _move(fields)
        training = services(request).training
        result = await training.answer(holder, deck, exercise, move, read_request(fields))
    except IllegalMoveError as error:
        raise RefusedError(400, "malformed", "the move is not legal") from error
    if result is None:
        return RedirectResponse(next_url, 303)
    decided, item = result
    now = now_at(request)
    due = item.asked_from(now.tzinfo)
    assert due is not None  # it was answered
    return page(
        request,
        "answered.html",
        coach_style=style_url(),
        body=Markup(decision_body(decided, rules)),  # noqa: S704 - the coach has escaped it
        comes_back=comes_back_text(due, now),
        theme=theme_name(exercise.theme),
        next_url=next_url,
    )


async def _deck(request: Request, holder: str | None, rules: RuleSet, theme: Theme | None) -> Deck:
    training = services(request).training
    trainer = await training.load(holder or "")
    games = await games_of(tables_of(request), holder, MAX_GAMES)
    return await training.with_exercises(trainer, rules, theme, games)


def _themes(rules: RuleSet, chosen: Theme | None) -> tuple[ThemeView, ...]:
    # Translators: the first of the themes that exercises can be about: all of them.
    views = [ThemeView(pgettext("theme", "All themes"), _address(rules, None), chosen is None)]
    views += [ThemeView(theme_name(t), _address(rules, t), t is chosen) for t in Theme]
    return tuple(views)


def _address(rules: RuleSet, theme: Theme | None) -> str:
    return f"/train?rules={rules.key}" + (f"&theme={theme.value}" if theme else "")


def _view(exercise: Exercise) -> TableView:
    """Return *exercise* as a table at which it is the viewer's turn."""
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


def _rules_and_theme(fields: Mapping[str, str]) -> tuple[RuleSet, Theme | None]:
    """Return the requested rules and theme, by default the first rules and all themes."""
    key, theme = fields.get("rules", ""), fields.get("theme", "")
    rules = find_rules(key if key in RULE_SETS else RULE_SETS[0])
    return rules, Theme(theme) if theme in {t.value for t in Theme} else None


def now_at(request: Request) -> datetime:
    """Return the time in the zone that the browser has named; in UTC if it has not."""
    for name in find_cookies(headers_of(request.scope).get(b"cookie", b""), _ZONE_COOKIE):
        # A name is no path, whatever the cookie holds.
        if _ZONE.fullmatch(name):
            with suppress(ZoneInfoNotFoundError, ValueError, OSError):
                return datetime.now(ZoneInfo(name))
    return datetime.now(UTC)
