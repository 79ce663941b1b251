"""What the coach's commands read and need: records, and perfect play under their rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yachtdice.coach import Report
    from yachtdice.notation import Record
    from yachtdice.rules import RuleSet
    from yachtdice.solutions import Solutions
    from yachtdice.solver import Distribution


def read_game(file: Path | None) -> Record:
    """Return the record in *file*, on standard input for `-`, or the newest that is kept.

    Raises:
        SaveError: If there is none, or it cannot be read.
        NotationError: If it is not a record.
    """
    from yachtdice.notation import parse_record
    from yachtdice.store.savefile import latest_save, read_record

    if file is None:
        return read_record(latest_save())
    if str(file) == "-":
        return parse_record(sys.stdin.buffer.read())
    return read_record(file)


def read_games(paths: Sequence[Path]) -> Iterator[tuple[Path, Record]]:
    """Yield the records in *paths*, files and folders, the oldest first; by default all kept ones.

    What is no record in a folder is passed over.

    Raises:
        SaveError: If a file that was named cannot be read.
        NotationError: If one is not a record.
    """
    from yachtdice.rules import YachtError
    from yachtdice.store.savefile import SUFFIX, read_record, saves_folder

    for path in paths or [saves_folder()]:
        if not path.is_dir():
            if paths:
                yield path, read_record(path)
            continue
        for file in sorted(path.glob(f"*{SUFFIX}")):
            try:
                record = read_record(file)
            except YachtError:
                continue
            yield file, record


def totals_of(rules: RuleSet, solutions: Solutions) -> Distribution:
    """Return the distribution of totals of perfect play; a terminal shows a bar meanwhile."""
    from yachtdice.cli.support.progress import progress
    from yachtdice.i18n import gettext as _

    # Translators: stands beside a bar: the totals of all possible games are being worked out.
    with progress(_("Totals of perfect play"), len(solutions.solo(rules).states)) as advance:
        return solutions.totals(rules, progress=advance)


def levels_of(rules: RuleSet, solutions: Solutions) -> Mapping[str, float] | None:
    """Return what the computer's levels expect; None where it would take a minute to compute."""
    from yachtdice.bots import known_averages
    from yachtdice.coach import compute_levels

    averages = known_averages(rules)
    if averages is None and rules.upper_bonus is None:
        return compute_levels(rules, solutions)
    return averages


def report_of(record: Record, solutions: Solutions, *, with_chances: bool = False) -> Report:
    """Return what the coach says of the game in *record*; of one for two also in win odds."""
    from yachtdice.coach import analyse_record

    rules = record.game.rules
    is_duel = with_chances and len(record.game.names) == 2  # noqa: PLR2004
    duel = solutions.duel(rules) if is_duel else None
    return analyse_record(record, solutions.solo(rules), levels_of(rules, solutions), duel)


def own_seats(record: Record, player: str | None) -> tuple[int, ...]:
    """Return whose games count: the seats called *player*, by default all that people play."""
    names = record.game.names
    if player is not None:
        return tuple(s for s, name in enumerate(names) if name.casefold() == player.casefold())
    return tuple(seat for seat in range(len(names)) if seat not in record.bots)


def write_page(path: Path, page: str) -> None:
    """Write *page* to *path*, to standard output for `-`.

    Raises:
        OSError: If the file cannot be written.
    """
    if str(path) == "-":
        sys.stdout.buffer.write(page.encode())
    else:
        path.write_text(page, encoding="utf-8", newline="\n")
