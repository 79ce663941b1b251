"""The story of a game: what happened in each turn, one line an event."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from yachtdice.i18n import category_name, ngettext, rolls_left_text
from yachtdice.i18n import gettext as _
from yachtdice.rules import (
    CategoryScored,
    DiceHeld,
    DiceRolled,
    Event,
    Game,
    GameStarted,
    PlayerResigned,
    ScoreCorrected,
    TurnEntered,
)
from yachtdice.web.views.words import faces_text, is_you, player_name, seat_label

if TYPE_CHECKING:
    from yachtdice.web.scene import Scene


@dataclass(frozen=True, slots=True)
class Line:
    """One event of a game, as a sentence with dice in it."""

    number: int
    """The number of the event in the game, from 1: the step of the replay that shows it."""
    kind: str
    """`roll`, `keep`, `score`, `zero`, `correct` or `end`: how the line looks."""
    message: str
    """The translated sentence; `{dice}` in it stands for *dice*, other braces are doubled."""
    dice: tuple[int, ...] = ()
    say: str = ""
    """The same with the player's name and without pictures, for those who listen."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did in one round."""

    seat: int
    round: int
    """Counted from 1."""
    name: str
    lines: tuple[Line, ...]
    result: str = ""
    """What the turn was worth, as “Fours: 16”; empty while it goes on."""
    points: int = 0
    dice: tuple[int, ...] = ()
    """The dice that were scored, where they are known."""


@dataclass(slots=True)
class _Turn:
    """A turn that is being told."""

    seat: int
    round: int
    rolls: int = 0
    dice: tuple[int, ...] = ()
    lines: list[Line] = field(default_factory=list)
    scored: CategoryScored | TurnEntered | None = None


def turns(scene: Scene, last: int | None = None) -> tuple[Turn, ...]:
    """Return the turns of the game that have begun, the first one first.

    With *last* only so many of the newest ones: what a page shows at every step.
    """
    game = scene.table.game
    if game is None:
        return ()
    start = 1 if last is None else _start_of_last(game.events, last)
    done = Counter(
        e.seat for e in game.events[:start] if isinstance(e, CategoryScored | TurnEntered)
    )
    told: list[_Turn] = []
    for number, event in enumerate(game.events[start:], start=start + 1):
        if isinstance(event, GameStarted):
            continue
        if not told or told[-1].scored is not None or _is_other_turn(told[-1], event):
            # A correction after a score still belongs to the turn that it follows.
            if told and isinstance(event, ScoreCorrected):
                told[-1].lines.append(_line(scene, game, told[-1], number, event))
                continue
            told.append(_Turn(event.seat, done[event.seat] + 1))
        turn = told[-1]
        turn.lines.append(_line(scene, game, turn, number, event))
        if isinstance(event, CategoryScored | TurnEntered):
            turn.scored = event
            done[event.seat] += 1
    return tuple(_told(scene, turn) for turn in told)


def _start_of_last(events: tuple[Event, ...], last: int) -> int:
    """Return where the newest *last* turns begin in *events*."""
    ended = 0
    for index in range(len(events) - 1, 0, -1):
        if isinstance(events[index], CategoryScored | TurnEntered):
            ended += 1
            if ended > last:
                return index + 1
    return 1


def _is_other_turn(turn: _Turn, event: Event) -> bool:
    return isinstance(event, DiceRolled | DiceHeld | TurnEntered) and event.seat != turn.seat


def _told(scene: Scene, turn: _Turn) -> Turn:
    name = seat_label(scene, turn.seat)
    if turn.scored is None:
        return Turn(turn.seat, turn.round, name, tuple(turn.lines))
    dice = turn.dice
    if isinstance(turn.scored, TurnEntered):
        dice = turn.scored.dice.faces if turn.scored.dice is not None else ()
    return Turn(
        turn.seat,
        turn.round,
        name,
        tuple(turn.lines),
        score_text(turn.scored),
        turn.scored.points,
        dice,
    )


