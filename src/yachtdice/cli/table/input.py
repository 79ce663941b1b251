"""Parse what people type during a game into commands.

Nothing is done or shown here, and the game itself decides whether a command is legal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from yachtdice.cli.support.screen import MAX_LINE_LENGTH
from yachtdice.cli.table.boxes import find_box, plain
from yachtdice.cli.table.errors import BoxError, BoxReason, CommandError, CommandReason
from yachtdice.i18n import is_printable, seat_name
from yachtdice.names import look_of
from yachtdice.play.table.layout import dice_layout
from yachtdice.rules import (
    DICE,
    Dice,
    IllegalMoveError,
    IllegalMoveReason,
    NotationError,
    NotationReason,
    YachtError,
    parse_faces,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yachtdice.rules import Category, Game


class Word(Enum):
    """A command that is a word alone."""

    ROLL = "roll"
    """The first roll, or all five dice once more."""
    CARD = "card"
    HELP = "help"
    UNDO = "undo"
    RESIGN = "resign"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice and roll the rest."""

    dice: Dice


@dataclass(frozen=True, slots=True)
class Fill:
    """Score the dice on the table in this box."""

    category: Category


@dataclass(frozen=True, slots=True)
class Report:
    """Real dice show this, in this order."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Enter:
    """A whole turn with real dice: its box, and its last dice or only its points."""

    category: Category
    result: Dice | int


@dataclass(frozen=True, slots=True)
class Correct:
    """Put right a box of a game with real dice, as `Game.correct` does."""

    seat: int
    category: Category
    points: int
    instead_of: Category | None = None


Command: TypeAlias = Word | Keep | Fill | Report | Enter | Correct


class Verb(Enum):
    """A command that takes arguments."""

    KEEP = "keep"
    SCORE = "score"
    CORRECT = "correct"


WORDS: dict[str, Word | Verb] = {word.value: word for word in (*Word, *Verb)}
"""The words that begin a command: the same in every language, like the commands of a shell."""

_SHORT: dict[str, Word | Verb] = {
    "r": Word.ROLL,
    "k": Verb.KEEP,
    "hold": Verb.KEEP,
    "s": Verb.SCORE,
    "c": Word.CARD,
    "h": Word.HELP,
    "?": Word.HELP,
    "u": Word.UNDO,
    "q": Word.QUIT,
    "exit": Word.QUIT,
}
_MIN_PREFIX_LENGTH = 2

_FIVE_THEN_BOX = re.compile(r"([1-6](?:[ ,-]*[1-6]){4})[ ,:=]+([^ ,:=].*)")
_BOX_THEN_POINTS = re.compile(r"(\S.*?)[ :=]+([0-9]+)")
_CORRECTION = re.compile(r"(\S.*?)[ :=]+([0-9]+)(?: +(?:instead +of|from) +(.+))?", re.IGNORECASE)
_POINTS = re.compile(r"[0-9]{1,4}")
_PLACES = re.compile(r"#[^\s,#]*")


def parse_command(
    line: str, game: Game, *, real: bool = False, names: Sequence[str] = ()
) -> Command:
    """Return what *line* means where *game* stands; *real* says that people roll real dice.

    *names* are what the players are called here, by default as the game has it.

    Raises:
        CommandError: If it is no command.
        BoxError: If it names a box that is not there, or not one box alone.
        NotationError: If its dice are no dice.
        IllegalMoveError: If it names places on an empty table, or nothing where nothing is left.
    """
    text = _clean(line)
    head, _, rest = text.partition(" ")
    word = _word(head)
    command: Command
    if not text:
        command = _empty_line(game, real=real)
    elif word is None:
        command = _bare_line(text, game, real=real)
    elif isinstance(word, Word):
        command = _word_command(word, head, rest, real=real)
    elif word is Verb.KEEP:
        command = Keep(_kept(rest, game))
    elif word is Verb.SCORE:
        command = _score(rest, game, real=real)
    elif real:
        called = names or [seat_name(game.names, seat) for seat in range(len(game.names))]
        command = _correct(rest, game, called)
    else:
        raise CommandError(CommandReason.REAL_ONLY, head)
    return command


def means_quit(line: str) -> bool:
    """Return whether *line* is a word for quitting, also where it could be a name."""
    word = line.strip().casefold()
    return len(word) > 1 and (_SHORT.get(word) or WORDS.get(word)) is Word.QUIT


def _clean(line: str) -> str:
    """Return *line* with single spaces in the place of white space."""
    text = line.removeprefix("\ufeff").strip()
    if len(text) > MAX_LINE_LENGTH:
        raise CommandError(CommandReason.TOO_LONG, text)
    text = " ".join(text.split())
    # Besides control characters this rejects lone surrogates and marks of writing direction.
    if not all(map(is_printable, text)):
        raise CommandError(CommandReason.NOT_TEXT, text)
    return text


def _word(head: str) -> Word | Verb | None:
    """Return the command that *head* is, or is the beginning of; None if it is none."""
    word = head.casefold()
    command = _SHORT.get(word) or WORDS.get(word)
    if command or len(word) < _MIN_PREFIX_LENGTH:
        return command
    # “resign” has to be typed in full.
    found = [c for name, c in WORDS.items() if name.startswith(word) and c is not Word.RESIGN]
    return found[0] if len(found) == 1 else None


def _empty_line(game: Game, *, real: bool) -> Word:
    """Return what an empty line means."""
    if game.position.is_over:
        return Word.QUIT
    if not game.position.must_roll and game.position.rolls_left:
        raise CommandError(CommandReason.EMPTY)
    if not game.position.must_roll:
        raise IllegalMoveError(IllegalMoveReason.NO_ROLLS_LEFT, game.position, "")
    if real:
        raise CommandError(CommandReason.TYPE_DICE)
    return Word.ROLL


def _word_command(word: Word, head: str, rest: str, *, real: bool) -> Command:
    """Return the command that is *word* alone; dice may follow where real ones are rolled."""
    if word is Word.ROLL and real:
        if rest:
            return Report(parse_faces(rest))
        raise CommandError(CommandReason.TYPE_DICE)
    if rest:
        raise CommandError(CommandReason.MORE, rest)
    if word is Word.UNDO and not real:
        raise CommandError(CommandReason.REAL_ONLY, head)
    return word


def _kept(text: str, game: Game) -> Dice:
    """Return the dice that *text* says to keep, by their faces or by their places."""
    if not text:
        raise CommandError(CommandReason.WHICH_DICE)
    if plain(text) in {"none", "nothing"}:
        return Dice()
    if "#" not in text:
        if plain(text) == "all":
            return game.position.dice
        return Dice(parse_faces(text))
    if _PLACES.sub("", text).strip(" ,"):
        raise CommandError(CommandReason.FACES_AND_PLACES, text)
    if len(game.position.dice) < DICE:
        raise IllegalMoveError(IllegalMoveReason.MUST_ROLL, game.position, text)
    table, _ = dice_layout(game)
    places = []
    for word in _PLACES.findall(text):
        if not re.fullmatch(r"#[1-5]", word):
            raise CommandError(CommandReason.NO_SUCH_PLACE, word)
        place = int(word[1:]) - 1
        if place in places:
            raise CommandError(CommandReason.SAME_PLACE, word)
        places.append(place)
    return Dice(table[place] for place in places)


def _score(text: str, game: Game, *, real: bool) -> Command:
    if not text:
        raise CommandError(CommandReason.WHICH_BOX)
    if real:
        entered = _entered(text, game)
        if entered is not None:
            return entered
    return Fill(find_box(text, game.rules))


def _entered(text: str, game: Game) -> Enter | None:
    """Return the turn that *text* enters with its last dice or its points, None if it does not."""
    match = _FIVE_THEN_BOX.fullmatch(text)
    if match:
        # Six digits are a typing error, not dice and the number of a box.
        if not any(char.isalpha() for char in match[2]):
            raise NotationError(NotationReason.TOO_MANY_DICE, text)
        return Enter(find_box(match[2], game.rules, by_number=False), Dice(parse_faces(match[1])))
    match = _BOX_THEN_POINTS.fullmatch(text)
    if match and any(char.isalpha() for char in match[1]):
        category = find_box(match[1], game.rules, by_number=False)
        return Enter(category, _points(match[2]))
    return None


def _points(text: str) -> int:
    if not _POINTS.fullmatch(text):
        raise CommandError(CommandReason.POINTS, text)
    return int(text)


def _bare_line(text: str, game: Game, *, real: bool) -> Command:
    """Return what a line without a command's word means, which is usual with real dice."""
    is_dice = text[0].isdigit() or text[0] == "#"
    if real:
        entered = _entered(text, game)
        if entered is not None:
            return entered
        if is_dice and not any(char.isalpha() for char in text):
            return Report(parse_faces(text))
    elif is_dice and not any(char.isalpha() for char in text):
        raise CommandError(CommandReason.VERB_MISSING, text)
    try:
        category = find_box(text, game.rules, by_number=False)
    except BoxError as error:
        # For a prefix that several boxes share, list them; anything else is no command.
        if error.reason is BoxReason.AMBIGUOUS and len(plain(text)) > 1:
            raise
        raise CommandError(CommandReason.UNKNOWN, text) from None
    if len(plain(text)) < _MIN_PREFIX_LENGTH:
        raise CommandError(CommandReason.UNKNOWN, text)
    return Fill(category)


