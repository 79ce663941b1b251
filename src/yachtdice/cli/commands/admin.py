"""`yacht admin`: what operators of a server do with its tables."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from yachtdice.cli.support.groups import Commands
from yachtdice.cli.support.options import data_folder, json_option
from yachtdice.cli.support.output import echo, write_json
from yachtdice.cli.text.numbers import count
from yachtdice.files import atomic_write
from yachtdice.i18n import gettext as _
from yachtdice.i18n import ngettext, pgettext, pgettext_noop

if TYPE_CHECKING:
    from yachtdice.play.online.verification import Finding
    from yachtdice.store.archive import Imported, Progress
    from yachtdice.store.sql.engine import SqlStore

T = TypeVar("T")

_DAY = 24 * 3600.0
_PROGRESS_DELAY = 1.0
"""Seconds after which a terminal shows the progress."""
_BATCH_SIZE = 200
"""Tables that are deleted in one transaction, so that a server is not kept waiting."""
_MAX_NAMES = 20
_FAULTS = {
    "id": pgettext_noop("fault", "its name is none that a table can have"),
    "gap": pgettext_noop("fault", "its events are not numbered from 1 without gaps"),
    "unreadable": pgettext_noop("fault", "an event is damaged, or from a newer version"),
    "replay": pgettext_noop("fault", "an event is not possible after those before it"),
    "stage": pgettext_noop("fault", "it is not at the stage that it is kept at"),
    "members": pgettext_noop(
        "fault", "somebody who has a seat would not find it among their tables"
    ),
    "record": pgettext_noop("fault", "the record of its game reads back as another game"),
}


@click.group(cls=Commands, help=_("Look after the tables of a server."))
def admin() -> None:
    """Look after the tables of a server."""


def _database(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give *command* the options of `yacht serve` that say where tables are kept."""
    for option in (
        click.option(
            "--data",
            type=click.Path(file_okay=False, path_type=Path),
            help=_("Folder of the database; by default the user's data folder."),
        ),
        click.option(
            "--database",
            metavar="URL",
            envvar="YACHT_DATABASE",
            show_envvar=True,
            help=_("Where tables are kept, as “yacht serve” takes it."),
        ),
    ):
        command = option(command)
    return command


