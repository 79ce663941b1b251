"""The active language, and the functions of gettext for messages in it.

A message is a whole sentence or a label, never a part of a sentence. Values are filled in by name,
with `str.format` on the *translated* message. What people typed is a value, never a message.
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
"""The catalogues: LANGUAGE/LC_MESSAGES/yachtdice.po, compiled to yachtdice.mo beside it."""

_RIGHT_TO_LEFT = ("ar", "dv", "fa", "he", "ps", "ug", "ur", "yi")

# A context variable: one process serves people in several languages at once.
_current: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


@cache
def languages() -> tuple[str, ...]:
    """Return the tags of all languages, such as `pl` and `pt_PT`, the source language first."""
    found = (path.parent.parent.name for path in LOCALES.glob("*/LC_MESSAGES/yachtdice.mo"))
    return (SOURCE_LANGUAGE, *sorted(found))


def find_language(wanted: Iterable[str]) -> str | None:
    """Return the language that fits the first possible of the *wanted* tags, None if none does.

    `pt-PT`, `pt_PT.UTF-8` and `PT` all find `pt_PT`: the region only decides between several. A
    pseudo-language is found by its whole tag alone.
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
    """Return the tag of the active language."""
    return _current.get()


def text_direction() -> str:
    """Return the direction in which the active language is written: `ltr` or `rtl`."""
    return "rtl" if _current.get().partition("_")[0] in _RIGHT_TO_LEFT else "ltr"


@contextmanager
def use_language(tag: str) -> Iterator[None]:
    """Make *tag*, such as `pl` or `pt_PT`, the active language inside the block.

    If there is no catalogue for it, English is used.
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
    """Return *message* in the active language."""
    return _catalogue(_current.get()).gettext(message)


def gettext_noop(message: str) -> str:
    """Return *message* unchanged, for `gettext` later; see `pgettext_noop`."""
    return message


def ngettext(one: str, many: str, n: int) -> str:
    """Return the plural form of a message for the whole number *n*."""
    return _catalogue(_current.get()).ngettext(one, many, n)


def pgettext(context: str, message: str) -> str:
    """Return *message* as translated in *context*: one English word can have several meanings."""
    return _catalogue(_current.get()).pgettext(context, message)


def npgettext(context: str, one: str, many: str, n: int) -> str:
    """Return the plural form of a message for *n*, as translated in *context*."""
    return _catalogue(_current.get()).npgettext(context, one, many, n)


def pgettext_noop(context: str, message: str) -> tuple[str, str]:
    """Return the arguments unchanged, for `pgettext(*arguments)` later.

    A message that is written in a table gets into the catalogues by this call.
    """
    return context, message
