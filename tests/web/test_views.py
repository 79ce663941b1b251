"""What the pages show of a table, as plain values."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from yachtdice.bots import OFFERED
from yachtdice.dice_source import SeededDice
from yachtdice.play.table.events import (
    AnyEvent,
    BotSeated,
    DiceKind,
    Mode,
    SeatLeft,
    SeatPlayedOn,
    SeatTaken,
    TableOpened,
)
from yachtdice.play.table.table import Table
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import (
    ALL_DICE,
    TRADITIONAL,
    Category,
    Dice,
    Game,
    Hold,
    RuleSet,
    Score,
    TurnEntered,
)
from yachtdice.solver.duel import Odds
from yachtdice.web.api.state import TableTexts
from yachtdice.web.pages.rendering import with_dice
from yachtdice.web.pages.table import live
from yachtdice.web.scene import Scene
from yachtdice.web.views.ending import ending
from yachtdice.web.views.entry import Hand
from yachtdice.web.views.guide import guides
from yachtdice.web.views.lobby import lobby_view
from yachtdice.web.views.replay import replay_view
from yachtdice.web.views.story import turns
from yachtdice.web.views.table import TableView, table_view
from yachtdice.web.views.win_odds import odds_view

HOST = "ana"


def table_of(
    names: Sequence[str],
    game: Game | None = None,
    *,
    mode: Mode = Mode.DEVICE,
    dice: DiceKind = DiceKind.SYSTEM,
    rules: RuleSet = TRADITIONAL,
) -> Table:
    """Return a table at which those people sit; a name such as `=perfect` is a computer's level."""
    events: list[AnyEvent] = [TableOpened(rules, dice, mode, HOST, 6, hints=False, date="")]
    for seat, name in enumerate(names):
        if name.startswith("="):
            events.append(BotSeated(seat, name[1:]))
        else:
            holder = HOST if mode is Mode.DEVICE or not seat else f"guest-{seat}"
            events.append(SeatTaken(seat, name, holder))
    return Table.replay("t" * 16, [*events, *(game.events if game else ())])


def seen(table: Table, who: str | None = HOST, absent: Sequence[int] = ()) -> Scene:
    return Scene(table, table.seats_of(who), table.host == who, frozenset(absent))


def start(*names: str, rules: RuleSet = TRADITIONAL) -> Game:
    return Game.start(rules, ["" if name.startswith("=") else name for name in names])


def kinds(view: TableView) -> dict[str, list[str]]:
    return {row.key: [cell.kind for cell in row.cells] for row in view.rows}


def played(game: Game, turns: int, seed: str = "views") -> Game:
    """Return *game* after so many turns of one roll each, the boxes filled in card order."""
    dice_source = SeededDice(seed)
    for _ in range(turns):
        game = game.roll(dice_source.roll(5))
        game = game.play(Score(game.position.card.open[0]))
    return game


def test_before_the_first_roll_there_is_one_thing_to_do() -> None:
    view = table_view(seen(table_of(["Ana", "Guest"], start("Ana", "Guest"))))
    assert view.status == "Ana to roll"
    assert view.sign == "Ana’s turn"  # noqa: RUF001 - an apostrophe
    assert (view.button.label, view.button.count, view.button.works) == ("Roll", "3 left", True)
    assert not view.dice
    assert {kind for row in kinds(view).values() for kind in row} == {"empty"}


def test_chances_are_parts_of_one_bar() -> None:
    table = table_of(["Ana", "=champion", "Rui"], start("Ana", "=champion", "Rui"))
    scene = replace(seen(table), odds=Odds("estimate", (0.5, 0.304, 0.196)))
    view = odds_view(scene)
    assert view is not None
    assert (view.label, view.kind) == ("Chances to win", "estimate")
    assert [(seat.name, seat.share) for seat in view.seats] == [
        ("Ana", "50%"),
        ("Computer", "30%"),
        ("Rui", "20%"),
    ]
    assert [(seat.start, seat.width) for seat in view.seats] == [
        ("0.00%", "50.00%"),
        ("50.00%", "30.40%"),
        ("80.40%", "19.60%"),
    ]
    exact = odds_view(replace(scene, odds=Odds("exact", (0.99996, 0.00004, 0.0))))
    assert exact is not None
    assert [seat.share for seat in exact.seats] == ["99.9%", "0.1%", "0%"]
    assert odds_view(seen(table)) is None
    assert 'id="chances"' not in live(seen(table))


