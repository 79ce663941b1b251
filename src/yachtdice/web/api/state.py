"""A table as JSON, as one viewer sees it. It contains no holder."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from yachtdice.names import shown_name
from yachtdice.play.table.coding import CODEC
from yachtdice.play.table.layout import dice_layout
from yachtdice.rules import CATEGORIES, DICE, GameStarted, RuleSet
from yachtdice.web.scene import Scene
from yachtdice.web.stream import Renderer

if TYPE_CHECKING:
    from yachtdice.play.table.table import Table
    from yachtdice.rules import Game, Scorecard
    from yachtdice.solver.duel import Odds

EVENT_NAME = "table"

# Reading the `value` of an Enum is slow.
_KEYS = tuple(category.value for category in CATEGORIES)
_WORDS = {False: "false", True: "true"}
_MAX_SHARED = 1000
_ENCODER = json.JSONEncoder(separators=(",", ":"))


@cache
def rules_json(rules: RuleSet) -> dict[str, Any]:
    """Return `shapes.RULES_STATE`."""
    return {
        "key": rules.key,
        "rolls": rules.rolls,
        "categories": [_KEYS[category.index] for category in rules.scorers],
    }


class TableTexts:
    """Tables as text, whose parts that all viewers share are made only once."""

    def __init__(self) -> None:
        # The last requested state of each table, with what the text depends on besides the table.
        self._shared: dict[str, tuple[Table, tuple[object, ...], str]] = {}

    def render(self, scene: Scene) -> str:
        """Return `shapes.TABLE` as text."""
        table = scene.table
        shared = self._shared.get(table.id)
        others = scene.absent, scene.odds
        if shared is None or shared[0] is not table or shared[1] != others:
            if len(self._shared) >= _MAX_SHARED:
                self._shared.clear()
            shared = table, others, dumps(_shared_json(scene))[:-1]
            self._shared[table.id] = shared
        return f'{shared[2]},"you":{_you_text(scene)}}}'


def _you_text(scene: Scene) -> str:
    can_move = scene.table.to_move in scene.seats and scene.table.bot_to_move is None
    seats = ",".join(map(str, scene.seats))
    host, move = _WORDS[scene.is_host], _WORDS[can_move]
    return f'{{"seats":[{seats}],"is_host":{host},"can_move":{move}}}'


def _shared_json(scene: Scene) -> dict[str, Any]:
    table = scene.table
    game = table.game
    to_move = table.to_move
    return {
        "id": table.id,
        "version": table.version,
        "phase": _phase(table),
        "mode": table.mode.value,
        "dice": table.dice.value,
        "rules": rules_json(table.rules),
        "size": table.size,
        "hints": table.hints,
        "chances": table.shows_odds,
        "date": table.opened.date,
        "seats": [_seat(scene, number) for number in range(len(table.seats))],
        "turn": None if game is None or to_move is None else _turn(game),
        "winning": None if scene.odds is None else _winning(scene.odds),
        "winners": [] if game is None else list(game.position.winners),
        "previous": table.previous,
        "next": table.next,
    }


def _winning(chances: Odds) -> dict[str, Any]:
    return {"kind": chances.kind, "seats": list(chances.seats)}


def events_json(table: Table, after: int) -> list[dict[str, Any]]:
    """Return `shapes.EVENT` for each event of the game from number *after* + 1 on."""
    if table.game is None:
        return []
    events = []
    for number, event in enumerate(table.game.events[after:], start=after + 1):
        entry = CODEC.encode(event)
        data = dict(entry.data)
        if isinstance(event, GameStarted):
            data.pop("rules")  # the table's
        events.append({"number": number, "kind": entry.kind, **data})
    return events


def dumps(value: object) -> str:
    """Return *value* as compact JSON in ASCII."""
    return _ENCODER.encode(value)


def make_renderer() -> Renderer:
    """Return the renderer of the API, for its streams and its other answers."""
    return Renderer(TableTexts().render, EVENT_NAME)


def _phase(table: Table) -> str:
    if table.next is not None:
        return "left"
    if table.game is None:
        return "lobby"
    return "over" if table.is_over else "playing"


def _seat(scene: Scene, number: int) -> dict[str, Any]:
    seat = scene.table.seats[number]
    game = scene.table.game
    card = None if game is None else game.position.cards[number]
    return {
        # One from an archive may never have been cleaned.
        "name": shown_name(seat.name),
        "level": seat.bot,
        "is_computer": seat.is_computer,
        "has_left": seat.left,
        "is_absent": number in scene.absent,
        "has_resigned": game is not None and number in game.position.resigned,
        "card": {} if card is None else _filled(card),
        "bonus": 0 if card is None else card.bonus,
        "total": 0 if card is None else card.total,
    }


def _filled(card: Scorecard) -> dict[str, int]:
    boxes = [category.index for category in card.rules.scorers]
    return {_KEYS[box]: points for box in boxes if (points := card.points[box]) is not None}


def _turn(game: Game) -> dict[str, Any]:
    position = game.position
    dice, kept = dice_layout(game)
    points = {}
    if len(position.dice) == DICE:
        score, dice_now = game.rules.score, position.dice
        points = {_KEYS[box.index]: score(box, dice_now) for box in position.card.open}
    return {
        "seat": position.seat,
        "dice": list(dice),
        "kept": sorted(kept),
        "rolls_left": position.rolls_left,
        "must_roll": position.must_roll,
        "points": points,
    }
