"""What click itself says, in the language in force.

Click asks the standard library for its words, which finds them only where the system keeps
catalogues; so its modules are given the project's own way of asking.
"""

from __future__ import annotations

from click import core, decorators, exceptions, formatting, parser, types

from yachtdice.i18n import mark, npgettext, pgettext

# What stands in helps and in refusals of what was typed; anything else stays as click has it.
_KNOWN = {
    message: context
    for context, message in (
        # Translators: in a help, before the form of a command.
        mark("command line", "Usage:"),
        # Translators: the heading above the list of options.
        mark("command line", "Options"),
        # Translators: what the option --help does.
        mark("command line", "Show this message and exit."),
        # Translators: what the option --version does.
        mark("command line", "Show the version and exit."),
        # Translators: in brackets after an option: its value unless another one is given.
        mark("command line", "default: {default}"),
        mark("command line", "Invalid value: {message}"),
        mark("command line", "Invalid value for {param_hint}: {message}"),
        # Translators: the name of the argument follows, in quotes.
        mark("command line", "Missing argument"),
        mark("command line", "No such option {name!r}."),
        mark("command line", "No such command {name!r}."),
        mark("command line", "Option {name!r} does not take a value."),
        # Translators: the type is an English word for a kind of number, such as integer.
        mark("command line", "{value!r} is not a valid {number_type}."),
        mark("command line", "{value} is not in the range {range}."),
        mark("command line", "{name} {filename!r} does not exist."),
        mark("command line", "{name} {filename!r} is a file."),
        mark("command line", "{name} {filename!r} is a directory."),
        mark("command line", "{name} {filename!r} is not readable."),
        # Translators: a kind of path that an option takes.
        mark("command line", "file"),
        # Translators: a kind of path that an option takes.
        mark("command line", "directory"),
        # Translators: a kind of value that an option takes.
        mark("command line", "path"),
    )
}


def speak() -> None:
    """Have click say its words by the catalogues; to be called before commands are defined."""
    for module in (core, decorators, exceptions, formatting, parser, types):
        vars(module).update(_=_said, ngettext=_counted)


def _said(message: str) -> str:
    return pgettext(_KNOWN[message], message) if message in _KNOWN else message


def _counted(one: str, many: str, n: int) -> str:
    known = {
        "Did you mean {possibility}?": npgettext(
            "command line",
            "Did you mean {possibility}?",
            "(Did you mean one of: {possibilities}?)",
            n,
        ),
        "Got unexpected extra argument ({args})": npgettext(
            "command line",
            "Got unexpected extra argument ({args})",
            "Got unexpected extra arguments ({args})",
            n,
        ),
        "Option {name!r} requires an argument.": npgettext(
            "command line",
            "Option {name!r} requires an argument.",
            "Option {name!r} requires {nargs} arguments.",
            n,
        ),
        "{value!r} is not {choice}.": npgettext(
            "command line", "{value!r} is not {choice}.", "{value!r} is not one of {choices}.", n
        ),
    }
    return known.get(one) or (one if n == 1 else many)