def _correct(text: str, game: Game, names: Sequence[str]) -> Correct:
    match = _CORRECTION.fullmatch(text)
    if not match:
        raise CommandError(CommandReason.HOW_TO_CORRECT, text)
    points = _points(match[2])
    instead_of = find_box(match[3], game.rules) if match[3] else None
    seat, category = _seat_and_box(match[1], game, names)
    return Correct(seat, category, points, instead_of)


def _seat_and_box(text: str, game: Game, names: Sequence[str]) -> tuple[int, Category]:
    """Return the player and the box in *text*; both may be more than one word."""
    words = text.split()
    found: set[tuple[int, Category]] = set()
    wrong: YachtError | None = None
    for cut in range(1, len(words)):
        seats = _seats(" ".join(words[:cut]), names)
        if not seats:
            continue
        try:
            category = find_box(" ".join(words[cut:]), game.rules)
        except BoxError as error:
            wrong = error
            continue
        found |= {(seat, category) for seat in seats}
    if len(names) == 1 and not found:
        return 0, find_box(text, game.rules)
    if len(found) == 1:
        return found.pop()
    if found:
        raise CommandError(CommandReason.AMBIGUOUS, text)
    if len(words) == 1:
        raise CommandError(CommandReason.HOW_TO_CORRECT, text)
    raise wrong or CommandError(CommandReason.UNKNOWN_PLAYER, words[0])


def _seats(text: str, names: Sequence[str]) -> list[int]:
    """Return the seats that *text* can mean: by number, by name, or by the beginning of a name."""
    looks, wanted = [look_of(name) for name in names], look_of(text)
    exact = [seat for seat, look in enumerate(looks) if look == wanted]
    if exact:
        return exact
    if re.fullmatch(r"[0-9]{1,2}", text):
        return [int(text) - 1] if 1 <= int(text) <= len(names) else []
    begun = [seat for seat, look in enumerate(looks) if wanted and look.startswith(wanted)]
    if begun:
        return begun
    # Marks and signs may be left out, as on keyboards that lack them.
    folded, wanted = [plain(name) for name in names], plain(text)
    exact = [seat for seat, name in enumerate(folded) if wanted and name == wanted]
    return exact or [seat for seat, name in enumerate(folded) if wanted and name.startswith(wanted)]
