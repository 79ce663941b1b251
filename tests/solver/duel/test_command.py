"""What `yacht solve --duel` says and keeps."""

import io
import json
from pathlib import Path

import pytest

from tests import programs
from yachtdice import CATEGORIES, TRADITIONAL, RuleSet
from yachtdice.cli.commands.duel import solve_duel
from yachtdice.i18n import explain
from yachtdice.presets import find_rules
from yachtdice.solver import ValueTableError
from yachtdice.solver.duel import DuelError, DuelReason, DuelTable, SpaceError

RULES = RuleSet("small", {c: TRADITIONAL.scorers[c] for c in CATEGORIES[8:]})
pytestmark = pytest.mark.skipif(programs.is_missing("numba"), reason="no Numba")


def run(path: Path, *, as_json: bool = False, rules: RuleSet = RULES) -> tuple[str, str]:
    out, notes = io.StringIO(), io.StringIO()
    solve_duel(rules, as_json=as_json, path=path, out=out, notes=notes)
    return out.getvalue(), notes.getvalue()


def test_the_needs_are_said_first_and_the_result_last(tmp_path: Path) -> None:
    path = tmp_path / "new" / "table"
    out, notes = run(path)
    assert notes.startswith(
        "The table has 1 MB. Until it is there, 1 MB on the disk and about 1 MB"
    )
    assert f"Table: {path}\n" in out
    table = DuelTable(path, RULES)
    assert f"The player who begins wins {100 * table.first:.4f}%" in out
    assert f"Checksum: {table.checksum}\n" in out


def test_json_names_rules_and_value(tmp_path: Path) -> None:
    path = tmp_path / "table"
    first = json.loads(run(path, as_json=True)[0])
    assert first["rules"] == "small"
    assert first["first"] == DuelTable(path, RULES).first
    assert first["states"] > first["resumed"] == 0
    assert first["bytes"] == path.stat().st_size
    # What is there is looked at and not solved again.
    out, notes = run(path, as_json=True)
    again = json.loads(out)
    assert (again["first"], again["checksum"]) == (first["first"], first["checksum"])
    assert again["states"] == 0
    assert notes == ""


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table"
    run(path)
    content = bytearray(path.read_bytes())
    content[5000] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueTableError):
        run(path)


def test_an_interruption_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("yachtdice.solver.duel.build.build_table", interrupted)
    out, notes = io.StringIO(), io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        solve_duel(RULES, as_json=False, path=tmp_path / "table", out=out, notes=notes)
    assert "goes on from the last finished round" in notes.getvalue()
    assert not out.getvalue()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    notes = Terminal()
    solve_duel(RULES, as_json=True, path=tmp_path / "table", out=io.StringIO(), notes=notes)
    assert "Solving" in notes.getvalue()


def test_every_refusal_has_words() -> None:
    for reason in DuelReason:
        text = explain(DuelError(reason))
        assert text.endswith(".")
    text = explain(SpaceError(3_140_000_000, 1_000_000))
    assert text == "3,140 MB of free space on the disk are needed; there are 1 MB."
    with pytest.raises(DuelError):
        run(Path("table"), rules=find_rules("console"))
