"""What the engine's keys are called, and what its refusals mean, for people."""

from __future__ import annotations

from yachtdice.i18n.messages import gettext as _
from yachtdice.i18n.messages import ngettext, pgettext, pgettext_noop
from yachtdice.rules import (
    ALL_DICE,
    TRADITIONAL,
    Category,
    DiceError,
    IllegalMoveError,
    IllegalMoveReason,
    NotationError,
    NotationReason,
    RuleSet,
    RuleSetError,
    SetupError,
    SetupReason,
    YachtError,
)

_CATEGORIES = {
    # Translators: the boxes of the scorecard, as headings. Never put into a sentence.
    Category.ONES: pgettext_noop("category", "Ones"),
    Category.TWOS: pgettext_noop("category", "Twos"),
    Category.THREES: pgettext_noop("category", "Threes"),
    Category.FOURS: pgettext_noop("category", "Fours"),
    Category.FIVES: pgettext_noop("category", "Fives"),
    Category.SIXES: pgettext_noop("category", "Sixes"),
    Category.FULL_HOUSE: pgettext_noop("category", "Full House"),
    Category.FOUR_OF_A_KIND: pgettext_noop("category", "Four of a Kind"),
    Category.LITTLE_STRAIGHT: pgettext_noop("category", "Little Straight"),
    Category.BIG_STRAIGHT: pgettext_noop("category", "Big Straight"),
    # Translators: the box that takes any dice.
    Category.CHOICE: pgettext_noop("category", "Choice"),
    Category.YACHT: pgettext_noop("category", "Yacht"),
}

_LEVELS = {
    # Translators: how well the computer plays, as a label of its own.
    "novice": pgettext_noop("level", "Novice"),
    "casual": pgettext_noop("level", "Casual"),
    "skilled": pgettext_noop("level", "Skilled"),
    "perfect": pgettext_noop("level", "Perfect"),
    # Translators: plays to win, not for the highest total.
    "champion": pgettext_noop("level", "Champion"),
    # Translators: takes the best-paying box at once.
    "greedy": pgettext_noop("level", "Greedy"),
    # Translators: decides by lot.
    "random": pgettext_noop("level", "Random"),
}

_LEVEL_WORDS = {
    # Translators: the same beside a name, as in “Computer (casual)”.
    "novice": pgettext_noop("level", "novice"),
    "casual": pgettext_noop("level", "casual"),
    "skilled": pgettext_noop("level", "skilled"),
    "perfect": pgettext_noop("level", "perfect"),
    "champion": pgettext_noop("level", "champion"),
    "greedy": pgettext_noop("level", "greedy"),
    "random": pgettext_noop("level", "random"),
}

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
    NotationReason.BAD_TOKEN: pgettext_noop("refusal", "This does not belong into a turn."),
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


def category_name(category: Category) -> str:
    """Return what the box is called, as a heading."""
    return pgettext(*_CATEGORIES[category])


def level_name(level: str) -> str:
    """Return what a level of the computer is called, as a label; an unknown one by its key."""
    return pgettext(*_LEVELS[level]) if level in _LEVELS else level


def level_word(level: str) -> str:
    """Return the same as it stands beside a name or in a list."""
    return pgettext(*_LEVEL_WORDS[level]) if level in _LEVEL_WORDS else level


def rules_name(rules: RuleSet) -> str:
    """Return what the rule set is called; a house rule set by its key."""
    if rules == TRADITIONAL:
        return pgettext("rule set", "Traditional")
    if rules == ALL_DICE:
        return pgettext("rule set", "All dice")
    return rules.key


def rules_note(rules: RuleSet) -> str:
    """Return the one sentence that tells the rule set from the others; empty for house rules."""
    if rules == TRADITIONAL:
        return _("Four of a Kind scores four times the face that matches.")
    if rules == ALL_DICE:
        return _("Four of a Kind scores the sum of all five dice.")
    return ""


def points_text(points: int) -> str:
    """Return so many points in words."""
    # Translators: a number of points by itself.
    return ngettext("{n} point", "{n} points", points).format(n=points)


def rolls_left_text(rolls: int) -> str:
    """Return how many rolls are left, as a sentence without its full stop."""
    # Translators: how many rolls a turn still has; a sentence without its full stop.
    return ngettext("{n} roll left", "{n} rolls left", rolls).format(n=rolls)


def explain(error: YachtError) -> str:
    """Return a sentence or two for the person whose action *error* refused."""
    if isinstance(error, NotationError):
        cause = error.__cause__
        sentence = pgettext(*_REASONS[error.reason])
        if isinstance(cause, YachtError):
            sentence = explain(cause)
        if not error.line:
            return sentence
        # Translators: where in a file something is wrong, and what.
        return _("Line {line}, column {column}: {sentence}").format(
            line=error.line, column=error.column, sentence=sentence
        )
    if isinstance(error, (IllegalMoveError, SetupError)):
        return pgettext(*_REASONS[error.reason])
    if isinstance(error, DiceError):
        return pgettext(*_REASONS[NotationReason.BAD_DICE])
    if isinstance(error, RuleSetError):
        return _("The rule set's entry {key} is wrong. It may be: {allowed}.").format(
            key=error.key, allowed=_allowed(error)
        )
    return str(error)


def certainty_word(kind: str) -> str:
    """Return whether chances are exact (`"exact"`) or an estimate, in a word."""
    if kind == "exact":
        # Translators: beside chances to win that are those of perfect play.
        return pgettext("chances", "exact")
    # Translators: beside chances to win that are not known exactly.
    return pgettext("chances", "estimate")


def _allowed(error: RuleSetError) -> str:
    """Return what the wrong entry of a rule set may be; keys stand as they are."""
    context = _ALLOWED.get(error.phrase)
    if context is None:
        return error.allowed
    return pgettext(context, error.phrase).format_map(error.values)
