"""The view models of the lobby of an online table, and of the choices on the start page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.bots import OFFERED
from yachtdice.i18n import gettext as _
from yachtdice.i18n import level_name, level_note, ngettext, pgettext, rules_name, rules_note
from yachtdice.play.table.events import DiceKind
from yachtdice.presets import find_rules
from yachtdice.web.views.words import average_text, player_name

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet
    from yachtdice.web.scene import Scene

RULE_SETS = ("traditional", "all-dice")
"""The keys of the rule sets that can be chosen, the default first."""
_ANNOUNCEMENT_OFFSET = 1_000_000
"""Makes the numbers of announcements in the lobby less than those of the game's events."""


@dataclass(frozen=True, slots=True)
class LevelView:
    """A level of the computer."""

    key: str
    name: str
    note: str
    average: str


@dataclass(frozen=True, slots=True)
class RulesView:
    """A rule set that can be chosen."""

    key: str
    name: str
    note: str
    """The sentence that distinguishes it from the other."""
    levels: tuple[LevelView, ...]


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat that is taken."""

    number: int
    name: str
    note: str
    """`you`, `host` or the level of a computer, in words; mostly empty."""
    can_remove: bool


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The live part of a table's page before the game."""

    id: str
    version: int
    rules: str
    note: str
    status: str
    seats: tuple[LobbySeat, ...]
    free: int
    free_text: str
    seated: bool
    is_host: bool
    can_join: bool
    can_begin: bool
    begin: str
    """The label of the button that starts the game."""
    starters: tuple[tuple[int, str], ...]
    """The seats that can start, with their names."""
    levels: tuple[LevelView, ...]
    absent: tuple[int, ...]
    yours: bool
    """Always false: there is no turn yet. The template of the live part needs it."""
    message: str
    says: tuple[tuple[int, str], ...]


def levels(rules: RuleSet) -> tuple[LevelView, ...]:
    """Return the levels of the computer with their averages under *rules*."""
    return tuple(
        LevelView(level, level_name(level), level_note(level), average_text(rules, level))
        for level in OFFERED
    )


def rule_choices() -> tuple[RulesView, ...]:
    """Return the rule sets that can be chosen."""
    sets = [find_rules(key) for key in RULE_SETS]
    return tuple(RulesView(r.key, rules_name(r), rules_note(r), levels(r)) for r in sets)


def lobby_view(scene: Scene, message: str = "") -> LobbyView:
    """Return what the viewer sees of a table whose game has not begun."""
    table = scene.table
    seated = bool(scene.seats)
    seats = tuple(_seat(scene, number) for number in range(len(table.seats)))
    free = table.free_seats
    bots_play = table.dice is DiceKind.SYSTEM
    return LobbyView(
        id=table.id,
        version=table.version,
        rules=rules_name(table.rules),
        note=rules_note(table.rules),
        status=_status(scene),
        seats=seats,
        free=free,
        # Translators: how many people may still sit down at a table.
        free_text=ngettext("{n} free seat", "{n} free seats", free).format(n=free),
        seated=seated,
        is_host=scene.is_host,
        can_join=not seated and free > 0,
        can_begin=scene.is_host,
        begin=ngettext("Begin with {n} player", "Begin with {n} players", len(seats)).format(
            n=len(seats)
        ),
        starters=tuple((seat.number, seat.name) for seat in seats),
        levels=levels(table.rules) if scene.is_host and free and bots_play else (),
        absent=tuple(sorted(scene.absent)),
        yours=False,
        message=message,
        says=((table.version - _ANNOUNCEMENT_OFFSET, _announcement(scene)),),
    )


def _seat(scene: Scene, number: int) -> LobbySeat:
    table = scene.table
    seat = table.seats[number]
    mine = number in scene.seats
    if seat.is_computer and seat.bot is not None:
        note = level_name(seat.bot)
    elif mine:
        # Translators: beside one's own name in the list of who sits at the table.
        note = pgettext("seat", "you")
    elif seat.holder == table.host:
        # Translators: beside the name of who opened the table.
        note = pgettext("seat", "host")
    elif number in scene.absent:
        note = pgettext("seat", "away")
    else:
        note = ""
    return LobbySeat(number, player_name(table, number), note, scene.is_host and not mine)


def _status(scene: Scene) -> str:
    if scene.is_host:
        return _("Invite and begin")
    if scene.seats:
        return _("Waiting for the host")
    return _("Take a seat") if scene.table.free_seats else _("All seats are taken")


def _announcement(scene: Scene) -> str:
    table = scene.table
    names = ", ".join(player_name(table, seat) for seat in range(len(table.seats)))
    return _("At the table: {names}.").format(names=names)
