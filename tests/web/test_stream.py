"""Watching: what comes when, to whom, and how it ends."""

import asyncio
import logging
import socket
from contextlib import ExitStack
from itertools import islice
from typing import Any

import httpx
import pytest

from tests.waiting import DEADLINE
from tests.web.conftest import NO_LIMITS, SECRET, Client, Serve, Served, Stream
from yachtdice.play.online.tables import Tables
from yachtdice.play.online.tokens import holder_of, new_token
from yachtdice.solutions import Solutions
from yachtdice.store.contract import StoreBrokenError
from yachtdice.web.context import Services
from yachtdice.web.edge.settings import Settings
from yachtdice.web.scene import Scene
from yachtdice.web.stream import Channel, Hub, Renderer, Subscription


def test_the_state_comes_at_once_and_after_each_change(ana: Client, eve: Client) -> None:
    table = ana.open()
    with ana.watch(table) as mine, eve.watch(table) as theirs:
        assert mine.answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert mine.next() == table
        seen = theirs.next()
        assert seen == {**table, "you": {"seats": [], "is_host": False, "can_move": False}}
        for step in (("roll", {}), ("fill", {"category": "ones"}), ("roll", {})):
            table = ana.do(table, step[0], **step[1])
            assert mine.next() == table
            assert theirs.next() == {**table, "you": seen["you"]}


def test_who_comes_back_gets_what_they_missed(ana: Client) -> None:
    table = ana.open()
    rolled = ana.do(table, "roll")
    with ana.watch(table, **{"Last-Event-ID": str(table["version"])}) as stream:
        assert stream.next() == rolled
    with ana.watch(table, **{"Last-Event-ID": str(rolled["version"])}) as stream:
        after = ana.do(rolled, "fill", category="choice")
        assert stream.next() == after  # not the one that was known


def test_who_wants_each_version_gets_each_version(ana: Client, eve: Client) -> None:
    """From any version on, those as well that came and went together."""
    table = ana.open()
    for _ in range(3):
        table = ana.do(table, "roll")
        table = ana.do(table, "roll", kept=[table["turn"]["dice"][0]])
        box = next(iter(table["turn"]["points"]))
        table = ana.do(table, "fill", category=box)
    versions = list(range(1, table["version"] + 1))
    for client in (ana, eve):
        path = f"/api/tables/{table['id']}/stream?every=true"
        with client.http.stream("GET", path, headers=client.headers) as answer:
            stream = Stream(answer)
            states = [stream.next() for _ in versions]
            assert [state["version"] for state in states] == versions
            assert {**states[-1], "you": {}} == {**table, "you": {}}
            table = ana.do(table, "roll")
            versions.append(stream.next()["version"])
            table = ana.do(table, "roll", kept=table["turn"]["dice"][:2])
            versions += [stream.next()["version"] for _ in range(2)]
            table = ana.do(table, "fill", category=next(iter(table["turn"]["points"])))
            versions.append(stream.next()["version"])
        assert versions == list(range(1, table["version"] + 1))
        with client.http.stream("GET", f"{path}&after=5", headers=client.headers) as answer:
            assert Stream(answer).next()["version"] == 6


@pytest.mark.parametrize("known", ["", "x", "-1", "9" * 40, "1e3", "\u00b2"])
def test_an_id_that_is_none_is_as_good_as_no_id(ana: Client, known: str) -> None:
    table = ana.open()
    path = f"/api/tables/{table['id']}/stream"
    head = {b"Last-Event-ID": known.encode("latin-1")}
    with ana.http.stream("GET", path, headers=head) as answer:
        assert f"id: {table['version']}" in list(islice(answer.iter_lines(), 4))
    with ana.http.stream("GET", f"{path}?after={known}") as answer:
        assert answer.status_code == 200


def test_looking_whether_there_is_a_stream_opens_none(served: Served, ana: Client) -> None:
    table = ana.open()
    answer = ana.http.head(f"/api/tables/{table['id']}/stream")
    assert (answer.status_code, answer.content) == (200, b"")
    assert served.http.head("/api/tables/x/stream").status_code == 404
    assert served.http.get("/health").json()["streams"] == 0


def test_a_sign_of_life_comes_now_and_then(serve: Serve) -> None:
    client = serve(Settings(SECRET, rate=0, ping_every=0.01)).client()
    with client.watch(client.open()) as stream:
        stream.next()
        assert stream.next_block()[0].startswith(":")
        assert stream.next_block()[0].startswith(":")


def test_a_stop_ends_streams_and_people_come_back(serve: Serve) -> None:
    served = serve()
    client = served.client()
    with client.watch(client.open()) as stream:
        stream.next()
        served.server.stop()
        with pytest.raises(EOFError):
            stream.next()


