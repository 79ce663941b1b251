"""A group of commands, and how its help lists them."""

from __future__ import annotations

import click

from yachtdice.i18n import gettext as _

_MAX_SENTENCE_LENGTH = 200


class Commands(click.Group):
    """Commands that are listed in the active language."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their short helps, unshortened."""
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None:
                rows.append((name, command.get_short_help_str(_MAX_SENTENCE_LENGTH)))
        # Translators: the heading above the list of commands.
        with formatter.section(_("Commands")):
            formatter.write_dl(rows)
