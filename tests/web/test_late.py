"""A server is there at once: what needs the coach is loaded when somebody asks for it."""

import sys

import pytest
from starlette.routing import Route

from tests import processes
from yachtdice.web.pages import coach, lazy, train

START = """
import asyncio, sys
import httpx
import yachtdice.cli.commands.serve, yachtdice.store.sql.engine, yachtdice.web.server
from yachtdice.play.online.tables import Tables
from yachtdice.web.app import Application
from yachtdice.web.edge.settings import Settings

async def ask(*paths):
    app = Application(Tables(), Settings("s" * 32)).asgi
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://y") as http:
        for path in paths:
            assert (await http.get(path)).status_code == 200, path

asyncio.run(ask("/", "/rules", "/games"))
heavy = {"numpy", "fsrs", "yachtdice.coach", "yachtdice.solver"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
asyncio.run(ask("/analyse"))
assert "yachtdice.coach" in sys.modules
"""


def test_numpy_is_not_loaded_until_the_coach_is_asked() -> None:
    done = processes.run([sys.executable, "-c", START], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "route", lazy.ROUTES, ids=lambda route: " ".join([*sorted(route.methods), route.path])
)
def test_every_late_page_is_there(route: Route) -> None:
    module, name = route.endpoint.__name__.split(".")
    assert callable(getattr({"coach": coach, "train": train}[module], name))
