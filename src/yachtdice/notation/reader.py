"""Text into records. Every error says which line and column is wrong, and why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from yachtdice.notation.record import VERSION, Record, ends_turn, label, result
from yachtdice.presets import find_rules, load_rules
from yachtdice.rules import (
    CATEGORIES,
    Category,
    CategoryScored,
    Dice,
    Game,
    Hold,
    NotationError,
    NotationReason,
    RuleSet,
    RuleSetError,
    Score,
    TurnEntered,
    YachtError,
    parse_faces,
)

_BY_KEY = {category.value: category for category in CATEGORIES}
# A word is a quoted text, or anything up to white space; a comma counts as white space.
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,]+')
_LABEL = re.compile(r"([0-9]+\.[0-9]+|end):")
_FACES = re.compile(r"[1-6](-[1-6])*")


def parse_game(text: str | bytes) -> Game:
    """Return the game in *text*, whatever else its headers say.

    Raises:
        NotationError: If it is not the record of a legal game.
    """
    return parse_record(text).game


def parse_record(text: str | bytes) -> Record:
    """Return the record in *text*. Comments are passed over and not kept.

    Raises:
        NotationError: If it is not the record of a legal game; names line, column and reason.
    """
    if isinstance(text, bytes):
        data = text
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            number = data.count(b"\n", 0, error.start) + 1
            raise NotationError(NotationReason.NOT_TEXT, "", number) from None
    lines = _lines(text.removeprefix("\ufeff"))
    first = next(lines, None)
    if first is None or " ".join(word for word, _ in first.words) != VERSION:
        raise (first or _Line(1, "")).error(NotationReason.BAD_VERSION)
    definition = [raw[1:].removeprefix(" ") for raw in text.splitlines() if raw.startswith("|")]
    headers = _Headers("\n".join(definition))
    game: Game | None = None
    last = first
    for line in lines:
        last = line
        if game is None and not _LABEL.fullmatch(line.words[0][0]):
            headers.read(line)
        else:
            game = _play_line(game or headers.start(line), line)
    game = game or headers.start(last)
    headers.check_result(game)
    return Record(game, headers.date, headers.dice, headers.bots, headers.hints, headers.chances)


class _Line:
    """One line: its words are taken from left to right, and errors point at the last one taken."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text
        self.words: list[tuple[str, int]] = []
        for match in _WORD.finditer(text):
            if match[0].startswith("#"):
                break
            self.words.append((match[0], match.start() + 1))
        self._taken = 0

    @property
    def has_more(self) -> bool:
        return self._taken < len(self.words)

    @property
    def ahead(self) -> str:
        """The next word, empty at the end of the line."""
        return self.words[self._taken][0] if self.has_more else ""

    def take(self, expected: str) -> str:
        """Take the next word; *expected* says what it has to be where there is none."""
        self._taken += 1
        if self._taken > len(self.words):
            raise self.error(NotationReason.LINE_ENDS, f"{expected} is missing")
        return self.words[self._taken - 1][0]

    def number_word(self, expected: str) -> int:
        word = self.take(expected)
        if not re.fullmatch(r"[0-9]{1,4}", word):
            raise self.error(NotationReason.BAD_NUMBER, expected)
        return int(word)

    def text_word(self, expected: str) -> str:
        """Take a quoted text."""
        word = self.take(expected)
        try:
            text = json.loads(word)
        except (ValueError, RecursionError):
            text = None
        if not isinstance(text, str):
            raise self.error(NotationReason.BAD_VALUE, expected)
        return text

    def dice_word(self, expected: str) -> tuple[int, ...]:
        word = self.take(expected)
        return parse_faces(word, self.number, self.words[self._taken - 1][1])

    def category_word(self) -> Category:
        category = _BY_KEY.get(self.take("a category"))
        if category is None:
            raise self.error(NotationReason.UNKNOWN_CATEGORY, " | ".join(_BY_KEY))
        return category

    def rest(self, expected: str) -> str:
        """Take all words that are left, with one space between them."""
        words = [self.take(expected)]
        while self.has_more:
            words.append(self.take(expected))
        return " ".join(words)

    def end(self) -> None:
        """Check that nothing is left."""
        if self.has_more:
            self.take("nothing")
            raise self.error(NotationReason.BAD_TOKEN, "the line should end before this")

    def error(self, reason: NotationReason, detail: str = "") -> NotationError:
        if self._taken <= len(self.words):
            word, column = self.words[self._taken - 1] if self._taken else (self.text, 1)
        else:
            word, column = self.words[-1]
            column += len(word)
        return NotationError(reason, word, self.number, column, detail)


def _lines(text: str) -> Iterator[_Line]:
    for number, raw in enumerate(text.split("\n"), start=1):
        line = _Line(number, raw.rstrip("\r"))
        if line.words and not raw.startswith("|"):
            yield line


