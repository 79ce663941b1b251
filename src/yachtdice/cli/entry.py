"""The entry point: it chooses the language, then imports and runs the command."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from yachtdice.i18n import SOURCE_LANGUAGE, find_language, use_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def main() -> None:
    """Run the command that the process was started with, and leave with its exit code."""
    _open_closed_streams()
    with use_language(choose_language(sys.argv[1:], os.environ)):
        # Imported inside, since the helps of options are translated when a module is imported.
        from yachtdice.cli.support.click_words import install

        install()
        from yachtdice.cli.app import main as command

        command(prog_name="yacht")


def _open_closed_streams() -> None:
    """Give the process the standard streams that it was started without, as by `>&-`.

    Otherwise the next file that is opened, such as a saved game, would take their place. There is
    nothing to read, output fails as that of other programs does, and errors have no reader.
    """
    for name, mode, flag in (
        ("stdin", "r", os.O_RDONLY),
        ("stdout", "w", os.O_RDONLY),  # writing there fails
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, flag)
            stream = open(descriptor, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - for good
            setattr(sys, name, stream)


def choose_language(args: Sequence[str], environ: Mapping[str, str]) -> str:
    """Return the language to use: that of `--lang`, of YACHT_LANG, or of the terminal's locale.

    Unknown languages are skipped; `--lang` itself is checked later, as an option.
    """
    wanted: list[str] = []
    for place, arg in enumerate(args):
        if arg == "--lang":
            wanted += args[place + 1 : place + 2]
        elif arg.startswith("--lang="):
            wanted.append(arg.removeprefix("--lang="))
    wanted.append(environ.get("YACHT_LANG", ""))
    # The order in which GNU programs ask; the first of these that is set is the one that counts.
    locale = next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := environ.get(k))), "")
    if locale.partition(".")[0] not in {"", "C", "POSIX"}:
        wanted += environ.get("LANGUAGE", "").split(":")
    wanted.append(locale)
    return find_language(wanted) or SOURCE_LANGUAGE