def test_each_open_box_says_what_it_would_score_now() -> None:
    game = start("Ana", "Guest").roll([4, 4, 4, 4, 1])
    view = table_view(seen(table_of(["Ana", "Guest"], game)))
    mine = {row.key: row.cells[0] for row in view.rows}
    assert mine["four_of_a_kind"].label == "Score 16: Four of a Kind"
    assert mine["four_of_a_kind"].value == "four_of_a_kind"
    assert mine["twos"].kind == "zero"
    assert mine["twos"].label == "Enter a zero: Twos"
    assert {row.cells[1].kind for row in view.rows} == {"empty"}
    assert view.choosable
    assert view.order == "44441"


def test_each_rule_set_has_its_own_order_and_is_named() -> None:
    game = start("Ana", rules=ALL_DICE).roll([4, 4, 4, 4, 1])
    view = table_view(seen(table_of(["Ana"], game, rules=ALL_DICE)))
    assert view.rules == "All dice"
    assert view.rows[0].name == "Yacht"
    assert next(r.cells[0].text for r in view.rows if r.key == "four_of_a_kind") == "17"
    assert [row.begins_half for row in view.rows].index(True) == 6


def test_others_cannot_do_anything() -> None:
    game = start("Ana", "Bea").roll([4, 4, 4, 4, 1])
    table = table_of(["Ana", "Bea"], game, mode=Mode.ONLINE)
    for who in ("guest-1", "stranger", None):
        view = table_view(seen(table, who))
        assert not view.yours
        assert not view.choosable
        assert {kind for row in kinds(view).values() for kind in row} == {"empty"}
        assert view.button.label == "Ana is playing"
        html = live(seen(table, who))
        assert html.count("<button") == html.count('type="button" aria-disabled="true"') == 1


def test_kept_dice_lie_where_the_hand_left_them() -> None:
    game = start("Ana").roll([3, 4, 4, 2, 1])
    game = game.play(Hold(Dice([4]))).roll([6, 5, 1, 2])
    scene = seen(table_of(["Ana"], game))
    # The game alone takes the first of two equal dice; the page knows that it was the second.
    assert [die.number for die in table_view(scene).dice if die.kept] == [2]
    layout = (6, 5, 4, 1, 2), frozenset({2})
    view = table_view(scene, layout=layout)
    assert [(die.face, die.kept, die.fresh) for die in view.dice] == [
        (6, False, True),
        (5, False, True),
        (4, True, False),
        (1, False, True),
        (2, False, True),
    ]
    # Other dice than those on the table cannot be claimed.
    assert table_view(scene, layout=((6, 6, 6, 6, 6), frozenset())).order == "64512"


def test_between_a_hold_and_a_roll_the_others_are_in_the_hand() -> None:
    game = start("Ana", "=perfect").roll([1, 1, 2, 3, 6]).play(Score(Category.ONES))
    game = game.roll([5, 5, 1, 2, 3]).play(Hold(Dice([5, 5])))
    view = table_view(seen(table_of(["Ana", "=perfect"], game)))
    assert [(die.face, die.kept) for die in view.dice][:3] == [(5, True), (5, True), (0, False)]
    assert view.status == "Computer to roll"
    assert [seat.note for seat in view.seats] == ["", "Perfect"]


def test_a_zero_asks_once_and_only_the_mover() -> None:
    game = start("Ana", "Bea").roll([1, 1, 2, 3, 6])
    table = table_of(["Ana", "Bea"], game, mode=Mode.ONLINE)
    hand = Hand(zero=Category.YACHT)
    view = table_view(seen(table), hand=hand)
    assert view.zero == ("yacht", "Yacht")
    assert kinds(view)["yacht"] == ["armed", "empty"]
    assert table_view(seen(table, "guest-1"), hand=hand).zero is None


