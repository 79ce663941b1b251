"""Words of the pages: what a box wants, how a computer plays, what a die shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yachtdice.bots import known_averages
from yachtdice.i18n import format_number, pgettext, pgettext_noop, seat_name
from yachtdice.i18n import gettext as _
from yachtdice.play.table.events import Mode
from yachtdice.play.table.table import Table
from yachtdice.rules import (
    Category,
    FaceSum,
    FullHouse,
    OfAKind,
    RuleSet,
    Scorer,
    Straight,
    Total,
)

if TYPE_CHECKING:
    from yachtdice.web.stream import Scene

_FACES = (
    # Translators: what a die shows, as in “Die 2: four”.
    pgettext_noop("face", "one"),
    pgettext_noop("face", "two"),
    pgettext_noop("face", "three"),
    pgettext_noop("face", "four"),
    pgettext_noop("face", "five"),
    pgettext_noop("face", "six"),
)


def level_note(level: str) -> str:
    """Return how the computer plays at *level*, in one sentence; empty for an unknown one."""
    return {
        "novice": _("Keeps what looks nice and often misses the better box."),
        "casual": _("Plays sensibly and does not count."),
        "skilled": _("Looks ahead and gives little away."),
        "perfect": _("Makes the best decision every time."),
        "champion": _("Looks at your card as well: careful when ahead, bold when behind."),
    }.get(level, "")


def average_text(rules: RuleSet, level: str) -> str:
    """Return what a computer of that *level* scores on average; empty where nobody knows.

    Of one that does not play for points it says what it plays for.
    """
    if level == "champion":
        # Translators: in the place of the average of a computer that plays for the win.
        return _("Plays to win")
    average = (known_averages(rules) or {}).get(level)
    # Translators: the points that a computer scores in a game, on average; a label and a number.
    said = _("Average: {points}")
    return "" if average is None else said.format(points=format_number(average, 1))


def face_name(face: int) -> str:
    """Return the number on a die as a word."""
    return pgettext(*_FACES[face - 1])


def faces_text(faces: tuple[int, ...]) -> str:
    """Return dice as text that can be read out: figures and spaces, the same in every language."""
    return " ".join(str(face) for face in faces)


def player_name(table: Table, seat: int) -> str:
    """Return what to call a seat of *table* in a sentence about it."""
    who = table.seats[seat]
    if who.name:
        return who.name
    if who.is_computer:
        computers = [i for i, other in enumerate(table.seats) if other.is_computer]
        if len(computers) == 1:
            # Translators: what the one computer at a table is called.
            return pgettext("seat", "Computer")
        # Translators: one of several computers at a table.
        return _("Computer {number}").format(number=computers.index(seat) + 1)
    return seat_name(tuple(s.name for s in table.seats), seat)


def is_you(scene: Scene, seat: int) -> bool:
    """Return whether *seat* is the viewer's, who sits nameless and alone at the device."""
    table = scene.table
    return seat in scene.seats and is_alone(table) and not table.seats[seat].name


def seat_label(scene: Scene, seat: int) -> str:
    """Return what to call a seat where it stands alone, as over its column."""
    if is_you(scene, seat):
        # Translators: the head of one's own column on the card.
        return pgettext("seat", "You")
    return player_name(scene.table, seat)


def is_alone(table: Table) -> bool:
    """Return whether a single person sits at *table*, with or without computers, on one device."""
    persons = sum(not seat.is_computer for seat in table.seats)
    return table.mode is Mode.DEVICE and persons == 1


def box_hint(rules: RuleSet, category: Category) -> str:
    """Return what *category* wants and pays, in a few words that stand beside its name."""
    return _scorer_hint(rules.scorers[category])


def _scorer_hint(scorer: Scorer) -> str:  # noqa: PLR0911 - one case a scorer
    match scorer:
        case FaceSum(face):
            # Translators: beside the name of a box: what it wants and pays.
            return _("counts every {face}").format(face=face)
        case Total():
            # Translators: beside the name of a box: what it wants and pays.
            return _("adds all dice")
        case FullHouse() if isinstance(scorer.pays, int):
            return _("three and two alike: {points}").format(points=scorer.pays + scorer.extra)
        case FullHouse():
            return _("three and two alike: adds all dice")
        case OfAKind(count) if scorer.pays == "matching":
            # Translators: beside the name of a box: what it wants and pays.
            return _("{count} alike: {count} × the face").format(count=count)
        case OfAKind(count) if scorer.pays == "sum":
            # Translators: beside the name of a box: what it wants and pays.
            return _("{count} alike: adds all dice").format(count=count)
        case OfAKind(count):
            points = int(scorer.pays) + scorer.extra
            # Translators: beside the name of a box: what it wants and pays.
            return _("{count} alike: {points}").format(count=count, points=points)
        case Straight():
            return _straight_hint(scorer)


def _straight_hint(scorer: Straight) -> str:
    if scorer.start is None:
        if scorer.pays == "sum":
            return _("{count} in a row: adds all dice").format(count=scorer.length)
        points = scorer.pays + scorer.extra
        return _("{count} in a row: {points}").format(count=scorer.length, points=points)
    faces = "-".join(str(scorer.start + i) for i in range(scorer.length))
    if scorer.pays == "sum":
        return _("{faces}: adds all dice").format(faces=faces)
    # Translators: beside the name of a box: what it wants and pays.
    return _("{faces}: {points}").format(faces=faces, points=scorer.pays + scorer.extra)


def box_symbol(rules: RuleSet, category: Category) -> str:
    """Return a sign that says without words what *category* wants; decoration, never read out."""
    match rules.scorers[category]:
        case FaceSum(face):
            return str(face)
        case Total():
            return "Σ"
        case FullHouse():
            return "3+2"
        case OfAKind(count):
            return f"{count}×"
        case Straight(length, _, start):
            return f"{start}–{start + length - 1}" if start else f"{length}↗"
