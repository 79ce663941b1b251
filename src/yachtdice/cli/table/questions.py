"""The questions before a game begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from yachtdice.cli.support.options import read_rules
from yachtdice.cli.support.output import echo
from yachtdice.cli.table.boxes import plain
from yachtdice.cli.table.input import means_quit
from yachtdice.cli.table.players import COMPUTER, parse_players
from yachtdice.i18n import explain, level_name, rules_name, rules_note
from yachtdice.i18n import gettext as _
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import RuleSet, YachtError

if TYPE_CHECKING:
    from yachtdice.cli.support.screen import Screen
    from yachtdice.play.local import Seats


class QuitError(Exception):
    """Somebody has left before a game began."""


def ask_players(screen: Screen, first: int) -> Seats:
    """Return who plays; Enter alone is one person against the computer.

    Raises:
        InputEndedError: If nobody answers.
        QuitError: If the answer is to quit.
    """
    screen.write(
        _("Who plays? Type the names with commas between. “computer” plays by itself."),
        _("Enter alone: you against the computer."),
    )
    while True:
        # Translators: a prompt for the names of the players.
        answer = screen.ask(_("Players> "))
        _check_quit(answer)
        try:
            return read_players(screen, answer if answer.strip() else f",{COMPUTER}", first)
        except YachtError as error:
            screen.write(explain(error))


def read_players(screen: Screen, text: str, first: int) -> Seats:
    """Return the seats that *text* fills; see `parse_players`.

    Where somebody is called like a level of the computer, a person at the terminal is asked what is
    meant; otherwise it is a person, and a hint says how the computer is seated.

    Raises:
        YachtError: If they cannot play.
        InputEndedError: If nobody answers.
    """

    def means_computer(name: str, level: str) -> bool:
        if screen.is_terminal:
            line = _("Is {name} the computer, at its level {level}? No: a person of that name.")
            return screen.confirm(line.format(name=name, level=level_name(level, inline=True)))
        line = _("{name} is a person here. To play against the computer: {seat}")
        echo(line.format(name=name, seat=f"{COMPUTER}:{level}"), err=True)
        return False

    return parse_players(text, first, means_computer)


def ask_rules(screen: Screen) -> RuleSet:
    """Return the rules that are chosen; Enter alone is the first rule set.

    Raises:
        InputEndedError: If nobody answers.
        QuitError: If the answer is to quit.
    """
    screen.write(_("By which rules? Enter alone: 1."))
    for number, key in enumerate(RULE_SET_KEYS, start=1):
        rules = find_rules(key)
        screen.write(f"{number} {rules_name(rules)}. {rules_note(rules)}")
    while True:
        # Translators: a prompt for the rule set.
        answer = screen.ask(_("Rules> ")).strip()
        _check_quit(answer)
        chosen = _choice(answer)
        try:
            return find_rules(chosen) if chosen else read_rules(answer)
        except click.UsageError as error:
            screen.write(error.message)
        except YachtError as error:
            screen.write(explain(error))


def _check_quit(answer: str) -> None:
    """Raise `QuitError` if *answer* is one of the words that end a game, too."""
    if means_quit(answer):
        raise QuitError


def _choice(answer: str) -> str:
    """Return the key of the rule set that *answer* names by number or name, empty if none."""
    if not answer:
        return RULE_SET_KEYS[0]
    for number, key in enumerate(RULE_SET_KEYS, start=1):
        names = {plain(key), plain(rules_name(find_rules(key)))}
        if answer == str(number) or plain(answer) in names:
            return key
    return ""
