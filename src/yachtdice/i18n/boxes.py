"""What a box pays, in words; the text follows from the scorer's own numbers.

A new scorer registers its words here with `describe_scorer.register`.
"""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple

from yachtdice.i18n.messages import gettext as _
from yachtdice.rules import DICE, FaceSum, FullHouse, OfAKind, Straight, Total

_TWO_FACES_QUALIFY = DICE // 2
"""Up to this count, a roll can have two faces that are of a kind."""


class ScorerWords(NamedTuple):
    """A scorer described for people, in the active language."""

    sentence: str
    """Which dice score and what they pay, without a full stop."""
    hint: str
    """The same in a few words, which fit beside the name of a box."""
    symbol: str
    """A sign that is the same in every language; decoration, never read out."""


@singledispatch
def describe_scorer(scorer: object) -> ScorerWords:
    """Return *scorer* in words.

    Raises:
        TypeError: If no words are registered for its class.
    """
    raise TypeError(f"{type(scorer).__name__} has no words: register them in {__name__}")


@describe_scorer.register
def _face_sum(scorer: FaceSum) -> ScorerWords:
    return ScorerWords(
        sentence=_("the dice that show {face}, added up").format(face=scorer.face),
        # Translators: beside the name of a box: what it wants and pays.
        hint=_("counts every {face}").format(face=scorer.face),
        symbol=str(scorer.face),
    )


@describe_scorer.register
def _total(scorer: Total) -> ScorerWords:
    del scorer
    return ScorerWords(
        sentence=_("all dice, added up"),
        # Translators: beside the name of a box: what it wants and pays.
        hint=_("adds all dice"),
        symbol="Σ",
    )


@describe_scorer.register
def _of_a_kind(scorer: OfAKind) -> ScorerWords:
    count, pays, extra = scorer.count, scorer.pays, scorer.extra
    if pays == "matching":
        sentence = _("{count} or more alike: {count} times their face")
        if count == DICE:
            sentence = _("all five alike: {count} times their face")
        elif count <= _TWO_FACES_QUALIFY:
            sentence = _("{count} or more alike: {count} times the highest such face")
        # Translators: beside the name of a box: what it wants and pays.
        hint = _("{count} alike: {count} × the face")
    elif pays == "sum":
        sentence = _("{count} or more alike: all dice, added up")
        if count == DICE:
            sentence = _("all five alike: all dice, added up")
        # Translators: beside the name of a box: what it wants and pays.
        hint = _("{count} alike: adds all dice")
    else:
        sentence = _("{count} or more alike: {points}")
        if count == DICE:
            sentence = _("all five alike: {points}")
        # Translators: beside the name of a box: what it wants and pays.
        hint = _("{count} alike: {points}")
    return _words(sentence, hint, f"{count}×", pays, extra, count=count)


@describe_scorer.register
def _full_house(scorer: FullHouse) -> ScorerWords:
    if scorer.five_alike and scorer.pays == "sum":
        sentence = _("three alike and two alike, or five alike: all dice, added up")
        # Translators: beside the name of a box: what it wants and pays.
        hint = _("three and two, or five alike: adds all dice")
    elif scorer.five_alike:
        sentence = _("three alike and two alike, or five alike: {points}")
        # Translators: beside the name of a box: what it wants and pays.
        hint = _("three and two, or five alike: {points}")
    elif scorer.pays == "sum":
        sentence = _("three alike and two of another face: all dice, added up")
        # Translators: beside the name of a box: what it wants and pays.
        hint = _("three and two alike: adds all dice")
    else:
        sentence = _("three alike and two of another face: {points}")
        # Translators: beside the name of a box: what it wants and pays.
        hint = _("three and two alike: {points}")
    return _words(sentence, hint, "3+2", scorer.pays, scorer.extra)


@describe_scorer.register
def _straight(scorer: Straight) -> ScorerWords:
    length, first, pays, extra = scorer.length, scorer.start, scorer.pays, scorer.extra
    if first is None:
        sentence = _("{length} faces in a row: {points}")
        hint = _("{count} in a row: {points}")
        if pays == "sum":
            sentence = _("{length} faces in a row: all dice, added up")
            hint = _("{count} in a row: adds all dice")
        return _words(sentence, hint, f"{length}↗", pays, extra, length=length, count=length)
    last = first + length - 1
    faces = "-".join(str(face) for face in range(first, last + 1))
    sentence = _("every face from {first} to {last}: {points}")
    # Translators: beside the name of a box: what it wants and pays.
    hint = _("{faces}: {points}")
    if pays == "sum":
        sentence = _("every face from {first} to {last}: all dice, added up")
        hint = _("{faces}: adds all dice")
    return _words(
        sentence, hint, f"{first}–{last}", pays, extra, first=first, last=last, faces=faces
    )


def _words(
    sentence: str, hint: str, symbol: str, pays: int | str, extra: int, **values: object
) -> ScorerWords:
    """Fill in the values; points on top are added to a flat number, or named apart."""
    if isinstance(pays, int):
        values["points"] = pays + extra
    sentence, hint = sentence.format_map(values), hint.format_map(values)
    if extra and not isinstance(pays, int):
        # Translators: what a box pays, and fixed points on top.
        sentence = _("{pays}, and {extra} more").format(pays=sentence, extra=extra)
        # Translators: the same beside the name of a box, as in “4 alike: adds all dice + 20”.
        hint = _("{pays} + {extra}").format(pays=hint, extra=extra)
    return ScorerWords(sentence, hint, symbol)
