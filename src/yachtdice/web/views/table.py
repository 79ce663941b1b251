"""The view model of a table's page: made from a scene, rendered by the templates.

Pure functions. They know nothing of HTTP and HTML, and the templates know nothing of the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yachtdice.i18n import (
    category_name,
    ngettext,
    pgettext,
    rolls_left_text,
    rules_name,
    rules_note,
)
from yachtdice.i18n import gettext as _
from yachtdice.play.table.events import DiceKind, Mode
from yachtdice.play.table.layout import DiceLayout, dice_layout
from yachtdice.rules import (
    DICE,
    FACES,
    CategoryScored,
    Dice,
    DiceRolled,
    Game,
    TurnEntered,
)
from yachtdice.web.views.card import RowView, SeatView, game_of, is_yours, rows, seats
from yachtdice.web.views.ending import EndView, ending
from yachtdice.web.views.entry import ChoiceView, Hand, choice, typed
from yachtdice.web.views.story import Turn, score_text, turns
from yachtdice.web.views.win_odds import OddsView, odds_view
from yachtdice.web.views.words import face_name, is_alone, is_you, player_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yachtdice.web.scene import Scene

MAX_TURNS = 4
"""How many turns of the story are shown beside the table."""
MAX_ANNOUNCED = 4
"""How many of the newest events can be read out after a change."""


@dataclass(frozen=True, slots=True)
class DieView:
    """A die on the table."""

    id: str
    """Changes with each roll, so that the state of a touched die never carries over."""
    number: int
    """The place, counted from 1, and the key that keeps the die."""
    face: int
    """0 if the die is in the hand, to be rolled."""
    kept: bool
    fresh: bool
    """Whether it has just been rolled."""
    label: str


@dataclass(frozen=True, slots=True)
class ButtonView:
    """The primary button. It keeps its place when it does nothing."""

    label: str
    count: str
    """The rolls left, in words; empty if there are none."""
    works: bool


@dataclass(frozen=True, slots=True)
class AbsentView:
    """An absent seat, which others may skip or hand to the computer, and the host may remove."""

    number: int
    sentence: str
    can_play_on: bool
    can_remove: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that the live part of a table's page shows once the game has begun."""

    id: str
    version: int
    rules: str
    note: str
    """The sentence that distinguishes the rule set from the other."""
    status: str
    """Whose turn it is."""
    yours: bool
    """Whether it is the viewer's turn."""
    seated: bool
    online: bool
    real: bool
    round: str
    sign: str
    """What is shown in the place of the dice at the start of a turn."""
    before: str
    """The last event, below the sign."""
    hint: str
    """The line above the dice: what to do in the first turn, later the last event."""
    seats: tuple[SeatView, ...]
    rows: tuple[RowView, ...]
    has_bonus: bool
    dice: tuple[DieView, ...]
    choosable: bool
    """Whether the viewer may choose dice to keep."""
    order: str
    """The faces by place, as figures, which the form sends back."""
    button: ButtonView
    zero: tuple[str, str] | None
    """Key and name of the box in which a zero is to be confirmed."""
    typed: str | None
    """Real dice typed so far, as figures; None if none can be typed now."""
    faces: tuple[str, ...]
    """The names of the six keys for real dice."""
    choice: ChoiceView | None
    story: tuple[Turn, ...]
    says: tuple[tuple[int, str], ...]
    """The newest events with their numbers, to be read out once each."""
    hinted: bool
    """Whether the table was opened with hints."""
    advice: tuple[str, ...]
    """The coach's hints: the best move first, the expected total last."""
    odds: OddsView | None
    """How likely each seat is to win, if the table shows that."""
    absent: tuple[AbsentView, ...]
    own_seat_note: str
    """Says that the viewer has left or the computer plays for them; mostly empty."""
    next: str | None
    """The id of the next table, a rematch."""
    end: EndView | None
    message: str
    """A sentence about the last request."""


def table_view(
    scene: Scene,
    *,
    hand: Hand | None = None,
    layout: DiceLayout | None = None,
    message: str = "",
) -> TableView:
    """Return what the viewer sees of a table whose game has begun.

    *layout* is the places of the dice, if more is known of them than the game tells. *hand* is the
    viewer's unfinished input, *message* a sentence about the last request.
    """
    table, game = scene.table, game_of(scene)
    hand = hand or Hand()
    yours = is_yours(scene)
    real = table.dice is DiceKind.REAL
    story = turns(scene, None if table.is_over else MAX_TURNS)
    chosen = choice(scene, hand)
    figures = typed(scene, hand) if chosen is None else None
    dice = _dice(game, layout)
    shown = Dice(int(figure) for figure in figures) if figures else game.position.dice
    return TableView(
        id=table.id,
        version=table.version,
        rules=rules_name(table.rules),
        note=rules_note(table.rules),
        status=_status(scene),
        yours=yours,
        seated=bool(scene.seats),
        online=table.mode is Mode.ONLINE,
        real=real,
        round=_round(game),
        sign=_sign(scene),
        before=_before(scene),
        hint=_hint(scene, story),
        seats=seats(scene),
        rows=rows(scene, shown, hand.zero),
        has_bonus=table.rules.upper_bonus is not None,
        dice=dice,
        choosable=yours and not real and bool(dice) and game.position.rolls_left > 0,
        order="".join(str(die.face) for die in dice),
        button=_button(scene),
        zero=_zero(hand) if yours else None,
        typed=figures,
        faces=tuple(face_name(face) for face in FACES) if figures is not None else (),
        choice=chosen,
        story=story,
        says=_announcements(story),
        hinted=table.hints,
        advice=scene.advice,
        odds=odds_view(scene),
        absent=_absent(scene),
        own_seat_note=_own_seat_note(scene),
        next=table.next,
        end=ending(scene) if table.is_over else None,
        message=message,
    )


