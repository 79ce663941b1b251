"""Files of games: written whole or not at all, by one process at a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given

from tests import processes
from tests.strategies import examples, games
from yachtdice import TRADITIONAL, Game, NotationError
from yachtdice.names import shown_name
from yachtdice.notation import Record, parse_record
from yachtdice.store.savefile import (
    SaveError,
    SaveFile,
    SaveReason,
    latest_save,
    read_record,
    saves_folder,
)

RECORD = Record(Game.start(TRADITIONAL, ["Ana"]), dice="seed 7")
LATER = Record(RECORD.game.roll([4, 1, 4, 2, 6]), dice="seed 7")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def refused(reason: SaveReason, path: Path) -> None:
    with pytest.raises(SaveError) as caught:
        SaveFile(path)
    assert caught.value.reason is reason


def test_what_is_written_is_read(tmp_path: Path) -> None:
    with SaveFile.create(tmp_path / "a.yacht") as save:
        save.write(RECORD)
        assert save.read() == RECORD
        save.write(LATER)
        assert read_record(tmp_path / "a.yacht") == LATER
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yacht"]


@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=games())
def test_every_game_can_be_kept(tmp_path: Path, game: Game) -> None:
    record = Record(game)
    with SaveFile(tmp_path / "a.yacht") as save:
        save.write(record)
        assert parse_record((tmp_path / "a.yacht").read_bytes()) == record
        # What is read is the same game, with names that can be shown.
        kept = save.read()
    assert kept.game.events[1:] == game.events[1:]
    assert kept.game.names == tuple(map(shown_name, game.names))


def test_reading_leaves_a_file_with_odd_names_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.yacht"
    path.write_text('yacht 1\nrules traditional\nseat 1 "e\\u001b[2J\\n\\u202ex"\n')
    text = path.read_bytes()
    with SaveFile(path) as save:
        record = save.read()
        assert record.game.names == ("e[2J x",)
        assert path.read_bytes() == text
        save.write(record)
    assert 'seat 1 "e[2J x"\n' in path.read_text()


def test_a_new_game_gets_a_file_of_its_own() -> None:
    saves = [SaveFile.create() for _ in range(3)]
    for save in saves:
        save.write(RECORD)
    assert len({save.path for save in saves}) == 3
    assert all(save.path.parent == saves_folder().resolve() for save in saves)


def test_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.yacht"
    with SaveFile(path) as save:
        save.write(RECORD)
        refused(SaveReason.IN_USE, path)
        link = tmp_path / "link.yacht"
        link.symlink_to(path)
        refused(SaveReason.IN_USE, link)
    with SaveFile(path) as again:
        assert again.read() == RECORD


def test_a_process_that_is_killed_leaves_the_file_free(tmp_path: Path) -> None:
    path = tmp_path / "a.yacht"
    script = (
        "import sys; from pathlib import Path; from yachtdice.store.savefile import SaveFile\n"
        f"save = SaveFile(Path({str(path)!r})); print('locked', flush=True); sys.stdin.read()"
    )
    with processes.start(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        refused(SaveReason.IN_USE, path)
        process.kill()
    SaveFile(path).close()


def test_a_closed_file_leaves_no_lock_and_the_next_lock_holds(tmp_path: Path) -> None:
    save = SaveFile.create(tmp_path / "a.yacht")
    save.write(RECORD)
    save.close()
    save.close()
    assert [path.name for path in tmp_path.iterdir()] == ["a.yacht"]
    with SaveFile(tmp_path / "a.yacht"):
        save.close()  # the lock of somebody else is not touched
        refused(SaveReason.IN_USE, tmp_path / "a.yacht")
    with pytest.raises(SaveError):
        SaveFile.create(tmp_path / "a.yacht")
    assert [path.name for path in tmp_path.iterdir()] == ["a.yacht"]


def test_a_file_that_is_there_is_no_new_game(tmp_path: Path) -> None:
    path = tmp_path / "a.yacht"
    path.write_text("Dear Ana")
    with pytest.raises(SaveError) as caught:
        SaveFile.create(path)
    assert caught.value.reason is SaveReason.EXISTS
    SaveFile(path).close()  # it is free


@pytest.mark.parametrize("place", ["nowhere/a.yacht", "a\0b", "x" * 300])
def test_places_that_cannot_hold_a_game(tmp_path: Path, place: str) -> None:
    refused(SaveReason.NOT_WRITTEN, tmp_path / place)


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    refused(SaveReason.NOT_A_FILE, path)
    with pytest.raises(SaveError) as caught:
        read_record(path)
    assert caught.value.reason is SaveReason.NOT_A_FILE


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yacht", tmp_path / "link.yacht"
    link.symlink_to(real)
    with SaveFile(link) as save:
        save.write(RECORD)
    assert link.is_symlink()
    assert read_record(real) == RECORD


def test_a_folder_that_is_gone_is_an_error_and_nothing_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    with SaveFile(folder / "a.yacht") as save:
        save.write(RECORD)
        folder.rename(tmp_path / "gone")
        with pytest.raises(SaveError) as caught:
            save.write(LATER)
        assert caught.value.reason is SaveReason.NOT_WRITTEN
        (tmp_path / "gone").rename(folder)
        assert save.read() == RECORD
        save.write(LATER)
        assert save.read() == LATER


def test_what_a_killed_writer_left_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / ".a.yacht.new").write_text("half a rec")
    with SaveFile(tmp_path / "a.yacht") as save:
        save.write(RECORD)
        assert save.read() == RECORD
    assert not (tmp_path / ".a.yacht.new").exists()


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / ".a.yacht.new").symlink_to(victim)
    with SaveFile(tmp_path / "a.yacht") as save, pytest.raises(SaveError):
        save.write(RECORD)
    assert victim.read_text() == "precious"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SaveError) as caught:
        read_record(tmp_path / "a.yacht")
    assert caught.value.reason is SaveReason.MISSING
    huge = tmp_path / "huge.yacht"
    with huge.open("wb") as file:
        file.truncate(5_000_000)
    with pytest.raises(SaveError) as caught:
        read_record(huge)
    assert caught.value.reason is SaveReason.NOT_A_FILE
    wrong = tmp_path / "wrong.yacht"
    wrong.write_bytes(b"\xff")
    with pytest.raises(NotationError):
        read_record(wrong)


def test_the_newest_game() -> None:
    with pytest.raises(SaveError) as caught:
        latest_save()
    assert caught.value.reason is SaveReason.NO_GAME
    over = Record(RECORD.game.resign(0))
    paths = []
    for number, record in enumerate([RECORD, LATER, over]):
        save = SaveFile.create()
        save.write(record)
        os.utime(save.path, (number, number))
        paths.append(save.path)
    (saves_folder() / "z.yacht").write_text("no game")
    assert latest_save().resolve() == paths[2]
    assert latest_save(unfinished=True).resolve() == paths[1]
    paths[0].unlink()
    paths[1].unlink()
    with pytest.raises(SaveError) as caught:
        latest_save(unfinished=True)
    assert caught.value.reason is SaveReason.NO_UNFINISHED