def test_passing_the_device_names_the_next_player_and_what_happened() -> None:
    game = start("Ana", "Guest").roll([4, 4, 4, 4, 1]).play(Score(Category.FOURS))
    view = table_view(seen(table_of(["Ana", "Guest"], game)))
    assert view.sign == "Pass the device to Guest"
    assert view.before == "Ana, Fours: 16"


def test_whoever_plays_alone_is_you_to_nobody_else() -> None:
    table = table_of(["", "=novice"], start("", "=novice").roll([1, 1, 2, 3, 6]))
    mine = table_view(seen(table))
    assert mine.seats[0].name == "You"
    assert mine.status == "Your turn"
    assert mine.says[-1][1] == "Roll 1: 1 1 2 3 6. 2 rolls left."
    theirs = table_view(seen(table, None))
    assert theirs.seats[0].name == "Player 1"
    assert theirs.says[-1][1] == "Player 1, roll 1: 1 1 2 3 6. 2 rolls left."


def test_names_are_only_ever_values() -> None:
    nasty = "{dice} %s %(n)s <b>&\"' {0}"
    game = start(nasty, "Bea").roll([4, 4, 1, 2, 3]).play(Hold(Dice([4, 4]))).roll([1, 1, 1])
    game = game.play(Score(Category.ONES)).resign(0)
    html = live(seen(table_of([nasty, "Bea"], game)))
    assert "<b>" not in html
    assert "{dice} %s %(n)s &lt;b&gt;&amp;&#34;&#39; {0}" in html
    assert str(with_dice("a < b {dice}", (4,))).startswith('a &lt; b <span class="dice-row"')


def test_the_story_tells_every_event_once() -> None:
    game = start("Ana", "Guest").roll([4, 4, 1, 2, 3]).play(Hold(Dice([4, 4]))).roll([4, 1, 1])
    game = game.play(Score(Category.FOURS)).roll([1, 2, 3, 5, 5]).play(Hold(Dice()))
    told = turns(seen(table_of(["Ana", "Guest"], game)))
    assert [(turn.name, turn.round, turn.result) for turn in told] == [
        ("Ana", 1, "Fours: 12"),
        ("Guest", 1, ""),
    ]
    assert [line.number for turn in told for line in turn.lines] == list(
        range(2, len(game.events) + 1)
    )
    assert [line.say for line in told[0].lines] == [
        "Ana, roll 1: 4 4 1 2 3. 2 rolls left.",
        "Ana keeps 2 dice: 4 4.",
        "Ana, roll 2: 4 4 4 1 1. 1 roll left.",
        "Ana, Fours: 12.",
    ]
    assert told[1].lines[-1].say == "Guest keeps nothing."


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_the_newest_turns_are_the_end_of_the_whole_story(seats: int) -> None:
    names = [f"P{i}" for i in range(seats)]
    game = played(start(*names), 7 * seats).roll([1, 2, 3, 4, 5])
    scene = seen(table_of(names, game))
    whole = turns(scene)
    assert len(whole) == 7 * seats + 1
    assert whole[-1].round == 8
    assert turns(scene, 3) == whole[-4:]


def test_corrections_are_seen_in_the_story() -> None:
    game = start("Ana", "Bea").enter(Category.CHOICE, 21).correct(0, Category.CHOICE, 23)
    game = game.enter(Category.YACHT, 0).correct(1, Category.ONES, 2, Category.YACHT)
    scene = seen(table_of(["Ana", "Bea"], game, dice=DiceKind.REAL))
    told = turns(scene)
    assert [line.say for turn in told for line in turn.lines] == [
        "Ana, Choice: 21.",
        "Corrected for Ana: Choice: 23 instead of 21.",
        "Bea, Yacht: 0.",
        "Corrected for Bea: Ones: 2, no longer in the box Yacht.",
    ]
    assert isinstance(game.events[1], TurnEntered)


