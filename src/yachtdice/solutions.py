"""Solved rule sets, each solved once and kept in memory and on disk.

An entry point (the command, the server) makes one `Solutions` and passes it on to what plays,
advises or analyses. To make one costs nothing: NumPy is imported when something is asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from pathlib import Path

    from yachtdice.rules import RuleSet
    from yachtdice.solver import Distribution, SoloSolution, Targets, TurnPolicy
    from yachtdice.solver.asking import Policy
    from yachtdice.solver.duel import Duel

V = TypeVar("V")

# House rules are without number, so all of these are bounded.
_MAX_SOLO = 32
_MAX_TOTALS = 64
_MAX_TARGETS = 8
_MAX_DUELS = 8


class Solutions:
    """Perfect play, its totals and play to win, for any rule set.

    The command makes `Solutions(cache_folder())`, the server the same for all its threads, a test
    or a script `Solutions()`. All methods may be called from several threads: a rule set that two
    ask for at once is solved once. What was used last is kept in memory. They take time (solving
    14 to 400 ms, totals seconds under an upper bonus), so they are not for an event loop; `ready`
    is. Where NumPy is missing, all of them raise `ImportError`.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        solo: Iterable[SoloSolution] = (),
        duels: Iterable[Duel] = (),
        rounds: int | None = None,
    ) -> None:
        """Keep files in *folder*, or none; *solo* and *duels* are solutions that are there already.

        *rounds* is from how many rounds before the end play to win is solved on demand; see `Duel`.
        """
        self.folder = folder
        self._rounds = rounds
        self._solo: _Once[SoloSolution] = _Once(_MAX_SOLO)
        self._totals: _Once[Distribution] = _Once(_MAX_TOTALS)
        self._targets: _Once[Targets] = _Once(_MAX_TARGETS)
        self._duels: _Once[Duel] = _Once(_MAX_DUELS)
        for solution in solo:
            self._solo.add(solution.rules, solution)
        for duel in duels:
            self._duels.add(duel.rules, duel)
            self._solo.add(duel.rules, duel.solo)

    def solo(self, rules: RuleSet) -> SoloSolution:
        """Return perfect play under *rules*, each card for itself."""
        return self._solo.get(rules, lambda: self._solve(rules))

    def ready(self, rules: RuleSet) -> SoloSolution | None:
        """Return the same if it is in memory; never waits."""
        return self._solo.ready(rules)

    def totals(
        self,
        rules: RuleSet,
        policy: TurnPolicy | Policy | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Distribution:
        """Return the distribution of totals of *policy*, by default of perfect play, in solo games.

        That of perfect play is kept on disk too; *progress* is called with the number of its states
        passed through since the last call. A policy counts as the same if it is equal.
        """
        from yachtdice.solver import PERFECT

        policy = PERFECT if policy is None else policy
        return self._totals.get(
            (rules, policy), lambda: self._evaluate(self.solo(rules), policy, progress)
        )

    def expected(self, rules: RuleSet, policy: TurnPolicy | Policy | None = None) -> float:
        """Return the mean of `totals`; that of perfect play is there as soon as `solo` is."""
        from yachtdice.solver import PERFECT

        if policy is None or policy is PERFECT:
            return self.solo(rules).expected
        return self.totals(rules, policy).mean

    def targets(self, rules: RuleSet) -> Targets:
        """Return the best chance of every total, kept on disk too: it takes seconds to compute."""
        return self._targets.get(rules, lambda: self._load_targets(self.solo(rules)))

    def duel(self, rules: RuleSet) -> Duel | None:
        """Return play to win under *rules*, with the table of the whole game if the folder has it.

        None under rules with an upper bonus, for which nobody knows how to do that.
        """
        if rules.upper_bonus is not None:
            return None
        return self._duels.get(rules, lambda: self._open(rules))

    def _solve(self, rules: RuleSet) -> SoloSolution:
        from yachtdice.solver import cached_solution, solve

        return solve(rules) if self.folder is None else cached_solution(rules, self.folder)

    def _evaluate(
        self,
        solution: SoloSolution,
        policy: TurnPolicy | Policy,
        progress: Callable[[int], object] | None,
    ) -> Distribution:
        from yachtdice.solver import PERFECT, cached_totals

        if policy is PERFECT and self.folder is not None:
            return cached_totals(solution, self.folder, progress)
        return solution.evaluate(policy)

    def _load_targets(self, solution: SoloSolution) -> Targets:
        from yachtdice.solver import Targets, ValueTableError

        if self.folder is None:
            return solution.targets
        path = self.folder / f"target-{solution.rules.fingerprint[:16]}.table"
        try:
            return Targets.load(path, solution)
        except ValueTableError:
            # A folder that cannot be written costs only the time to compute them again.
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                solution.targets.save(path)
            return solution.targets

    def _open(self, rules: RuleSet) -> Duel:
        from yachtdice.solver.duel import open_duel

        return open_duel(rules, self.folder, solo=self.solo(rules), rounds=self._rounds)


class _Entry(Generic[V]):
    """A value that is made, or will be."""

    def __init__(self) -> None:
        self.making = Lock()
        """Held while the value is made."""
        self.values: tuple[V, ...] = ()
        """The value, once it is made."""


class _Once(Generic[V]):
    """Values by key, each made by the first who asks; the *maximum* used last are kept."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._lock = Lock()
        """Held for a moment, not while a value is made."""
        self._entries: OrderedDict[Hashable, _Entry[V]] = OrderedDict()

    def add(self, key: Hashable, value: V) -> None:
        """Keep *value*."""
        self.get(key, lambda: value)

    def ready(self, key: Hashable) -> V | None:
        """Return the value, None if it is not there, or is being made."""
        with self._lock:
            entry = self._entries.get(key)
        return entry.values[0] if entry is not None and entry.values else None

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the value, which *make* makes if it is not there; what fails is tried again."""
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self._maximum:
                self._entries.popitem(last=False)
        with entry.making:
            if not entry.values:
                entry.values = (make(),)
            return entry.values[0]
