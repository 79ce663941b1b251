"""Every language says everything: nothing untranslated, doubtful or wrong in form."""

import os
import re
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from tests import processes, programs
from yachtdice.i18n import category_name, languages, points_text, rules_name, use_language
from yachtdice.i18n.messages import LOCALES
from yachtdice.rules import ALL_DICE, CATEGORIES, TRADITIONAL

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = sorted(LOCALES.glob("*/LC_MESSAGES/yachtdice.po"))
PLACEHOLDER = re.compile(r"\{\w*(?:![rs])?\}|%\(\w+\)s")

WORD = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W\d_]+)?")
FEW_WORDS = 3

each_catalogue = pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])


@cache
def messages_in_the_code() -> frozenset[tuple[str | None, str | tuple[str, ...]]]:
    """Return the context and text of every message, found as `make messages` finds them."""
    command = (ROOT / "Makefile").read_text("utf-8")
    keywords = ["--keywords", "gettext_noop", "--keywords", "pgettext_noop:1c,2"]
    assert " ".join(keywords) in command
    arguments = ["extract", "--mapping-file", "tools/babel.cfg", *keywords]
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "messages.pot")
        pybabel = Path(sys.executable).with_name("pybabel")
        processes.run(
            [pybabel, "-q", *arguments, "--output-file", found, "src"], cwd=ROOT, check=True
        )
        return frozenset(keys(read(found)))


def keys(catalogue: Catalog) -> list[tuple[str | None, str | tuple[str, ...]]]:
    found: list[tuple[str | None, str | tuple[str, ...]]] = []
    for message in catalogue:
        text = message.id
        if isinstance(text, str):
            found.append((message.context, text))
        elif isinstance(text, (tuple, list)):
            found.append((message.context, tuple(text)))
    return [key for key in found if key[1]]


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def translations(catalogue: Catalog) -> dict[tuple[str | None, str], tuple[str, ...]]:
    """Return what each message is translated by, in each plural form."""
    return {
        (message.context, message.id if isinstance(message.id, str) else message.id[0]): forms(
            message
        )
        for message in catalogue
        if message.id
    }


def forms(message: Message) -> tuple[str, ...]:
    text = message.string
    return (text,) if isinstance(text, str) else tuple(text or ())


def test_every_catalogue_is_compiled() -> None:
    assert {path.parts[-3] for path in CATALOGUES} | {"en"} == set(languages())


