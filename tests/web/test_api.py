"""The HTTP API: everything the pages do, and what it says when something cannot be done."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.web.conftest import Client, Serve, Served
from yachtdice import CATEGORIES, IllegalMoveReason
from yachtdice.notation import parse_record
from yachtdice.play.table.refusals import TableReason
from yachtdice.web.api import shapes
from yachtdice.web.edge.settings import Settings

ONLINE = {"mode": "online", "people": [{"name": "Ana"}]}


def code(answer: httpx.Response) -> tuple[int, str]:
    error = answer.json()["error"]
    assert error["message"]
    return answer.status_code, error["code"]


def test_a_game_for_two_is_opened_joined_played_and_read(ana: Client, bob: Client) -> None:
    table = ana.open(**ONLINE)
    assert (table["phase"], table["you"]) == (
        "lobby",
        {"seats": [0], "is_host": True, "can_move": False},
    )
    assert bob.join(table, "Bob")["you"]["seats"] == [1]
    table = ana.do(ana.get(table), "begin")
    players = [ana, bob]
    while table["phase"] == "playing":
        player = players[table["turn"]["seat"]]
        table = player.do(table, "roll")
        assert table["you"]["can_move"]
        box, points = max(table["turn"]["points"].items(), key=lambda item: item[1])
        seat = table["turn"]["seat"]
        table = player.do(table, "fill", category=box)
        assert table["seats"][seat]["card"][box] == points
    assert table["phase"] == "over"
    totals = [seat["total"] for seat in table["seats"]]
    assert table["winners"] == [i for i, total in enumerate(totals) if total == max(totals)]

    record = parse_record(ana.ask("GET", f"/tables/{table['id']}/record").text)
    assert record.game.names == ("Ana", "Bob")
    assert [card.total for card in record.game.position.cards] == totals
    events = ana.ask("GET", f"/tables/{table['id']}/events").json()["events"]
    assert len(events) == len(record.game.events)
    assert events[0] == {"number": 1, "kind": "game_started", "names": ["Ana", "Bob"]}
    later = ana.ask("GET", f"/tables/{table['id']}/events?after=40").json()["events"]
    assert later == events[40:]

    again = bob.do(table, "rematch")
    new = bob.get({"id": again["next"]})
    assert [seat["name"] for seat in new["seats"]] == ["Bob", "Ana"]
    assert [t["id"] for t in ana.ask("GET", "/tables").json()["tables"]] == [new["id"], table["id"]]


def test_dice_are_kept_where_they_lie(ana: Client) -> None:
    table = ana.do(ana.open(), "roll")
    before = table["turn"]["dice"]
    table = ana.do(table, "roll", kept=[before[4], before[1]])
    turn = table["turn"]
    assert (turn["rolls_left"], turn["must_roll"]) == (1, False)
    assert [turn["dice"][place] for place in turn["kept"]] == [
        before[place] for place in turn["kept"]
    ]
    assert len(turn["kept"]) == 2
    assert set(turn["points"]) == {category.value for category in CATEGORIES}


def test_a_scorekeeper(ana: Client) -> None:
    table = ana.open(dice="real", people=[{"name": "A"}, {"name": "B"}], rules="all-dice")
    table = ana.do(table, "roll", faces=[4, 4, 4, 4, 1])
    table = ana.do(table, "fill", category="four_of_a_kind")
    table = ana.do(table, "enter_dice", category="yacht", dice=[6, 6, 6, 6, 6])
    table = ana.do(table, "enter_points", category="choice", points=30)
    table = ana.do(table, "correct", seat=0, category="sixes", points=30, instead_of="choice")
    assert table["seats"][0]["card"] == {"four_of_a_kind": 17, "sixes": 30}
    assert table["seats"][1]["total"] == 50
    assert code(ana.act(table, "roll")) == (409, "real_dice")


def test_spectators_see_everything_and_touch_nothing(ana: Client, bob: Client, eve: Client) -> None:
    table = ana.do(ana.open(**ONLINE), "begin")
    seen = eve.get(table)
    assert seen["you"] == {"seats": [], "is_host": False, "can_move": False}
    assert {**seen, "you": None} == {**table, "you": None}
    bob.open()
    for stranger in (eve, bob):  # without a token, and with one that sits elsewhere
        for action in ({"do": "roll"}, {"do": "leave"}, {"do": "remove", "seat": 0}):
            answer = stranger.act(table, **action)
            assert code(answer) == (403, "not_seated")
            assert answer.json()["table"] == seen
    assert code(eve.ask("POST", f"/tables/{table['id']}/seats", {})) == (409, "already_begun")
    assert ana.get(table) == table


def test_another_seat_is_refused(ana: Client, bob: Client) -> None:
    table = ana.open(**ONLINE)
    bob.join(table, "Bob")
    table = ana.do(ana.get(table), "begin", first=1)
    assert code(ana.act(table, "roll")) == (409, "not_your_turn")
    assert code(bob.act(table, "begin")) == (403, "not_host")
    table = bob.do(table, "roll")
    assert code(ana.act(table, "fill", category="ones")) == (409, "not_your_turn")
    assert code(ana.act(table, "resign", seat=1)) == (409, "no_such_seat")


@pytest.mark.parametrize("token", ["x", "a.b", "\u00e9", "x" * 5000, "abc.def.ghi"])
def test_a_token_that_was_never_given_out_is_nobodys(
    served: Served, ana: Client, token: str
) -> None:
    table = ana.open()
    stranger = served.client()
    head = {b"Authorization": f"Bearer {token}".encode("latin-1")}
    body = {"version": table["version"], "request": "r", "action": {"do": "roll"}}
    answer = served.http.post(f"/api/tables/{table['id']}/actions", json=body, headers=head)
    assert code(answer) == (403, "not_seated")
    # One that was given out, with a letter changed:
    changed = "B" if ana.token[5] == "A" else "A"
    stranger.token = f"{ana.token[:5]}{changed}{ana.token[6:]}"
    assert code(stranger.act(table, "roll")) == (403, "not_seated")
    assert stranger.get(table)["version"] == table["version"]


def test_stale_retried_and_doubled_actions(ana: Client) -> None:
    table = ana.open()
    first = ana.act(table, "roll", request="r1")
    again = ana.act(table, "roll", request="r1")
    assert first.json()["table"] == again.json()["table"]
    assert (first.json()["is_repeated"], again.json()["is_repeated"]) == (False, True)
    doubled = ana.act(table, "roll", request="r2")
    assert code(doubled) == (409, "stale")
    assert doubled.json()["table"] == first.json()["table"] == ana.get(table)
    after = ana.do(ana.get(table), "fill", category="ones")
    assert ana.act(table, "roll", request="r1").json()["table"] == first.json()["table"]
    assert ana.get(table) == after


def test_of_many_different_actions_at_one_version_one_wins(served: Served, ana: Client) -> None:
    table = ana.do(ana.open(), "roll")

    def fill(category: str) -> int:
        with httpx.Client(base_url=served.url) as http:
            client = Client(http)
            client.token = ana.token
            return client.act(table, "fill", category=category).status_code

    with ThreadPoolExecutor(12) as pool:
        statuses = list(pool.map(fill, [category.value for category in CATEGORIES]))
    assert sorted(statuses) == [200] + [409] * 11
    after = ana.get(table)
    assert after["version"] == table["version"] + 1
    assert list(after["seats"][0]["card"]) == [CATEGORIES[statuses.index(200)].value]


def test_people_race_for_the_last_seat(served: Served, ana: Client) -> None:
    table = ana.open(size=3, **ONLINE)

    def join(_: int) -> int:
        with httpx.Client(base_url=served.url) as http:
            return http.post(f"/api/tables/{table['id']}/seats", json={"name": "x"}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(join, range(8))) == [200] * 2 + [409] * 6


def test_a_retried_opening_opens_one_table(ana: Client) -> None:
    ana.open()
    assert ana.open(request="same")["id"] == ana.open(request="same")["id"]


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        (b"", 400, "malformed"),
        (b"{", 400, "malformed"),
        (b"\xff\xfe{}", 400, "malformed"),
        ('{"hints": true}'.encode("utf-16"), 400, "malformed"),
        (b"\xef\xbb\xbf{}", 400, "malformed"),
        (b"[" * 30_000, 400, "malformed"),
        (b'{"size":' + b"9" * 20_000 + b"}", 400, "malformed"),
        (b'{"size": NaN}', 400, "malformed"),
        (b'{"size": 1e999}', 422, "invalid"),
        (b"[]", 422, "invalid"),
        (b"null", 422, "invalid"),
        (b'"x"', 422, "invalid"),
        (b'{"size": "3"}', 422, "invalid"),
        (b'{"size": true}', 422, "invalid"),
        (b'{"size": 2.5}', 422, "invalid"),
        (b'{"size": -1}', 422, "invalid"),
        (b'{"people": []}', 422, "invalid"),
        (b'{"people": [{"name": 3}]}', 422, "invalid"),
        (b'{"people": [{"name": "\\ud800"}]}', 422, "bad_name"),
        (b'{"people": [{"level": "greedy"}]}', 422, "seat_count"),
        (b'{"rules": "chess"}', 422, "invalid"),
        (b'{"\\u202e": 1}', 422, "invalid"),
        (b'{"request": "a b"}', 422, "invalid"),
        (b'{"first": 3}', 422, "first_seat"),
        (b" " * 40_000, 413, "too_large"),
    ],
)
def test_bodies_that_are_wrong(served: Served, body: bytes, status: int, why: str) -> None:
    head = {"Content-Type": "application/json"}
    answer = served.http.post("/api/tables", content=body, headers=head)
    assert code(answer) == (status, why)


def test_a_body_that_does_not_say_how_long_it_is(served: Served) -> None:
    head = {"Content-Type": "application/json"}
    answer = served.http.post("/api/tables", content=iter([b"{}"]), headers=head)
    assert answer.status_code == 201
    answer = served.http.post("/api/tables", content=iter([b" " * 20_000] * 3), headers=head)
    assert code(answer) == (413, "too_large")


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/json; charset=latin-1", "multipart/form-data", "x"]
)
def test_only_json_is_taken(served: Served, kind: str) -> None:
    answer = served.http.post("/api/tables", content=b"{}", headers={"Content-Type": kind})
    assert code(answer) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    ("method", "path", "status", "why"),
    [
        ("GET", "/api/tables/aaaaaaaaaaaaaaaa", 404, "table_not_found"),
        ("GET", "/api/tables/x", 404, "table_not_found"),
        ("GET", "/api/tables/%00", 404, "table_not_found"),
        ("GET", "/api/tables/%ff", 404, "table_not_found"),
        ("GET", "/api/tables/aaaaaaaaaaaaaaaa/stream", 404, "table_not_found"),
        ("GET", "/api/tables/aaaaaaaaaaaaaaaa/record", 404, "table_not_found"),
        ("GET", "/api/nothing", 404, "not_found"),
        ("PUT", "/api/tables", 405, "method_not_allowed"),
        ("DELETE", "/api/tables/aaaaaaaaaaaaaaaa", 405, "method_not_allowed"),
        ("GET", "/api/tables/aaaaaaaaaaaaaaaa/actions", 405, "method_not_allowed"),
    ],
)
def test_addresses_that_lead_nowhere(
    served: Served, method: str, path: str, status: int, why: str
) -> None:
    assert code(served.http.request(method, path)) == (status, why)


@pytest.mark.parametrize("after", ["-1", "x", "1.5", "9" * 50, "\u0663"])
def test_a_version_that_is_none(ana: Client, after: str) -> None:
    table = ana.open()
    assert code(ana.ask("GET", f"/tables/{table['id']}/events?after={after}")) == (422, "invalid")


def test_a_record_of_a_game_that_has_not_begun(ana: Client) -> None:
    table = ana.open(**ONLINE)
    assert code(ana.ask("GET", f"/tables/{table['id']}/record")) == (409, "not_begun")
    assert ana.ask("GET", f"/tables/{table['id']}/events").json() == {"events": []}


@pytest.mark.parametrize(
    "name", ["{name} {0}", "%s%(x)n", "\"'`<script>&amp;", "\u05d0\u202e\u0041", "\U0001f3b2" * 30]
)
def test_names_are_text_and_nothing_else(served: Served, ana: Client, name: str) -> None:
    table = ana.open(people=[{"name": name}])
    shown = name.replace("\u202e", "")
    assert table["seats"][0]["name"] == shown
    record = ana.ask("GET", f"/tables/{table['id']}/record")
    assert parse_record(record.text).game.names == (shown,)
    page = served.http.get(f"/table/{table['id']}")
    assert page.status_code == 200
    assert "<script>&" not in page.text


def test_computers_play_and_an_absent_seat_is_played_on(serve: Serve) -> None:
    served = serve(away_after=0.0)
    ana, bob = served.client(), served.client()
    table = ana.do(ana.open(**ONLINE), "add_bot", level="greedy")
    table = bob.join(table)
    table = ana.do(ana.get(table), "begin", first=1)
    with ana.watch(table) as stream:
        while table["turn"]["seat"] != 2:
            table = stream.next()
        assert table["seats"][2]["is_absent"]
        assert not table["seats"][1]["is_absent"]
        table = ana.do(table, "play_on", seat=2, level="greedy")
        assert table["seats"][2]["level"] == "greedy"
        while table["turn"]["seat"] != 0:
            table = stream.next()
    table = bob.do(table, "return")
    assert table["seats"][2]["level"] is None
    table = ana.do(table, "skip", seat=2)
    assert table["seats"][2]["has_resigned"]
    assert code(ana.act(table, "skip", seat=1)) == (409, "no_such_seat")


def test_what_can_be_played(served: Served) -> None:
    options = served.http.get("/api/options").json()
    assert options["rules"][0]["key"] == "traditional"
    assert options["rules"][1]["categories"][0] == "yacht"
    assert "perfect" in options["levels"]


def test_every_reason_is_a_code_of_the_documentation() -> None:
    from pathlib import Path  # noqa: PLC0415

    text = (Path(__file__).parents[2] / "docs/api.md").read_text("utf-8")
    told = set(re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE))
    reasons = {reason.value for reason in TableReason}
    reasons |= {reason.name.lower() for reason in IllegalMoveReason}
    assert reasons <= told


def test_every_action_can_be_asked_for_and_is_described() -> None:
    described = shapes.ACTION.shape.describe()["oneOf"]
    for (kind, made), schema in zip(shapes.ACTIONS.items(), described, strict=True):
        fields: set[str] = set(getattr(made, "__dataclass_fields__", {}))
        assert set(schema["properties"]) == fields | {"do"}
        assert schema["properties"]["do"] == {"const": kind}
        assert schema["description"]


def test_limits_on_an_address(serve: Serve) -> None:
    served = serve(Settings("s" * 32, rate=0.001, burst=9, streams_per_address=2))
    client = served.client()
    table = client.open()
    answers: list[Any] = [client.ask("GET", f"/tables/{table['id']}") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
    assert code(answers[-1]) == (429, "too_many_requests")
    assert int(answers[-1].headers["Retry-After"]) > 500
    assert served.http.get("/health").status_code == 200  # never limited
    page = served.http.get("/")
    assert page.status_code == 429
    assert page.headers["content-type"].startswith("text/html")


def test_limits_on_streams(serve: Serve) -> None:
    served = serve(Settings("s" * 32, rate=1000, streams_per_address=2))
    client = served.client()
    table = client.open()
    with client.watch(table) as one, client.watch(table) as two:
        assert one.next() == two.next()
        answer = client.ask("GET", f"/tables/{table['id']}/stream")
        assert code(answer) == (429, "too_many_streams")
    full = serve(Settings("s" * 32, max_streams=0)).client()
    answer = full.ask("GET", f"/tables/{full.open()['id']}/stream")
    assert code(answer) == (503, "busy")
