"""Write into a template of catalogues where the messages stand that have a context.

`python tools/contexts.py FILE`, as `make messages` does: translators then read of each of them
whether it is a button or a heading, without a comment of its own in the code.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Message
from babel.messages.pofile import read_po, write_po

CONTEXTS = {
    "account": "A heading in the sum of what luck gave and decisions lost.",
    "allowed": "What an entry of a rule set may be; it comes after “It may be:”.",
    "answer": "How a question is answered by one letter, on the terminal.",
    "appearance": "A button that chooses how pages look.",
    "button": "On a button.",
    "card": "On the scorecard, or over a table of its boxes.",
    "category": "A box of the scorecard, as a heading. It is never put into a sentence.",
    "chances": "Whether chances to win are exact; a label of its own.",
    "column": "The heading of a column.",
    "command line": "In a help, or in the refusal of a command that was typed wrongly.",
    "decision": "How good a decision was, or what was wrong with it; a label of its own.",
    "face": "What a die shows, read out as in “Die 2: four”; the number, not the box.",
    "fault": "What is wrong with a table in a database; within a list, without a full stop.",
    "game": "The name of the game.",
    "heading": "A heading.",
    "key": "What a key does, or what is written on it.",
    "label": "Names a field, a group or a part of a page.",
    "level": "How well the computer plays; a label of its own, never put into a sentence.",
    "page": "The title of a page, or of a part of one.",
    "player": "What a player is called.",
    "refusal": "Said to somebody whose action or file was refused.",
    "rule set": "What a rule set is called, or what tells it from the others.",
    "seat": "Beside a name, or in the place of one, in a list of players.",
    "starter": "Who starts; one of the choices.",
    "state": "How a game or a turn stands; a label of its own.",
    "system": "Why a file or an address cannot be used; within a sentence, without a full stop.",
    "theme": "What an exercise is about, as a heading.",
    "turn": "How a turn ended, as a label.",
    "value": "Stands in a help for what is typed in its place, in capitals and without spaces.",
}


def explained(message: Message) -> list[str]:
    """Return the comments of *message* with that of its context."""
    if message.context is None:
        return list(message.auto_comments)
    return [*message.auto_comments, f"Context: {CONTEXTS[message.context]}"]


def main(path: Path) -> int:
    """Write the comments into the file *path*."""
    with path.open("rb") as file:
        template = read_po(file)
    for message in template:
        message.auto_comments = explained(message)
    with path.open("wb") as file:
        write_po(file, template, sort_by_file=True, include_lineno=False)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
