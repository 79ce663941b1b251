"""Small pieces of HTML. Text from people or catalogues must go through `text` or `prose`."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from yachtdice.coach.analysis.labels import Label
from yachtdice.coach.words.reasons import reasons
from yachtdice.coach.words.terms import dice_text, label_name
from yachtdice.i18n import gettext as _
from yachtdice.rules import DICE, FACES, Dice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yachtdice.coach.analysis.report import Decided

_PIPS = {
    1: ((20, 20),),
    2: ((11, 11), (29, 29)),
    3: ((10, 10), (20, 20), (30, 30)),
    4: ((11, 11), (29, 11), (11, 29), (29, 29)),
    5: ((10, 10), (30, 10), (20, 20), (10, 30), (30, 30)),
    6: ((11, 9), (29, 9), (11, 20), (29, 20), (11, 31), (29, 31)),
}


_DICE = re.compile(r"\b[1-6](?:-[1-6])+\b")


def text(value: object) -> str:
    """Return *value* escaped for HTML."""
    return escape(str(value))


def prose(value: str) -> str:
    """Return an escaped sentence in which lines do not break within dice."""
    return _DICE.sub(r'<span class="coach-whole">\g<0></span>', text(value))


def symbols() -> str:
    """Return the SVG symbols of the six dice, to be included once in each page."""
    dice = []
    for face in FACES:
        pips = "".join(f'<circle cx="{x}" cy="{y}" r="4"/>' for x, y in _PIPS[face])
        dice.append(
            f'<symbol id="coach-die-{face}" viewBox="0 0 40 40">'
            '<rect class="coach-bone" x="1.5" y="1.5" width="37" height="37" rx="8"/>'
            f'<g class="coach-pips">{pips}</g></symbol>'
        )
    return f'<svg class="coach-symbols" aria-hidden="true">{"".join(dice)}</svg>'


def dice(faces: Iterable[int], kept: Dice | None = None) -> str:
    """Return dice as pictures with a label for screen readers.

    With *kept*, those dice are highlighted and the others are faded.
    """
    shown = sorted(faces)
    left = list(kept.faces) if kept is not None else []
    pictures = []
    for face in shown:
        # Of equal dice the first ones count as kept: which of them it was makes no difference.
        style = ""
        if kept is not None:
            style = " coach-kept" if face in left else " coach-loose"
            if face in left:
                left.remove(face)
        pictures.append(
            f'<svg class="coach-die{style}" aria-hidden="true">'
            f'<use href="#coach-die-{face}"/></svg>'
        )
    description = dice_text(shown) if kept is None else _kept_text(kept)
    content = "".join(pictures)
    label = text(description)
    return f'<span class="coach-dice" role="img" aria-label="{label}">{content}</span>'


def _kept_text(kept: Dice) -> str:
    if not kept:
        # Translators: said of dice of which nothing was kept.
        return _("none kept")
    if len(kept) == DICE:
        return dice_text(kept)
    # Translators: which of the dice were kept, as in “kept: 4-4”.
    return _("kept: {dice}").format(dice=dice_text(kept))


def chip(label: Label) -> str:
    """Return a label as a badge; its colour adds nothing to its word."""
    return f'<span class="coach-chip coach-{label.value}">{text(label_name(label))}</span>'


def table(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], *, heads: int = 1
) -> str:
    """Return a table of cells that are HTML already; the first *heads* of a row are its heading."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row">{cell}</th>' if place < heads else f"<td>{cell}</td>"
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="coach-scroll" tabindex="0" role="region" aria-label="{text(caption)}">'
        f"<table><caption>{text(caption)}</caption><thead><tr>{top}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def folded(summary: str, content: str, *, is_open: bool = False) -> str:
    """Return *content* in a `<details>` element."""
    opened = " open" if is_open else ""
    return f"<details{opened}><summary>{text(summary)}</summary>{content}</details>"


def why(decision: Decided) -> str:
    """Return why the best move was better, as a list; empty for a decision that was fine."""
    found = "".join(
        f"<li>{prose(reason.sentence)}{items(reason.facts)}</li>" for reason in reasons(decision)
    )
    return f'<ul class="coach-why">{found}</ul>' if found else ""


def items(sentences: Iterable[str], style: str = "") -> str:
    """Return sentences as a list; empty where there are none."""
    found = "".join(f"<li>{prose(sentence)}</li>" for sentence in sentences)
    kind = f' class="{style}"' if style else ""
    return f"<ul{kind}>{found}</ul>" if found else ""
