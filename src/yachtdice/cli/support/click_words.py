"""The messages of click itself in the active language.

Click uses the gettext of the standard library, which finds only the catalogues of the system; so
its modules are given functions that use the project's own.
"""

from __future__ import annotations

import re

from click import Command, Context, Group, core, decorators, exceptions, formatting, parser, types

from yachtdice.i18n import npgettext, pgettext, pgettext_noop

# Used in helps and errors; other messages of click stay in English.
_MESSAGES = {
    message: context
    for context, message in (
        # Translators: in a help, before the form of a command.
        pgettext_noop("command line", "Usage:"),
        # Translators: the heading above the list of options.
        pgettext_noop("command line", "Options"),
        # Translators: what the option --help does.
        pgettext_noop("command line", "Show this message and exit."),
        # Translators: what the option --version does.
        pgettext_noop("command line", "Show the version and exit."),
        # Translators: in brackets after an option: its value unless another one is given.
        pgettext_noop("command line", "default: {default}"),
        # Translators: in brackets after an option: the variable of the environment that sets it.
        pgettext_noop("command line", "env var: {var}"),
        pgettext_noop("command line", "Invalid value: {message}"),
        pgettext_noop("command line", "Invalid value for {param_hint}: {message}"),
        # Translators: the name of the argument follows, in quotes.
        pgettext_noop("command line", "Missing argument"),
        # Translators: the name of the option follows, in quotes.
        pgettext_noop("command line", "Missing option"),
        # Translators: in brackets after an option that has to be given.
        pgettext_noop("command line", "required"),
        pgettext_noop("command line", "No such option {name!r}."),
        pgettext_noop("command line", "No such command {name!r}."),
        pgettext_noop("command line", "Option {name!r} does not take a value."),
        # Translators: the type is a kind of number, such as “integer”.
        pgettext_noop("command line", "{value!r} is not a valid {number_type}."),
        pgettext_noop("command line", "{value} is not in the range {range}."),
        pgettext_noop("command line", "{name} {filename!r} does not exist."),
        pgettext_noop("command line", "{name} {filename!r} is a file."),
        pgettext_noop("command line", "{name} {filename!r} is a directory."),
        pgettext_noop("command line", "{name} {filename!r} is not readable."),
        pgettext_noop("command line", "{name} {filename!r} is not writable."),
        # Translators: a kind of path that an option takes.
        pgettext_noop("command line", "file"),
        # Translators: a kind of path that an option takes.
        pgettext_noop("command line", "directory"),
        # Translators: a kind of value that an option takes.
        pgettext_noop("command line", "path"),
        # Translators: a kind of value that an option takes.
        pgettext_noop("command line", "text"),
        # Translators: a kind of value that an option takes.
        pgettext_noop("command line", "integer"),
        # Translators: a kind of value that an option takes: a whole number from ... to ...
        pgettext_noop("command line", "integer range"),
        # Translators: a kind of value that an option takes: a number, with a fraction or without.
        pgettext_noop("command line", "float"),
        # Translators: a kind of value that an option takes: a number from ... to ...
        pgettext_noop("command line", "float range"),
    )
}

# Placeholders in usages and helps.
_VALUES = {
    word: context
    for context, word in (
        # Translators: capitals stand in a help for what is typed in their place, in one word
        # without spaces. The explanations of the commands and options use the same words.
        pgettext_noop("value", "OPTIONS"),
        pgettext_noop("value", "COMMAND"),
        # Translators: the arguments of a command.
        pgettext_noop("value", "ARGS"),
        pgettext_noop("value", "FILE"),
        pgettext_noop("value", "FILES"),
        # Translators: a file that is written.
        pgettext_noop("value", "OUT"),
        # Translators: the name of a rule set, such as all-dice.
        pgettext_noop("value", "KEY"),
        # Translators: the name of a player.
        pgettext_noop("value", "NAME"),
        pgettext_noop("value", "NAMES"),
        pgettext_noop("value", "TEXT"),
        # Translators: the tag of a language, such as pt_PT.
        pgettext_noop("value", "TAG"),
        pgettext_noop("value", "URL"),
        # Translators: the address of a computer in the network.
        pgettext_noop("value", "HOST"),
        pgettext_noop("value", "PORT"),
        pgettext_noop("value", "DAYS"),
        # Translators: a whole number.
        pgettext_noop("value", "N"),
        pgettext_noop("value", "BOXES"),
        pgettext_noop("value", "DICE"),
    )
}
_VALUE = re.compile(r"\b[A-Z]+\b")


def install() -> None:
    """Let click take its messages from the catalogues; call it before commands are defined."""
    for module in (core, decorators, exceptions, formatting, parser, types):
        vars(module).update(_=translated, ngettext=translated_plural)
    for kind in (
        types.StringParamType,
        types.IntParamType,
        types.IntRange,
        types.FloatParamType,
        types.FloatRange,
    ):
        kind.name = translated(kind.name)


def translate(command: Command) -> None:
    """Translate the placeholders in the usage of *command*, such as FILE."""
    context = Context(command)
    command.options_metavar = _with_translated_values(command.options_metavar or "")
    if isinstance(command, Group):
        command.subcommand_metavar = _with_translated_values(command.subcommand_metavar)
        for inner in command.commands.values():
            translate(inner)
    for parameter in command.params:
        parameter.metavar = _with_translated_values(parameter.make_metavar(context))


def _with_translated_values(text: str) -> str:
    """Return *text* with its placeholders, words in capitals, translated."""
    return _VALUE.sub(lambda word: _value(word[0]), text)


def _value(word: str) -> str:
    return pgettext(_VALUES[word], word) if word in _VALUES else word


def translated(message: str) -> str:
    """Return *message* of click in the active language, or unchanged if it is not known."""
    return pgettext(_MESSAGES[message], message) if message in _MESSAGES else message


def translated_plural(one: str, many: str, n: int) -> str:
    """Return the form of a message of click that goes with *n*, in the active language."""
    messages = {
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
    return messages.get(one) or (one if n == 1 else many)
