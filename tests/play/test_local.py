"""Games on this machine, without a screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from yachtdice import (
    TRADITIONAL,
    Category,
    CategoryScored,
    Dice,
    DiceError,
    DiceHeld,
    DiceRolled,
    IllegalMoveError,
    IllegalMoveReason,
    Move,
    Position,
    RuleSet,
    ScoreCorrected,
    TurnEntered,
)
from yachtdice.dice_source import SeededDice
from yachtdice.notation import Record
from yachtdice.play.local import (
    REAL,
    LocalGame,
    Seats,
    UnknownDiceError,
    seeded,
)
from yachtdice.store.savefile import SaveError, SaveFile

ANA_BO = Seats(("Ana", "Bo"), {})
ANA_BOT = Seats(("Ana", ""), {1: "greedy"})


@pytest.fixture
def save(tmp_path: Path) -> Iterator[SaveFile]:
    with SaveFile.create(tmp_path / "game.yacht") as made:
        yield made


def test_every_step_is_in_the_file(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO, dice=seeded("7"), date="2026-11-30")
    assert save.read() == local.record
    dice = SeededDice("7")
    first = dice.roll(5)
    assert local.roll() == (DiceRolled(0, first),)
    assert save.read() == local.record
    kept = Dice(first[:2])
    assert local.hold(kept) == (DiceHeld(0, kept), DiceRolled(0, dice.roll(3)))
    assert save.read() == local.record
    [event] = local.score(Category.CHOICE)
    assert isinstance(event, CategoryScored)
    assert save.read() == local.record
    assert local.position.seat == 1
    assert local.record.date == "2026-11-30"


def test_going_on_gives_the_dice_that_would_have_come(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BOT, dice=seeded("a b"))
    dice = SeededDice("a b")
    for turn in range(24):
        local = LocalGame.resume(save)
        assert local.roll() == (DiceRolled(turn % 2, dice.roll(5)),)
        local = LocalGame.resume(save)
        local.score(local.position.card.open[0])
    assert local.position.is_over


def test_a_step_that_is_not_kept_has_not_happened_and_its_dice_wait(
    save: SaveFile, tmp_path: Path
) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO)  # the system's dice
    local.roll()
    before = local.record
    tmp_path.rename(tmp_path.with_name("gone"))
    seen = []
    for _ in range(3):
        with pytest.raises(SaveError):
            local.hold(Dice())
        assert local.record is before
        seen.append(tuple(local._fallen))  # noqa: SLF001 - nowhere else can they be seen
    assert len(set(seen)) == 1
    tmp_path.with_name("gone").rename(tmp_path)
    assert local.hold(Dice())[1] == DiceRolled(0, seen[0])


def test_illegal_steps_change_nothing(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO, dice=seeded("7"))
    before = local.record
    with pytest.raises(IllegalMoveError):
        local.score(Category.ONES)
    with pytest.raises(IllegalMoveError):
        local.hold(Dice())
    assert save.read() == local.record == before
    local.roll()
    with pytest.raises(IllegalMoveError) as caught:
        local.roll()
    assert caught.value.reason is IllegalMoveReason.MUST_DECIDE
    dice = SeededDice("7")
    dice.roll(5)
    assert local.hold(Dice())[1] == DiceRolled(0, dice.roll(5))


def test_real_dice_are_reported(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO, dice=REAL)
    assert local.is_real
    assert not local.can_undo
    assert local.report([4, 4, 2, 1, 6]) == (DiceRolled(0, (4, 4, 2, 1, 6)),)
    assert local.hold(Dice([4, 4])) == (DiceHeld(0, Dice([4, 4])),)
    # All five are understood as well: the kept ones are among them.
    assert local.report([4, 4, 4, 1, 2]) == (DiceRolled(0, (1, 2, 4)),)
    assert local.score(Category.FOURS) == (CategoryScored(0, Category.FOURS, 12),)
    with pytest.raises(IllegalMoveError):
        local.report([1, 2])
    with pytest.raises(DiceError):
        local.report([7, 1, 1, 1, 1])


def test_a_whole_turn_replaces_the_rolls_that_were_typed(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO, dice=REAL)
    local.report([4, 4, 2, 1, 6])
    local.hold(Dice([4, 4]))
    events = local.enter(Category.FOURS, Dice([4, 4, 4, 1, 2]))
    assert events == (TurnEntered(0, Category.FOURS, 12, Dice([4, 4, 4, 1, 2])),)
    assert local.game.version == 2
    assert local.enter(Category.YACHT, 50) == (TurnEntered(1, Category.YACHT, 50),)
    local.report([1, 1, 1, 1, 1])
    local.correct(1, Category.YACHT, 0)
    assert local.enter(Category.ONES, 5) == (TurnEntered(0, Category.ONES, 5),)
    assert local.position.cards[1][Category.YACHT] == 0
    assert save.read() == local.record


def test_undo_takes_back_what_a_person_did(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO, dice=REAL)
    local.report([4, 4, 2, 1, 6])
    local.enter(Category.FOURS, 8)
    [corrected] = local.correct(0, Category.FOURS, 12)
    assert isinstance(corrected, ScoreCorrected)
    assert local.undo() == (corrected,)
    assert local.undo()
    assert not local.can_undo
    assert local.undo() == ()
    assert save.read() == local.record


def test_undo_goes_back_over_what_the_computer_decided(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, Seats(("", "Ana"), {0: "greedy"}), dice=REAL)
    local.report([6, 6, 6, 6, 6])
    assert local.play_bot() == (CategoryScored(0, Category.YACHT, 50),)
    gone = local.undo()
    assert gone == (DiceRolled(0, (6, 6, 6, 6, 6)), CategoryScored(0, Category.YACHT, 50))
    assert local.position.is_turn_start
    assert local.bot_to_move == "greedy"


def test_dice_that_were_rolled_here_are_not_taken_back(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO)
    local.roll()
    assert not local.can_undo
    assert local.undo() == ()


class Recorder:
    """A computer that scores in the first open box, and notes the seeds that it is made with."""

    def __init__(self) -> None:
        self.seeds: list[str | None] = []

    def make(self, level: str, rules: RuleSet, seed: str | None) -> "Recorder":
        assert (level, rules) == ("greedy", TRADITIONAL)
        self.seeds.append(seed)
        return self

    def choose(self, position: Position) -> Move:
        return position.legal_moves()[-1]


def test_each_decision_of_the_computer_has_a_seed_of_its_own(save: SaveFile) -> None:
    recorder = Recorder()
    local = LocalGame.start(
        save, TRADITIONAL, Seats(("",), {0: "greedy"}), dice=seeded("7"), make=recorder.make
    )
    while not local.position.is_over:
        local.play_bot()
    assert len(set(recorder.seeds)) == 12
    assert local.bot_to_move is None


def test_unseeded_dice_make_unseeded_computers(save: SaveFile) -> None:
    recorder = Recorder()
    seats = Seats(("",), {0: "greedy"})
    local = LocalGame.start(save, TRADITIONAL, seats, make=recorder.make)
    local.play_bot()
    local.play_bot()
    assert recorder.seeds == [None]


def test_resigning(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO)
    local.roll()
    local.resign()
    assert local.position.seat == 1
    assert local.position.resigned == {0}


def test_dice_from_elsewhere_cannot_go_on(save: SaveFile) -> None:
    local = LocalGame.start(save, TRADITIONAL, ANA_BO)
    with pytest.raises(UnknownDiceError):
        LocalGame(Record(local.game, dice="committed 123"), save)
