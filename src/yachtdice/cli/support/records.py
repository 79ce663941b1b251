"""Records as the commands read them, and the pages that they write."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from yachtdice.names import look_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yachtdice.notation import Record


def read_game(file: Path | None) -> Record:
    """Return the record in *file*, on standard input for `-`, or the newest that is kept.

    Raises:
        SaveError: If there is none, or it cannot be read.
        NotationError: If it is not a record.
    """
    from yachtdice.notation.reader import parse_clean_record
    from yachtdice.store.savefile import latest_save, read_record

    if file is None:
        return read_record(latest_save())
    if str(file) == "-":
        return parse_clean_record(sys.stdin.buffer.read())
    return read_record(file)


def _read_games(paths: Sequence[Path]) -> Iterator[tuple[Path, Record]]:
    """Yield the records in *paths*, files and folders, in the order of their names.

    By default these are all saved games. Files in a folder that are not records are skipped.

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


def distinct_games(paths: Sequence[Path]) -> tuple[list[tuple[Path, Record]], int]:
    """Return the records in *paths*, each game once, and how many files hold one again.

    A game is the same by its events, whatever its file is called and whenever it was copied.

    Raises:
        SaveError: If a file that was named cannot be read.
        NotationError: If one is not a record.
    """
    from yachtdice.notation.writer import game_digest

    games: dict[str, tuple[Path, Record]] = {}
    files = 0
    for files, (path, record) in enumerate(_read_games(paths), start=1):  # noqa: B007 - the count
        games.setdefault(game_digest(record.game), (path, record))
    return list(games.values()), files - len(games)


def own_seats(record: Record, player: str | None) -> tuple[int, ...]:
    """Return the seats that count: those called *player*, by default all that people play."""
    names = record.game.names
    if player is not None:
        look = look_of(player)
        return tuple(seat for seat, name in enumerate(names) if look_of(name) == look)
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
