"""The shapes of the API's JSON: `routes` checks requests with them, `openapi` describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from yachtdice.bots import DEFAULT_LEVEL, LEVELS
from yachtdice.play.table.actions import (
    Action,
    AddBot,
    Begin,
    Correct,
    EnterDice,
    EnterPoints,
    Fill,
    Keep,
    Leave,
    PlayOn,
    Rematch,
    Remove,
    Resign,
    Return,
    Roll,
    Skip,
)
from yachtdice.play.table.events import DiceKind, Mode
from yachtdice.play.table.table import MAX_SEATS
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import CATEGORIES, DICE, FACES, TRADITIONAL, Dice, RuleSet
from yachtdice.web.api.schema import (
    Field,
    Flag,
    Keyed,
    Listed,
    Maybe,
    OneOf,
    Record,
    Ref,
    Shape,
    Share,
    Text,
    Whole,
    Word,
)

MAX_POINTS = 10_000
MAX_VERSION = 1_000_000_000

FACE = Whole(1, len(FACES))
SEAT = Whole(0, MAX_SEATS - 1, "A seat, counted from 0.")
POINTS = Whole(0, MAX_POINTS)
VERSION = Whole(0, MAX_VERSION, "The number of events at the table that the client knows of.")
EVERY = Word({"true": True}, "Whether each version is sent, and no step left out.")
CATEGORY = Ref("Category", Word({category.value: category for category in CATEGORIES}))
LEVEL = Ref("Level", Word({level: level for level in LEVELS}, "How well a computer plays."))
RULES = Word(dict(zip(RULE_SET_KEYS, RULE_SET_KEYS, strict=True)), "The key of a rule set.")
MODE = Word(
    {mode.value: mode for mode in Mode},
    "`device`: who opens the table holds all persons' seats, and the game begins at once. "
    "`online`: guests take seats until the host begins.",
)
DICE_KIND = Word(
    {kind.value: kind for kind in DiceKind},
    "`system`: the server rolls. `real`: people roll, and enter what the dice show.",
)
NAME = Text(0, 1000, note="Up to 30 letters; empty for a seat that is called by its number.")
REQUEST = Text(
    1,
    64,
    "[A-Za-z0-9_.-]+",
    "Made by the client anew for each action. A repeated one changes nothing and gets the first "
    "answer again.",
)
TABLE_ID = Text(
    16, 16, "[a-z2-7]+", "The table's id. Who knows it can watch, and join in the lobby."
)


@dataclass(frozen=True, slots=True)
class Opening:
    """The body of a request for a new table."""

    people: tuple[tuple[str, str | None], ...]
    rules: RuleSet
    mode: Mode
    dice: DiceKind
    size: int
    hints: bool
    chances: bool
    first: int | None
    request: str


@dataclass(frozen=True, slots=True)
class Acting:
    """The body of a request for an action."""

    version: int
    request: str
    action: Action


def _find_rules(**values: Any) -> Opening:  # noqa: ANN401 - the fields of Opening
    return Opening(**{**values, "rules": find_rules(values["rules"])})


OPENING = Ref(
    "Opening",
    Record(
        {
            "people": Field(
                Listed(
                    Record(
                        {
                            "name": Field(NAME, ""),
                            "level": Field(Maybe(LEVEL, "Null for a person."), None),
                        },
                        lambda name, level: (name, level),
                        shown_defaults={"name": "", "level": None},
                    ),
                    1,
                    MAX_SEATS,
                    note="Who sits at the table from the start; online that is one person, and "
                    "perhaps computers.",
                ),
                (("", None),),
            ),
            "rules": Field(RULES, TRADITIONAL.key),
            "mode": Field(MODE, Mode.DEVICE),
            "dice": Field(DICE_KIND, DiceKind.SYSTEM),
            "size": Field(Whole(1, MAX_SEATS, "How many seats there can be."), MAX_SEATS),
            "hints": Field(Flag("Whether hints may be shown."), default=False),
            "chances": Field(
                Flag("Whether everybody sees how likely each is to win."), default=False
            ),
            "first": Field(Maybe(SEAT, "Who starts a game on one device; null draws lots."), 0),
            "request": Field(REQUEST, ""),
        },
        _find_rules,
        shown_defaults={
            "rules": TRADITIONAL.key,
            "mode": "device",
            "dice": "system",
            "size": MAX_SEATS,
            "hints": False,
            "chances": False,
            "first": 0,
        },
    ),
)

JOINING = Ref("Joining", Record({"name": Field(NAME, "")}, lambda name: name))


def _dice(minimum: int, maximum: int, note: str) -> Listed:
    return Listed(FACE, minimum, maximum, Dice, note)


_ROLLED = Listed(
    FACE, 1, DICE, note="Real dice only: what the rolled dice show. Null where the server rolls."
)
_ACTIONS: dict[str, tuple[type, dict[str, Field]]] = {
    "roll": (
        Roll,
        {
            "kept": Field(Maybe(_dice(0, DICE - 1, "The dice to keep, from none to four.")), None),
            "faces": Field(Maybe(_ROLLED), None),
        },
    ),
    "keep": (Keep, {"kept": Field(_dice(0, DICE - 1, "The dice to keep, from none to four."))}),
    "fill": (Fill, {"category": Field(CATEGORY)}),
    "enter_dice": (
        EnterDice,
        {"category": Field(CATEGORY), "dice": Field(_dice(DICE, DICE, "All five dice."))},
    ),
    "enter_points": (EnterPoints, {"category": Field(CATEGORY), "points": Field(POINTS)}),
    "correct": (
        Correct,
        {
            "seat": Field(SEAT),
            "category": Field(CATEGORY),
            "points": Field(POINTS),
            "instead_of": Field(Maybe(CATEGORY), None),
        },
    ),
    "resign": (Resign, {"seat": Field(Maybe(SEAT), None)}),
    "add_bot": (AddBot, {"level": Field(LEVEL)}),
    "begin": (Begin, {"first": Field(Maybe(SEAT, "Null draws lots."), 0)}),
    "leave": (Leave, {}),
    "return": (Return, {}),
    "remove": (Remove, {"seat": Field(SEAT)}),
    "skip": (Skip, {"seat": Field(SEAT)}),
    "play_on": (PlayOn, {"seat": Field(SEAT), "level": Field(LEVEL, DEFAULT_LEVEL)}),
    "rematch": (Rematch, {}),
}
ACTIONS: Mapping[str, type] = {kind: made for kind, (made, _) in _ACTIONS.items()}
"""Every action by the value of its field `do`."""

ACTION = Ref(
    "Action",
    OneOf(
        {
            kind: Record(fields, made, (made.__doc__ or "").replace("*", "`"), kind)
            for kind, (made, fields) in _ACTIONS.items()
        }
    ),
)
ACTING = Ref(
    "Acting",
    Record({"version": Field(VERSION), "request": Field(REQUEST), "action": Field(ACTION)}, Acting),
)

# Answers. Their shapes are not checked at run time, but by tests.

_POINTS_BY_BOX = Keyed(tuple(c.value for c in CATEGORIES), POINTS)
_ANY_NAME = Text(0, 1000)
_ID_OR_NULL = Maybe(TABLE_ID)


def _given(**fields: Shape) -> Record:
    return Record({name: Field(shape) for name, shape in fields.items()})


RULES_STATE = _given(
    key=_ANY_NAME,
    rolls=Whole(1, 9, "Rolls a turn."),
    categories=Listed(CATEGORY, 1, len(CATEGORIES), note="In the order of the card."),
)
SEAT_STATE = _given(
    name=_ANY_NAME,
    level=Maybe(
        LEVEL, "How well the computer plays that plays here now; null where a person does."
    ),
    is_computer=Flag("Whether it has been a computer's seat from the start."),
    has_left=Flag(),
    is_absent=Flag("Whether the others may skip the seat or have the computer play on."),
    has_resigned=Flag(),
    card=Keyed(
        tuple(c.value for c in CATEGORIES), POINTS, "The boxes that are filled, with their points."
    ),
    bonus=POINTS,
    total=POINTS,
)
TURN_STATE = _given(
    seat=SEAT,
    dice=Listed(FACE, 0, DICE, note="What lies on the table, from left to right."),
    kept=Listed(Whole(0, DICE - 1), 0, DICE, note="The places of the dice that were kept."),
    rolls_left=Whole(0, 9),
    must_roll=Flag(),
    points=Keyed(
        tuple(c.value for c in CATEGORIES),
        POINTS,
        "What each open box would score now; empty before the roll.",
    ),
)
WINNING_STATE = _given(
    kind=Word(
        {"exact": "exact", "estimate": "estimate"},
        "`exact`: the chances of perfect play of both. `estimate`: near them.",
    ),
    seats=Listed(Share("A win shared by n seats counts an n-th to each."), 2, MAX_SEATS),
)
YOU_STATE = _given(
    seats=Listed(SEAT, 0, MAX_SEATS, note="The seats that you hold; none for a spectator."),
    is_host=Flag(),
    can_move=Flag("Whether the turn is yours."),
)
TABLE = Ref(
    "Table",
    _given(
        id=TABLE_ID,
        version=VERSION,
        phase=Word(
            dict.fromkeys(("lobby", "playing", "over", "left")),
            "`left`: the people went on to the table `next`.",
        ),
        mode=MODE,
        dice=DICE_KIND,
        rules=RULES_STATE,
        size=Whole(1, MAX_SEATS),
        hints=Flag(),
        chances=Flag("Whether the table was opened to show how likely each is to win."),
        date=Text(0, 10, note="The day it was opened, as YYYY-MM-DD."),
        seats=Listed(SEAT_STATE, 0, MAX_SEATS),
        turn=Maybe(TURN_STATE),
        winning=Maybe(
            WINNING_STATE,
            "How likely each is to win, at a table with `chances`; null before and after the game, "
            "and where nobody knows.",
        ),
        winners=Listed(SEAT, 0, MAX_SEATS, note="Several share a win."),
        previous=_ID_OR_NULL,
        next=_ID_OR_NULL,
        you=YOU_STATE,
    ),
)
_ERROR = _given(
    code=Text(1, 40, "[a-z_]+", "Stable; `docs/api.md` lists them."),
    message=Text(1, 1000, note="A sentence for people, in their language."),
)
ERROR = Ref(
    "Error",
    Record(
        {
            "error": Field(_ERROR),
            "table": Field(Maybe(TABLE, "The table as it is now, where there is one."), None),
        }
    ),
)
OPENED = Ref(
    "Opened",
    Record(
        {
            "table": Field(TABLE),
            "token": Field(
                Maybe(
                    _ANY_NAME,
                    "Your secret, if the request brought none: send it as `Authorization: Bearer`.",
                ),
                None,
            ),
        }
    ),
)
OUTCOME = Ref("Outcome", _given(table=TABLE, is_repeated=Flag("Whether it was done before.")))
LISTING = Ref("Listing", _given(tables=Listed(TABLE, 0, 50)))
EVENT = Ref(
    "Event",
    Record(
        {
            "number": Field(Whole(1, MAX_VERSION, "The number within the game, from 1.")),
            "kind": Field(Text(1, 40)),
            "seat": Field(SEAT, None),
            "faces": Field(Listed(FACE, 1, DICE, note="In the order in which they fell."), None),
            "kept": Field(Listed(FACE, 0, DICE), None),
            "dice": Field(Listed(FACE, DICE, DICE), None),
            "category": Field(CATEGORY, None),
            "instead_of": Field(CATEGORY, None),
            "points": Field(POINTS, None),
            "names": Field(Listed(_ANY_NAME, 1, MAX_SEATS), None),
            "first": Field(SEAT, None),
        }
    ),
)
EVENTS = Ref("Events", _given(events=Listed(EVENT, 0, MAX_VERSION)))
OPTIONS = Ref(
    "Options",
    _given(
        rules=Listed(RULES_STATE, 1, 100),
        levels=Listed(LEVEL, 1, 100),
        most_seats=Whole(1, MAX_SEATS),
        away_after=Whole(0, 10**9, "Seconds after which a seat that is not seen counts as absent."),
        idle_after=Whole(0, 10**9, "Seconds after which a seat counts as absent in its turn."),
    ),
)
