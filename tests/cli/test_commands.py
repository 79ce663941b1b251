"""What lines mean, and that nothing that is typed can do harm."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cli.run import quick, too_wide
from tests.strategies import examples, games, known_rules
from yachtdice import (
    ALL_DICE,
    CATEGORIES,
    TRADITIONAL,
    Category,
    Dice,
    Game,
    Hold,
    IllegalMoveError,
    IllegalMoveReason,
    RuleSet,
    YachtError,
)
from yachtdice.cli.table.boxes import find_box, find_boxes
from yachtdice.cli.table.errors import (
    BoxError,
    BoxReason,
    CommandError,
    CommandReason,
    SameNameError,
)
from yachtdice.cli.table.input import (
    WORDS,
    Command,
    Correct,
    Enter,
    Fill,
    Keep,
    Report,
    Verb,
    Word,
    parse_command,
)
from yachtdice.cli.table.players import parse_players
from yachtdice.i18n import category_name, explain
from yachtdice.notation import parse_record

START = Game.start(TRADITIONAL, ["Ana", "Bo"])
ROLLED = START.roll([4, 1, 4, 2, 6])
HELD = ROLLED.play(Hold(Dice([4, 4])))


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("roll", Word.ROLL),
        ("r", Word.ROLL),
        ("  ROLL \r\n", Word.ROLL),
        ("\ufeffroll", Word.ROLL),
        ("ro", Word.ROLL),
        ("keep 4 4", Keep(Dice([4, 4]))),
        ("k 44", Keep(Dice([4, 4]))),
        ("hold 4-4", Keep(Dice([4, 4]))),
        ("keep 4,\t4", Keep(Dice([4, 4]))),
        ("keep #1 #3", Keep(Dice([4, 4]))),
        ("keep #5,#2", Keep(Dice([6, 1]))),
        ("keep#", None),
        ("keep none", Keep(Dice())),
        ("keep -", Keep(Dice())),
        ("keep all", Keep(Dice([1, 2, 4, 4, 6]))),
        ("score fours", Fill(Category.FOURS)),
        ("s four o", Fill(Category.FOUR_OF_A_KIND)),
        ("sc 4", Fill(Category.FOURS)),
        ("fours", Fill(Category.FOURS)),
        ("Four of a Kind", Fill(Category.FOUR_OF_A_KIND)),
        ("c", Word.CARD),
        ("choice", Fill(Category.CHOICE)),
        ("cho", Fill(Category.CHOICE)),
        ("card", Word.CARD),
        ("?", Word.HELP),
        ("resign", Word.RESIGN),
        ("q", Word.QUIT),
        ("exit", Word.QUIT),
    ],
)
def test_lines_and_their_meaning(line: str, command: Command | None) -> None:
    if command is None:
        with pytest.raises(CommandError):
            parse_command(line, ROLLED)
    else:
        assert parse_command(line, ROLLED) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("4 4 2 1 6", Report((4, 4, 2, 1, 6))),
        ("44216", Report((4, 4, 2, 1, 6))),
        ("roll 6 1", Report((6, 1))),
        ("4 4 4 1 2 fours", Enter(Category.FOURS, Dice([4, 4, 4, 1, 2]))),
        ("44412 fours", Enter(Category.FOURS, Dice([4, 4, 4, 1, 2]))),
        ("4-4-4-1-2: 4 of a kind", Enter(Category.FOUR_OF_A_KIND, Dice([4, 4, 4, 1, 2]))),
        ("score 4 4 4 1 2 fours", Enter(Category.FOURS, Dice([4, 4, 4, 1, 2]))),
        ("fours 12", Enter(Category.FOURS, 12)),
        ("4k 16", Enter(Category.FOUR_OF_A_KIND, 16)),
        ("score full house 0", Enter(Category.FULL_HOUSE, 0)),
        ("score fours", Fill(Category.FOURS)),
        ("undo", Word.UNDO),
        ("correct Ana fours 12", Correct(0, Category.FOURS, 12)),
        ("correct b 4 12", Correct(1, Category.FOURS, 12)),
        ("correct 2 four of a kind 24", Correct(1, Category.FOUR_OF_A_KIND, 24)),
        (
            "correct bo choice 12 instead of full house",
            Correct(1, Category.CHOICE, 12, Category.FULL_HOUSE),
        ),
    ],
)
def test_lines_of_those_who_keep_score(line: str, command: Command) -> None:
    assert parse_command(line, START, real=True) == command


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", CommandReason.EMPTY),
        ("x", CommandReason.UNKNOWN),
        ("y", CommandReason.UNKNOWN),
        ("re", CommandReason.UNKNOWN),
        ("4 4", CommandReason.VERB_MISSING),
        ("#1", CommandReason.VERB_MISSING),
        ("roll 4", CommandReason.MORE),
        ("keep", CommandReason.WHICH_DICE),
        ("keep #1 4", CommandReason.FACES_AND_PLACES),
        ("keep #6", CommandReason.NO_SUCH_PLACE),
        ("keep #", CommandReason.NO_SUCH_PLACE),
        ("keep #1#1", CommandReason.SAME_PLACE),
        ("score", CommandReason.WHICH_BOX),
        ("undo", CommandReason.REAL_ONLY),
        ("correct Ana fours 4", CommandReason.REAL_ONLY),
        ("z" * 301, CommandReason.TOO_LONG),
        ("ro\x07ll", CommandReason.NOT_TEXT),
        ("roll\ud800", CommandReason.NOT_TEXT),
        ("\u202eroll", CommandReason.NOT_TEXT),
    ],
)
def test_what_is_wrong_with_a_line(line: str, reason: CommandReason) -> None:
    with pytest.raises(CommandError) as caught:
        parse_command(line, ROLLED)
    assert caught.value.reason is reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", CommandReason.TYPE_DICE),
        ("roll", CommandReason.TYPE_DICE),
        ("fours 12345", CommandReason.POINTS),
        ("correct", CommandReason.HOW_TO_CORRECT),
        ("correct Ana", CommandReason.HOW_TO_CORRECT),
        ("correct fours 12", CommandReason.HOW_TO_CORRECT),
        ("correct Ana fours twelve", CommandReason.HOW_TO_CORRECT),
        ("correct Cy fours 12", CommandReason.UNKNOWN_PLAYER),
        ("correct 3 fours 12", CommandReason.UNKNOWN_PLAYER),
    ],
)
def test_what_is_wrong_with_a_line_of_the_scorekeeper(line: str, reason: CommandReason) -> None:
    with pytest.raises(CommandError) as caught:
        parse_command(line, START, real=True)
    assert caught.value.reason is reason


def test_nothing_typed_is_no_choice_either_where_no_rolls_are_left() -> None:
    game = HELD.roll([1, 2, 3]).play(Hold(Dice())).roll([1, 2, 3, 4, 5])
    with pytest.raises(IllegalMoveError) as caught:
        parse_command("", game)
    assert caught.value.reason is IllegalMoveReason.NO_ROLLS_LEFT


def test_nothing_typed_is_a_roll_where_there_is_nothing_else_to_do() -> None:
    assert parse_command("", START) is Word.ROLL
    assert parse_command("", HELD) is Word.ROLL


def test_one_player_alone_need_not_be_named() -> None:
    alone = Game.start(TRADITIONAL, ["Ana"])
    assert parse_command("correct fours 12", alone, real=True) == Correct(0, Category.FOURS, 12)


@pytest.mark.parametrize(
    ("names", "called", "seat"),
    [
        (["\u0915\u092e\u0932\u093e", "\u0915\u092e\u0932"], "\u0915\u092e\u0932", 1),
        (["\U0001f44d", "\U0001f44e"], "\U0001f44e", 1),
        (["Joann", "Jo-Ann"], "jo-ann", 1),
        (["{", "}"], "}", 1),
        (["Zo\u00eb", "Ana"], "zoe", 0),
        (["Ada (1)", "ada (2)"], "2", 1),
    ],
)
def test_each_player_can_be_named(names: list[str], called: str, seat: int) -> None:
    game = Game.start(TRADITIONAL, names)
    line = f"correct {called} fours 8"
    assert parse_command(line, game, real=True) == Correct(seat, Category.FOURS, 8)


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f44d,\U0001f44e",
        "{,}",
        "?,!",
        "\u0915\u092e\u0932,\u0915\u092e\u0932\u093e",
        "Jo-Ann,Joann",
    ],
)
def test_players_whose_names_can_be_told_apart(text: str) -> None:
    assert parse_players(text).names == tuple(text.split(","))


@pytest.mark.parametrize("text", ["Ada, Ada ", "Ada,ada\u200b", "Ada,Ben,\uff21da"])
def test_players_whose_names_look_the_same(text: str) -> None:
    with pytest.raises(SameNameError):
        parse_players(text)


def test_names_that_can_be_read_in_two_ways() -> None:
    game = Game.start(TRADITIONAL, ["Al", "Alfa"])
    assert parse_command("correct al fours 8", game, real=True) == Correct(0, Category.FOURS, 8)
    assert parse_command("correct alf fours 8", game, real=True) == Correct(1, Category.FOURS, 8)
    twins = Game.start(TRADITIONAL, ["Ana B", "Ana C"])
    with pytest.raises(CommandError) as caught:
        parse_command("correct ana fours 8", twins, real=True)
    assert caught.value.reason is CommandReason.AMBIGUOUS


@pytest.mark.parametrize("rules", [TRADITIONAL, ALL_DICE])
def test_every_box_by_name_key_and_number(rules: RuleSet) -> None:
    for number, category in enumerate(rules.categories, start=1):
        for text in (category.value, category_name(category), str(number), f" {number} "):
            assert find_box(text, rules) is category


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("small straight", Category.LITTLE_STRAIGHT),
        ("Large-Straight", Category.BIG_STRAIGHT),
        ("PLAYER'S CHOICE", Category.CHOICE),
        ("player\u2019s choice", Category.CHOICE),
        ("4k", Category.FOUR_OF_A_KIND),
        ("Yácht", Category.YACHT),
        ("f\u0303ull", Category.FULL_HOUSE),
        ("six", Category.SIXES),
        ("o", Category.ONES),
        ("5s", Category.FIVES),
    ],
)
def test_other_names(text: str, category: Category) -> None:
    assert find_box(text, TRADITIONAL) is category


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("four", {Category.FOURS, Category.FOUR_OF_A_KIND}),
        ("t", {Category.TWOS, Category.THREES}),
        ("straight", {Category.LITTLE_STRAIGHT, Category.BIG_STRAIGHT}),
    ],
)
def test_beginnings_of_several_boxes_name_them(text: str, choices: set[Category]) -> None:
    with pytest.raises(BoxError) as caught:
        find_box(text, TRADITIONAL)
    assert set(caught.value.choices) == choices
    for category in choices:
        assert category_name(category) in explain(caught.value)


@pytest.mark.parametrize(
    "text", ["", " ", "13", "0", "-1", "\uff14", "\u0664", "\u2074", "zzz", "0\x1f"]
)
def test_no_box(text: str) -> None:
    with pytest.raises(BoxError) as caught:
        find_box(text, TRADITIONAL)
    assert caught.value.reason is BoxReason.UNKNOWN


def test_boxes_come_in_the_order_of_the_card() -> None:
    found = find_boxes(["yacht", "1", "ones"], TRADITIONAL)
    assert found == (Category.ONES, Category.YACHT)


# Words of the language, dice, numbers and anything else, in any order.
_WORDS = st.sampled_from(
    [
        *WORDS,
        "r",
        "k",
        "s",
        "#1",
        "#3",
        "#9",
        "none",
        "all",
        "Ana",
        "4k",
        "of",
        "instead",
        "-",
        "+1",
    ]
) | st.sampled_from([c.value for c in CATEGORIES])
_LINES = st.one_of(
    st.text(max_size=20),
    st.text(st.characters(categories=["Nd", "No", "Cc", "Cs", "Cf", "Zs"]), max_size=12),
    st.lists(_WORDS | st.integers(-9, 10**30).map(str) | st.text(max_size=3), max_size=6).map(
        " ".join
    ),
)


@given(line=_LINES, game=games(most_seats=3), real=st.booleans())
@example(line="correct " * 40, game=START, real=True)
@example(line="fours " + "9" * 250, game=START, real=True)
def test_fuzz_a_line_is_a_command_or_refused_in_one_sentence(
    line: str, game: Game, *, real: bool
) -> None:
    try:
        command = parse_command(line, game, real=real)
    except YachtError as error:
        sentence = explain(error)
        assert sentence
        # The joiners that some names are written with are let through.
        assert sentence.translate({0x200C: None, 0x200D: None}).isprintable()
        assert len(sentence) < 400
    else:
        assert isinstance(command, (Word, Keep, Fill, Report, Enter, Correct))


@examples(30)
@given(
    lines=st.lists(_LINES | st.just("roll") | st.just("keep #1"), max_size=12), real=st.booleans()
)
def test_fuzz_a_whole_sitting_ends_in_peace(lines: list[str], *, real: bool) -> None:
    lines = [line.encode("utf-8", "replace").decode() for line in lines]
    dice = ("--dice", "real") if real else ("--seed", "7")
    with TemporaryDirectory() as folder:
        home = Path(folder)
        run = quick(home, "play", "--players", "Ana,computer:random", *dice, lines=lines)
        assert run.returncode == 0, run.stderr
        assert run.stderr == ""
        assert not too_wide(run.stdout)
        [save] = (home / "state" / "yacht-dice" / "games").glob("*.yacht")
        assert parse_record(save.read_bytes()).game.version >= 1


@given(rules=known_rules, text=st.text(max_size=12))
def test_fuzz_boxes(rules: RuleSet, text: str) -> None:
    try:
        found = find_box(text, rules)
    except BoxError as error:
        sentence = explain(error)
        assert sentence.translate({0x200C: None, 0x200D: None}).isprintable()
    else:
        assert found in rules.categories


def test_every_word_is_in_the_help() -> None:
    from yachtdice.cli.support.screen import Look  # noqa: PLC0415
    from yachtdice.cli.table.help import help_lines  # noqa: PLC0415

    text = "\n".join(
        line for real in (False, True) for line in help_lines(Look(plain=True), real=real)
    )
    for word in (*Word, *Verb):
        assert word is Word.HELP or word.value in text
