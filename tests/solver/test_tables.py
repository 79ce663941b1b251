"""Tables in files are used only if they are whole, and made for these rules and this version."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.strategies import examples
from yachtdice import ALL_DICE, TRADITIONAL, Category, FaceSum, RuleSet, UpperBonus
from yachtdice.solver import (
    SoloSolution,
    ValueTableError,
    ValueTableReason,
    cached_solution,
    cached_totals,
    solve,
)

RULES = RuleSet(
    "small", {Category.ONES: FaceSum(1), Category.SIXES: FaceSum(6)}, 3, UpperBonus(20, 5)
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table"
    solve(RULES).save(path)
    return path


def reason(path: Path, rules: RuleSet = RULES) -> ValueTableReason:
    with pytest.raises(ValueTableError) as caught:
        SoloSolution.load(path, rules)
    return caught.value.reason


def test_what_is_saved_is_loaded(path: Path) -> None:
    loaded, solved = SoloSolution.load(path, RULES), solve(RULES)
    assert (loaded.values == solved.values).all()
    assert not loaded.values.flags.writeable
    assert [other.name for other in path.parent.iterdir()] == ["table"]


def test_rules_with_another_key_are_the_same_rules(path: Path) -> None:
    renamed = RuleSet("renamed", RULES.scorers, RULES.rolls, RULES.upper_bonus)
    assert SoloSolution.load(path, renamed).rules is renamed


def test_other_rules_are_refused(path: Path) -> None:
    assert reason(path, ALL_DICE) is ValueTableReason.OTHER_RULES
    other = RuleSet("small", RULES.scorers, RULES.rolls, UpperBonus(20, 6))
    assert reason(path, other) is ValueTableReason.OTHER_RULES


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    assert reason(tmp_path / "none") is ValueTableReason.MISSING
    assert reason(tmp_path) is ValueTableReason.MISSING


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_another_version_is_refused(path: Path, version: object) -> None:
    line, _, rest = path.read_bytes().partition(b"\n")
    header = json.loads(line) | {"version": version}
    body = json.dumps(header).encode() + b"\n" + rest[:-32]
    path.write_bytes(body + sha256(body).digest())
    assert reason(path) is ValueTableReason.OTHER_VERSION


@examples(200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_is_refused(path: Path, data: st.DataObject) -> None:
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    change = data.draw(st.integers(1, 255))
    flipped = bytearray(whole)
    flipped[place] ^= change
    broken = path.with_name("broken")
    broken.write_bytes(flipped)
    assert reason(broken) in {ValueTableReason.DAMAGED, ValueTableReason.OTHER_VERSION}
    broken.write_bytes(whole[:place])
    assert reason(broken) is ValueTableReason.DAMAGED
    broken.write_bytes(whole + bytes([change]))
    assert reason(broken) is ValueTableReason.DAMAGED


@pytest.mark.parametrize("content", [b"", b"[]\n", b"{}", b"PK\x03\x04", b"[" * 5000, b"\xff" * 99])
def test_something_else_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert reason(path) is ValueTableReason.DAMAGED


def test_numbers_of_another_length_are_refused(path: Path) -> None:
    line, _, rest = path.read_bytes().partition(b"\n")
    body = line + b"\n" + rest[:-40]
    path.write_bytes(body + sha256(body).digest())
    assert reason(path) is ValueTableReason.DAMAGED


def test_a_save_that_fails_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def fail(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("yachtdice.files.os.fsync", fail)
    with pytest.raises(OSError, match="disk is full"):
        solve(RULES).save(path)
    assert path.read_bytes() == before
    assert [other.name for other in path.parent.iterdir()] == ["table"]


def test_a_cache_is_filled_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    first = cached_solution(RULES, folder)
    (file,) = folder.iterdir()

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("solved again")

    monkeypatch.setattr("yachtdice.solver.solo.solve", fail)
    assert (cached_solution(RULES, folder).values == first.values).all()
    with pytest.raises(AssertionError):
        cached_solution(TRADITIONAL, folder)
    assert [*folder.iterdir()] == [file]


def test_a_damaged_cache_is_rebuilt(tmp_path: Path) -> None:
    expected = cached_solution(RULES, tmp_path).expected
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    for bad in (b"", good[:-1], good.replace(b'"version": 1', b'"version": 0')):
        file.write_bytes(bad)
        assert cached_solution(RULES, tmp_path).expected == expected
        assert file.read_bytes() == good


def test_a_cache_that_cannot_be_written_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    expected = solve(RULES).expected
    assert cached_solution(RULES, in_the_way).expected == expected
    assert cached_solution(RULES, in_the_way / "below").expected == expected

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(Path, "open", refuse)
    assert cached_solution(RULES, tmp_path).expected == expected


def test_totals_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for rules in (RULES, TRADITIONAL):
        solution = solve(rules)
        steps: list[int] = []
        first = cached_totals(solution, tmp_path, steps.append)
        assert 0 < sum(steps) <= len(solution.states)
        with monkeypatch.context() as patch:
            patch.setattr("yachtdice.solver.solo.final_totals", None)
            again = cached_totals(solution, tmp_path, steps.append)
        for found in (first, again):
            assert found.minimum == solution.distribution().minimum
            assert (found.probabilities == solution.distribution().probabilities).all()
    for file in tmp_path.iterdir():
        file.write_bytes(b"damaged")
    assert cached_totals(solve(RULES), tmp_path).mean == pytest.approx(solve(RULES).expected)
