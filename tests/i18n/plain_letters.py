"""What is left of a page or a screen in an accented language, where every letter was translated."""

import re
from html.parser import HTMLParser
from pathlib import Path

from yachtdice.i18n.pseudo import ACCENTED

LETTERS = re.compile(r"[A-Za-z]+")
NAMES = ("Ωλγα", "Ζωή")
"""Names without a plain letter, for players."""

RECORDS = Path(__file__).parents[1] / "coach" / "records"

# The names of months are Babel's.
_DAY = re.compile(r"[A-Z][a-z]{2} \d+, \d{4}")
# The keys of rule sets are typed as they stand; a hyphen may end a line.
_KEYS = re.compile(r"\b(?:all-\s*dice|console|knizia|traditional)\b")


class Reader(HTMLParser):
    """Collects what a page says to those who see or hear it."""

    SAID = ("aria-label", "title", "alt", "placeholder", "data-done", "aria-description")
    # Names, notation and what was typed are not translated, nor keys, nor the languages' names.
    NOT_OURS = ("script", "style", "bdi", "kbd", "time", "code", "pre", "textarea")
    EMPTY = ("meta", "link", "input", "br", "hr", "img", "use", "path", "circle", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.found += [said[name] or "" for name in self.SAID if name in said]
        if tag == "meta" and said.get("name") == "description":
            self.found.append(said["content"] or "")
        if tag not in self.EMPTY:
            ours = tag == "html" or (tag not in self.NOT_OURS and "lang" not in said)
            self._open.append((tag, ours))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if all(ours for _tag, ours in self._open):
            self.found.append(data)


def said(page: str) -> list[str]:
    """Return what *page* says to those who see or hear it."""
    reader = Reader()
    reader.feed(page)
    return [" ".join(text.split()) for text in reader.found]


def untranslated(page: str) -> list[str]:
    """Return what *page* says with a letter in it that came out of no catalogue."""
    return [text for text in said(page) if words(text)]


def words(screen: str) -> list[str]:
    """Return the words of *screen* that came out of no catalogue."""
    return LETTERS.findall(_KEYS.sub("", _DAY.sub("", screen)))


def records(folder: Path) -> list[Path]:
    """Write the records of the coach's tests to *folder*, their names without a plain letter."""
    written = []
    for number, path in enumerate(sorted(RECORDS.glob("*.yacht"))):
        text = re.sub(r'(?m)^(seat \d+ )"[^"]+"', rf'\1"{NAMES[0]}"', path.read_text("utf-8"))
        written.append(folder / f"{number}.yacht")
        written[-1].write_text(text, "utf-8")
    return written


SPEAKING = ("--lang", ACCENTED)