def test_a_store_that_fails_ends_streams_that_have_begun(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Their readers come back, and are then told what is wrong."""

    async def fail(*_: object) -> None:
        raise StoreBrokenError("the database is away")

    served = serve()
    client = served.client()
    table = client.open()
    path = f"/api/tables/{table['id']}/stream?every=true"
    with client.http.stream("GET", path, headers=client.headers) as answer:
        stream = Stream(answer)
        while stream.next()["version"] < table["version"]:
            pass
        monkeypatch.setattr(served.tables, "steps", fail)
        same = served.client()
        same.token = client.token
        same.do(table, "roll")
        with pytest.raises(EOFError):
            stream.next()
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [(record.name, record.message) for record in warnings] == [
        ("yachtdice.web.stream", "a stream was ended")
    ]


def test_who_goes_is_noticed(serve: Serve) -> None:
    served = serve()
    client = served.client()
    table = client.open()
    with client.watch(table) as stream:
        stream.next()
        assert served.http.get("/health").json()["streams"] == 1
    while served.http.get("/health").json()["streams"]:
        pass


def test_people_learn_that_somebody_is_absent(serve: Serve) -> None:
    served = serve(away_after=0.05)
    ana, bob = served.client(), served.client()
    table = ana.open(mode="online", people=[{}])
    bob.join(table)
    with ana.watch(table) as stream:
        while not (state := stream.next())["seats"][-1]["is_absent"]:
            pass
        assert state["version"] == table["version"] + 1
    with ana.watch(table, **{"Last-Event-ID": str(state["version"])}) as stream:
        assert stream.next()["seats"][1]["is_absent"]  # it may be news all the same


async def _texts_are_shared() -> list[Scene]:
    tables = Tables()
    made: list[Scene] = []

    def render(scene: Scene) -> str:
        made.append(scene)
        return "a\r\nb"

    hub = Hub(Services(tables, NO_LIMITS, Solutions()), {"x": Renderer(render)})
    ana, bob = holder_of(new_token()), holder_of(new_token())
    table = await tables.open(ana)
    told: list[list[bytes]] = [[] for _ in range(6)]

    async def never() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    def sending(to: list[bytes]) -> Any:  # noqa: ANN401 - an ASGI callable
        async def send(message: Any) -> None:  # noqa: ANN401
            to.append(message.get("body", b""))

        return send

    streams = [
        asyncio.create_task(
            hub.run(Subscription("x", table.id, who), Channel(never, sending(to), sending(to)))
        )
        for who, to in zip((None, bob, None, ana, ana, bob), told, strict=True)
    ]
    while not all(any(b"id: " in body for body in to) for to in told):  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert b"id: 3\ndata: a\ndata: b\n\n" in told[0]
    hub.close()
    await asyncio.gather(*streams)
    assert hub.streams == 0
    assert not hub._texts  # noqa: SLF001 - nothing is kept of tables that nobody watches
    await tables.close()
    return made


def test_a_state_is_rendered_once_for_all_who_see_the_same() -> None:
    made = asyncio.run(_texts_are_shared())
    assert [scene.seats for scene in made] == [(), (0,)]


def test_a_slow_reader_holds_up_nobody_and_costs_little(served: Served, ana: Client) -> None:
    """It reads nothing at all, while others go on through whole games."""
    table = ana.open(dice="real")
    host, port = served.url.removeprefix("http://").rstrip("/").split(":")
    with ExitStack() as stack:
        slow = stack.enter_context(socket.create_connection((host, int(port))))
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        path = f"/api/tables/{table['id']}/stream"
        slow.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        stream = stack.enter_context(ana.watch(table))
        assert stream.next() == table
        table = ana.do(table, "enter_points", category="ones", points=1)
        for points in (2, 3, 4, 5, 0) * 60:
            table = ana.do(table, "correct", seat=0, category="ones", points=points)
        while stream.next()["version"] < table["version"]:
            pass


async def _a_reader_that_takes_nothing() -> None:
    tables = Tables()
    settings = Settings(SECRET, ping_every=0.001)
    hub = Hub(Services(tables, settings, Solutions()), {"x": Renderer(lambda _: "text")})
    table = await tables.open(holder_of(new_token()))

    async def never(_: Any = None) -> Any:  # noqa: ANN401 - an ASGI callable
        await asyncio.Event().wait()

    async def begins(_: Any) -> None:  # noqa: ANN401
        pass

    # It returns by itself, and would for ever wait if it did not give up.
    running = hub.run(Subscription("x", table.id, None), Channel(never, begins, never))
    await asyncio.wait_for(running, DEADLINE)
    assert hub.streams == 0
    await tables.close()


def test_a_reader_that_takes_nothing_is_given_up() -> None:
    asyncio.run(_a_reader_that_takes_nothing())


def test_a_table_that_is_not_there_is_not_watched(served: Served) -> None:
    answer = served.http.get("/api/tables/" + "a" * 16 + "/stream")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "table_not_found")
    assert isinstance(answer, httpx.Response)
