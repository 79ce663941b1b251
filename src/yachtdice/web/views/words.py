"""Words that several view models use: names of seats and faces, averages of levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.bots import find_level, known_averages
from yachtdice.i18n import format_number, own_seat_name, pgettext, pgettext_noop, seat_name
from yachtdice.i18n import gettext as _
from yachtdice.play.table.events import Mode
from yachtdice.play.table.table import Table
from yachtdice.rules import RuleSet

if TYPE_CHECKING:
    from yachtdice.web.scene import Scene

_FACES = (
    # Translators: what a die shows, as in “Die 2: four”.
    pgettext_noop("face", "one"),
    pgettext_noop("face", "two"),
    pgettext_noop("face", "three"),
    pgettext_noop("face", "four"),
    pgettext_noop("face", "five"),
    pgettext_noop("face", "six"),
)


def average_text(rules: RuleSet, level: str) -> str:
    """Return the average score of *level* as text; empty under house rules.

    For a level that does not play for points it says what it plays for.
    """
    if find_level(level).plays_to_win:
        # Translators: in the place of the average of a computer that plays for the win.
        return _("Plays to win")
    averages = known_averages(rules)
    if averages is None:
        return ""
    # Translators: the points that a computer scores in a game, on average; a label and a number.
    text = _("Average: {points}")
    return text.format(points=format_number(averages[level], 1))


def face_name(face: int) -> str:
    """Return the number on a die as a word."""
    return pgettext(*_FACES[face - 1])


def faces_text(faces: tuple[int, ...]) -> str:
    """Return dice as text that can be read out: figures and spaces, the same in every language."""
    return " ".join(str(face) for face in faces)


def player_name(table: Table, seat: int) -> str:
    """Return the name of a seat of *table* for use in a sentence."""
    bots = [number for number, other in enumerate(table.seats) if other.is_computer]
    return seat_name([other.name for other in table.seats], seat, bots)


def is_you(scene: Scene, seat: int) -> bool:
    """Return whether *seat* is that of the viewer, who plays alone and has given no name."""
    table = scene.table
    return seat in scene.seats and is_alone(table) and not table.seats[seat].name


def seat_label(scene: Scene, seat: int) -> str:
    """Return the name of a seat for use on its own, as over its column."""
    if is_you(scene, seat):
        return own_seat_name()
    return player_name(scene.table, seat)


def is_alone(table: Table) -> bool:
    """Return whether one person plays at *table*, with or without computers, on one device."""
    persons = sum(not seat.is_computer for seat in table.seats)
    return table.mode is Mode.DEVICE and persons == 1
