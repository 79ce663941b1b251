"""What an error means, as a sentence or two for people.

Every package registers the errors that it defines with `explain.register`.
"""

from __future__ import annotations

from functools import singledispatch

from yachtdice.i18n.messages import gettext as _
from yachtdice.i18n.messages import pgettext, pgettext_noop
from yachtdice.rules import (
    DiceError,
    IllegalMoveError,
    IllegalMoveReason,
    NotationError,
    NotationReason,
    RuleSetError,
    SetupError,
    SetupReason,
    YachtError,
)

_REASONS = {
    IllegalMoveReason.GAME_OVER: pgettext_noop("refusal", "The game is over."),
    IllegalMoveReason.MUST_ROLL: pgettext_noop("refusal", "Roll the dice first."),
    IllegalMoveReason.MUST_DECIDE: pgettext_noop(
        "refusal", "The dice are rolled: keep some or score."
    ),
    IllegalMoveReason.DICE_COUNT: pgettext_noop(
        "refusal", "That is not the number of dice to roll."
    ),
    IllegalMoveReason.NO_ROLLS_LEFT: pgettext_noop(
        "refusal", "No rolls are left: choose a box to score."
    ),
    IllegalMoveReason.NOT_ON_TABLE: pgettext_noop("refusal", "Those dice are not on the table."),
    IllegalMoveReason.KEEPS_ALL: pgettext_noop(
        "refusal", "To keep all five dice, choose a box to score."
    ),
    IllegalMoveReason.NOT_IN_RULES: pgettext_noop("refusal", "This game has no such box."),
    IllegalMoveReason.CATEGORY_USED: pgettext_noop("refusal", "That box is used already."),
    IllegalMoveReason.NOT_USED: pgettext_noop("refusal", "That box is still open."),
    IllegalMoveReason.TURN_BEGUN: pgettext_noop(
        "refusal", "This turn has begun: play it to its end."
    ),
    IllegalMoveReason.WRONG_POINTS: pgettext_noop(
        "refusal", "That box cannot be worth so many points."
    ),
    IllegalMoveReason.WRONG_SEAT: pgettext_noop("refusal", "It is somebody else's turn."),
    IllegalMoveReason.NOT_A_MOVE: pgettext_noop("refusal", "That is not a move."),
    IllegalMoveReason.RESIGNED: pgettext_noop("refusal", "That player has resigned already."),
    SetupReason.SEAT_COUNT: pgettext_noop("refusal", "A game has 1 to 12 players."),
    SetupReason.FIRST_SEAT: pgettext_noop("refusal", "The player who starts is not in the game."),
    SetupReason.NAME: pgettext_noop("refusal", "That name cannot be used."),
    SetupReason.NOT_STARTED: pgettext_noop(
        "refusal", "That record does not begin with a game's start."
    ),
    SetupReason.CARD: pgettext_noop("refusal", "A scorecard cannot look like that."),
    SetupReason.POSITION: pgettext_noop("refusal", "A game cannot stand like that."),
    NotationReason.BAD_DICE: pgettext_noop("refusal", "Dice are faces from 1 to 6, such as 5-5-2."),
    NotationReason.TOO_MANY_DICE: pgettext_noop("refusal", "There are at most five dice."),
    NotationReason.BAD_NUMBER: pgettext_noop("refusal", "A small whole number is expected."),
    NotationReason.BAD_VERSION: pgettext_noop(
        "refusal", "A record begins with the line “yacht 1”."
    ),
    NotationReason.BAD_HEADER: pgettext_noop("refusal", "This line is no header, or stands twice."),
    NotationReason.BAD_VALUE: pgettext_noop("refusal", "This header does not take that value."),
    NotationReason.MISSING_HEADER: pgettext_noop("refusal", "A header is missing."),
    NotationReason.UNKNOWN_RULES: pgettext_noop("refusal", "There is no such rule set."),
    NotationReason.BAD_RULES: pgettext_noop("refusal", "The rule set in this record is wrong."),
    NotationReason.BAD_TURN: pgettext_noop(
        "refusal", "A turn begins with round and seat, such as 3.1:"
    ),
    NotationReason.WRONG_TURN: pgettext_noop("refusal", "This is not the turn that comes next."),
    NotationReason.BAD_TOKEN: pgettext_noop("refusal", "This does not belong here."),
    NotationReason.BAD_CARD: pgettext_noop(
        "refusal", "A card has twelve entries: points that the box can be worth, or -."
    ),
    NotationReason.UNKNOWN_CATEGORY: pgettext_noop("refusal", "There is no such box."),
    NotationReason.ILLEGAL: pgettext_noop("refusal", "The rules do not allow this here."),
    NotationReason.UNFINISHED_TURN: pgettext_noop(
        "refusal", "The turn before this one is not finished."
    ),
    NotationReason.WRONG_POINTS: pgettext_noop(
        "refusal", "The dice are not worth so many points there."
    ),
    NotationReason.LINE_ENDS: pgettext_noop(
        "refusal", "Something is missing at the end of this line."
    ),
    NotationReason.WRONG_RESULT: pgettext_noop("refusal", "The result does not fit the turns."),
    NotationReason.NOT_TEXT: pgettext_noop("refusal", "This is not a text file in UTF-8."),
}

_ALLOWED = {
    phrase: context
    for context, phrase in (
        # Translators: what an entry of a rule set may be; it comes after “It may be:”.
        pgettext_noop("allowed", "a whole number from {least} to {most}"),
        pgettext_noop("allowed", "{keys} or a whole number from 0 to {most}"),
        pgettext_noop("allowed", "true or false"),
        pgettext_noop("allowed", "at most {most} characters"),
        pgettext_noop("allowed", "a file in TOML 1.0"),
        pgettext_noop("allowed", "a table"),
        pgettext_noop("allowed", "an entry of this name, which is missing"),
        pgettext_noop("allowed", "1 to 40 lower-case letters, digits and hyphens"),
        pgettext_noop("allowed", "at least one category"),
        pgettext_noop("allowed", "a scorer for each category"),
        pgettext_noop("allowed", "a key that no built-in rule set has"),
    )
}


@singledispatch
def explain(error: YachtError) -> str:
    """Return a sentence or two, in the active language, for the person who met *error*.

    Errors that only operators and developers meet have no sentence; for those it is the message.
    """
    return str(error)


@explain.register
def _dice(error: DiceError) -> str:
    del error
    return pgettext(*_REASONS[NotationReason.BAD_DICE])


@explain.register(IllegalMoveError)
@explain.register(SetupError)
def _refusal(error: IllegalMoveError | SetupError) -> str:
    return pgettext(*_REASONS[error.reason])


@explain.register
def _notation(error: NotationError) -> str:
    sentence = pgettext(*_REASONS[error.reason])
    if isinstance(error.__cause__, YachtError):
        sentence = explain(error.__cause__)  # which rule a step of a record breaks
    if not error.line:
        return sentence
    # Translators: where in a file something is wrong, and what.
    return _("Line {line}, column {column}: {sentence}").format(
        line=error.line, column=error.column, sentence=sentence
    )


@explain.register
def _rule_set(error: RuleSetError) -> str:
    context = _ALLOWED.get(error.phrase)
    allowed = error.allowed  # keys of a rule file, which stand as they are
    if context is not None:
        allowed = pgettext(context, error.phrase).format_map(error.values)
    sentence = _("The rule set's entry {key} is wrong. It may be: {allowed}.").format(
        key=error.key, allowed=allowed
    )
    if "line" not in error.values:
        return sentence
    return _("Line {line}, column {column}: {sentence}").format_map(
        {**error.values, "sentence": sentence}
    )
