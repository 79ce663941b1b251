"""What the coach costs once perfect play is known: a report has to be there within 50 ms."""

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from yachtdice.coach import Report, analyse_record, report_data
from yachtdice.coach.pages import report_page
from yachtdice.notation import Record, parse_record
from yachtdice.solver import SoloSolution, solve

GAME = Path(__file__).parents[1] / "tests" / "coach" / "records" / "four-at-a-table.yacht"
"""Four seats, 48 turns, every roll known."""


@pytest.fixture(scope="module")
def record() -> Record:
    return parse_record(GAME.read_text("utf-8"))


@pytest.fixture(scope="module")
def solution(record: Record) -> SoloSolution:
    return solve(record.game.rules)


@pytest.fixture(scope="module")
def report(record: Record, solution: SoloSolution) -> Report:
    return analyse_record(record, solution)


def test_report(benchmark: BenchmarkFixture, record: Record, solution: SoloSolution) -> None:
    benchmark(analyse_record, record, solution)


def test_report_as_json(benchmark: BenchmarkFixture, report: Report) -> None:
    benchmark(report_data, report)


def test_report_as_html(benchmark: BenchmarkFixture, report: Report) -> None:
    benchmark(report_page, report)
