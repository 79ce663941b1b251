"""The terminal or pipe: its width, what it can display, output, and input of lines.

Lines are only ever added; nothing is redrawn.
"""

from __future__ import annotations

import codecs
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING
from unicodedata import normalize

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from yachtdice.cli.support.signals import ends_in_order
from yachtdice.i18n import pgettext, printable, safe_text

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_WIDTH = 80
"""Columns: longer lines are tiring to read, however wide the window."""
MAX_LINE_LENGTH = 300
"""Characters that can be typed; the longest useful line names a player and two boxes."""

_PIPE = 80
_BOXES = "┌─┐│└┘╔═╗║╚╝"
# fmt: off
_ASCII = str.maketrans({
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "¿": "?", "¡": "!",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'", "–": "-", "—": "-", "−": "-",
    "×": "x", "·": ".", "…": "...", "\N{NO-BREAK SPACE}": " ", "\N{REPLACEMENT CHARACTER}": "?",
    # Letters that are no plain ones with a mark; from those the mark is taken.
    "ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "AE",
    "œ": "oe", "Œ": "OE",
})
# fmt: on


class InputEndedError(Exception):
    """There is nothing more to read."""


@dataclass(frozen=True, slots=True)
class Look:
    """How things are shown."""

    width: int = MAX_WIDTH
    """Columns that a line may have."""
    boxes: bool = False
    """Whether lines can be drawn."""
    plain: bool = False
    """Whether each thing has a line of its own, for screen readers."""


class Screen:
    """Standard input and output, used as what they are."""

    def __init__(self, *, plain: bool = False, environ: Mapping[str, str] = os.environ) -> None:
        """Look at what there is; *plain* asks for no drawing and no columns at all."""
        can_draw = sys.stdout.isatty() and environ.get("TERM", "") not in {"", "dumb"} and not plain
        self._plain = plain
        self._boxes = can_draw and _can_encode(_BOXES, sys.stdout.encoding)
        codecs.register_error("yachtdice.ascii", _in_ascii)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="yachtdice.ascii")
        if isinstance(sys.stdin, TextIOWrapper):
            # Bytes that are no text are refused like any other line, not a reason to stop.
            sys.stdin.reconfigure(errors="surrogateescape")
        self.is_terminal: bool = sys.stdin.isatty() and sys.stdout.isatty()
        """Whether a person can be asked."""
        self._console = Console(
            color_system="auto" if can_draw and not environ.get("NO_COLOR") else None,
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=False,
        )
        if self.is_terminal:
            _edit_lines()

    @property
    def look(self) -> Look:
        """How things are to be shown in the window as it is now."""
        columns = shutil.get_terminal_size((_PIPE, 24)).columns
        return Look(max(20, min(columns, MAX_WIDTH)), self._boxes, self._plain)

    def write(self, *lines: str | Text) -> None:
        """Write *lines*, each broken between words where it is too long. They are out at return.

        Whatever they hold, nothing reaches the terminal that it would obey.
        """
        width = self.look.width
        for line in lines:
            text = Text(line) if isinstance(line, str) else line.copy()
            text.plain = safe_text(text.plain)
            for row in text.wrap(self._console, width, overflow="fold") or [Text()]:
                row.rstrip()
                self._console.print(row, width=width, overflow="fold")
        sys.stdout.flush()

    def blank(self) -> None:
        """Write an empty line."""
        self.write("")

    def ask(self, prompt: str) -> str:
        """Return the line that is typed after *prompt*.

        In a pipe the line is written down as well, so that the output reads as what happened.

        Raises:
            InputEndedError: If there is none.
        """
        prompt = safe_text(prompt)
        if self.is_terminal:
            try:
                with ends_in_order():
                    return input(prompt)
            except EOFError:
                self.blank()
                raise InputEndedError from None
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline(4 * MAX_LINE_LENGTH)
        if not line:
            self.blank()
            raise InputEndedError
        rest = line
        while rest and not rest.endswith("\n"):
            # The end of a line that is far too long is of no use to anybody.
            rest = sys.stdin.readline(1 << 16)
        typed = " ".join(line.split())
        sys.stdout.write(f"{printable(typed, max(8, self.look.width - cell_len(prompt)))}\n")
        sys.stdout.flush()
        return line

    def confirm(self, question: str | Text) -> bool:
        """Return whether a person at a terminal says yes to *question*; no answer is a no."""
        self.write(question)
        # Translators: a prompt; y is yes, n is no.
        prompt = pgettext("answer", "y/n> ")
        # Translators: the letter that is typed for yes; y is understood as well.
        yes = pgettext("answer", "y")
        answer = self.ask(prompt).strip().casefold()
        return answer != "" and answer[0] in {"y", yes.casefold()[:1]}


def fit(text: str, width: int) -> str:
    """Return *text* cut down to *width* columns, where wide letters take two."""
    if cell_len(text) <= width:
        return text
    return f"{set_cell_size(text, width - 1).rstrip()}…" if width > 1 else "…"[:width]


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return *text* filled up with spaces to *width* columns, on its right or on its left."""
    text = fit(text, width)
    spaces = " " * (width - cell_len(text))
    return spaces + text if right else text + spaces


def _edit_lines() -> None:
    """Let lines be edited and called back while they are typed."""
    with suppress(ImportError):
        import readline

        # Old terminals would show the codes of bracketed paste, which a game does not need.
        readline.parse_and_bind("set enable-bracketed-paste off")
        readline.set_auto_history(True)


def _can_encode(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Put near enough ASCII in the place of what the output cannot take."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return "".join(_letter(char) for char in text), error.end


def _letter(char: str) -> str:
    """Return *char* in ASCII: a letter without its marks, a question mark for anything else."""
    plain = normalize("NFKD", char)[:1]
    return plain if plain.isascii() else "?"
