"""The command behind the figures of docs/duel.md, on a small rule set."""

import re
from pathlib import Path

import pytest

from tests import programs
from tests.solver.duel.minimax import small
from tools.duel import report
from yachtdice import CATEGORIES
from yachtdice.solver.duel import DuelTable

RULES = small(*CATEGORIES[8:])

pytestmark = pytest.mark.skipif(programs.is_missing("numba"), reason="no Numba")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "find_rules", lambda key: {"traditional": RULES}[key])


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    report.main([*arguments, "--threads", "1"])
    lines = capsys.readouterr().out.splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]


def test_precision(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row[0]: row for row in run(capsys, "precision")}
    assert float(rows["all"][2]) < 1e-6
    single, double = map(float, rows["first player"][2:])
    assert single == pytest.approx(double, abs=1e-6)
    assert rows["4 and 4"][1] == "1"


def test_estimates(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row[0]: row for row in run(capsys, "estimates")}
    # With one box each the turn is played to win, and nothing comes after it.
    assert rows["1 and 0"][2:5] == ["0.0000%"] * 3
    mean, _, most = (float(cell.rstrip("%")) for cell in rows["all"][2:5])
    assert 0 < mean < 2
    assert most < 20
    raw = {row[0]: row for row in run(capsys, "estimates", "--raw")}
    assert raw["1 and 0"][2:5] == ["0.0000%"] * 3
    assert raw["all"][2] != rows["all"][2]


def test_matches(capsys: pytest.CaptureFixture[str]) -> None:
    report.main(["matches", "--games", "500", "--threads", "1"])
    out = capsys.readouterr().out
    assert out.count("| duel | solo | 500 |") == 1
    for off in re.findall(r"([+-]\d+\.\d) \|$", out, re.MULTILINE):
        assert abs(float(off)) < 4
    examples = [line for line in out.splitlines() if line.startswith("- ")]
    assert examples
    for line in examples:
        assert re.search(r"for points .* \(\d+\.\d\d%\), to win .* \(\d+\.\d\d%\)$", line)


def test_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "table"
    for _ in range(2):
        report.main(["table", "--file", str(path), "--threads", "1"])
        table = DuelTable(path, RULES)
        assert capsys.readouterr().out == f"small: {table.first:.7f} {table.checksum}\n"
