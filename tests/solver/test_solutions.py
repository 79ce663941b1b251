"""Every rule set is solved once, whoever asks, and what was solved is kept on disk."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from yachtdice import TRADITIONAL, Category, FaceSum, OfAKind, RuleSet, Total, UpperBonus
from yachtdice.solutions import Solutions
from yachtdice.solver import PERFECT, Softmax, SoloSolution, solve
from yachtdice.solver.duel import Duel, build_table, table_path
from yachtdice.solver.duel.backward import has_numba

SMALL = RuleSet("small", {Category.CHOICE: Total(), Category.YACHT: OfAKind(5, 50)})
WITH_BONUS = RuleSet("bonus", {Category.SIXES: FaceSum(6)}, upper_bonus=UpperBonus(18, 9))


def test_a_rule_set_is_solved_once_for_all_who_ask_at_once() -> None:
    solutions, start = Solutions(), Barrier(8)

    def ask(_number: int) -> tuple[SoloSolution, Duel | None]:
        start.wait()
        return solutions.solo(TRADITIONAL), solutions.duel(TRADITIONAL)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(ask, range(8)))
    assert len({id(solo) for solo, _ in found}) == 1
    assert len({id(duel) for _, duel in found}) == 1
    solo, duel = found[0]
    assert duel is not None
    assert duel.solo is solo


def test_only_what_is_in_memory_is_ready() -> None:
    solutions = Solutions()
    assert solutions.ready(SMALL) is None
    solo = solutions.solo(SMALL)
    assert solutions.ready(SMALL) is solo
    assert Solutions(solo=[solo]).ready(SMALL) is solo


def test_what_is_there_already_is_not_solved_again() -> None:
    duel = Duel(SMALL)
    solutions = Solutions(duels=[duel])
    assert solutions.duel(SMALL) is duel
    assert solutions.ready(SMALL) is duel.solo


def test_totals_are_those_of_the_policy() -> None:
    solutions, solo = Solutions(), solve(SMALL)
    softmax = Softmax(2.5, 10.0)
    assert solutions.totals(SMALL, softmax) is solutions.totals(SMALL, Softmax(2.5, 10.0))
    assert solutions.expected(SMALL, softmax) == pytest.approx(solo.evaluate(softmax).mean)
    assert solutions.expected(SMALL) == solutions.expected(SMALL, PERFECT) == solo.expected
    assert solutions.totals(SMALL).mean == pytest.approx(solo.expected)
    assert solutions.totals(SMALL) is solutions.totals(SMALL, PERFECT)


def test_files_are_read_by_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Solutions(tmp_path / "new")
    expected, mean = first.solo(SMALL).expected, first.totals(SMALL).mean
    chances = first.targets(SMALL).chances()
    monkeypatch.setattr("yachtdice.solver.solo.solve_states", None)  # would fail if it were used
    monkeypatch.setattr("yachtdice.solver.solo.final_totals", None)
    monkeypatch.setattr("yachtdice.solver.solo.solve_targets", None)
    again = Solutions(tmp_path / "new")
    assert again.solo(SMALL).expected == expected
    assert again.totals(SMALL).mean == mean
    assert (again.targets(SMALL).chances() == chances).all()


def test_a_folder_that_cannot_be_used_costs_only_time(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    solutions = Solutions(in_the_way)
    assert solutions.solo(SMALL).expected == solve(SMALL).expected
    assert solutions.totals(SMALL).mean == pytest.approx(solve(SMALL).expected)
    assert (solutions.targets(SMALL).chances() == Solutions().targets(SMALL).chances()).all()


def test_nobody_knows_how_to_win_with_a_bonus() -> None:
    assert Solutions().duel(WITH_BONUS) is None


@pytest.mark.skipif(not has_numba(), reason="tables are built by Numba")
def test_play_to_win_has_the_table_in_the_folder(tmp_path: Path) -> None:
    build_table(table_path(SMALL, tmp_path), SMALL)
    duel, without = Solutions(tmp_path).duel(SMALL), Solutions().duel(SMALL)
    assert duel is not None
    assert without is not None
    assert duel.table is not None
    assert without.table is None


def test_what_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = Solutions()
    with monkeypatch.context() as broken:
        broken.setattr("yachtdice.solver.solo.solve_states", None)
        with pytest.raises(TypeError):
            solutions.solo(SMALL)
        assert solutions.ready(SMALL) is None
    assert solutions.solo(SMALL).expected == solve(SMALL).expected


def test_memory_is_bounded() -> None:
    solutions = Solutions()
    first = RuleSet("r-0", {Category.YACHT: OfAKind(5, 1)})
    solutions.solo(first)
    for number in range(1, 33):
        solutions.solo(RuleSet(f"r-{number}", {Category.YACHT: OfAKind(5, number + 1)}))
    assert solutions.ready(first) is None
