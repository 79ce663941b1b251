"""A game at one keyboard, from its first prompt to its last line."""

from __future__ import annotations

import shlex
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rich.text import Text

from yachtdice.cli.support.screen import InputEndedError, Screen, fit
from yachtdice.cli.table.help import help_lines
from yachtdice.cli.table.input import (
    Command,
    Correct,
    Enter,
    Fill,
    Keep,
    Report,
    Word,
    parse_command,
)
from yachtdice.cli.table.story import round_text, story_lines
from yachtdice.cli.table.views import (
    LIGHT,
    STRONG,
    WARNING,
    box_lines,
    card_lines,
    closing_text,
    dice_lines,
    dice_text,
    standing_lines,
    totals_line,
    win_odds_text,
)
from yachtdice.i18n import category_name, explain, level_name, ngettext, rules_name, rules_note
from yachtdice.i18n import gettext as _
from yachtdice.rules import DICE, Dice, Game, YachtError
from yachtdice.store.savefile import SaveError, saves_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from yachtdice.play.local import LocalGame
    from yachtdice.rules import Category, Event
    from yachtdice.solver.duel import Duel

Step: TypeAlias = "Callable[[], tuple[Event, ...]]"

_PROMPT_NAME = 20
_WIN_ODDS_TIMEOUT = 0.5
"""Seconds to wait for exact win odds before an estimate is shown."""