def score_text(event: CategoryScored | TurnEntered) -> str:
    """Return what was scored, as “Fours: 16”."""
    # Translators: a box and its points, as in “Fours: 16”.
    return _("{box}: {points}").format(box=category_name(event.category), points=event.points)


def _line(scene: Scene, game: Game, turn: _Turn, number: int, event: Event) -> Line:
    if isinstance(event, GameStarted):
        return _said(number, "end", _("The game begins."))
    # Whoever plays alone is not told their own name.
    name = "" if is_you(scene, event.seat) else player_name(scene.table, event.seat)
    match event:
        case DiceRolled(_, faces):
            turn.rolls += 1
            # All five, so that nobody has to remember what was kept.
            turn.dice = (*turn.dice, *faces)
            return _rolled(name, number, turn, game.rules.rolls)
        case DiceHeld(_, kept):
            turn.dice = kept.faces
            return _held(name, number, kept.faces)
        case CategoryScored() | TurnEntered():
            score = score_text(event)
            # Translators: who scored what, to be read out, as in “Ana, Fours: 16.”
            say = _("{name}, {score}.").format(name=name, score=score) if name else f"{score}."
            return Line(number, "score" if event.points else "zero", _plain(score), (), say)
        case ScoreCorrected():
            return _said(number, "correct", _corrected(scene, game, number, event))
        case PlayerResigned():
            say = _("{name} has given up.").format(name=name) if name else _("You have given up.")
            return _said(number, "end", say)


def _said(number: int, kind: str, say: str) -> Line:
    return Line(number, kind, _plain(say), (), say)


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _rolled(name: str, number: int, turn: _Turn, most: int) -> Line:
    dice, rolls = faces_text(turn.dice), turn.rolls
    left = rolls_left_text(most - rolls) if rolls < most else _("No rolls left")
    if name:
        # Translators: read out after each roll, as in “Ana, roll 2: 4 4 4 1 6. 1 roll left.”
        say = _("{name}, roll {number}: {dice}. {left}.")
    else:
        # Translators: the same to somebody who plays alone.
        say = _("Roll {number}: {dice}. {left}.")
    say = say.format(name=name, number=rolls, dice=dice, left=left)
    # Translators: a line of the story; pictures of dice stand in the place of {dice}.
    message = _("Roll {number}: {dice}").format(number=rolls, dice="{dice}")
    return Line(number, "roll", message, turn.dice, say)


def _held(name: str, number: int, kept: tuple[int, ...]) -> Line:
    if not kept:
        # Translators: read out: no die was kept.
        say = _("{name} keeps nothing.").format(name=name) if name else _("You keep nothing.")
        # Translators: a line of the story: no die was kept.
        return Line(number, "keep", _("Keeps nothing"), (), say)
    n = len(kept)
    if name:
        # Translators: read out: the dice that a player keeps.
        say = ngettext("{name} keeps {n} die: {dice}.", "{name} keeps {n} dice: {dice}.", n)
    else:
        say = ngettext("You keep {n} die: {dice}.", "You keep {n} dice: {dice}.", n)
    say = say.format(name=name, n=n, dice=faces_text(kept))
    # Translators: a line of the story; pictures of dice stand in the place of {dice}.
    return Line(number, "keep", _("Keeps {dice}"), kept, say)


def _corrected(scene: Scene, game: Game, number: int, event: ScoreCorrected) -> str:
    name = player_name(scene.table, event.seat)
    box = category_name(event.category)
    if event.instead_of is not None:
        return _("Corrected for {name}: {box}: {points}, no longer in the box {other}.").format(
            name=name, box=box, points=event.points, other=category_name(event.instead_of)
        )
    was = next(
        earlier.points
        for earlier in reversed(game.events[: number - 1])
        if isinstance(earlier, CategoryScored | TurnEntered | ScoreCorrected)
        and (earlier.seat, earlier.category) == (event.seat, event.category)
    )
    return _("Corrected for {name}: {box}: {points} instead of {was}.").format(
        name=name, box=box, points=event.points, was=was
    )