def _status(scene: Scene) -> str:
    table, position = scene.table, game_of(scene).position
    if position.is_over:
        return pgettext("state", "Game over")
    if table.next is not None:
        return _("Left for a new game")
    # On a shared device every turn is “yours”, so the name is needed.
    if is_yours(scene) and (is_alone(table) or table.mode is Mode.ONLINE):
        return pgettext("state", "Your turn")
    name = player_name(table, position.seat)
    if position.must_roll:
        # Translators: whose turn it is, in the bar above the table.
        return _("{name} to roll").format(name=name)
    # Translators: the same once the dice lie on the table.
    return _("{name} to decide").format(name=name)


def _round(game: Game) -> str:
    position = game.position
    rounds = len(position.rules.categories)
    now = min(rounds - len(position.card.open) + 1, rounds)
    # Translators: how far the game is, above the card.
    return _("Round {number} of {rounds}").format(number=now, rounds=rounds)


def _sign(scene: Scene) -> str:
    table, game = scene.table, game_of(scene)
    yours = is_yours(scene)
    if yours and (is_alone(table) or table.mode is Mode.ONLINE):
        return pgettext("state", "Your turn")
    name = player_name(table, game.position.seat)
    # With real dice the device is not passed: one person keeps the score for all.
    if yours and table.dice is DiceKind.SYSTEM and len(game.events) > 1:
        return _("Pass the device to {name}").format(name=name)
    # Translators: a sign over the table at the start of a turn.
    return _("{name}’s turn").format(name=name)  # noqa: RUF001 - an apostrophe


def _before(scene: Scene) -> str:
    event = game_of(scene).events[-1]
    if not isinstance(event, CategoryScored | TurnEntered):
        return ""
    score = score_text(event)
    if is_you(scene, event.seat):
        return score
    name = player_name(scene.table, event.seat)
    # Translators: who scored what, as in “Ana, Fours: 16”.
    return _("{name}, {score}").format(name=name, score=score)


def _hint(scene: Scene, story: Sequence[Turn]) -> str:
    position = game_of(scene).position
    is_first_turn = len(position.card.open) == len(position.rules.categories)
    if is_yours(scene) and is_first_turn and len(position.dice) == DICE:
        if position.rolls_left:
            return _("Touch the dice to keep, or choose a box.")
        return _("Choose a box: it shows what you would score.")
    if len(position.dice) == DICE:
        # The dice are visible, and the bar above says whose turn it is.
        return rolls_left_text(position.rolls_left) if position.rolls_left else _("No rolls left")
    return story[-1].lines[-1].say if position.dice and story else ""


def _dice(game: Game, layout: DiceLayout | None) -> tuple[DieView, ...]:
    faces, kept = dice_layout(game)
    # The game does not tell two equal dice apart, but a player who kept one of them does.
    if layout is not None and Dice(layout[0]) is Dice(faces):
        faces, kept = layout
    after_roll = isinstance(game.events[-1], DiceRolled)
    after_hold = game.position.must_roll  # even if somebody else resigned since
    return tuple(
        _die(
            len(game.events),
            place + 1,
            0 if after_hold and place not in kept else face,
            kept=place in kept,
            fresh=after_roll and place not in kept,
        )
        for place, face in enumerate(faces)
    )


def _die(step: int, number: int, face: int, *, kept: bool, fresh: bool) -> DieView:
    if face:
        # Translators: a die as a button: its place and what it shows, as in “Die 2: four”.
        label = _("Die {number}: {face}").format(number=number, face=face_name(face))
    else:
        label = _("Die {number} is in the hand").format(number=number)
    return DieView(f"die-{step}-{number}", number, face, kept, fresh, label)


def _button(scene: Scene) -> ButtonView:
    position = game_of(scene).position
    if not is_yours(scene):
        name = player_name(scene.table, position.seat)
        # Translators: where the button to roll is when it is not your turn.
        return ButtonView(_("{name} is playing").format(name=name), "", works=False)
    left = position.rolls_left
    if not left or scene.table.dice is DiceKind.REAL:
        return ButtonView(_("Choose a box"), "", works=False)
    # Translators: beside the word on the button that rolls the dice: so many rolls.
    count = ngettext("{n} left", "{n} left", left).format(n=left)
    return ButtonView(pgettext("button", "Roll"), count, works=True)


def _zero(hand: Hand) -> tuple[str, str] | None:
    return None if hand.zero is None else (hand.zero.value, category_name(hand.zero))


def _announcements(story: Sequence[Turn]) -> tuple[tuple[int, str], ...]:
    lines = [line for turn in story for line in turn.lines]
    return tuple((line.number, line.say) for line in lines[-MAX_ANNOUNCED:])


def _absent(scene: Scene) -> tuple[AbsentView, ...]:
    table = scene.table
    if not scene.seats or table.next is not None or table.is_over:
        return ()
    return tuple(
        AbsentView(
            seat,
            _("{name} has been away for a while.").format(name=player_name(table, seat)),
            can_play_on=table.dice is DiceKind.SYSTEM,
            can_remove=scene.is_host,
        )
        for seat in sorted(scene.absent)
        if seat not in scene.seats
    )


def _own_seat_note(scene: Scene) -> str:
    table = scene.table
    if table.mode is Mode.DEVICE or table.is_over or table.next is not None:
        return ""
    for number in scene.seats:
        if table.seats[number].bot is not None:
            return _("The computer plays on for you.")
        if table.seats[number].left:
            return _("You have left the table; your seat is kept.")
    return ""
