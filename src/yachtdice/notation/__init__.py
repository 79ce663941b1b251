"""Games, positions and moves as text that people can read, write by hand, diff and mail.

`docs/notation.md` has the grammar.

yacht 1
rules traditional
seat 1 "Ana"
seat 2 "" bot greedy
result unfinished

1.1: 1-2-2-4-6 keep 2-2, 4-4-6 keep 4-4, 1-4-4 = four_of_a_kind 16
1.2: 5-5-3-1-5 keep 5-5-5
"""

from yachtdice.notation.position import (
    format_move,
    format_position,
    is_like_position,
    parse_move,
    parse_position,
)
from yachtdice.notation.reader import parse_game, parse_record
from yachtdice.notation.record import Record
from yachtdice.notation.writer import format_game, format_record

__all__ = [
    "Record",
    "format_game",
    "format_move",
    "format_position",
    "format_record",
    "is_like_position",
    "parse_game",
    "parse_move",
    "parse_position",
    "parse_record",
]
