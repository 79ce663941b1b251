"""Lines and JSON on standard output and standard error, safe for a terminal whatever they hold."""

from __future__ import annotations

import json
import re

import click

from yachtdice.i18n import safe_text

_MAX_WORD = 250
"""Longer words are shortened: no path that a system takes for a file's name has more letters."""
_SHORT_WORD = 40
_MAX_LINE = 1500


def echo(line: str, *, err: bool = False) -> None:
    """Print *line*, which is one line."""
    click.echo(safe_text(line), err=err)


def shortened(line: str) -> str:
    """Return *line*, which repeats what was typed, without words and lines that nobody can read."""
    words = re.sub(
        rf"\S{{{_MAX_WORD},}}", lambda word: f"{word[0][:_SHORT_WORD]}…{word[0][-4:]}", line
    )
    return words if len(words) <= _MAX_LINE else f"{words[:_MAX_LINE]}…"


def write_json(value: object, *, err: bool = False) -> None:
    """Print *value* in ASCII, which every terminal and pipe can take."""
    # JSON escapes all other control characters by itself.
    click.echo(json.dumps(value, indent=2).replace("\x7f", "\\u007f"), err=err)
