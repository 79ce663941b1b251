"""`yacht play`: a game at one keyboard."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yachtdice.cli.support.options import RulesType
from yachtdice.i18n import explain
from yachtdice.i18n import gettext as _
from yachtdice.presets import RULE_SET_KEYS
from yachtdice.rules import TRADITIONAL, RuleSet, YachtError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yachtdice.bots import Bot
    from yachtdice.cli.support.screen import Screen
    from yachtdice.play.local import LocalGame, Seats
    from yachtdice.solutions import Solutions

_NEWEST = "\0newest"  # the value of --resume without a file; no file has this name
_MAX_SEED_LENGTH = 100


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the command line; None where one is not given."""

    players: str | None
    rules: RuleSet | None
    seed: str | None
    dice: str | None
    first: int | None
    save: Path | None
    chances: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a game is played, and the solutions that its computers use."""

    screen: Screen
    solutions: Solutions
    ask_zero: bool

    def make_bot(self, level: str, rules: RuleSet, seed: str | None) -> Bot:
        """Return the computer of that *level*.

        Raises:
            YachtError: If there is no such level.
            ImportError: If it needs what is not installed.
        """
        from yachtdice.bots import make_bot

        return make_bot(level, rules, seed, solutions=self.solutions)

    def check_bots(self, bots: Mapping[int, str], rules: RuleSet) -> None:
        """Raise before the game begins what `make_bot` would raise later."""
        for level in set(bots.values()):
            self.make_bot(level, rules, None)

    def run(self, local: LocalGame) -> int:
        """Play, and return the exit code: 1 if the game was interrupted."""
        from yachtdice.cli.table.session import Session

        duel = self.solutions.duel(local.game.rules) if local.record.shows_odds else None
        session = Session(local, self.screen, ask_zero=self.ask_zero, duel=duel)
        try:
            if not session.run():
                session.write_goodbye()
        except KeyboardInterrupt:
            self.screen.blank()
            session.write_goodbye()
            return 1
        return 0


@click.command(
    short_help=_("Play a game, or keep the score of one with real dice."),
    help=_(
        "Play a game, or keep the score of one with real dice.\n\n"
        "What is not said by options is asked for. A game is kept after every step: it can be left "
        "at any time and gone on with by --resume."
    ),
)
@click.option(
    "--players",
    metavar="NAMES",
    help=_("Names with commas between; “computer” or “computer:skilled” plays by itself."),
)
@click.option(
    "--rules",
    type=RulesType(),
    help=_("A rule set: {keys}, or a TOML file.").format(keys=", ".join(RULE_SET_KEYS)),
)
@click.option(
    "--seed", metavar="TEXT", help=_("Dice from a seed: the same ones for all who use it.")
)
@click.option(
    "--dice",
    type=click.Choice(["system", "real"]),
    help=_("Dice that are rolled here, or real ones that you roll and type."),
)
@click.option("--first", type=int, metavar="N", help=_("The number of the player who begins."))
@click.option(
    "--chances", is_flag=True, help=_("Show how likely each player is to win; the record says so.")
)
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE", help=_("Where the game is kept.")
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value=_NEWEST,
    metavar="[FILE]",
    help=_("Go on with the game in FILE, or with the newest that is not over."),
)
@click.option(
    "--plain",
    is_flag=True,
    envvar="YACHT_PLAIN",
    help=_("No columns, drawing and colour: for screen readers."),
)
@click.option("--yes", is_flag=True, help=_("Do not ask before a zero is entered."))
@click.pass_obj
def play(  # noqa: PLR0913 - one parameter an option
    solutions: Solutions,
    *,
    players: str | None,
    rules: RuleSet | None,
    seed: str | None,
    dice: str | None,
    first: int | None,
    chances: bool,
    save: Path | None,
    resume: str | None,
    plain: bool,
    yes: bool,
) -> int:
    """Play, and return the exit code."""
    from yachtdice.cli.support.screen import InputEndedError, Screen
    from yachtdice.cli.table.questions import QuitError

    options = PlayOptions(players, rules, seed, dice, first, save, chances)
    _check(options, resume)
    screen = Screen(plain=plain)
    place = _Place(screen, solutions, ask_zero=not yes)
    if resume is not None:
        return _resume(resume, save, place)
    try:
        seats, rules = _ask(options, screen)
    except InputEndedError:
        raise click.ClickException(_("No game was begun.")) from None
    except QuitError:
        screen.write(_("No game was begun."))
        return 0
    return _begin(options, seats, rules, place)


def _check(options: PlayOptions, resume: str | None) -> None:
    """Reject options that contradict each other.

    Raises:
        UsageError: If they do.
    """
    if options.seed is not None:
        if options.dice == "real":
            raise click.UsageError(_("Real dice follow no seed: use --seed or --dice real."))
        if not 0 < len(options.seed) <= _MAX_SEED_LENGTH or not options.seed.isprintable():
            raise click.UsageError(_("A seed is 1 to 100 letters and digits."))
    chances = options.chances or None
    begins = (options.players, options.rules, options.seed, options.dice, options.first, chances)
    if resume is None:
        return
    if any(option is not None for option in begins):
        raise click.UsageError(
            _("A game that goes on keeps its players, rules and dice: --resume stands alone.")
        )
    if options.save is not None and resume != _NEWEST:
        raise click.UsageError(_("--resume FILE and --save FILE: one file is enough."))


def _ask(options: PlayOptions, screen: Screen) -> tuple[Seats, RuleSet]:
    """Return who plays, and by which rules; ask for what the options do not say.

    Raises:
        UsageError: If the options are wrong.
        InputEndedError: If nobody answers.
    """
    from yachtdice.cli.table.questions import ask_players, ask_rules

    first = options.first or 1
    # In a pipe the rules are asked for together with the players or not at all: a script that
    # names the players goes on with the moves.
    asks_rules = options.rules is None and (screen.is_terminal or options.players is None)
    given = options.players is not None
    seats = _seats(screen, options.players, first) if given else ask_players(screen, first)
    if options.first is not None and not 1 <= options.first <= len(seats.names):
        raise click.UsageError(_("--first is the number of a player, from 1 on."))
    rules = ask_rules(screen) if asks_rules else options.rules
    return seats, rules or TRADITIONAL


def _seats(screen: Screen, players: str | None, first: int) -> Seats:
    from yachtdice.cli.table.questions import read_players

    try:
        return read_players(screen, players or "", first)
    except YachtError as error:
        raise click.UsageError(explain(error)) from error


def _begin(options: PlayOptions, seats: Seats, rules: RuleSet, place: _Place) -> int:
    from yachtdice.play.local import REAL, SYSTEM, LocalGame, seeded
    from yachtdice.store.savefile import SaveError, SaveFile

    place.check_bots(seats.bots, rules)
    if options.chances and (len(seats.names) == 1 or place.solutions.duel(rules) is None):
        raise click.UsageError(
            _("--chances is for two players or more, and for rules without an upper bonus.")
        )
    dice = SYSTEM if options.seed is None else seeded(options.seed)
    if options.dice == "real":
        dice = REAL
    try:
        locked = SaveFile.create(options.save)
    except SaveError as error:
        if options.save is None:
            raise click.ClickException(
                f"{explain(error)} {_('Name another place with --save FILE.')}"
            ) from error
        raise
    with locked as save:
        today = datetime.now().astimezone().date().isoformat()
        local = LocalGame.start(
            save,
            rules,
            seats,
            dice=dice,
            date=today,
            shows_odds=options.chances,
            make=place.make_bot,
        )
        return place.run(local)


def _resume(file: str, save: Path | None, place: _Place) -> int:
    from yachtdice.play.local import LocalGame
    from yachtdice.store.savefile import SaveError, SaveFile, SaveReason, latest_save

    newest = file == _NEWEST
    path = (save or latest_save(unfinished=True)) if newest else Path(file)
    if not path.exists():
        # Before a lock leaves its file in a folder where there is nothing to be locked.
        raise SaveError(SaveReason.MISSING, path)
    with SaveFile(path) as locked:
        local = LocalGame.resume(locked, place.make_bot)
        place.check_bots(local.record.bots, local.game.rules)
        return place.run(local)
