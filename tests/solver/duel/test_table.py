"""The table in a file: right, whole, for these rules, and taken up again after an interruption."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests import programs
from tests.solver.duel.conftest import solved
from tests.solver.duel.minimax import small
from tests.strategies import examples
from yachtdice import ALL_DICE, CATEGORIES, Position, RuleSet
from yachtdice.presets import find_rules
from yachtdice.solver import SoloSolution, ValueTableError, ValueTableReason, solve
from yachtdice.solver.duel import (
    Duel,
    DuelError,
    DuelReason,
    DuelTable,
    SpaceError,
    Stage,
    build_table,
    open_duel,
    plan_table,
    table_path,
)
from yachtdice.solver.duel.sources import FLOAT_ERROR
from yachtdice.solver.duel.table import ERROR, HEADER, stored_layers

pytestmark = pytest.mark.skipif(programs.is_missing("numba"), reason="no Numba")

RULES = small(*CATEGORIES[5:])  # 35 cards with three boxes used: two blocks each


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "table"
    build_table(path, RULES, threads=1)
    return path


def reason(path: Path, rules: RuleSet = RULES) -> ValueTableReason:
    with pytest.raises(ValueTableError) as caught:
        DuelTable(path, rules).verify()
    return caught.value.reason


def test_chances_are_as_solved_but_for_rounding(built: Path) -> None:
    table = DuelTable(built, RULES)
    found = {layer.counts: (layer, values) for layer, values in solved(RULES, numba=True)}
    worst = 0.0
    for stored in stored_layers(table.boxes):
        layer, values = found[stored.counts]
        for i, mover in enumerate(layer.mover):
            card = table.card(int(mover))
            for j, waiter in enumerate(layer.waiter):
                lead = np.arange(layer.low[i, j] - 2, layer.high[i, j] + 3)
                chances = card.chances(waiter, lead)
                assert chances[:2].tolist() == [0, 0]
                assert chances[-2:].tolist() == [1, 1]
                start = layer.start[i, j]
                exact = values[start : start + len(lead) - 4]
                worst = max(worst, np.abs(chances[2:-2] - exact).max(initial=0))
    assert worst <= ERROR
    assert ERROR < 2**-17 + 2**-32
    assert table.first == 1 - float(found[7, 7][1][0])


def test_what_is_built_does_not_depend_on_threads_or_luck(built: Path, tmp_path: Path) -> None:
    again = build_table(tmp_path / "again", RULES, threads=3)
    assert again.path.read_bytes() == built.read_bytes()
    assert again.checksum == DuelTable(built, RULES).checksum
    assert sorted(p.name for p in tmp_path.iterdir()) == ["again", "again.lock"]


def test_the_table_is_as_large_as_was_said(built: Path) -> None:
    plan = plan_table(RULES)
    assert built.stat().st_size == plan.table
    assert plan.disk >= plan.table
    assert plan_table(RULES).states == sum(len(v) - 2 for _, v in solved(RULES, numba=True)) - 1


class InterruptedWork(Exception):  # noqa: N818 - no fault of anybody's
    """Stands for whatever stops the work."""


def stop(at: int) -> Callable[[Stage], None]:
    """Return what stops the work once so many states are solved."""

    def check(stage: Stage) -> None:
        if stage.states >= at:
            raise InterruptedWork

    return check


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
def test_work_goes_on_where_it_was_interrupted(built: Path, tmp_path: Path, share: float) -> None:
    path = tmp_path / "table"
    states = plan_table(RULES).states
    with pytest.raises(InterruptedWork):
        build_table(path, RULES, threads=1, report=stop(int(share * states)))
    assert not path.exists()
    stages: list[Stage] = []
    build_table(path, RULES, threads=1, report=stages.append)
    assert path.read_bytes() == built.read_bytes()
    assert 0 < stages[0].resumed == stages[0].states < states
    assert stages[-1].states == stages[-1].total == states


@pytest.mark.parametrize("suffix", [".part", ".layer"])
@pytest.mark.parametrize("harm", ["flip", "cut", "remove", "empty", "text"])
def test_damaged_beginnings_are_not_gone_on_with(
    built: Path, tmp_path: Path, suffix: str, harm: str
) -> None:
    path = tmp_path / "table"
    with pytest.raises(InterruptedWork):
        build_table(path, RULES, threads=1, report=stop(int(0.9 * plan_table(RULES).states)))
    file = path.with_name(path.name + suffix)
    content = bytearray(file.read_bytes())
    if harm == "flip":
        content[HEADER + len(content) // 20] ^= 1
    elif harm == "cut":
        del content[len(content) // 2 :]
    elif harm == "empty":
        content.clear()
    else:
        content[:5] = b"{}\n{}"
    file.unlink()
    if harm != "remove":
        file.write_bytes(content)
    stages: list[Stage] = []
    build_table(path, RULES, threads=1, report=stages.append)
    assert path.read_bytes() == built.read_bytes()
    # The header of the part is written last: nothing is lost with it.
    assert (stages[0].resumed == 0) == (suffix == ".layer" or harm != "text")


def test_beginnings_for_other_rules_are_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with pytest.raises(InterruptedWork):
        build_table(path, RULES, threads=1, report=stop(plan_table(RULES).states // 2))
    other = small(*CATEGORIES[8:])
    stages: list[Stage] = []
    build_table(path, other, threads=1, report=stages.append)
    assert stages[0].resumed == 0
    DuelTable(path, other).verify()


def places(path: Path) -> Iterator[int]:
    """Yield places in every part of the file: header, chances, list, checksum."""
    size = path.stat().st_size
    yield from (
        0,
        30,
        HEADER - 1,
        HEADER,
        HEADER + 1001,
        size - 1000,
        size - 33,
        size - 32,
        size - 1,
    )


@given(st.data())
@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_flipped_bit_is_found(built: Path, tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(built.read_bytes())
    place = data.draw(st.sampled_from([*places(built)]) | st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    path = tmp_path / "table"
    path.write_bytes(content)
    assert reason(path) in {
        ValueTableReason.DAMAGED,
        ValueTableReason.OTHER_KIND,
        ValueTableReason.OTHER_RULES,
        ValueTableReason.OTHER_VERSION,
    }


@pytest.mark.parametrize("kept", [0, 1, HEADER, HEADER + 5000, -33, -1])
def test_cut_files_are_damaged(built: Path, tmp_path: Path, kept: int) -> None:
    path = tmp_path / "table"
    path.write_bytes(built.read_bytes()[:kept])
    assert reason(path) is ValueTableReason.DAMAGED
    path.write_bytes(built.read_bytes() + b"\0")
    assert reason(path) is ValueTableReason.DAMAGED


def test_damage_is_found_when_it_would_matter(built: Path, tmp_path: Path) -> None:
    content = bytearray(built.read_bytes())
    content[HEADER] ^= 1
    path = tmp_path / "table"
    path.write_bytes(content)
    table = DuelTable(path, RULES)  # opens: nothing is looked at yet
    full = table.boxes.rules.mask
    assert table.card(full).chances(np.array([full]), np.array([0]))
    one = np.array([1 << CATEGORIES[5].index])
    damaged = table.card(int(one[0]))
    for _ in range(2):
        with pytest.raises(ValueTableError) as caught:
            damaged.chances(one, np.array([0]))
        assert caught.value.reason is ValueTableReason.DAMAGED
    with pytest.raises(ValueTableError):
        table.verify()


def test_other_files_are_refused(built: Path, tmp_path: Path) -> None:
    assert reason(tmp_path / "none") is ValueTableReason.MISSING
    assert reason(tmp_path) is ValueTableReason.MISSING
    assert reason(built, small(*CATEGORIES[7:])) is ValueTableReason.OTHER_RULES
    solo = tmp_path / "solo"
    solve(RULES).save(solo)
    assert reason(solo) is ValueTableReason.DAMAGED
    with pytest.raises(ValueTableError):
        SoloSolution.load(built, RULES)
    for old, new, why in (
        (b'"version": 1', b'"version": 2', ValueTableReason.OTHER_VERSION),
        (b'"kind": "duel"', b'"kind": "ludo"', ValueTableReason.OTHER_KIND),
    ):
        other = tmp_path / "other"
        other.write_bytes(built.read_bytes().replace(old, new, 1))
        assert reason(other) is why


def test_a_key_is_no_rule_set(built: Path) -> None:
    renamed = small(*CATEGORIES[5:], key="renamed")
    assert DuelTable(built, renamed).rules is renamed


def test_too_little_space_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    free = plan_table(RULES).disk - 1
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free))
    stages: list[Stage] = []
    with pytest.raises(SpaceError) as caught:
        build_table(tmp_path / "table", RULES, report=stages.append)
    assert (caught.value.needed, caught.value.free) == (free + 1, free)
    assert not stages


def test_two_processes_do_not_write_one_table(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with FileLock(tmp_path / "table.lock"), pytest.raises(TimeoutError):
        build_table(path, RULES)


def test_without_numba_nothing_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yachtdice.solver.duel.build.has_numba", lambda: False)
    with pytest.raises(DuelError) as caught:
        build_table(tmp_path / "table", RULES)
    assert caught.value.reason is DuelReason.NO_NUMBA
    assert not [*tmp_path.iterdir()]


def test_rules_with_a_bonus_or_absurd_points_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DuelError) as caught:
        build_table(tmp_path / "table", find_rules("console"))
    assert caught.value.reason is DuelReason.BONUS


def test_the_plan_for_the_published_rules_is_within_bounds() -> None:
    plan = plan_table(ALL_DICE)
    assert plan.table < 1.5e9
    assert plan.memory < 8e9
    assert plan.disk < 4e9


def test_a_sound_table_in_the_folder_is_used(built: Path, tmp_path: Path) -> None:
    assert open_duel(RULES, tmp_path).table is None
    assert open_duel(RULES).table is None
    path = table_path(RULES, tmp_path)
    shutil.copy(built, path)
    duel = open_duel(RULES, tmp_path)
    assert duel.table
    assert duel.table.path == path
    position = Position.start(RULES, 2)
    exact = Duel(RULES).win_odds(position).seats
    assert duel.win_odds(position).seats == pytest.approx(exact, abs=ERROR + FLOAT_ERROR)
    path.write_bytes(b"")
    assert open_duel(RULES, tmp_path).table is None