@each_catalogue
def test_the_compiled_catalogue_is_that_of_the_text(path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as file:
        compiled = translations(read_mo(file))
    text = translations(read(path))
    wrong = [shown(key) for key in text if compiled.get(key) != text[key]]
    assert not wrong, advice(path, "run `make .venv/dev`, which compiles it", wrong)


@each_catalogue
def test_the_catalogue_has_the_messages_of_the_code_and_no_others(path: Path) -> None:
    in_catalogue, in_code = set(keys(read(path))), messages_in_the_code()
    wrong = [f"missing: {shown(key)}" for key in in_code - in_catalogue]
    wrong += [f"no longer in the code: {shown(key)}" for key in in_catalogue - in_code]
    assert not wrong, advice(path, "run `make messages`, then translate what is new", wrong)


@each_catalogue
def test_every_message_is_translated_in_every_plural_form(path: Path) -> None:
    catalogue = read(path)
    wrong = []
    for message in catalogue:
        wanted = catalogue.num_plurals if message.pluralizable else 1
        if message.id and (
            message.fuzzy or len(forms(message)) != wanted or not all(forms(message))
        ):
            wrong.append(shown((message.context, message.id)))
    todo = "fill in each msgstr, remove `#, fuzzy`, then run `make messages`"
    assert not wrong, advice(path, todo, wrong)


def advice(path: Path, todo: str, messages: list[str]) -> str:
    """Return what to do about *messages*, as a failing test says it."""
    return "\n  ".join([f"{path.relative_to(ROOT)}: {todo}. {len(messages)}:", *sorted(messages)])


def shown(key: tuple[str | None, str | Sequence[str]]) -> str:
    context, text = key
    parts = (text,) if isinstance(text, str) else text
    return f"{' | '.join(parts)!r}" + (f" in the context {context!r}" if context else "")


def test_a_failure_names_the_command_and_the_messages() -> None:
    said = advice(
        CATALOGUES[0], "run `make x`", [shown(("seat", "You")), shown((None, ("a", "b")))]
    )
    assert said == (
        f"{CATALOGUES[0].relative_to(ROOT)}: run `make x`. 2:\n"
        "  'You' in the context 'seat'\n  'a | b'"
    )


@each_catalogue
def test_short_messages_say_where_they_stand(path: Path) -> None:
    """Two words alone do not tell what is meant: the code, or `tools/contexts.py`, says it."""
    for message in read(path):
        text = message.id[-1] if message.pluralizable else str(message.id)
        words = WORD.findall(PLACEHOLDER.sub("", text))
        assert not words or len(words) >= FEW_WORDS or message.auto_comments, message.id


@each_catalogue
def test_placeholders_are_those_of_the_message(path: Path) -> None:
    for message in read(path):
        if not message.id:
            continue
        sources = message.id if message.pluralizable else (str(message.id),)
        known = set(PLACEHOLDER.findall(" ".join(sources)))
        for form in forms(message):
            found = set(PLACEHOLDER.findall(form))
            assert found <= known, message.id
            # A form for one may leave the number out: "one point".
            assert message.pluralizable or found == known, message.id


@each_catalogue
def test_marks_are_those_of_the_language_and_of_the_message(path: Path) -> None:
    """Quotes as the page about languages has them; spaces and full stops at the ends stay."""
    opening, closing = quotes(path.parts[-3])
    for message in read(path):
        sources = message.id if message.pluralizable else (str(message.id),)
        for form in forms(message) if sources[0] else ():
            marks = re.sub("[^“”„«»]", "", form)
            assert marks == (opening + closing) * (len(marks) // 2), form
            assert '"' not in form or '"' in sources[0], form
            assert form[:1].isspace() == sources[0][:1].isspace(), form
            # An abbreviation has a full stop of its own.
            is_short = re.fullmatch(r"\w{2,5}\.", form) is not None
            assert is_short or end(form) in map(end, sources), form


def end(text: str) -> str:
    """Return the stop and the spaces that *text* ends with."""
    found = re.search(r"[.?:!;]?\s*$", text)
    return found[0] if found else ""


def quotes(language: str) -> tuple[str, str]:
    """Return the quotes of a language, from the page about languages."""
    text = (ROOT / "docs" / "languages.md").read_text("utf-8")
    found = re.search(rf"^\| {language} \| (.)…(.) \|", text, re.MULTILINE)
    assert found, f"docs/languages.md has no quotes for {language}"
    return found[1], found[2]


@each_catalogue
def test_gnu_gettext_finds_no_fault(path: Path) -> None:
    msgfmt = programs.need("msgfmt")
    run = processes.run(
        [msgfmt, "--check", "--output-file", os.devnull, str(path)],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_points_in_the_languages_with_plural_rules_of_their_own() -> None:
    with use_language("pl"):
        assert [points_text(n) for n in (0, 1, 2, 5, 12, 22, 112)] == [
            *("0 punktów", "1 punkt", "2 punkty", "5 punktów"),
            *("12 punktów", "22 punkty", "112 punktów"),
        ]
    with use_language("pt_PT"):
        assert [points_text(n) for n in (0, 1, 2)] == ["0 pontos", "1 ponto", "2 pontos"]
    with use_language("id"):
        assert [points_text(n) for n in (0, 1, 2)] == ["0 poin", "1 poin", "2 poin"]


def test_the_page_about_languages_has_the_words_of_every_catalogue() -> None:
    text = (ROOT / "docs" / "languages.md").read_text("utf-8").partition("## Words of the game")[2]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    header = rows[0]
    assert set(header) == set(languages())
    for place, language in enumerate(header):
        with use_language(language):
            names = [category_name(category) for category in CATEGORIES]
            names += [rules_name(rules) for rules in (TRADITIONAL, ALL_DICE)]
        assert [row[place] for row in rows[1 : len(names) + 1]] == names
