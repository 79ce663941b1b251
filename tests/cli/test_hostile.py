"""What others have written reaches the terminal without anything that it would obey."""

import unicodedata
from pathlib import Path
from random import Random

import pytest

from tests.cli.run import quick, terminal, yacht
from yachtdice.presets import find_rules
from yachtdice.rules import format_rules

RECORDS = Path(__file__).parents[1] / "coach" / "records"
NAMES = (
    r"e\u001b[2J\n\u202ex\u009b31m",
    "\\u2066" + "y" * 100_000,
    r"A\u200bda",
    "Ada",
)
RECORD = "yacht 1\nrules traditional\n" + "".join(
    f'seat {seat} "{name}"\n' for seat, name in enumerate(NAMES, start=1)
)
CALLED = ("e[2J x31m", "y" * 30, "Ada (3)", "Ada (4)")


def unsafe(text: str) -> list[str]:
    """Return the characters of *text* that no terminal should get from a name."""
    kinds = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return [char for char in text if unicodedata.category(char) in kinds and char != "\n"]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "odd.yacht"
    path.write_text(RECORD + "1.1: 1-2-3-4-5 = choice 15\n")
    return path


@pytest.mark.parametrize(
    "command", [["show"], ["show", "--plain"], ["replay"], ["replay", "--plain"], ["analyse"]]
)
def test_names_in_a_record_are_shown_cleaned(
    tmp_path: Path, record: Path, command: list[str]
) -> None:
    run = quick(tmp_path, *command, str(record))
    assert run.returncode == 0
    assert not unsafe(run.stdout + run.stderr)
    shown = "".join(run.stdout.split())
    assert CALLED[0].replace(" ", "")[:6] in shown
    assert len(run.stdout) < 20_000


def test_names_in_a_page_are_cleaned(tmp_path: Path, record: Path) -> None:
    assert (
        quick(tmp_path, "analyse", str(record), "--html", str(tmp_path / "a.html")).returncode == 0
    )
    page = (tmp_path / "a.html").read_text("utf-8")
    assert all(name in page for name in CALLED)
    assert "y" * 31 not in page
    assert not {"\x1b", "\x9b", "\u202e", "\u2066", "\u200b"} & set(page)


def test_names_of_a_game_that_goes_on_are_cleaned_and_kept_so(tmp_path: Path, record: Path) -> None:
    run = yacht(tmp_path, "play", "--resume", str(record), lines=["roll", "quit"])
    assert run.returncode == 0
    assert not unsafe(run.stdout + run.stderr)
    assert CALLED[0] in run.stdout or "y" * 30 in run.stdout
    assert 'seat 1 "e[2J x31m"\n' in record.read_text("utf-8")


def test_names_at_a_prompt_are_cleaned(tmp_path: Path, record: Path) -> None:
    with terminal(tmp_path, "play", "--plain", "--resume", str(record), NO_COLOR="1") as window:
        window.wait_for("> ")
        window.type("quit", "resume")
        window.end()
        # Line editing has codes of its own; those of the names are not there.
        assert "\x1b[2J" not in window.shown
        assert not {"\u202e", "\u2066", "\u200b", "\x9b"} & set(window.shown)


@pytest.mark.parametrize(
    "args",
    [
        ["--rules", "a\x1b[2J\nb\u202e"],
        ["show", "a\x1b[2J\nb\u202e.yacht"],
        ["a\x1b[2J\nb\u202e"],
        ["--a\x1b[2J\nb\u202e"],
        ["play", "--players", "Ana,computer:\x1b[2J\n\u202e"],
    ],
)
def test_what_is_refused_is_named_in_one_safe_line(tmp_path: Path, args: list[str]) -> None:
    run = quick(tmp_path, *args)
    assert run.returncode in {1, 2}
    assert run.stderr.count("\n") == 1
    assert not unsafe(run.stdout + run.stderr)


ODDITIES = (
    "\x1b[2J", "\x9b31m", "\x00", "\x07", "\r", "\u202e", "\u2066", "\u200b", "\u2028", "\ufeff",
    "\ud800", r"\u001b[2J", r"\u202e", r"\n", r"\ud800", '"', "bot e\x1b[31m", "| key", "[", "=",
    "# ", "9" * 300,
)  # fmt: skip
COMMANDS = (
    ["show", "FILE"],
    ["show", "--plain", "FILE"],
    ["replay", "FILE"],
    ["replay", "--plain", "FILE"],
    ["rules", "FILE"],
    ["score", "1", "2", "3", "4", "5", "--rules", "FILE"],
    ["solve", "--open", "yacht,choice"],
    ["play", "--players", "Ana,computer:greedy", "--first", "2"],
    ["stats", "--player", "Ana", "FILE"],
)


def mutated(text: str, random: Random) -> str:
    """Return *text* with something put in, taken out or said twice, mostly near its beginning."""
    for _ in range(random.choice([1, 1, 2, 3])):
        place = random.randrange(1 + min(len(text), random.choice([150, 10_000])))
        cut = text[place : place + random.randrange(1, 20)]
        put = random.choice([random.choice(ODDITIES), chr(random.randrange(0x2100)), "", cut + cut])
        text = text[:place] + put + text[place + (0 if put else len(cut)) :]
    return text


@pytest.mark.parametrize("seed", range(4))
def test_fuzz_whatever_is_in_files_and_options(tmp_path: Path, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - not for secrets
    records = [path.read_text("utf-8") for path in sorted(RECORDS.glob("*.yacht"))]
    rules = format_rules(find_rules("console"))
    file = tmp_path / "a.yacht"
    codes = set()
    for _ in range(100):
        command = random.choice(COMMANDS)
        good = rules if {"rules", "--rules"} & {*command} else random.choice(records)
        args = [str(file) if arg == "FILE" else arg for arg in command]
        if "FILE" in command and random.random() < 0.8:
            file.write_bytes(mutated(good, random).encode("utf-8", "surrogatepass"))
        else:
            file.write_text(good, "utf-8")
            place = random.randrange(len(args))
            args[place] = mutated(args[place], random).replace("\0", "")
        run = quick(tmp_path, *args)
        codes.add(run.returncode)
        assert run.returncode in {0, 1, 2}, args
        assert not unsafe((run.stdout + run.stderr).translate({0x200C: None, 0x200D: None})), args
        assert "Something is wrong inside" not in run.stderr, (args, file.read_bytes())
        assert run.returncode != 2 or run.stderr.count("\n") == 1, args
    assert codes == {0, 1, 2}
