"""Errors in a typed line, and their sentences."""

from __future__ import annotations

from enum import Enum

from yachtdice.i18n import category_name, explain, pgettext, pgettext_noop, printable
from yachtdice.i18n import gettext as _
from yachtdice.rules import Category, YachtError


class CommandReason(Enum):
    """Why a line is no command."""

    EMPTY = "nothing was typed, and there is more than one thing to do"
    TOO_LONG = "the line is too long"
    NOT_TEXT = "the line holds characters that are no text"
    UNKNOWN = "no command begins like this"
    VERB_MISSING = "dice or a box by themselves: keep or score is missing"
    MORE = "the command takes nothing more"
    WHICH_DICE = "which dice is missing"
    FACES_AND_PLACES = "faces and places together"
    NO_SUCH_PLACE = "a place is #1 to #5"
    SAME_PLACE = "a place is named twice"
    WHICH_BOX = "which box is missing"
    POINTS = "points are missing, or no such number"
    HOW_TO_CORRECT = "a player, a box and its points are needed"
    UNKNOWN_PLAYER = "no such player"
    AMBIGUOUS = "it can be read in more than one way"
    REAL_ONLY = "only for games with real dice"
    TYPE_DICE = "real dice are rolled by hand and typed"


class CommandError(YachtError, ValueError):
    """A line that is no command; *text* is the part of it that is wrong."""

    def __init__(self, reason: CommandReason, text: str = "") -> None:
        super().__init__(f"{text[:40]!r}: {reason.value}")
        self.reason = reason
        self.text = text


class BoxReason(Enum):
    """Why a text is not the name of one box."""

    UNKNOWN = "no box of this name or number"
    AMBIGUOUS = "several boxes begin like this"


class BoxError(YachtError, ValueError):
    """A text that means no box, or several; these are `choices`."""

    def __init__(self, reason: BoxReason, text: str, choices: tuple[Category, ...] = ()) -> None:
        super().__init__(f"{text[:40]!r}: {reason.value}")
        self.reason = reason
        self.text = text
        self.choices = choices


class SameNameError(YachtError, ValueError):
    """Two players have the same name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"two players are called {name!r:.60}")
        self.name = name


# Translators: words in quotes that begin with keep, score, correct or help are typed as they are.
_SENTENCES = {
    CommandReason.EMPTY: pgettext_noop(
        "refusal", "Keep some dice and roll the rest, as in “keep 4 4”, or score a box."
    ),
    CommandReason.TOO_LONG: pgettext_noop("refusal", "That line is too long."),
    CommandReason.NOT_TEXT: pgettext_noop(
        "refusal", "That line holds characters that are no text."
    ),
    CommandReason.UNKNOWN: pgettext_noop("refusal", "“{text}” is no command; “help” lists them."),
    CommandReason.VERB_MISSING: pgettext_noop(
        "refusal", "Say keep or score before it, as in “keep 4 4” or “score 4”."
    ),
    CommandReason.MORE: pgettext_noop("refusal", "“{text}” is more than this command takes."),
    CommandReason.WHICH_DICE: pgettext_noop(
        "refusal", "Say which dice to keep: “keep 4 4”, “keep #1 #3” or “keep none”."
    ),
    CommandReason.FACES_AND_PLACES: pgettext_noop(
        "refusal", "Name dice by what they show or by their places, not both at once."
    ),
    CommandReason.NO_SUCH_PLACE: pgettext_noop("refusal", "Places are #1 to #5; “{text}” is none."),
    CommandReason.SAME_PLACE: pgettext_noop("refusal", "{text} is named twice."),
    CommandReason.WHICH_BOX: pgettext_noop(
        "refusal", "Say which box to score, by name or number: “score choice”."
    ),
    CommandReason.POINTS: pgettext_noop(
        "refusal", "“{text}” is no number of points that a box can hold."
    ),
    CommandReason.HOW_TO_CORRECT: pgettext_noop(
        "refusal", "To correct, name a player, a box and its points: “correct Ana fours 12”."
    ),
    CommandReason.UNKNOWN_PLAYER: pgettext_noop("refusal", "There is no player “{text}”."),
    CommandReason.AMBIGUOUS: pgettext_noop("refusal", "“{text}” can mean more than one thing."),
    CommandReason.REAL_ONLY: pgettext_noop(
        "refusal", "Dice that were rolled here stay as they fell: “{text}” is for real dice."
    ),
    CommandReason.TYPE_DICE: pgettext_noop(
        "refusal", "Roll the real dice and type what they show, as in “4 4 2 1 6”."
    ),
}


@explain.register
def _command(error: CommandError) -> str:
    return pgettext(*_SENTENCES[error.reason]).format(text=printable(error.text))


@explain.register
def _box(error: BoxError) -> str:
    if error.reason is BoxReason.AMBIGUOUS:
        boxes = ", ".join(category_name(category) for category in error.choices)
        # Translators: what somebody typed, and the boxes that begin like it.
        return _("“{text}” can mean: {boxes}.").format(text=printable(error.text), boxes=boxes)
    return _("There is no box “{text}”; “card” shows them all.").format(text=printable(error.text))


@explain.register
def _same_name(error: SameNameError) -> str:
    return _("Two players are called {name}.").format(name=printable(error.name))
