"""What the command's own refusals mean, for people; other rooms explain theirs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from yachtdice.cli.table.boxes import BoxError, BoxReason
from yachtdice.cli.table.input import CommandError, CommandReason, shown
from yachtdice.i18n import category_name, pgettext, pgettext_noop, system_reason
from yachtdice.i18n import explain as explain_rules
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from yachtdice.rules import YachtError

# Translators: words in quotes that begin with keep, score, correct or help are typed as they are.
_COMMANDS = {
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


def explain(error: YachtError) -> str:
    """Return a sentence or two for the person whose action *error* refused."""
    if isinstance(error, CommandError):
        return pgettext(*_COMMANDS[error.reason]).format(text=shown(error.text))
    if isinstance(error, BoxError):
        if error.reason is BoxReason.AMBIGUOUS:
            boxes = ", ".join(category_name(category) for category in error.choices)
            # Translators: what somebody typed, and the boxes that begin like it.
            return _("“{text}” can mean: {boxes}.").format(text=shown(error.text), boxes=boxes)
        return _("There is no box “{text}”; “card” shows them all.").format(text=shown(error.text))
    return _explain_solver(error) or _explain_game(error) or explain_rules(error)


def _explain_solver(error: YachtError) -> str:
    """Return what is wrong with a table of values, empty if *error* is about something else."""
    if "yachtdice.solver.errors" not in sys.modules:
        return ""  # it cannot be the solver's, and to import that takes NumPy
    from yachtdice.solver.duel.errors import DuelError
    from yachtdice.solver.errors import ValueTableError, ValueTableReason

    if isinstance(error, DuelError):
        from yachtdice.cli.commands.duel import explain_duel

        return explain_duel(error)
    if not isinstance(error, ValueTableError):
        return ""
    messages = {
        ValueTableReason.MISSING: _("The table of values is not there or cannot be read."),
        ValueTableReason.DAMAGED: _("That file is no table of values, or it is damaged."),
        ValueTableReason.OTHER_VERSION: _("That table of values is of another version."),
        ValueTableReason.OTHER_KIND: _("That file holds another kind of table."),
        ValueTableReason.OTHER_RULES: _("That table of values was made for other rules."),
    }
    return messages[error.reason]


def _explain_game(error: YachtError) -> str:
    """Return what is wrong with players or a saved game, empty if *error* is about neither."""
    from yachtdice.bots import BOTS, BotError
    from yachtdice.cli.table.players import SameNameError
    from yachtdice.play.local import UnknownDiceError
    from yachtdice.play.table.refusals import TableError
    from yachtdice.play.table.refusals import explain as explain_table
    from yachtdice.store.savefile import SaveError, SaveReason

    if isinstance(error, TableError):
        return explain_table(error)
    if isinstance(error, BotError):
        line = _("The computer has no level “{level}”. Its levels: {levels}.")
        return line.format(level=shown(error.name), levels=", ".join(BOTS))
    if isinstance(error, SameNameError):
        return _("Two players are called {name}.").format(name=shown(error.name))
    if isinstance(error, UnknownDiceError):
        return _("The dice of this game came from elsewhere, so it cannot go on here.")
    if not isinstance(error, SaveError):
        return ""
    messages = {
        SaveReason.IN_USE: _("This game is being played in another window: {path}"),
        SaveReason.EXISTS: _("There is a file already: {path}. To go on with it, use --resume."),
        SaveReason.MISSING: _("There is no file {path}."),
        SaveReason.NOT_A_FILE: _("This is not a file that can hold a game: {path}"),
        SaveReason.NO_GAME: _("No game is kept here yet. “yacht play” begins one."),
        SaveReason.NO_UNFINISHED: _("No unfinished game is kept here. “yacht play” begins one."),
        SaveReason.NOT_READ: _("The file {path} cannot be read: {why}."),
        SaveReason.NOT_WRITTEN: _("The game cannot be kept in {path}: {why}."),
    }
    why = system_reason(error.__cause__) if error.__cause__ else error.detail
    return messages[error.reason].format(path=shown(str(error.path), 200), why=why)
