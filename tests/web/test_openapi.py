"""The API does what its description says: Schemathesis asks for all that it allows, and more."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeAlias

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.conftest import Client, Served, serving
from yachtdice.web.api import shapes
from yachtdice.web.api.openapi import description
from yachtdice.web.api.schema import InvalidError, MalformedError, parse_json

pytestmark = pytest.mark.system
pytest_plugins = ["schemathesis.pytest.plugin"]

Case: TypeAlias = schemathesis.Case[Any]
STREAM = "/api/tables/{table_id}/stream"

# What has the right shape can still be what no table can be.
IMPOSSIBLE = {"bad_name", "seat_count", "first_seat", "no_bots", "bad_dice"}
CONFIG = {
    "checks": {
        "positive_data_acceptance": {
            "expected-statuses": ["2xx", "403", "404", "409", "422"],
        },
    },
}


@pytest.fixture(scope="module")
def api() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.fixture(scope="module")
def player(api: Served) -> Client:
    client = api.client()
    client.open(mode="online", people=[{}])
    return client


schema = schemathesis.openapi.from_dict(description(), config=schemathesis.Config.from_dict(CONFIG))


def check(case: Case, api: Served, table: str = "", token: str = "") -> None:
    """Ask as *case* says, at that table if one is given, and hold the answer to the schema."""
    if table and "table_id" in (case.path_parameters or {}) and case.operation.path != STREAM:
        case.path_parameters = {"table_id": table}
    headers = {"Authorization": f"Bearer {token}"} if token else None
    answer = case.call_and_validate(api.url, headers=headers)
    if answer.status_code == 422 and case.meta and case.meta.generation.mode.is_positive:
        assert answer.json()["error"]["code"] in IMPOSSIBLE


# The cases at the edges, which Schemathesis works out by itself, come on top of these.
quick = settings(
    max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
long = settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))


@schema.parametrize()
@quick
def test_any_table(case: Case, api: Served) -> None:
    check(case, api)


@schema.parametrize()
@quick
def test_ones_own_table(case: Case, api: Served, player: Client) -> None:
    check(case, api, own(player), player.token)


@pytest.mark.soak
@schema.parametrize()
@long
def test_any_table_for_long(case: Case, api: Served) -> None:
    check(case, api)


@pytest.mark.soak
@schema.parametrize()
@long
def test_a_table_of_somebody_else_for_long(case: Case, api: Served, player: Client) -> None:
    check(case, api, own(player))


@pytest.mark.soak
@schema.parametrize()
@long
def test_ones_own_table_for_long(case: Case, api: Served, player: Client) -> None:
    check(case, api, own(player), player.token)


def own(player: Client) -> str:
    """Return a table of the player's on which there still is something to do."""
    for table in player.ask("GET", "/tables").json()["tables"]:
        if table["phase"] in {"lobby", "playing"} and table["mode"] == "online":
            return str(table["id"])
    return str(player.open(mode="online", people=[{}])["id"])


def test_the_description_is_served_and_names_everything(api: Served) -> None:
    said = api.http.get("/api/openapi.json").json()
    assert said == json.loads(json.dumps(description()))
    assert said["openapi"] == "3.1.0"
    text = json.dumps(said)
    for name in said["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in text
    for methods in said["paths"].values():
        for operation in methods.values():
            assert operation["description"]
            assert operation["operationId"]
    page = api.http.get("/api/docs").text
    for name in said["components"]["schemas"]:
        assert f"<h3 id={name}>" in page


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_whatever_is_sent_is_read_or_refused(value: object) -> None:
    for shape in (shapes.OPENING, shapes.JOINING, shapes.ACTING):
        with suppress(InvalidError):
            shape.check(value, "")


@given(st.binary())
def test_whatever_bytes_come_are_json_or_malformed(body: bytes) -> None:
    with suppress(MalformedError):
        parse_json(body)
