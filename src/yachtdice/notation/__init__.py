"""Games as text that people can read, write by hand, diff and mail.

`docs/notation.md` has the grammar.

yacht 1
rules traditional
seat 1 "Ana"
seat 2 "" bot greedy
result unfinished

1.1: 1-2-2-4-6 keep 2-2, 4-4-6 keep 4-4, 1-4-4 = four_of_a_kind 16
1.2: 5-5-3-1-5 keep 5-5-5
"""

from yachtdice.notation.reader import parse_game, parse_record
from yachtdice.notation.record import Record
from yachtdice.notation.writer import format_game, format_record

__all__ = ["Record", "format_game", "format_record", "parse_game", "parse_record"]
