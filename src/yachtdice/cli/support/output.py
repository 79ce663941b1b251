"""Lines and JSON on standard output and standard error, safe for a terminal whatever they hold."""

from __future__ import annotations

import json

import click

from yachtdice.i18n import safe_text


def echo(line: str, *, err: bool = False) -> None:
    """Print *line*, which is one line."""
    click.echo(safe_text(line), err=err)


def write_json(value: object, *, err: bool = False) -> None:
    """Print *value* in ASCII, which every terminal and pipe can take."""
    # JSON escapes all other control characters by itself.
    click.echo(json.dumps(value, indent=2).replace("\x7f", "\\u007f"), err=err)
