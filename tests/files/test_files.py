"""A file is replaced as a whole, whatever fails; so is every file that the program keeps."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import processes
from yachtdice import TRADITIONAL, FaceSum, Game, RuleSet
from yachtdice.coach.training.deckfile import DeckFile, DeckFileError
from yachtdice.coach.training.trainer import Deck
from yachtdice.files import atomic_write
from yachtdice.notation import Record
from yachtdice.rules import Category
from yachtdice.solver.solo import solve
from yachtdice.store.savefile import SaveError, SaveFile

RULES = RuleSet("sixes", {Category.SIXES: FaceSum(6)})


def write(path: Path, content: bytes = b"new", *, locked: bool = False, mode: int = 0o666) -> None:
    with atomic_write(path, locked=locked, mode=mode) as file:
        file.write(content)


def save_game(path: Path) -> None:
    with SaveFile(path) as save:
        save.write(Record(Game.start(TRADITIONAL, ["Ana"])))


def save_deck(path: Path) -> None:
    with DeckFile(path) as deck:
        deck.write(Deck())


WRITERS: dict[str, Callable[[Path], None]] = {
    "atomic_write": write,
    "atomic_write of a locked file": lambda path: write(path, locked=True),
    "a saved game": save_game,
    "the trainer's deck": save_deck,
    "a table of values": lambda path: solve(RULES).save(path),
}

each_writer = pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    path = tmp_path / "kept"
    path.write_bytes(b"old")
    return path


def names(path: Path) -> list[str]:
    """Return the names in the folder of *path*, without those of locks."""
    return sorted(other.name for other in path.parent.iterdir() if other.suffix != ".lock")


@each_writer
def test_what_is_written_is_on_the_disk_before_it_takes_its_place(
    writer: Callable[[Path], None], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        steps.append("sync folder" if is_folder else "sync file")
        fsync(descriptor)

    def replaced(new: Path, target: Path) -> Path:
        steps.append("replace")
        assert path.read_bytes() == b"old"
        assert new.parent == target.parent == path.parent
        return replace(new, target)

    monkeypatch.setattr("yachtdice.files.os.fsync", synced)
    monkeypatch.setattr("pathlib.Path.replace", replaced)
    writer(path)
    assert steps == ["sync file", "replace", "sync folder"]
    assert path.read_bytes() not in {b"", b"old"}
    assert names(path) == ["kept"]


@each_writer
@pytest.mark.parametrize("step", ["yachtdice.files.os.fsync", "pathlib.Path.replace"])
def test_whatever_fails_leaves_the_old_content(
    writer: Callable[[Path], None], step: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(step, fail)
    with pytest.raises((OSError, SaveError, DeckFileError)):
        writer(path)
    assert path.read_bytes() == b"old"
    assert names(path) == ["kept"]


@pytest.mark.parametrize("locked", [False, True])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_block_that_raises_leaves_the_old_content(
    path: Path, error: type[BaseException], *, locked: bool
) -> None:
    def fail() -> None:
        with atomic_write(path, locked=locked) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_bytes() == b"old"
    assert names(path) == ["kept"]


@pytest.mark.parametrize("locked", [False, True])
def test_a_process_that_is_killed_leaves_the_old_content(path: Path, *, locked: bool) -> None:
    script = (
        "import sys; from pathlib import Path; from yachtdice.files import atomic_write\n"
        f"with atomic_write(Path({str(path)!r}), locked={locked}) as file:\n"
        "    file.write(b'half'); file.flush(); print('written', flush=True); sys.stdin.read()"
    )
    with processes.start(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        process.kill()
    assert path.read_bytes() == b"old"
    write(path, b"new", locked=locked)
    assert path.read_bytes() == b"new"
    # A fixed name is used again; others that may write still do not know whose a random one is.
    assert len(names(path)) == (1 if locked else 2)


def test_two_writers_do_not_mix(path: Path) -> None:
    with atomic_write(path) as first, atomic_write(path) as second:
        first.write(b"first")
        second.write(b"second" * 1000)
    assert path.read_bytes() == b"first"
    assert names(path) == ["kept"]


def test_a_planted_link_is_not_followed(path: Path) -> None:
    victim = path.with_name("victim")
    victim.write_bytes(b"precious")
    path.with_name(".kept.new").symlink_to(victim)
    with pytest.raises(OSError, match=r"symbolic link|loop"):
        write(path, locked=True)
    assert (victim.read_bytes(), path.read_bytes()) == (b"precious", b"old")


@pytest.mark.skipif(os.name == "nt", reason="permissions as on Unix")
def test_the_file_may_be_read_as_the_mode_and_the_umask_say(path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        write(path, mode=0o600)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


@pytest.mark.parametrize(("number", "matters"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_file_system_that_cannot_sync_folders_will_do(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, *, matters: bool
) -> None:
    fsync = os.fsync

    def refuse_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        fsync(descriptor)

    monkeypatch.setattr("yachtdice.files.os.fsync", refuse_folders)
    if matters:
        with pytest.raises(OSError, match=os.strerror(number)):
            write(path)
    else:
        write(path)
    assert path.read_bytes() == b"new"