@admin.command(
    "export",
    help=_(
        "Write all tables to FILE, as lines of JSON; “-” is standard output.\n\n"
        "A server may go on meanwhile. “yacht admin import” reads the file, into any database."
    ),
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@_database
@json_option
def export_command(*, file: Path, database: str | None, data: Path | None, as_json: bool) -> None:
    """Write all tables to a file."""
    from yachtdice.store.archive import export_streams
    from yachtdice.store.sql.reading import Reader

    async def run() -> int:
        reader = await Reader.open(_place(database, data))
        try:
            with _output(file) as out, _progress() as progress:
                return await export_streams(reader, out.write, progress)
        finally:
            await reader.close()

    tables = _run(run)
    # Standard output is for the tables where it takes them.
    to_stderr = str(file) == "-"
    if as_json:
        write_json({"tables": tables}, err=to_stderr)
    else:
        # Translators: how many tables were written into a file.
        line = ngettext("{number} table exported.", "{number} tables exported.", tables)
        echo(line.format(number=count(tables)), err=to_stderr)


@admin.command(
    "import",
    help=_(
        "Read tables from FILE, which “yacht admin export” wrote; “-” is standard input.\n\n"
        "Tables that are there already stay as they are, so that importing twice does no harm."
    ),
)
@click.argument("file", type=click.Path(exists=True, path_type=Path, allow_dash=True))
@_database
@json_option
def import_command(*, file: Path, database: str | None, data: Path | None, as_json: bool) -> int:
    """Read tables from a file."""
    from yachtdice.store.archive import ArchiveError, import_streams

    async def run() -> Imported:
        store = _open(_place(database, data))
        try:
            with click.open_file(str(file), encoding="utf-8") as lines, _progress() as progress:
                return await import_streams(store, lines, progress)
        finally:
            await store.close()

    try:
        imported = _run(run)
    except ArchiveError as error:
        # Translators: {reason} is for developers, and in English.
        line = _(
            "Line {number} of {file} cannot be read: {reason}."
            " The tables that stand before it are imported."
        )
        line = line.format(number=error.line, file=file, reason=error.why)
        raise click.ClickException(line) from error
    except UnicodeDecodeError as error:
        line = _("{path} is not a text file in UTF-8.").format(path=file)
        raise click.ClickException(line) from error
    if as_json:
        write_json({"new": imported.new, "there": imported.there, "differing": imported.differing})
    else:
        # Translators: how many tables were read from a file and are kept now.
        line = ngettext("{number} table imported.", "{number} tables imported.", imported.new)
        echo(line.format(number=count(imported.new)))
        if imported.there:
            line = ngettext(
                "{number} table was there already.",
                "{number} tables were there already.",
                imported.there,
            )
            echo(line.format(number=count(imported.there)))
        if imported.differing:
            line = ngettext(
                "{number} table is another one here, and was left alone: {names}",
                "{number} tables are others here, and were left alone: {names}",
                len(imported.differing),
            )
            number = count(len(imported.differing))
            echo(line.format(number=number, names=_name_list(imported.differing)), err=True)
    return 1 if imported.differing else 0


def _days(name: str, default: float | None, text: str) -> Callable[..., Any]:
    return click.option(
        name,
        type=click.FloatRange(0),
        metavar="DAYS",
        default=default,
        show_default=True,
        help=text,
    )


@admin.command(
    help=_(
        "Delete tables at which nothing has happened for so many days.\n\n"
        "A server does this by itself, for the default ages, every hour."
    )
)
@_days("--unbegun", 1.0, _("Age of tables whose game never began."))
@_days("--unfinished", 90.0, _("Age of tables with an unfinished game."))
@_days("--finished", None, _("Age of tables with a finished game; kept for good by default."))
@_days("--records", 90.0, _("Age of records that were pasted."))
@click.option("--dry-run", is_flag=True, help=_("Only tell how many there are; delete nothing."))
@_database
@json_option
def prune(  # noqa: PLR0913 - one argument an option
    *,
    unbegun: float,
    unfinished: float,
    finished: float | None,
    records: float,
    dry_run: bool,
    database: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Delete old tables."""
    from yachtdice.play.table.stages import LOBBY, OVER, PLAYING, RECORD
    from yachtdice.store.sql.reading import Reader

    now = time.time()
    ages = {LOBBY: unbegun, PLAYING: unfinished, OVER: finished, RECORD: records}
    before = {stage: now - age * _DAY for stage, age in ages.items() if age is not None}

    async def look() -> dict[str, int]:
        reader = await Reader.open(_place(database, data))
        try:
            return {stage: await reader.old(stage, time) for stage, time in before.items()}
        finally:
            await reader.close()

    async def delete() -> dict[str, int]:
        gone = dict.fromkeys(before, 0)
        store = _open(_place(database, data))
        try:
            with _progress() as progress:
                for stage, time in before.items():
                    while swept := await store.sweep(stage, time, _BATCH_SIZE):
                        gone[stage] += len(swept)
                        progress(sum(gone.values()))
        finally:
            await store.close()
        return gone

    found = dict.fromkeys(ages, 0) | _run(look if dry_run else delete)
    if as_json:
        write_json({"dry_run": dry_run, **found})
        return
    total = sum(found.values())
    if dry_run:
        line = ngettext(
            "{number} table would be deleted: {unbegun} unbegun, {unfinished} unfinished,"
            " {finished} finished, {records} pasted records.",
            "{number} tables would be deleted: {unbegun} unbegun, {unfinished} unfinished,"
            " {finished} finished, {records} pasted records.",
            total,
        )
    else:
        line = ngettext(
            "{number} table deleted: {unbegun} unbegun, {unfinished} unfinished,"
            " {finished} finished, {records} pasted records.",
            "{number} tables deleted: {unbegun} unbegun, {unfinished} unfinished,"
            " {finished} finished, {records} pasted records.",
            total,
        )
    names = {"unbegun": LOBBY, "unfinished": PLAYING, "finished": OVER, "records": RECORD}
    numbers = {name: count(found[stage]) for name, stage in names.items()}
    echo(line.format(number=count(total), **numbers))


@admin.command(
    "verify",
    help=_(
        "Replay every table, and name those at which something is wrong.\n\n"
        "A server may go on meanwhile."
    ),
)
@_database
@json_option
def verify_command(*, database: str | None, data: Path | None, as_json: bool) -> int:
    """Replay every table."""
    from yachtdice.play.online.verification import verify
    from yachtdice.store.sql.reading import Reader

    async def run() -> tuple[int, list[Finding]]:
        reader = await Reader.open(_place(database, data))
        try:
            with _progress() as progress:
                return await verify(reader, progress)
        finally:
            await reader.close()

    tables, findings = _run(run)
    if as_json:
        failing = [
            {"table": found.table, "fault": found.fault.value, "detail": found.detail}
            for found in findings
        ]
        write_json({"tables": tables, "failing": failing})
    else:
        for found in findings:
            sentence = pgettext(*_FAULTS[found.fault.value])
            # Translators: the id of a table, what is wrong with it, and an English detail.
            line = _("{table}: {fault} ({detail})")
            echo(line.format(table=found.table, fault=sentence, detail=found.detail))
        if findings:
            line = ngettext(
                "{number} table replayed; something is wrong with {wrong}.",
                "{number} tables replayed; something is wrong with {wrong}.",
                tables,
            )
        else:
            line = ngettext(
                "{number} table replayed; it is sound.",
                "{number} tables replayed; all are sound.",
                tables,
            )
        echo(line.format(number=count(tables), wrong=count(len(findings))))
    return 1 if findings else 0


def _place(database: str | None, data: Path | None) -> str:
    """Return the address of the database, by default that of `yacht serve`."""
    return database or f"sqlite:///{(data or data_folder()) / 'tables.db'}"


def _run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return what *work* returns; errors of the database become one line."""
    import asyncio

    from yachtdice.store.archive import ArchiveError
    from yachtdice.store.contract import StoreError, StoreInUseError

    try:
        return asyncio.run(work())
    except ArchiveError:
        raise
    except StoreInUseError as error:
        line = _("A yacht server uses that database; stop it first: {reason}")
        raise click.ClickException(line.format(reason=error)) from error
    except StoreError as error:
        line = _("The database cannot be used: {reason}").format(reason=error)
        raise click.ClickException(line) from error


def _open(place: str) -> SqlStore:
    from yachtdice.store.sql.engine import SqlStore

    return SqlStore.open(place)


@contextmanager
def _output(path: Path) -> Iterator[TextIO]:
    """Give a file that takes the place of *path* once all is in it, readable by its owner alone."""
    if str(path) == "-":
        yield sys.stdout
        return
    if path.exists() and not path.is_file():  # a pipe, a device
        with path.open("w", encoding="ascii", newline="\n") as file:
            yield file
        return
    with atomic_write(path, mode=0o600) as file:
        text = TextIOWrapper(file, encoding="ascii", newline="\n", write_through=True)
        yield text
        text.detach()


@contextmanager
def _progress() -> Iterator[Progress]:
    """Give a function that shows, on a terminal and after a moment, how many tables are done."""
    if not sys.stderr.isatty():
        yield lambda _tables: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    begun = time.monotonic()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("")

    def progress(tables: int) -> None:
        if time.monotonic() - begun > _PROGRESS_DELAY:
            # Translators: how far a long piece of work is, beside a bar.
            line = ngettext("{number} table", "{number} tables", tables)
            bar.update(task, description=line.format(number=count(tables)))
            bar.start()

    try:
        yield progress
    finally:
        bar.stop()


def _name_list(names: list[str]) -> str:
    """Return the first of *names*, and that there are more."""
    text = ", ".join(names[:_MAX_NAMES])
    return f"{text}, …" if len(names) > _MAX_NAMES else text
