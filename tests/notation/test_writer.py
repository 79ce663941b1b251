"""Writing records: what is read back is what was written, and people can read it too."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import games, rule_sets
from yachtdice import ALL_DICE, TRADITIONAL, Category, Dice, Game, Hold, RuleSet, Score
from yachtdice.dice_source import SeededDice
from yachtdice.notation import Record, format_game, format_record, parse_game, parse_record
from yachtdice.presets import find_rules

names = st.text(st.characters(codec="utf-8"), max_size=20)
days = st.just("") | st.dates().map(lambda day: day.isoformat())
sources = st.sampled_from(["", "system", "real", "seed 7", 'seed "x" #1', "seed  a", "seed ż,"])


@given(games())
def test_parse_after_format_is_the_identity(game: Game) -> None:
    assert parse_game(format_game(game)) == game


@given(rule_sets, names, st.data())
def test_any_rules_names_and_headers_survive(
    rules: RuleSet, name: str, data: st.DataObject
) -> None:
    game = Game.start(rules, [name, "", name])
    bots = data.draw(st.dictionaries(st.integers(0, 2), st.sampled_from(["greedy", "perfect"])))
    hints, chances = data.draw(st.booleans()), data.draw(st.booleans())
    record = Record(game, data.draw(days), data.draw(sources), bots, hints, chances)
    text = format_record(record)
    again = parse_record(text)
    assert again == record
    assert tuple(again.game.rules.categories) == tuple(game.rules.categories)
    assert parse_record(text.encode()) == record


def test_a_built_in_rule_set_is_named_and_any_other_is_written_out() -> None:
    assert "|" not in format_game(Game.start(find_rules("console"), ["A"]))
    own = replace(TRADITIONAL, key="own")
    assert '| key = "own"' in format_game(Game.start(own, ["A"]))
    # A rule set that only bears a known key is written out too, and refused when it is read.
    assert '| key = "traditional"' in format_game(
        Game.start(replace(ALL_DICE, key="traditional"), [""])
    )


def _keep_the_pair(dice: Dice) -> Dice:
    most = max(range(6), key=lambda i: (dice.counts[i], i))
    return Dice([most + 1] * min(dice.counts[most], 4))


def test_a_whole_game_can_be_read_by_a_person(golden: Callable[[str, str], None]) -> None:
    """Ana rolls, Zoë enters how her turns ended and corrects two boxes, the third one gives up."""
    dice_source = SeededDice("a golden game")
    game = Game.start(TRADITIONAL, ["Ana", "Zoë", ""], first=1)
    while not game.position.is_over:
        position = game.position
        if position.seat == 1:
            dice = Dice(dice_source.roll(5))
            game = game.enter(
                max(position.card.open, key=lambda c: TRADITIONAL.score(c, dice)), dice
            )
        elif position.seat == 2 and position.card.mask.bit_count() == 2 and position.dice:
            game = game.resign(2)
        elif position.must_roll:
            game = game.roll(dice_source.roll(5 - len(position.dice)))
        elif position.rolls_left:
            game = game.play(Hold(_keep_the_pair(position.dice)))
        else:
            best = max(position.card.open, key=lambda c: TRADITIONAL.score(c, game.position.dice))
            game = game.play(Score(best))
    game = game.correct(1, Category.CHOICE, 30).correct(0, Category.ONES, 4)
    golden("notation/game.yacht", format_record(Record(game, "2026-11-30", "real", {2: "greedy"})))
