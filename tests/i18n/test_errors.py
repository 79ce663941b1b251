"""Every error that people can meet has a sentence for them, in every language."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import yachtdice
from yachtdice import Dice, Position, RuleSetError, YachtError
from yachtdice.bots import BotError
from yachtdice.cli.table.errors import (
    BoxError,
    BoxReason,
    CommandError,
    CommandReason,
    SameNameError,
)
from yachtdice.coach.training.deckfile import DeckFileError
from yachtdice.coach.training.trainer import DeckError
from yachtdice.dice_source import DiceExhaustedError
from yachtdice.i18n import explain, languages, use_language
from yachtdice.play.local import UnknownDiceError
from yachtdice.play.online.records import RecordNotFoundError
from yachtdice.play.table.refusals import TableError, TableNotFoundError, TableReason
from yachtdice.rules import (
    TRADITIONAL,
    Category,
    DiceError,
    IllegalMoveError,
    IllegalMoveReason,
    NotationError,
    NotationReason,
    SetupError,
    SetupReason,
)
from yachtdice.solver.duel.errors import DuelError, DuelReason, SpaceError
from yachtdice.solver.errors import ValueTableError, ValueTableReason
from yachtdice.store.contract import StoreError
from yachtdice.store.savefile import SaveError, SaveReason

PATH = Path("ana.yacht")
NO_SENTENCE = {
    StoreError: "its message is shown to the operator of a server, and logged",
    DiceExhaustedError: "only a program that rolls scripted dice meets it",
    DeckError: "it is the cause of a DeckFileError",
}


def errors() -> Iterator[YachtError]:
    """Yield an error of every kind, for every reason that there is."""
    for illegal in IllegalMoveReason:
        yield IllegalMoveError(illegal, Position.start(TRADITIONAL), None)
    yield from map(SetupError, SetupReason)
    yield from (
        NotationError(notation, "x", line) for notation in NotationReason for line in (0, 3)
    )
    yield DiceError((7,), "no face")
    yield RuleSetError("rolls", 0, "a whole number from {least} to {most}", least=1, most=9)
    yield from map(TableError, TableReason)
    yield TableNotFoundError("x")
    yield from (CommandError(command, "x") for command in CommandReason)
    yield from (BoxError(box, "x", (Category.YACHT,)) for box in BoxReason)
    yield SameNameError("Ana")
    yield BotError("genius")
    yield UnknownDiceError("committed")
    yield RecordNotFoundError("x")
    yield from (SaveError(save, PATH, "why") for save in SaveReason)
    yield from (DeckFileError(PATH, "why", in_use=in_use) for in_use in (True, False))
    yield from map(ValueTableError, ValueTableReason)
    yield from (DuelError(duel) for duel in DuelReason if duel is not DuelReason.NO_SPACE)
    yield SpaceError(2_500_000, 1_000_000)


def all_kinds() -> set[type[YachtError]]:
    for module in pkgutil.walk_packages(yachtdice.__path__, "yachtdice."):
        if not module.name.endswith(("__main__", "migrations.env")):
            importlib.import_module(module.name)
    kinds = {YachtError}
    while more := {kind for known in kinds for kind in known.__subclasses__()} - kinds:
        kinds |= more
    return {kind for kind in kinds if kind.__module__.startswith("yachtdice.")} - {YachtError}


def test_every_error_of_the_package_is_explained_or_listed() -> None:
    default = explain.dispatch(YachtError)
    silent = {kind for kind in all_kinds() if explain.dispatch(kind) is default}
    assert {kind for kind in silent if not issubclass(kind, tuple(NO_SENTENCE))} == set()
    assert set(NO_SENTENCE) <= silent
    assert {type(error) for error in errors()} == all_kinds() - silent


@pytest.mark.parametrize("language", languages())
def test_every_reason_has_its_sentence(language: str) -> None:
    with use_language(language):
        for error in errors():
            sentence = explain(error)
            assert sentence[:1].strip(), error
            assert sentence != str(error)
            assert "{" not in sentence


def test_sizes_are_in_megabytes_rounded_up() -> None:
    assert explain(SpaceError(2_500_000, 1_000_000)) == (
        "3 MB of free space on the disk are needed; there are 1 MB."
    )


def test_an_error_without_a_sentence_says_what_developers_read() -> None:
    assert explain(StoreError("the disk is gone")) == "the disk is gone"


def test_a_subclass_is_explained_as_its_base() -> None:
    class HouseTableError(TableError):
        pass

    assert explain(HouseTableError(TableReason.FULL)) == explain(TableError(TableReason.FULL))


def test_dice_are_named_as_they_are_written() -> None:
    with pytest.raises(DiceError) as caught:
        Dice([7])
    assert explain(caught.value) == "Dice are faces from 1 to 6, such as 5-5-2."
