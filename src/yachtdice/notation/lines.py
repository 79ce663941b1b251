"""Lines of text as words, for the readers of records, positions and moves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from yachtdice.presets import find_rules, load_rules
from yachtdice.rules import (
    CATEGORIES,
    Category,
    NotationError,
    NotationReason,
    RuleSet,
    RuleSetError,
    parse_faces,
)

_BY_KEY = {category.value: category for category in CATEGORIES}
# A word is a quoted text, or anything up to white space; a comma counts as white space.
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,]+')


class Line:
    """One line: its words are taken from left to right, and errors point at the last one taken.

    Attributes:
        number: Which line it is, from 1 on; 0 for a text of one line.
        text: The whole line.
        words: The words, each with its column.
    """

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
        """Whether a word is left to be taken."""
        return self._taken < len(self.words)

    @property
    def column(self) -> int:
        """The column of the word taken last."""
        return self.words[self._taken - 1][1]

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

    def rules_word(self, definition: str) -> RuleSet:
        """Take the key of a rule set: that of *definition*, or a built-in one if that is empty."""
        key = self.take("a rule set")
        try:
            rules = load_rules(definition) if definition else find_rules(key)
        except RuleSetError as error:
            is_unknown = not definition
            reason = NotationReason.UNKNOWN_RULES if is_unknown else NotationReason.BAD_RULES
            raise self.error(reason, str(error)) from error
        if rules.key != key:
            raise self.error(NotationReason.BAD_RULES, f"its key is {rules.key}")
        return rules

    def number_word(self, expected: str) -> int:
        """Take a whole number."""
        word = self.take(expected)
        if not is_number(word):
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
        """Take dice: their faces in the order in which they are written."""
        word = self.take(expected)
        return parse_faces(word, self.number, self.column)

    def category_word(self) -> Category:
        """Take the key of a category."""
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
        """Return an error that points at the word taken last, or at where one is missing."""
        if self._taken <= len(self.words):
            word, column = self.words[self._taken - 1] if self._taken else (self.text, 1)
        elif self.words:
            word, column = self.words[-1]
            column += len(word)
        else:
            word, column = "", 1
        return NotationError(reason, word, self.number, column, detail)


def is_number(text: str) -> bool:
    """Return whether *text* is one to four plain digits."""
    return re.fullmatch(r"[0-9]{1,4}", text) is not None


def read_lines(text: str) -> Iterator[Line]:
    """Yield the lines of *text* that hold anything but comments and definitions."""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = Line(number, raw.rstrip("\r"))
        if line.words and not raw.startswith("|"):
            yield line


def read_definition(text: str) -> str:
    """Return the TOML text in *text* that defines its rule set; empty if there is none."""
    definition = [raw[1:].removeprefix(" ") for raw in text.splitlines() if raw.startswith("|")]
    return "\n".join(definition)
