"""Everything that click can say is in the catalogues, or is never said here."""

import ast
from importlib import import_module
from pathlib import Path

from yachtdice.cli.support.click_words import translated, translated_plural
from yachtdice.i18n import use_language
from yachtdice.i18n.pseudo import ACCENTED

MODULES = ("core", "decorators", "exceptions", "formatting", "parser", "types")

NEVER_SAID = {
    "what the handler of errors says in its own words": {
        "Aborted!",
        "Error: {message}",
        "Try '{command} {option}' for help.",
        "unknown error",
        "Could not open file {filename!r}: {message}",
    },
    "what no command of ours asks for": {
        "%(prog)s, version %(version)s",
        "(dynamic)",
        "Choice({choices})",
        "Choose from:\n\t{choices}",
        "Confirm the action without prompting.",
        "Do you want to continue?",
        "Positional arguments",
        "{name} {filename!r} is not executable.",
        "{value!r} is not a valid UUID.",
        "{value!r} is not a valid boolean. Recognized values: {states}",
        "{value!r} does not match the format {format}.",
        "deprecated",
        "DeprecationWarning: The command {name!r} is deprecated.{extra_message}",
        "DeprecationWarning: The {param_type} {name!r} is deprecated.{extra_message}",
        "Argument {name!r} takes {nargs} values.",
        "Takes {nargs} values but 1 was given.",
        "{len_type} values are required, but {len_value} was given.",
    },
    "what a mistake in a command's own definition would raise": {
        "Name '{name}' defined twice",
        "Value must be an iterable.",
        "Invalid start character for option ({option})",
        "Missing parameter",
        "Missing parameter: {param_name}",
        "Missing {param_type}",
        "Could not determine name for option with declarations {decls!r}",
        "Boolean option {decl!r} cannot use the same flag for true/false.",
        (
            "No options defined but a name was passed ({name})."
            " Did you mean to declare an argument instead?"
            " Did you mean to pass '--{name}'?"
        ),
        "Arguments take exactly one parameter declaration, got {length}: {decls}.",
    },
    "what the group of commands does without": {"Missing command.", "Commands"},
}


def messages() -> set[str]:
    """Return what click's modules ask their catalogues for; of plurals, the first form."""
    found = set()
    for name in MODULES:
        path = Path(str(import_module(f"click.{name}").__file__))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                first = node.args[0] if node.args else None
                if node.func.id in {"_", "ngettext"} and isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


def test_what_click_says_is_in_the_catalogues() -> None:
    never = set().union(*NEVER_SAID.values())
    with use_language(ACCENTED):
        unknown = {
            text
            for text in messages()
            if translated(text) == text == translated_plural(text, text, 1)
        }
    assert unknown == never
