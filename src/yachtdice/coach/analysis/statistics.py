"""Statistics of many games: totals against perfect play, luck, losses, and dice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import erfc, exp, pi, sqrt
from typing import TYPE_CHECKING

from yachtdice.bots import known_averages
from yachtdice.coach.analysis.rating import like_level, loss_per_turn
from yachtdice.coach.analysis.report import Report
from yachtdice.rules import FACES, DiceRolled, Event, RuleSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from yachtdice.solver import Distribution

FEWEST_DICE = 30
"""The chi-square test needs an expected count of five for each face, by the usual rule of thumb."""

BAND = 2.631
"""Standard deviations on each side, so that all six faces lie inside in 19 of 20 cases.

Two-sided, each with 1 - 0.95^(1/6) outside; as if the faces were independent, which errs on the
wide side by less than a hundredth.
"""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One finished game of one seat."""

    title: str
    """The name of its file, or its day."""
    date: str
    seat: int
    name: str
    total: int
    luck: float
    luck_sd: float
    loss: float
    loss_per_turn: float | None
    is_known: bool
    """Whether no turn was entered as a whole: luck and loss then say all."""
    beats: float
    """Which share of games, played perfectly, ends with fewer points."""


@dataclass(frozen=True)
class RulesStatistics:
    """The games under one rule set, in the order in which they were given."""

    rules: RuleSet
    games: tuple[PlayedGame, ...]
    totals: Distribution
    """The exact distribution of totals under perfect play."""
    levels: Mapping[str, float] | None
    """The expected totals of the computer's levels, where they are known."""

    @cached_property
    def known_games(self) -> tuple[PlayedGame, ...]:
        """The games in which every turn is known."""
        return tuple(game for game in self.games if game.is_known)

    @property
    def mean_total(self) -> float | None:
        """The mean total; None without a game."""
        return _mean([game.total for game in self.games])

    @property
    def luck(self) -> float:
        """The luck of all known games together."""
        return sum(game.luck for game in self.known_games)

    @property
    def luck_sd(self) -> float:
        """The standard deviation of `luck`."""
        return sqrt(sum(game.luck_sd**2 for game in self.known_games))

    @property
    def luck_chance(self) -> float | None:
        """How often luck is at least so far from zero, either way; None without a known game."""
        return erfc(abs(self.luck) / self.luck_sd / sqrt(2)) if self.luck_sd else None

    @property
    def mean_luck(self) -> float | None:
        """The mean luck of a known game; None without one."""
        return _mean([game.luck for game in self.known_games])

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of a known game; None without one."""
        return _mean([game.loss for game in self.known_games])

    @property
    def loss_per_turn(self) -> float | None:
        """The mean loss of a turn; None without a known game."""
        return _mean(
            [game.loss_per_turn for game in self.known_games if game.loss_per_turn is not None]
        )

    @property
    def level(self) -> str | None:
        """The level whose loss per turn is closest; None if unknown."""
        if self.levels is None or self.loss_per_turn is None:
            return None
        return like_level(self.loss_per_turn, self.levels, self.rules)

    @property
    def level_losses(self) -> Mapping[str, float]:
        """The loss per turn of each level; empty if unknown."""
        return loss_per_turn(self.levels, self.rules) if self.levels else {}


@dataclass(frozen=True)
class DiceStatistics:
    """Counts of faces, compared with fair dice."""

    counts: tuple[int, ...]
    """How many showed 1, 2, ... 6."""

    @property
    def total(self) -> int:
        """How many dice there were."""
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """How many of each face fair dice show on average."""
        return self.total / len(FACES)

    @property
    def band(self) -> tuple[float, float]:
        """Between which numbers all six faces lie in 19 of 20 cases, if the dice are fair.

        By the normal approximation of the binomial distribution: see `BAND`.
        """
        share = 1 / len(FACES)
        width = BAND * sqrt(self.total * share * (1 - share))
        return max(0.0, self.expected - width), self.expected + width

    @property
    def outside(self) -> tuple[int, ...]:
        """The faces whose numbers lie outside the band."""
        low, high = self.band
        return tuple(f for f, n in zip(FACES, self.counts, strict=True) if not low <= n <= high)

    @property
    def is_enough(self) -> bool:
        """Whether there are enough dice for the test."""
        return self.total >= FEWEST_DICE

    @property
    def chi_square(self) -> float:
        """The sum over the faces of (number - expected)^2 / expected; about 5 for fair dice."""
        if not self.total:
            return 0.0
        return sum((n - self.expected) ** 2 for n in self.counts) / self.expected

    @property
    def chance(self) -> float | None:
        """The p-value of the chi-square test; None where there are too few dice."""
        return chi_square_tail(self.chi_square) if self.is_enough else None


@dataclass(frozen=True)
class Statistics:
    """Statistics of a player's games and of their dice."""

    by_rules: tuple[RulesStatistics, ...]
    dice: DiceStatistics
    """All dice that were rolled in the games; dice that were entered as the last of a turn do not
    count, since people have chosen what to keep of them."""
    unfinished: int = 0
    """How many games were left out of everything but the dice."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game to be counted: its report, its events, and whose game it is."""

    report: Report
    events: Sequence[Event]
    seats: tuple[int, ...]
    title: str = ""


def statistics(
    entries: Iterable[Entry],
    totals: Callable[[RuleSet], Distribution],
    levels: Callable[[RuleSet], Mapping[str, float] | None] = known_averages,
) -> Statistics:
    """Return the statistics of *entries*, in their order.

    *totals* returns the distribution of totals under perfect play, `SoloSolution.distribution`;
    it is asked once for each rule set.
    """
    games: dict[str, tuple[RuleSet, list[tuple[Entry, int]]]] = {}
    faces: Counter[int] = Counter()
    unfinished = 0
    for entry in entries:
        report = entry.report
        for event in entry.events:
            if isinstance(event, DiceRolled):
                faces.update(event.faces)
        finished = [s for s in entry.seats if report.is_over and report.seats[s].resigned is None]
        unfinished += not finished
        # The same rules under another name, or with the card in another order, are the same game.
        found = games.setdefault(report.rules.fingerprint, (report.rules, []))[1]
        found += [(entry, seat) for seat in finished]
    by_rules = []
    for rules, found in games.values():
        if found:
            distribution = totals(rules)
            played = tuple(_played(entry, seat, distribution) for entry, seat in found)
            by_rules.append(RulesStatistics(rules, played, distribution, levels(rules)))
    dice = DiceStatistics(tuple(faces[face] for face in FACES))
    return Statistics(tuple(by_rules), dice, unfinished)


def chi_square_tail(value: float) -> float:
    """Return how likely chi-square with five degrees of freedom is at least *value*.

    In closed form, as for every odd number of degrees: Abramowitz and Stegun, 26.4.4.

    >>> round(chi_square_tail(11.0705), 4)
    0.05
    """
    half = erfc(sqrt(value / 2))
    return half + sqrt(2 * value / pi) * exp(-value / 2) * (1 + value / 3)


def _played(entry: Entry, seat: int, totals: Distribution) -> PlayedGame:
    found = entry.report.seats[seat]
    return PlayedGame(
        title=entry.title,
        date=entry.report.date,
        seat=seat,
        name=found.name,
        total=found.points,
        luck=found.luck,
        luck_sd=found.luck_sd,
        loss=found.loss,
        loss_per_turn=found.loss_per_turn,
        is_known=found.is_known,
        beats=totals.below(found.points),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
