"""The questions before a game begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from yachtdice.cli.support.options import read_rules
from yachtdice.cli.table.boxes import plain
from yachtdice.cli.table.players import COMPUTER, parse_players
from yachtdice.i18n import explain, rules_name, rules_note
from yachtdice.i18n import gettext as _
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import MAX_SEATS, RuleSet, SetupError, SetupReason, YachtError

if TYPE_CHECKING:
    from yachtdice.cli.support.screen import Screen
    from yachtdice.play.local import Seats


def ask_players(screen: Screen, first: int) -> Seats:
    """Return who plays; Enter alone is one person against the computer.

    Raises:
        InputEndedError: If nobody answers.
    """
    screen.write(
        _("Who plays? Type the names with commas between. “computer” plays by itself."),
        _("Enter alone: you against the computer."),
    )
    while True:
        # Translators: a prompt for the names of the players.
        answer = screen.ask(_("Players> "))
        try:
            seats = parse_players(answer if answer.strip() else f",{COMPUTER}", first)
            if len(seats.names) > MAX_SEATS:
                raise SetupError(SetupReason.SEAT_COUNT, str(len(seats.names)))
        except YachtError as error:
            screen.write(explain(error))
        else:
            return seats


def ask_rules(screen: Screen) -> RuleSet:
    """Return the rules that are chosen; Enter alone is the first rule set.

    Raises:
        InputEndedError: If nobody answers.
    """
    screen.write(_("By which rules? Enter alone: 1."))
    for number, key in enumerate(RULE_SET_KEYS, start=1):
        rules = find_rules(key)
        screen.write(f"{number} {rules_name(rules)}. {rules_note(rules)}")
    while True:
        # Translators: a prompt for the rule set.
        answer = screen.ask(_("Rules> ")).strip()
        chosen = _choice(answer)
        try:
            return find_rules(chosen) if chosen else read_rules(answer)
        except click.UsageError as error:
            screen.write(error.message)
        except YachtError as error:
            screen.write(explain(error))


def _choice(answer: str) -> str:
    """Return the key of the rule set that *answer* names by number or name, empty if none."""
    if not answer:
        return RULE_SET_KEYS[0]
    for number, key in enumerate(RULE_SET_KEYS, start=1):
        names = {plain(key), plain(rules_name(find_rules(key)))}
        if answer == str(number) or plain(answer) in names:
            return key
    return ""
