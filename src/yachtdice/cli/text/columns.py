"""Lines for reports: paragraphs with a hanging indent, tables, bars."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from rich.cells import cell_len

from yachtdice.cli.support.screen import Look, pad

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BLOCK, DASH = "█", "#"


def hang(text: str, look: Look, indent: int = 0, more: int = 0) -> Iterator[str]:
    """Yield *text* broken into lines, the first of them indented, the others by *more* besides.

    Dice such as 4-4-1 are never broken.
    """
    yield from textwrap.wrap(
        text,
        look.width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + more),
        break_on_hyphens=False,
        break_long_words=False,
    )


def table(rows: Sequence[Sequence[str]], look: Look, indent: int = 0) -> Iterator[str]:
    """Yield *rows* with the first cell at the left and the others at the right of their columns.

    What does not fit is cut off the first column.
    """
    columns = range(max(len(row) for row in rows))
    widths = [max(cell_len(row[c]) for row in rows if c < len(row)) for c in columns]
    available = look.width - indent - sum(width + 2 for width in widths[1:])
    widths[0] = max(4, min(widths[0], available))
    for row in rows:
        cells = [pad(row[0], widths[0])]
        cells += [pad(cell, widths[c], right=True) for c, cell in enumerate(row[1:], start=1)]
        yield f"{' ' * indent}{'  '.join(cells)}".rstrip()


def bar(share: float, width: int, look: Look) -> str:
    """Return a bar of so many columns, *share* of them filled; at least one if it is not zero."""
    filled = round(share * width)
    return (BLOCK if look.boxes else DASH) * max(filled, 1 if share > 0 else 0)
