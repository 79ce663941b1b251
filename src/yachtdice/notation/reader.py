"""Reads records. Every error says which line and column is wrong, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date

from yachtdice.names import shown_name
from yachtdice.notation.lines import Line, read_definition, read_lines
from yachtdice.notation.record import VERSION, Record, ends_turn, label, result
from yachtdice.rules import (
    CategoryScored,
    Dice,
    Game,
    Hold,
    NotationError,
    NotationReason,
    RuleSet,
    Score,
    TurnEntered,
    YachtError,
)

_LABEL = re.compile(r"([0-9]+\.[0-9]+|end):")
_FACES = re.compile(r"[1-6](-[1-6])*")


def parse_game(text: str | bytes) -> Game:
    """Return the game in *text*, whatever else its headers say.

    Raises:
        NotationError: If it is not the record of a legal game.
    """
    return parse_record(text).game


def parse_record(text: str | bytes) -> Record:
    """Return the record in *text*. Comments are ignored and not kept.

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
    lines = read_lines(text.removeprefix("\ufeff"))
    first = next(lines, None)
    if first is None or " ".join(word for word, _ in first.words) != VERSION:
        raise (first or Line(1, "")).error(NotationReason.BAD_VERSION)
    headers = _Headers(read_definition(text))
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


def parse_clean_record(text: str | bytes) -> Record:
    """Return the record in *text*, which somebody else may have written, with names to be shown.

    Names that are clean already, as those that this package takes are, stay what they are.

    Raises:
        NotationError: If it is not the record of a legal game.
    """
    record = parse_record(text)
    started = record.game.started
    names = tuple(map(shown_name, started.names))
    if names == started.names:
        return record
    events = (replace(started, names=names), *record.game.events[1:])
    return replace(record, game=Game(events, record.game.position))


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
    seen: dict[str, Line] = field(default_factory=dict)

    def read(self, line: Line) -> None:
        """Read one header."""
        key = line.take("a header")
        if key in self.seen and key != "seat":
            raise line.error(NotationReason.BAD_HEADER, "it stands twice")
        self.seen[key] = line
        match key:
            case "rules":
                self.rules = line.rules_word(self.definition)
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

    def _read_date(self, line: Line) -> None:
        self.date = line.take("a day as in 2026-11-30")
        if not _is_day(self.date):
            raise line.error(NotationReason.BAD_VALUE, "a day as in 2026-11-30")

    def _read_seat(self, line: Line) -> None:
        seat = line.number_word("the number of the seat")
        if seat != len(self.names) + 1:
            raise line.error(NotationReason.BAD_VALUE, f"seat {len(self.names) + 1} is next")
        self.names.append(line.text_word('a name in quotes, such as "Ana"'))
        if line.has_more:
            if line.take("bot") != "bot":
                raise line.error(NotationReason.BAD_VALUE, "bot and its level, or nothing")
            self.bots[seat - 1] = line.take("a level")

    def start(self, line: Line) -> Game:
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


def _yes_or_no(line: Line) -> bool:
    word = line.take("yes or no")
    if word not in {"yes", "no"}:
        raise line.error(NotationReason.BAD_VALUE, "yes or no")
    return word == "yes"


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _play_line(game: Game, line: Line) -> Game:
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


def _step(game: Game, line: Line) -> Game:
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


def _enter(game: Game, line: Line) -> Game:
    dice = None if line.ahead == "=" else Dice(line.dice_word("the last dice"))
    if line.take("=") != "=":
        raise line.error(NotationReason.BAD_TOKEN, "= and a category")
    category = line.category_word()
    if dice is None:
        return game.enter(category, line.number_word("points"))
    return _check_points(game.enter(category, dice), line)


def _check_points(game: Game, line: Line) -> Game:
    """Return *game*, whose last event has filled a box, unless other points than its follow."""
    event = game.events[-1]
    assert isinstance(event, (CategoryScored, TurnEntered))  # by the callers
    if line.has_more and line.number_word("points") != event.points:
        raise line.error(NotationReason.WRONG_POINTS, f"they are {event.points}")
    return game
