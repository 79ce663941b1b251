"""Records that somebody else may have written, and what tells games from each other."""

from dataclasses import replace

from hypothesis import given

from tests.strategies import games
from yachtdice.names import shown_name
from yachtdice.notation import Record, format_record, parse_record
from yachtdice.notation.reader import parse_clean_record
from yachtdice.notation.writer import game_digest
from yachtdice.rules import TRADITIONAL, Game


@given(games())
def test_only_names_are_cleaned(game: Game) -> None:
    text = format_record(Record(game))
    raw, clean = parse_record(text), parse_clean_record(text)
    assert clean.game.names == tuple(map(shown_name, game.names))
    assert clean.game.events[1:] == raw.game.events[1:]
    assert clean.game.position == raw.game.position
    assert replace(clean, game=raw.game) == raw


def test_an_escape_sequence_does_not_come_through() -> None:
    text = format_record(Record(Game.start(TRADITIONAL, ["e\x1b[2J\n\u202ex", "Ana"])))
    (odd, ana) = parse_clean_record(text).game.names
    assert ana == "Ana"
    assert odd
    assert not set(odd) & set("\x1b\n\u202e")
    same = format_record(Record(Game.start(TRADITIONAL, ["Ana", "Rui"])))
    assert parse_clean_record(same) == parse_record(same)


@given(games(), games())
def test_a_digest_tells_games_apart_and_nothing_else(game: Game, other: Game) -> None:
    assert (game_digest(game) == game_digest(other)) == (game == other)
    dated = parse_record(format_record(Record(game, date="2026-11-30", hints=True)))
    assert game_digest(dated.game) == game_digest(game)
