"""The view model of the story of a game: its turns, with one line for each event."""

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
    """The number of the event in the game, from 1, which is the replay's step that shows it."""
    kind: str
    """`roll`, `keep`, `score`, `zero`, `correct` or `end`: how the line looks."""
    message: str
    """The translated sentence; `{dice}` in it stands for *dice*, other braces are doubled."""
    dice: tuple[int, ...] = ()
    say: str = ""
    """The same with the player's name and without pictures, for screen readers."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did in one round."""

    seat: int
    round: int
    """Counted from 1."""
    name: str
    lines: tuple[Line, ...]
    result: str = ""
    """What was scored, as “Fours: 16”; empty during the turn."""
    points: int = 0
    dice: tuple[int, ...] = ()
    """The dice that were scored, if they are known."""


@dataclass(slots=True)
class _TurnBuilder:
    """A turn whose events are being collected."""

    seat: int
    round: int
    rolls: int = 0
    dice: tuple[int, ...] = ()
    lines: list[Line] = field(default_factory=list)
    scored: CategoryScored | TurnEntered | None = None


def turns(scene: Scene, last: int | None = None) -> tuple[Turn, ...]:
    """Return the turns of the game so far, oldest first; with *last* only that many newest ones."""
    game = scene.table.game
    if game is None:
        return ()
    start = 1 if last is None else _start_of_last(game.events, last)
    done = Counter(
        e.seat for e in game.events[:start] if isinstance(e, CategoryScored | TurnEntered)
    )
    builders: list[_TurnBuilder] = []
    for number, event in enumerate(game.events[start:], start=start + 1):
        if isinstance(event, GameStarted):
            continue
        if not builders or builders[-1].scored is not None or _is_other_turn(builders[-1], event):
            # A correction after a score still belongs to the turn that it follows.
            if builders and isinstance(event, ScoreCorrected):
                builders[-1].lines.append(_line(scene, game, builders[-1], number, event))
                continue
            builders.append(_TurnBuilder(event.seat, done[event.seat] + 1))
        turn = builders[-1]
        turn.lines.append(_line(scene, game, turn, number, event))
        if isinstance(event, CategoryScored | TurnEntered):
            turn.scored = event
            done[event.seat] += 1
    return tuple(_turn(scene, builder) for builder in builders)


def _start_of_last(events: tuple[Event, ...], last: int) -> int:
    """Return where the newest *last* turns begin in *events*."""
    ended = 0
    for index in range(len(events) - 1, 0, -1):
        if isinstance(events[index], CategoryScored | TurnEntered):
            ended += 1
            if ended > last:
                return index + 1
    return 1


def _is_other_turn(turn: _TurnBuilder, event: Event) -> bool:
    return isinstance(event, DiceRolled | DiceHeld | TurnEntered) and event.seat != turn.seat


def _turn(scene: Scene, turn: _TurnBuilder) -> Turn:
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


def _line(scene: Scene, game: Game, turn: _TurnBuilder, number: int, event: Event) -> Line:
    if isinstance(event, GameStarted):
        return _sentence_line(number, "end", _("The game begins."))
    # The name of somebody who plays alone is left out.
    name = "" if is_you(scene, event.seat) else player_name(scene.table, event.seat)
    match event:
        case DiceRolled(_, faces):
            turn.rolls += 1
            # All five, including those that were kept.
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
            return _sentence_line(number, "correct", _corrected(scene, game, number, event))
        case PlayerResigned():
            say = _("{name} has given up.").format(name=name) if name else _("You have given up.")
            return _sentence_line(number, "end", say)


def _sentence_line(number: int, kind: str, say: str) -> Line:
    return Line(number, kind, _plain(say), (), say)


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _rolled(name: str, number: int, turn: _TurnBuilder, maximum: int) -> Line:
    dice, rolls = faces_text(turn.dice), turn.rolls
    left = rolls_left_text(maximum - rolls) if rolls < maximum else _("No rolls left")
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
