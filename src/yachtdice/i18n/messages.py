"""The language in force, and the five ways to ask for text in it.

Whole sentences are messages, never parts of them. Values go in by name with `str.format` on the
*translated* message; what people typed is only ever a value, never a message.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

from yachtdice.i18n.pseudo import PSEUDO_LANGUAGES, PseudoTranslations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SOURCE_LANGUAGE = "en"
"""The language in which messages are written in the code."""

LOCALES = Path(__file__).parent / "locale"
"""The folder of catalogues: LANGUAGE/LC_MESSAGES/yachtdice.po, compiled to .mo beside it."""

_RIGHT_TO_LEFT = ("ar", "dv", "fa", "he", "ps", "ug", "ur", "yi")

# A context variable, so that one process can serve people in many languages at once.
_current: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


@cache
def languages() -> tuple[str, ...]:
    """Return the tags of all languages, the source language first: `en`, `id`, `pl`, `pt_PT`."""
    found = (path.parent.parent.name for path in LOCALES.glob("*/LC_MESSAGES/yachtdice.mo"))
    return (SOURCE_LANGUAGE, *sorted(found))


def find_language(wanted: Iterable[str]) -> str | None:
    """Return the first of the *wanted* tags that there is a language for, None if there is none.

    `pt-PT`, `pt_PT.UTF-8` and `PT` all find `pt_PT`: a region matters where there are two. The
    languages of `pseudo` are found by their whole tags.
    """
    for tag in wanted:
        plain = tag.replace("-", "_").partition(".")[0].partition("@")[0]
        if plain in PSEUDO_LANGUAGES:
            return plain
        parts = plain.lower().split("_")
        for same in (parts, parts[:1]):
            for language in languages():
                if language.lower().split("_")[: len(same)] == same and same[0]:
                    return language
    return None


def current_language() -> str:
    """Return the tag of the language in force."""
    return _current.get()


def text_direction() -> str:
    """Return whether the language in force runs from left to right or the other way: ltr, rtl."""
    return "rtl" if _current.get().partition("_")[0] in _RIGHT_TO_LEFT else "ltr"


@contextmanager
def use_language(tag: str) -> Iterator[None]:
    """Make *tag* (`en`, `pl`, `pt_PT`) the language of everything that is said inside the block.

    A language without a catalogue is English.
    """
    is_there = tag in languages() or tag in PSEUDO_LANGUAGES
    token = _current.set(tag if is_there else SOURCE_LANGUAGE)
    try:
        yield
    finally:
        _current.reset(token)


@cache
def _catalogue(tag: str) -> NullTranslations:
    if tag in PSEUDO_LANGUAGES:
        return PseudoTranslations(tag)
    if tag not in languages() or tag == SOURCE_LANGUAGE:
        return NullTranslations()
    with (LOCALES / tag / "LC_MESSAGES" / "yachtdice.mo").open("rb") as file:
        return GNUTranslations(file)


def gettext(message: str) -> str:
    """Return *message* in the language in force."""
    return _catalogue(_current.get()).gettext(message)


def gettext_noop(message: str) -> str:
    """Return *message* unchanged, for `gettext` later; see `pgettext_noop`."""
    return message


def ngettext(one: str, many: str, n: int) -> str:
    """Return the form of a message that goes with the whole number *n*."""
    return _catalogue(_current.get()).ngettext(one, many, n)


def pgettext(context: str, message: str) -> str:
    """Return *message* as it is said in *context*, where one English word has several meanings."""
    return _catalogue(_current.get()).pgettext(context, message)


def npgettext(context: str, one: str, many: str, n: int) -> str:
    """Return the form of a message that goes with *n*, as it is said in *context*."""
    return _catalogue(_current.get()).npgettext(context, one, many, n)


def pgettext_noop(context: str, message: str) -> tuple[str, str]:
    """Return the arguments unchanged, for `pgettext(*arguments)` later.

    A message that is written in a table gets into the catalogues by this call.
    """
    return context, message
