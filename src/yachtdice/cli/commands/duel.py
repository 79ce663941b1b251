"""`yacht solve --duel`: solve the game for two players and save the table."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, TextIO

from yachtdice.cli.text.numbers import count, decimal, percent
from yachtdice.i18n import gettext as _
from yachtdice.i18n import rules_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yachtdice.rules import RuleSet
    from yachtdice.solver.duel.build import Report, Stage


def solve_duel(  # noqa: PLR0913 - one parameter an option
    rules: RuleSet,
    *,
    as_json: bool,
    path: Path,
    threads: int | None = None,
    out: TextIO | None = None,
    notes: TextIO | None = None,
) -> None:
    """Solve *rules* for two and write the table to *path*, or check the table that is there.

    The result goes to *out*, by default the standard output; what is needed and how far the work
    has come to *notes*, by default the standard error. Interrupted work goes on with the next call.

    Raises:
        DuelError: If the rules cannot be solved, Numba is missing or there is too little space.
        ValueTableError: If the file is there and is something else, or damaged.
        TimeoutError: If another process is at work on the same file.
        OSError: If a file cannot be written.
        KeyboardInterrupt: As it came, after a note on how to go on.
    """
    from yachtdice.solver.duel.build import build_table, plan_table
    from yachtdice.solver.duel.table import DuelTable

    out, notes = out or sys.stdout, notes or sys.stderr
    plan = plan_table(rules)
    begin = perf_counter()
    solved = resumed = 0
    if path.exists():
        table = DuelTable(path, rules)
        table.verify()
    else:
        _say(notes, _needs(plan.table, plan.disk, plan.memory))
        solved = plan.states
        try:
            with _progress(notes) as report:
                stages: list[Stage] = []

                def watch(stage: Stage) -> None:
                    stages[:] = [stage]
                    report(stage)

                table = build_table(path, rules, threads=threads, report=watch)
        except KeyboardInterrupt:
            _say(notes, _("Interrupted. The same command goes on from the last finished round."))
            raise
        resumed = stages[0].resumed
    seconds = perf_counter() - begin
    result = {
        "rules": rules.key,
        "first": table.first,
        "states": solved,
        "resumed": resumed,
        "seconds": seconds,
        "table": str(path),
        "bytes": path.stat().st_size,
        "checksum": table.checksum,
    }
    if as_json:
        _say(out, json.dumps(result, indent=2))
        return
    _say(out, _("Rules: {rules}").format(rules=rules_name(rules)))
    line = _("The player who begins wins {share}, ties counting one half.")
    _say(out, line.format(share=percent(table.first, 4)))
    if solved:
        line = _("Situations solved: {number}. Seconds: {seconds}")
        _say(out, line.format(number=count(solved - resumed), seconds=decimal(seconds, 1)))
    _say(out, _("Table: {file}").format(file=path))
    # Translators: a line of a result: letters and digits that tell whether a file is whole.
    _say(out, _("Checksum: {checksum}").format(checksum=table.checksum))


def _needs(table: int, disk: int, memory: int) -> str:
    line = _(
        "The table has {table} MB. Until it is there, {disk} MB on the disk and about {memory} MB"
        " of memory are needed."
    )
    sizes = {"table": table, "disk": disk, "memory": memory}
    return line.format(**{name: _megabytes(size) for name, size in sizes.items()})


def _megabytes(size: int) -> str:
    return count(-(-size // 1_000_000))


def _say(stream: TextIO, line: str) -> None:
    stream.write(f"{line}\n")
    stream.flush()


@contextmanager
def _progress(stream: TextIO) -> Iterator[Report]:
    """Give a bar with the time that is left on a terminal, and nothing anywhere else."""
    if not stream.isatty():
        yield lambda _stage: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(file=stream)
    with Progress(*columns, console=console, transient=True, speed_estimate_period=20) as bar:
        # Translators: stands beside a bar that shows how far it is.
        task = bar.add_task(_("Solving"), total=None)

        def report(stage: Stage) -> None:
            bar.update(task, total=stage.total, completed=stage.states)

        yield report
