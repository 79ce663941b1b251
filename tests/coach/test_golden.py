"""Reports of five games, kept as files that people can read: `make golden` writes them anew."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.coach.games import duel_of
from tests.solved import solved
from yachtdice.cli.support.screen import Look
from yachtdice.cli.text.report import report_lines
from yachtdice.coach import Report, analyse_record, report_data
from yachtdice.notation import parse_record

RECORDS = Path(__file__).parent / "records"
NAMES = ("alone", "against-the-computer", "four-at-a-table", "real-dice", "unfinished")
DIGITS = 6
"""What is behind these may differ between machines."""


def report(name: str) -> Report:
    record = parse_record((RECORDS / f"{name}.yacht").read_text("utf-8"))
    rules = record.game.rules
    found = analyse_record(record, solved(rules), duel=duel_of(rules))
    return replace(found, hints=name == "alone")


def rounded(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, float):
        # Adding nought makes a nought of a negative one.
        return round(value, DIGITS) + 0.0
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    return [rounded(entry) for entry in value] if isinstance(value, list) else value


def lines(value: Any, indent: str = "") -> str:  # noqa: ANN401 - JSON
    """Return JSON with a line for each thing that happened, instead of one for each number."""
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(indent + text) < 320:
        return text
    more = f"{indent}  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {lines(entry, more)}" for key, entry in value.items()]
    else:
        parts = [lines(entry, more) for entry in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{more}" + f",\n{more}".join(parts) + f"\n{indent}{end}"


@pytest.mark.parametrize("name", NAMES)
def test_the_report_in_words(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"coach/{name}.txt", "\n".join(report_lines(report(name), Look(80))) + "\n")


@pytest.mark.parametrize("name", NAMES)
def test_the_report_as_json(name: str, golden: Callable[[str, str], None]) -> None:
    text = lines(rounded(report_data(report(name)))) + "\n"
    assert json.loads(text) == rounded(report_data(report(name)))
    golden(f"coach/{name}.json", text)


def test_a_report_for_those_who_listen(golden: Callable[[str, str], None]) -> None:
    text = "\n".join(report_lines(report("unfinished"), Look(80, plain=True))) + "\n"
    golden("coach/unfinished-plain.txt", text)


@pytest.mark.parametrize("width", [60, 72, 80, 100])
@pytest.mark.parametrize("name", NAMES)
def test_every_line_fits_the_window(name: str, width: int) -> None:
    for line in report_lines(report(name), Look(width)):
        assert len(line) <= width