def test_real_dice_are_typed_or_points_are_entered() -> None:
    scene = seen(table_of(["Ana", "Bea"], start("Ana", "Bea"), dice=DiceKind.REAL))
    view = table_view(scene)
    assert view.typed == ""
    assert kinds(view)["ones"] == ["enter", "empty"]
    typed = table_view(scene, hand=Hand(dice="44441"))
    assert typed.typed == "44441"
    assert next(r.cells[0].label for r in typed.rows if r.key == "fours") == "Score 16: Fours"
    choosing = table_view(scene, hand=Hand(box=Category.FOURS))
    assert choosing.choice is not None
    assert [points for points, _ in choosing.choice.points] == [0, 4, 8, 12, 16, 20]
    assert choosing.typed is None


def test_a_filled_box_of_real_dice_can_be_put_right() -> None:
    game = start("Ana", "Bea").enter(Category.CHOICE, 21)
    scene = seen(table_of(["Ana", "Bea"], game, dice=DiceKind.REAL))
    assert kinds(table_view(scene))["choice"] == ["fix", "enter"]
    view = table_view(scene, hand=Hand(fix=(0, Category.CHOICE)))
    assert view.choice is not None
    assert view.choice.now == 21
    assert ("fix=1.choice&into=ones", "Ones") in view.choice.others
    moved = table_view(scene, hand=Hand(fix=(0, Category.CHOICE), into=Category.ONES))
    assert moved.choice is not None
    assert moved.choice.fields == (("fix", "1.choice"), ("into", "ones"))
    # What makes no sense is simply not there.
    for fix in ((5, Category.CHOICE), (0, Category.ONES)):
        assert table_view(scene, hand=Hand(fix=fix)).choice is None
    assert kinds(table_view(seen(scene.table, None)))["choice"] == ["filled", "empty"]


def test_ties_share_a_place_and_who_gave_up_has_none() -> None:
    game = start("Ana", "Bea", "Cy", "Di")
    for category in TRADITIONAL.categories:
        most = TRADITIONAL.possible_points(category)
        for points in (most[-1], most[-1], most[0]):
            game = game.enter(category, points)
        if category is TRADITIONAL.categories[0]:
            game = game.resign(3)
    found = ending(seen(table_of(["Ana", "Bea", "Cy", "Di"], game, dice=DiceKind.REAL)))
    assert [(s.place, s.name, s.won) for s in found.standings] == [
        (1, "Ana", True),
        (1, "Bea", True),
        (3, "Cy", False),
        (0, "Di", False),
    ]
    assert found.result == "A tie with 297 points: Ana, Bea."


def test_the_end_is_told_to_one_and_to_two() -> None:
    alone = seen(table_of([""], played(start(""), 12)))
    total = alone.table.game.position.cards[0].total if alone.table.game else 0
    assert ending(alone).result == f"You scored {total} points."
    names = ["", "=perfect"]
    two = seen(table_of(names, played(start(*names), 24)))
    assert ending(two).result.startswith(("You win with", "Computer wins with", "A tie"))
    assert table_view(two).end is not None
    assert "rematch" in live(two)


def test_who_is_away_can_be_gone_on_without() -> None:
    game = start("Ana", "Bea", "Cy")
    table = table_of(["Ana", "Bea", "Cy"], game, mode=Mode.ONLINE)
    view = table_view(seen(table, absent=(1,)))
    assert [(a.number, a.sentence, a.can_remove) for a in view.absent] == [
        (1, "Bea has been away for a while.", True)
    ]
    assert not table_view(seen(table, "guest-2", (1,))).absent[0].can_remove
    assert not table_view(seen(table, None, (1,))).absent
    assert not table_view(seen(table, "guest-1", (1,))).absent
    left = table.apply(SeatLeft(1))
    assert table_view(seen(left, "guest-1")).own_seat_note.startswith("You have left")
    played_on = left.apply(SeatPlayedOn(1, "casual"))
    view = table_view(seen(played_on, "guest-1"))
    assert view.own_seat_note == "The computer plays on for you."
    assert view.seats[1].note == "computer plays"


