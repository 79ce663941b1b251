"""Two people and a spectator at one table, through the API, against the engine as the model."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.dice import ReplaceableDice
from tests.strategies import categories, dice, known_rules
from tests.web.conftest import Client, Served, Stream, serving
from yachtdice import (
    DICE,
    Category,
    Dice,
    Event,
    Game,
    Hold,
    IllegalMoveError,
    RuleSet,
    Score,
)
from yachtdice.dice_source import SeededDice
from yachtdice.store.codec import GAME_KINDS, Codec

CODEC: Codec[Event] = Codec(GAME_KINDS)
PEOPLE = ("Ana", "Bob")
EVE = 2
"""The spectator's place after the two seats."""


Server = tuple[Served, ReplaceableDice]


class Table(RuleBasedStateMachine):
    """Clients are told what the engine says; what it forbids is refused with its reason."""

    served: Served
    replaceable: ReplaceableDice

    @initialize(rules=known_rules, first=st.integers(0, 1), seed=st.integers(0, 99))
    def open(self, rules: RuleSet, first: int, seed: int) -> None:
        # The same dice in the same run: Hypothesis repeats what has failed.
        self.replaceable.source = SeededDice(seed)
        self.stack = ExitStack()
        self.clients = [self.served.client() for _ in range(3)]
        ana, bob, _ = self.clients
        table = ana.open(mode="online", people=[{"name": PEOPLE[0]}], rules=rules.key)
        bob.join(table, PEOPLE[1])
        self.table = ana.do(ana.get(table), "begin", first=first)
        self.game = Game.start(rules, PEOPLE, first)
        self.left: set[int] = set()
        self.requests: list[tuple[int, dict[str, Any], dict[str, Any]]] = []
        self.streams: list[Stream] = [
            self.stack.enter_context(client.watch(self.table)) for client in self.clients
        ]
        self.hear()

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    # What people do

    @rule(who=st.integers(0, 2), keep=st.none() | dice(0, 4))
    def roll(self, who: int, keep: Dice | None) -> None:
        def engine(game: Game) -> Game:
            kept = game if keep is None else game.play(Hold(keep))
            missing = DICE - len(kept.position.dice)
            return kept.roll([1] * (missing if kept.position.must_roll else 0))

        body = {} if keep is None else {"kept": list(keep)}
        self.ask(who, engine, "roll", **body)

    @rule(data=st.data())
    def roll_as_the_rules_allow(self, data: st.DataObject) -> None:
        position = self.game.position
        keep = None
        if not position.must_roll and position.rolls_left:
            keep = data.draw(st.sampled_from(position.dice.holds()[:-1]))
        self.roll(position.seat, keep)

    @rule(who=st.integers(0, 2), kept=dice(0, 4))
    def keep(self, who: int, kept: Dice) -> None:
        self.ask(who, lambda game: game.play(Hold(kept)), "keep", kept=list(kept))

    @rule(who=st.integers(0, 2), category=categories)
    def fill(self, who: int, category: Category) -> None:
        self.ask(who, lambda game: game.play(Score(category)), "fill", category=category.value)

    @rule(data=st.data())
    def play_a_turn(self, data: st.DataObject) -> None:
        """Roll once and fill an open box, so that games come to an end."""
        position = self.game.position
        if position.must_roll:
            self.roll(position.seat, None)
        if not position.is_over:
            seat = self.game.position.seat
            self.fill(seat, data.draw(st.sampled_from(self.game.position.card.open)))

    @rule(who=st.integers(0, 1))
    @precondition(lambda self: len(self.game.events) > 30)
    def resign(self, who: int) -> None:
        answer = self.send(who, {"do": "resign"})
        self.expect(answer, lambda game: game.resign(who))

    @rule(who=st.integers(0, 1))
    def leave_or_come_back(self, who: int) -> None:
        away = who in self.left
        answer = self.send(who, {"do": "return" if away else "leave"})
        assert answer.status_code == 200
        self.left ^= {who}
        self.hear(answer.json()["table"])

    # What people do by mistake, or on purpose

    @rule(who=st.integers(0, 2), back=st.integers(1, 5), ahead=st.booleans())
    def act_on_an_old_state(self, who: int, back: int, *, ahead: bool) -> None:
        version = self.table["version"] + (back if ahead else -back)
        answer = self.clients[who].act(self.table, "roll", version=max(0, version))
        self.refused(answer, 403 if who == EVE else 409, "not_seated" if who == EVE else "stale")

    @rule(data=st.data())
    @precondition(lambda self: self.requests)
    def repeat(self, data: st.DataObject) -> None:
        who, body, first = data.draw(st.sampled_from(self.requests))
        answer = self.clients[who].ask("POST", f"/tables/{self.table['id']}/actions", body)
        assert answer.status_code == 200
        again = answer.json()
        assert again["is_repeated"]
        # Absence is not part of the history.
        assert cards(again["table"]) == cards(first)

    @rule(
        who=st.integers(0, 2),
        do=st.sampled_from(["begin", "add_bot", "enter_points", "rematch", "remove", "skip"]),
    )
    def act_out_of_place(self, who: int, do: str) -> None:
        more: dict[str, dict[str, Any]] = {
            "add_bot": {"level": "greedy"},
            "enter_points": {"category": "ones", "points": 1},
            "remove": {"seat": who % 2},
            "skip": {"seat": who % 2},
        }
        if do == "rematch" and self.game.position.is_over:
            return
        answer = self.clients[who].act(self.table, do, **more.get(do, {}))
        assert answer.status_code in {403, 409}
        self.refused(answer, answer.status_code, answer.json()["error"]["code"])
        if who == EVE:
            assert answer.json()["error"]["code"] == "not_seated"

    # What has to hold

    @invariant()
    def everybody_sees_what_the_engine_says(self) -> None:
        if not hasattr(self, "game"):
            return
        position = self.game.position
        for who, client in enumerate(self.clients):
            seen = client.get(self.table)
            assert cards(seen) == cards(self.table)
            assert seen["version"] == self.table["version"]
            mine = [] if who == EVE else [who]
            can_move = position.seat in mine and not position.is_over
            host = next((seat for seat in (0, 1) if seat not in self.left), None)
            assert seen["you"] == {"seats": mine, "is_host": who == host, "can_move": can_move}
        for seat, card in zip(self.table["seats"], position.cards, strict=True):
            points = {c.value: card[c] for c in card.rules.scorers if card[c] is not None}
            assert (seat["card"], seat["total"], seat["bonus"]) == (points, card.total, card.bonus)
        assert self.table["winners"] == list(position.winners)
        assert self.table["phase"] == ("over" if position.is_over else "playing")
        turn = self.table["turn"]
        if position.is_over:
            assert turn is None
            return
        assert (turn["seat"], turn["rolls_left"]) == (position.seat, position.rolls_left)
        assert turn["must_roll"] == position.must_roll
        if not position.must_roll:
            assert Dice(turn["dice"]) == position.dice
            score = self.game.rules.score
            open_boxes = {c.value: score(c, position.dice) for c in position.card.open}
            assert turn["points"] == open_boxes
        else:
            assert turn["points"] == {}
            assert Dice(turn["dice"][place] for place in turn["kept"]) == position.dice

    # How it is done

    def ask(self, who: int, engine: Any, do: str, **more: Any) -> None:  # noqa: ANN401
        """Act, and expect what the engine says of it."""
        answer = self.send(who, {"do": do, **more})
        if who == EVE:
            self.refused(answer, 403, "not_seated")
        elif not self.game.position.is_over and who != self.game.position.seat:
            self.refused(answer, 409, "not_your_turn")
        else:
            self.expect(answer, engine)

    def send(self, who: int, action: dict[str, Any]) -> Any:  # noqa: ANN401
        body = {
            "version": self.table["version"],
            "request": f"r{next(Client._numbers)}",  # noqa: SLF001
            "action": action,
        }
        answer = self.clients[who].ask("POST", f"/tables/{self.table['id']}/actions", body)
        if answer.status_code == 200:
            self.requests.append((who, body, answer.json()["table"]))
        return answer

    def expect(self, answer: Any, engine: Any) -> None:  # noqa: ANN401
        try:
            expected: Game = engine(self.game)
        except IllegalMoveError as error:
            self.refused(answer, 409, error.reason.name.lower())
            return
        assert answer.status_code == 200, answer.text
        known = len(self.game.events)
        path = f"/tables/{self.table['id']}/events?after={known}"
        for told in self.clients[EVE].ask("GET", path).json()["events"]:
            assert told.pop("number") == len(self.game.events) + 1
            # The engine refuses what is not legal, and knows everything but the dice.
            self.game = self.game.apply(CODEC.decode(told.pop("kind"), told))
        assert len(self.game.events) == len(expected.events)
        assert [type(event) for event in self.game.events] == [
            type(event) for event in expected.events
        ]
        self.hear(answer.json()["table"])

    def refused(self, answer: Any, status: int, code: str) -> None:  # noqa: ANN401
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert cards(answer.json()["table"]) == cards(self.table)

    def hear(self, table: dict[str, Any] | None = None) -> None:
        """Wait until each stream has told the newest state, which is the same for everybody."""
        if table is not None:
            self.table = table
        for stream in self.streams:
            while (told := stream.next())["version"] < self.table["version"]:
                pass
            assert cards(told) == cards(self.table)


def cards(table: dict[str, Any]) -> dict[str, Any]:
    """Return what of a state is the same for everybody."""
    return {**table, "you": None}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    dice = ReplaceableDice()
    with serving(dice_source=dice) as served:
        yield served, dice


def run(server: Server, examples: int, steps: int) -> None:
    served, dice = server
    machine = type("Table", (Table,), {"served": served, "replaceable": dice})
    how = settings(max_examples=examples, stateful_step_count=steps, deadline=None)
    run_state_machine_as_test(machine, settings=how)


def test_the_table_does_what_the_engine_says(server: Server) -> None:
    run(server, 15, 40)


@pytest.mark.soak
def test_the_table_does_what_the_engine_says_for_long(server: Server) -> None:
    run(server, 500, 80)