@dataclass
class _Headers:
    """The headers read so far, each with the line where it stands."""

    definition: str
    """The TOML text of a rule set that does not come with the package; empty if there is none."""
    rules: RuleSet | None = None
    names: list[str] = field(default_factory=list)
    bots: dict[int, str] = field(default_factory=dict)
    date: str = ""
    dice: str = ""
    first: int = 1
    hints: bool = False
    chances: bool = False
    result: str = ""
    seen: dict[str, _Line] = field(default_factory=dict)

    def read(self, line: _Line) -> None:
        """Read one header."""
        key = line.take("a header")
        if key in self.seen and key != "seat":
            raise line.error(NotationReason.BAD_HEADER, "it stands twice")
        self.seen[key] = line
        match key:
            case "rules":
                self._read_rules(line)
            case "seat":
                self._read_seat(line)
            case "date":
                self._read_date(line)
            case "dice" if line.ahead.startswith('"'):
                self.dice = line.text_word("a quoted text")
            case "dice":
                self.dice = line.rest("a source of dice")
            case "first":
                self.first = line.number_word("a seat")
            case "hints" | "chances":
                setattr(self, key, _yes_or_no(line))
            case "result":
                self.result = line.rest("a result")
            case _:
                allowed = "rules | seat | date | dice | first | hints | chances | result"
                raise line.error(NotationReason.BAD_HEADER, allowed)
        line.end()

    def _read_rules(self, line: _Line) -> None:
        key = line.take("a rule set")
        try:
            self.rules = load_rules(self.definition) if self.definition else find_rules(key)
        except RuleSetError as error:
            defined = bool(self.definition)
            reason = NotationReason.BAD_RULES if defined else NotationReason.UNKNOWN_RULES
            raise line.error(reason, str(error)) from error
        if self.rules.key != key:
            raise line.error(NotationReason.BAD_RULES, f"its key is {self.rules.key}")

    def _read_date(self, line: _Line) -> None:
        self.date = line.take("a day as in 2026-11-30")
        if not _is_day(self.date):
            raise line.error(NotationReason.BAD_VALUE, "a day as in 2026-11-30")

    def _read_seat(self, line: _Line) -> None:
        seat = line.number_word("the number of the seat")
        if seat != len(self.names) + 1:
            raise line.error(NotationReason.BAD_VALUE, f"seat {len(self.names) + 1} is next")
        self.names.append(line.text_word('a name in quotes, such as "Ana"'))
        if line.has_more:
            if line.take("bot") != "bot":
                raise line.error(NotationReason.BAD_VALUE, "bot and its level, or nothing")
            self.bots[seat - 1] = line.take("a level")

    def start(self, line: _Line) -> Game:
        """Return the game at its start; *line* is where the headers have ended."""
        if self.rules is None:
            raise NotationError(NotationReason.MISSING_HEADER, "rules", line.number)
        if not self.names:
            raise NotationError(NotationReason.MISSING_HEADER, "seat", line.number)
        try:
            return Game.start(self.rules, self.names, self.first - 1)
        except YachtError as error:
            wrong = self.seen.get("first", self.seen["seat"])
            raise wrong.error(NotationReason.ILLEGAL, str(error)) from error

    def check_result(self, game: Game) -> None:
        """Check that the result, where it is stated, is the one of the turns."""
        actual = result(game.position)
        if self.result not in {"", actual}:
            line = self.seen["result"]
            column = line.words[1][1]
            raise NotationError(
                NotationReason.WRONG_RESULT, self.result, line.number, column, f"it is {actual}"
            )


def _yes_or_no(line: _Line) -> bool:
    word = line.take("yes or no")
    if word not in {"yes", "no"}:
        raise line.error(NotationReason.BAD_VALUE, "yes or no")
    return word == "yes"


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _play_line(game: Game, line: _Line) -> Game:
    """Return the game after the turn, or the part of one, that *line* holds."""
    expected = label(game.position)
    if line.take("a turn") != expected:
        if not _LABEL.fullmatch(line.words[0][0]):
            raise line.error(NotationReason.BAD_TURN)
        begun = not (game.position.is_turn_start or game.position.is_over)
        reason = NotationReason.UNFINISHED_TURN if begun else NotationReason.WRONG_TURN
        raise line.error(reason, f"{expected} is next")
    while line.has_more:
        before = game.position
        try:
            game = _step(game, line)
        except NotationError:
            raise
        except YachtError as error:
            raise line.error(NotationReason.ILLEGAL, str(error)) from error
        if ends_turn(game.events[-1], before):
            line.end()
    return game


def _step(game: Game, line: _Line) -> Game:
    word = line.ahead
    if _FACES.fullmatch(word):
        return game.roll(line.dice_word("dice"))
    line.take("a step")
    match word:
        case "keep":
            return game.play(Hold(Dice(line.dice_word("the dice kept"))))
        case "=":
            category = line.category_word()
            return _check_points(game.play(Score(category)), line)
        case "...":
            return _enter(game, line)
        case "resign":
            return game.resign(line.number_word("a seat") - 1)
        case "correct":
            seat = line.number_word("a seat") - 1
            category = line.category_word()
            instead_of = None
            if line.ahead == "from":
                line.take("from")
                instead_of = line.category_word()
            points = line.number_word("points")
            return game.correct(seat, category, points, instead_of)
        case _:
            raise line.error(NotationReason.BAD_TOKEN, "dice | keep | = | ... | resign | correct")


def _enter(game: Game, line: _Line) -> Game:
    dice = None if line.ahead == "=" else Dice(line.dice_word("the last dice"))
    if line.take("=") != "=":
        raise line.error(NotationReason.BAD_TOKEN, "= and a category")
    category = line.category_word()
    if dice is None:
        return game.enter(category, line.number_word("points"))
    return _check_points(game.enter(category, dice), line)


def _check_points(game: Game, line: _Line) -> Game:
    """Return *game*, whose last event has filled a box, unless other points than its follow."""
    event = game.events[-1]
    assert isinstance(event, (CategoryScored, TurnEntered))  # by the callers
    if line.has_more and line.number_word("points") != event.points:
        raise line.error(NotationReason.WRONG_POINTS, f"they are {event.points}")
    return game
