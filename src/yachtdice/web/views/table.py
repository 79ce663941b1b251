"""What a table's page shows, as plain values: made from a scene, rendered by the templates.

Pure functions. Nothing here knows HTTP or HTML; nothing in the templates knows the engine.
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
from yachtdice.web.views.win_odds import ChancesView, chances_view
from yachtdice.web.views.words import face_name, is_alone, is_you, player_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yachtdice.web.scene import Scene

TURNS_TOLD = 4
"""How many turns of the story stand beside the table."""
EVENTS_SAID = 4
"""How many of the newest events can be read out after a change."""


@dataclass(frozen=True, slots=True)
class DieView:
    """A die in its place on the table."""

    id: str
    """Another one after each roll, so that a touched die never carries over."""
    number: int
    """The place, counted from 1, and the key that keeps the die."""
    face: int
    """0 where the die is in somebody's hand."""
    kept: bool
    fresh: bool
    """Whether it has just been rolled."""
    label: str


@dataclass(frozen=True, slots=True)
class ButtonView:
    """The one primary control. It keeps its place when there is nothing to press."""

    label: str
    count: str
    """The rolls left, in words; empty where none are to come."""
    works: bool


@dataclass(frozen=True, slots=True)
class AbsentView:
    """A seat that the others may play on or skip, and the host may remove."""

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
    """The one sentence that tells the rule set from the other."""
    status: str
    """Whose turn it is."""
    yours: bool
    """Whether the viewer is the one to move."""
    seated: bool
    online: bool
    real: bool
    round: str
    sign: str
    """What stands where the dice will be, at the start of a turn."""
    before: str
    """What happened last, below the sign."""
    hint: str
    """The line above the dice: what to do for newcomers, later on what happened last."""
    seats: tuple[SeatView, ...]
    rows: tuple[RowView, ...]
    has_bonus: bool
    dice: tuple[DieView, ...]
    choosable: bool
    """Whether the viewer may choose which dice to keep."""
    order: str
    """The dice in their places, as figures: what the form sends back."""
    button: ButtonView
    zero: tuple[str, str] | None
    """Key and name of the box for which a zero was asked."""
    typed: str | None
    """Real dice typed so far, as figures; None where none can be typed now."""
    faces: tuple[str, ...]
    """What the six keys for real dice are called."""
    choice: ChoiceView | None
    story: tuple[Turn, ...]
    says: tuple[tuple[int, str], ...]
    """The newest events with their numbers, to be read out once each."""
    hinted: bool
    """Whether the table was opened with hints."""
    advice: tuple[str, ...]
    """What the coach says, at a table with hints: what is best first, the expected total last."""
    chances: ChancesView | None
    """How likely each is to win, where the table shows that."""
    absent: tuple[AbsentView, ...]
    stands_in: str
    """What is going on at the viewer's own seat, which is left or played on; mostly empty."""
    next: str | None
    """The table of the rematch."""
    end: EndView | None
    message: str
    """A sentence about what was just asked for."""


def table_view(
    scene: Scene,
    *,
    hand: Hand | None = None,
    layout: DiceLayout | None = None,
    message: str = "",
) -> TableView:
    """Return what the viewer sees of a table whose game has begun.

    *layout* says where the dice lie, if that is known better than from the game alone. *hand* is
    what the viewer has begun, *message* a sentence about what was just asked for.
    """
    table, game = scene.table, game_of(scene)
    hand = hand or Hand()
    yours = is_yours(scene)
    real = table.dice is DiceKind.REAL
    told = turns(scene, None if table.is_over else TURNS_TOLD)
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
        hint=_hint(scene, told),
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
        story=told,
        says=_says(told),
        hinted=table.hints,
        advice=scene.advice,
        chances=chances_view(scene),
        absent=_absent(scene),
        stands_in=_stands_in(scene),
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
    # On a shared device everything is “yours”: there the name says who.
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
    # With real dice nobody passes a device: one person keeps the score for all.
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


def _hint(scene: Scene, told: Sequence[Turn]) -> str:
    position = game_of(scene).position
    is_first_turn = len(position.card.open) == len(position.rules.categories)
    if is_yours(scene) and is_first_turn and len(position.dice) == DICE:
        if position.rolls_left:
            return _("Touch the dice to keep, or choose a box.")
        return _("Choose a box: it shows what you would score.")
    if len(position.dice) == DICE:
        # The dice lie there, and the bar above says whose they are.
        return rolls_left_text(position.rolls_left) if position.rolls_left else _("No rolls left")
    return told[-1].lines[-1].say if position.dice and told else ""


def _dice(game: Game, layout: DiceLayout | None) -> tuple[DieView, ...]:
    faces, kept = dice_layout(game)
    # Two equal dice are one to the game, but not to the hand that kept one of them.
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


def _says(told: Sequence[Turn]) -> tuple[tuple[int, str], ...]:
    lines = [line for turn in told for line in turn.lines]
    return tuple((line.number, line.say) for line in lines[-EVENTS_SAID:])


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


def _stands_in(scene: Scene) -> str:
    table = scene.table
    if table.mode is Mode.DEVICE or table.is_over or table.next is not None:
        return ""
    for number in scene.seats:
        if table.seats[number].bot is not None:
            return _("The computer plays on for you.")
        if table.seats[number].left:
            return _("You have left the table; your seat is kept.")
    return ""