def test_a_table_that_was_left_leads_to_the_next() -> None:
    table = replace(table_of(["Ana", "Guest"], start("Ana", "Guest")), next="n" * 16)
    html = live(seen(table))
    assert f'href="/table/{"n" * 16}"' in html
    assert table_view(seen(table)).status == "Left for a new game"


def test_guests_who_look_alike_are_marked_and_keep_their_names() -> None:
    called = ("Ada (1)", "Ben", "ada (3)")
    names = ("Ada", "Ben", "ada")
    lobby = lobby_view(seen(table_of(names, mode=Mode.ONLINE)))
    assert tuple(seat.name for seat in lobby.seats) == called
    assert tuple(name for _, name in lobby.starters) == called
    table = table_of(names, start(*names), mode=Mode.ONLINE)
    view = table_view(seen(table))
    assert tuple(seat.name for seat in view.seats) == called
    assert tuple(seat.name for seat in table.seats) == names


def test_names_that_an_archive_brought_are_shown_cleaned() -> None:
    names = ("e\x1b[2J\n\u202ex", "y" * 1000)
    table = table_of(names, start(*names), mode=Mode.ONLINE)
    called = ("e[2J x", "y" * 30)
    assert tuple(seat.name for seat in table_view(seen(table)).seats) == called
    assert (
        tuple(seat["name"] for seat in json.loads(TableTexts().render(seen(table)))["seats"])
        == called
    )


def test_the_lobby_shows_each_what_is_theirs_to_do() -> None:
    table = table_of(["Ana", "=skilled", "Bea"], mode=Mode.ONLINE)
    host = lobby_view(seen(table))
    assert [(s.name, s.note, s.can_remove) for s in host.seats] == [
        ("Ana", "you", False),
        ("Computer", "Skilled", True),
        ("Bea", "", True),
    ]
    assert host.begin == "Begin with 3 players"
    assert len(host.levels) == len(OFFERED)
    guest = lobby_view(seen(table, "guest-2"))
    assert not guest.is_host
    assert not guest.levels
    stranger = lobby_view(seen(table, "stranger"))
    assert stranger.can_join
    assert stranger.free_text == "3 free seats"
    full = table_of(["Ana", *["=novice"] * 5], mode=Mode.ONLINE)
    assert lobby_view(seen(full, "stranger")).status == "All seats are taken"


def test_every_step_of_a_replay_can_be_shown() -> None:
    game = played(start("Ana", "Bea"), 24)
    whole = Scene(table_of(["Ana", "Bea"], game))
    for step in range(1, len(game.events) + 1):
        then = replace(whole.table, game=Game.replay(game.events[:step]))
        view = replay_view(Scene(then), whole)
        assert (view.before is None) == (step == 1)
        assert (view.after is None) == (step == len(game.events))
        assert not view.table.yours


@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_every_rule_set_has_words_for_each_box(key: str) -> None:
    rules = find_rules(key)
    game = start("Ana", rules=rules).roll([1, 2, 3, 4, 6])
    view = table_view(seen(table_of(["Ana"], game, rules=rules)))
    assert len(view.rows) == len(rules.categories)
    assert all(row.hint and row.symbol for row in view.rows)
    assert view.has_bonus == (rules.upper_bonus is not None)
    assert live(seen(table_of(["Ana"], game, rules=rules)))


def test_the_rules_page_says_what_the_engine_computes() -> None:
    by_key = {guide.key: guide for guide in guides()}
    assert by_key["traditional"].maximum == 297
    assert by_key["all-dice"].maximum == 303
    assert by_key["traditional"].difference.points == 16
    assert by_key["all-dice"].difference.points == 17
    house = next(box for box in by_key["traditional"].boxes if box.name == "Full House")
    assert [example.points for example in house.examples] == [21, 0, 0]