class Session:
    """A game being played, the screen that shows it, and what has been shown so far."""

    def __init__(
        self, local: LocalGame, screen: Screen, *, ask_zero: bool, duel: Duel | None = None
    ) -> None:
        """Play *local* on *screen*; *ask_zero* to be asked before a zero is entered.

        With *duel* the players see how likely each is to win.
        """
        self._local = local
        self._screen = screen
        self._asks = ask_zero and screen.is_terminal
        self._names = local.names
        self._duel = duel
        self._shown = -1  # the version of the game that is on the screen
        self._turn: tuple[int, int] | None = None  # round and seat of the heading above

    def run(self) -> bool:
        """Play until the game is over; return False if it was left before that."""
        self._write_start()
        try:
            while self._advance():
                pass
        except InputEndedError:
            if not self._local.position.is_over:
                return False
        if not self._local.position.is_over:
            return False
        self._write_end()
        return True

    def write_goodbye(self) -> None:
        """Write that the game is saved, and how to continue it."""
        save = self._local.save
        words = ["yacht", "play", "--resume"]
        if save.path.parent != _resolved(saves_folder()):
            words.append(shlex.quote(_relative(save.path)))
        self._screen.write(_("The game is kept. To go on with it:"), " ".join(["", *words]))

    def _advance(self) -> bool:
        """Play one step; return False when there is nothing more to do."""
        local = self._local
        if local.position.is_over:
            if not local.is_real or not local.can_undo:
                return False
            if self._shown != local.game.version:
                self._shown = local.game.version
                self._screen.blank()
                self._screen.write(
                    _("All boxes are filled. Enter ends the game; undo and correct still work.")
                )
            return self._run_line(self._screen.ask("> "))
        self._write_heading()
        if local.bot_to_move and not (local.is_real and local.position.must_roll):
            self._do(local.play_bot)
            return True
        self._show()
        return self._run_line(self._screen.ask(self._prompt()))

    def _run_line(self, line: str) -> bool:
        """Run the command in *line* or write why not; return False if it leaves the game."""
        local = self._local
        try:
            command = parse_command(line, local.game, real=local.is_real, names=self._names)
            return self._execute(command)
        except SaveError as error:
            self._screen.write(
                explain(error), _("Nothing was counted. When there is room again, repeat it.")
            )
        except YachtError as error:
            self._screen.write(explain(error))
        return True

    def _execute(self, command: Command) -> bool:
        """Run *command*; return False if it leaves the game."""
        match command:
            case Word.QUIT:
                return False
            case Word.HELP:
                self._screen.write(*help_lines(self._screen.look, real=self._local.is_real))
            case Word.CARD:
                game, look = self._local.game, self._screen.look
                self._screen.write(*card_lines(game, self._names, look))
            case Word.UNDO:
                self._undo()
            case Word.RESIGN:
                if self._confirm(_("Give up? Your points stay, but you cannot win.")):
                    self._do(self._local.resign)
            case _:
                step = self._step(command)
                if step:
                    self._do(step)
        return True

    def _step(self, command: Command) -> Step | None:
        """Return the step of the game that *command* is; None if the player decides against it."""
        local = self._local
        step: Step | None = None
        match command:
            case Word.ROLL:
                # With dice on the table, all five are rolled again.
                step = local.roll if local.position.must_roll else partial(local.hold, Dice())
            case Keep(dice):
                step = partial(local.hold, dice)
            case Report(faces):
                step = partial(local.report, faces)
            case Fill(category):
                if self._may_fill(category, local.position.dice):
                    step = partial(local.score, category)
            case Enter(category, result):
                if self._may_fill(category, result):
                    step = partial(local.enter, category, result)
            case Correct(seat, category, points, instead_of):
                step = partial(local.correct, seat, category, points, instead_of)
            case _:
                pass
        return step

    def _do(self, step: Step) -> None:
        """Take *step*, which also saves it, and write what it did."""
        local = self._local
        # A person's roll is shown as dice on the table, so it needs no line of its own.
        is_person = local.bot_to_move is None
        events = step()
        game = local.game
        before = Game.replay(game.events[: game.version - len(events)])
        self._screen.write(*story_lines(events, before, self._names, rolls=not is_person))

    def _undo(self) -> None:
        if not self._local.undo():
            self._screen.write(_("There is nothing to take back."))
            return
        # Translators: said after undo.
        self._screen.write(_("Taken back."))
        self._shown, self._turn = -1, None

    def _may_fill(self, category: Category, result: Dice | int) -> bool:
        """Return whether a box may be filled: a zero is asked about once, anything else is fine."""
        position = self._local.position
        if category not in position.card.open:
            return True  # the game refuses it
        if isinstance(result, Dice):
            if len(result) < DICE:
                return True  # likewise
            result = position.rules.score(category, result)
        if result:
            return True
        box = category_name(category)
        return self._confirm(_("That enters a zero. {box}: 0?").format(box=box))

    def _confirm(self, question: str) -> bool:
        """Return whether the player agrees; without a terminal nobody is asked."""
        return not self._asks or self._screen.confirm(Text(question, WARNING))

    def _write_start(self) -> None:
        local, write = self._local, self._screen.write
        # Translators: a heading.
        rules = _("Yacht, rules: {rules}.").format(rules=rules_name(local.game.rules))
        write(f"{rules} {rules_note(local.game.rules)}".strip())
        players = list(self._names)
        for seat, level in local.record.bots.items():
            players[seat] += f" ({level_name(level, inline=True)})"
        if len(players) > 1:
            # Translators: a list of names.
            write(_("Players: {players}.").format(players=", ".join(players)))
        if local.game.version > 1:
            write(_("The game goes on where it was left."))
        write(_("Every step is kept: “quit” when you like, “help” for help."))

    def _write_heading(self) -> None:
        """Write the heading of a turn once, set apart by an empty line."""
        position = self._local.position
        turn = (len(position.card.open), position.seat)
        if turn == self._turn:
            return
        self._turn = turn
        self._screen.blank()
        if self._local.bot_to_move and not self._local.is_real:
            return  # its lines begin with its name
        alone = len(self._names) == 1
        heading = round_text(position, self._names[position.seat], alone=alone)
        self._screen.write(Text(heading, STRONG))

    def _show(self) -> None:
        """Show where the game stands, unless the players have just seen it."""
        local = self._local
        if self._shown == local.game.version:
            return
        self._shown = local.game.version
        game, position, look = local.game, local.position, self._screen.look
        if len(position.dice) == DICE:
            apart = [] if look.plain else [Text()]
            self._screen.write(*dice_lines(game, self._names, look), *apart)
            self._screen.write(*box_lines(position, look), *apart)
            self._screen.write(totals_line(position, self._names, look))
            self._write_win_odds()
            if position.rolls_left:
                hint = _("Keep dice and roll the others, as in “keep {dice}”, or score a box.")
                self._write_hint(hint)
        elif not local.is_real:
            self._write_win_odds()
            self._write_hint(_("Press Enter to roll."))
        elif position.dice:
            line = ngettext(
                "Roll the other die and type what it shows.",
                "Roll the other {n} dice and type what they show.",
                DICE - len(position.dice),
            )
            self._screen.write(line.format(n=DICE - len(position.dice)))
        elif local.bot_to_move:
            line = _("Roll for {name} and type what the dice show.")
            self._screen.write(line.format(name=self._names[position.seat]))
        else:
            self._write_win_odds()
            self._write_hint(
                _(
                    "Roll and type what the dice show, as in “4 4 2 1 6”. Or type only the end of "
                    "the turn: “4 4 4 1 2 fours”, or just “fours 12”."
                )
            )

    def _write_win_odds(self) -> None:
        """Write how likely each player is to win, at a game that shows it."""
        if self._duel is not None:
            chances = self._duel.win_odds(self._local.position, _WIN_ODDS_TIMEOUT)
            self._screen.write(Text(win_odds_text(chances, self._names), LIGHT))

    def _write_hint(self, hint: str) -> None:
        """Write what can be typed, for players who have not filled a box yet."""
        position = self._local.position
        if self._local.game.version <= 2 * len(self._names) and not position.card.mask:
            dice = max(
                position.dice, key=lambda face: (position.dice.counts[face - 1], face), default=0
            )
            kept = Dice([dice] * position.dice.counts[dice - 1]) if dice else Dice()
            self._screen.write(Text(hint.format(dice=dice_text(kept)), LIGHT))

    def _prompt(self) -> str:
        return f"{fit(self._names[self._local.position.seat], _PROMPT_NAME)}> "

    def _write_end(self) -> None:
        local, screen = self._local, self._screen
        screen.blank()
        screen.write(Text(_("The game is over."), STRONG))
        screen.blank()
        screen.write(*card_lines(local.game, self._names, screen.look))
        screen.blank()
        if len(self._names) > 1:
            screen.write(*standing_lines(local.position, self._names, screen.look))
            screen.blank()
        screen.write(closing_text(local.position, self._names))


def _relative(path: Path) -> str:
    """Return *path* relative to the current folder, if it is inside."""
    with suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)


def _resolved(path: Path) -> Path:
    with suppress(OSError, RuntimeError):
        return path.resolve()
    return path
