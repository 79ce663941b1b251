"""What the pages' addresses answer, to forms and to htmx, without a browser."""

import hashlib
import html
import re
from pathlib import Path

import httpx
import pytest

from tests.web.conftest import Serve, Served
from yachtdice.dice_source import ScriptedDice
from yachtdice.notation import parse_record
from yachtdice.play.online.tokens import is_table_id
from yachtdice.rules import DiceRolled, TurnEntered
from yachtdice.web.edge.settings import Settings
from yachtdice.web.pages.rendering import STATIC, static_url

# Taken from the registry's package htmx.org, version 4.0.1, unchanged.
VENDORED = {
    "htmx-4.0.1.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-sse-4.0.1.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
}
HTMX = {"HX-Request": "true"}


class Person:
    """Somebody with cookies, who sends the forms of the page that they look at."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self.path = "/"
        self.text = ""

    def go(self, path: str, **headers: str) -> httpx.Response:
        return self._seen(self.http.get(path, headers=headers, follow_redirects=True))

    def send(self, path: str = "", *, htmx: bool = False, **fields: str) -> httpx.Response:
        """Send the form of the page, with its hidden fields and *fields*."""
        hidden = re.findall(r'<input type="hidden" name="([\w]+)" value="([^"]*)"', self.text)
        data = {name: html.unescape(value) for name, value in hidden} | fields
        answer = self.http.post(
            path or self.path, data=data, headers=HTMX if htmx else {}, follow_redirects=True
        )
        return self._seen(answer, keep=htmx)

    def _seen(self, answer: httpx.Response, *, keep: bool = False) -> httpx.Response:
        if keep:
            # htmx puts the live part into the page, whose other fields stay.
            start = self.text.index('<div id="live"')
            self.text = self.text[:start] + answer.text
        else:
            self.path = answer.url.path
            self.text = answer.text
        return answer

    @property
    def version(self) -> int:
        found = re.search(r'data-version="(\d+)"', self.text)
        assert found
        return int(found[1])

    def start(self, kind: str, **fields: str) -> str:
        """Open a table from the start page; return its address."""
        self.go("/")
        answer = self.send("/new", start=kind, **fields)  # type: ignore[arg-type]
        assert answer.status_code == 200, answer.text
        assert is_table_id(self.path.rpartition("/")[2])
        return self.path


@pytest.fixture
def ana(served: Served) -> Person:
    return Person(served.browser())


@pytest.fixture
def bea(served: Served) -> Person:
    return Person(served.browser())


@pytest.fixture
def scripted(serve: Serve) -> Person:
    """Return somebody at a server with dice that were written down."""
    return Person(
        serve(dice_source=ScriptedDice([4, 4, 1, 2, 6, 4, 4, 1, 5, 5, 5, 5, 5])).browser()
    )


def test_the_vendored_files_are_what_they_were() -> None:
    folder = Path(str(STATIC)) / "vendor"
    for name, digest in VENDORED.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    scripts = {path.name for path in folder.glob("*.js")}
    assert scripts == set(VENDORED)
    assert "Zero-Clause BSD" in (folder / "LICENSE-htmx.txt").read_text("utf-8")


@pytest.mark.parametrize("path", ["/", "/rules", "/keys", "/games", "/?rules=all-dice"])
def test_each_page_is_there_and_names_only_files_of_this_site(ana: Person, path: str) -> None:
    answer = ana.go(path)
    assert answer.status_code == 200
    links = re.findall(r'(?:src|href|action)="([^"]*)"', answer.text)
    assert links
    assert all(link.startswith(("/", "#")) and not link.startswith("//") for link in links)
    # The policy allows no style or handler inside the page.
    assert not re.search(r'<style|\sstyle="|\son[a-z]+="|<script(?! src=)|javascript:', answer.text)


def test_files_can_be_kept_for_ever(served: Served) -> None:
    http = served.browser()
    answer = http.get(static_url("table.css"))
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert "immutable" not in http.get("/static/table.css").headers["cache-control"]
    # A page of another version, from the next server of the same site, asks for other content.
    assert http.get("/static/table.css?v=0123456789").headers["cache-control"] == "no-store"
    assert http.get(f"{static_url('table.css')}&x").headers["cache-control"] == "no-store"
    assert http.get("/static/../pages.py").status_code == 404
    manifest = http.get(static_url("manifest.webmanifest"))
    assert manifest.json()["icons"]


def test_every_file_that_the_style_sheets_name_is_there() -> None:
    folder = Path(str(STATIC))
    for sheet in folder.glob("*.css"):
        for name in re.findall(r"url\(\"(?!data:)([^\")]+)\"\)", sheet.read_text("utf-8")):
            assert (folder / name).is_file(), f"{sheet.name}: {name}"


def test_a_roll_keeps_what_was_kept_where_it_was(scripted: Person) -> None:
    scripted.start("alone")
    scripted.send(htmx=True, do="roll")
    assert 'name="order" value="44126"' in scripted.text
    # The second of the two fours is kept: it stays second, whatever falls.
    scripted.send(htmx=True, do="roll", keep2="1")
    assert 'name="order" value="44415"' in scripted.text
    kept = re.findall(r'id="die-\d+-(\d)" checked', scripted.text)
    assert kept == ["2"]


def test_a_zero_asks_once_with_htmx_and_without(scripted: Person) -> None:
    address = scripted.start("alone")
    scripted.send(do="roll")
    before = scripted.version
    answer = scripted.send(score="yacht")
    assert answer.url.query == b"zero=yacht"
    assert scripted.version == before
    assert "Enter 0: Yacht" in scripted.text
    scripted.go(address)
    scripted.send(htmx=True, score="yacht")
    assert "Enter 0: Yacht" in scripted.text
    assert scripted.version == before
    scripted.send(htmx=True, sure="yacht")
    assert scripted.version == before + 1


def test_a_stale_form_changes_nothing_and_says_so(ana: Person) -> None:
    ana.start("people", number="2")
    ana.send(do="roll")
    # The first answer to a request that is sent once more.
    again = ana.version
    ana.send(do="roll", version=str(again - 1))
    assert ana.version == again
    # Another action for a version that is past is stale, whoever has moved there.
    other = ana.send(htmx=True, do="roll", keep1="1", version=str(again))
    assert other.status_code == 200
    moved = ana.version
    assert moved > again
    answer = ana.send(htmx=True, score="choice", version=str(again))
    assert "That was for an earlier moment." in html.unescape(answer.text)
    assert ana.version == moved
    # And so is one for a version that is still to come.
    ana.send(score="choice")
    after = ana.version
    answer = ana.send(htmx=True, do="roll", version=str(after + 7))
    assert answer.status_code == 200
    assert "That was for an earlier moment." in html.unescape(answer.text)
    assert ana.version == after


def test_all_five_kept_is_explained(ana: Person) -> None:
    ana.start("alone")
    ana.send(do="roll")
    before = ana.version
    kept = {f"keep{place}": "1" for place in range(1, 6)}
    ana.send(do="roll", **kept)  # type: ignore[arg-type]
    assert "To keep all five dice, choose a box to score." in ana.text
    assert ana.version == before


def test_a_spectator_and_a_stranger_disturb_nobody(ana: Person, bea: Person) -> None:
    address = ana.start("online", me="Ana")
    ana.send(do="begin", first="0")
    bea.go(address)
    assert 'name="do" value="roll"' not in bea.text
    answer = bea.send(do="roll")
    assert answer.status_code == 200
    assert "You have no seat at this table; you can watch." in bea.text
    ana.go(address)
    assert ana.version == bea.version


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "fly"},
        {"do": "bot"},
        {"do": "remove x"},
        {"do": "roll", "order": "123"},
        {"score": "sevens"},
        {"sure": ""},
        {"points": "many", "enter": "ones"},
        {"points": "3", "fix": "ones"},
        {"version": "", "do": "roll"},
        {"version": "9" * 30, "do": "roll"},
        {"score": "ones", "dice": "1234567"},
    ],
)
def test_a_form_that_is_none_of_ours_is_refused(ana: Person, fields: dict[str, str]) -> None:
    address = ana.start("score")
    before = ana.version
    answer = ana.send(**fields)  # type: ignore[arg-type]
    assert answer.status_code in {200, 400}, answer.text
    ana.go(address)
    assert ana.version == before


def test_a_form_needs_its_token(ana: Person) -> None:
    address = ana.start("alone")
    version = ana.version
    answer = ana.send(do="roll", csrf="0" * 32)
    assert answer.status_code == 403
    assert "Nothing was changed." in answer.text
    ana.go(address)
    assert ana.version == version


@pytest.mark.parametrize("start", ["", "fly", "computer genius", "people"])
def test_what_cannot_be_started_is_refused(ana: Person, start: str) -> None:
    ana.go("/")
    answer = ana.send("/new", start=start, number="9")
    assert answer.status_code in {400, 422}
    assert "yacht" in answer.text.lower()


def test_a_name_that_cannot_be_used_is_explained_and_nothing_is_lost(ana: Person) -> None:
    ana.go("/")
    answer = ana.send("/new", start="people", number="3", name1="A" * 31, name2="Bea")
    assert answer.status_code == 422
    assert "That name cannot be used" in answer.text
    assert 'value="Bea"' in answer.text
    assert 'value="3" id="n3" checked' in answer.text


def test_a_form_that_is_sent_twice_opens_one_table(ana: Person) -> None:
    ana.go("/")
    page = ana.text
    first = ana.send("/new", start="alone").url
    ana.text = page
    assert ana.send("/new", start="alone").url == first


def test_online_from_the_invitation_to_the_rematch(ana: Person, bea: Person) -> None:
    address = ana.start("online", me="Ana")
    assert f'value="{ana.http.base_url}{address.lstrip("/")}"' in ana.text
    assert "<svg" in ana.text.split('class="qr"')[1]
    bea.go(address)
    bea.send(do="join", name="Bea")
    assert "as soon as the host says so" in bea.text
    # Who has a seat keeps the one, whatever is sent again.
    bea.send(do="join", name="Bea")
    ana.go(address)
    assert ana.text.count("<bdi>Bea</bdi>") == 1
    ana.send(htmx=True, do="bot novice")
    assert "<bdi>Computer</bdi>" in ana.text
    ana.send(htmx=True, do="remove 2")
    ana.send(htmx=True, do="begin", first="1")
    bea.go(address)
    assert "Your turn" in bea.text
    bea.send(do="resign")
    ana.go(address)
    ana.send(do="resign")
    assert "Nobody played to the end." in ana.text
    answer = ana.send(htmx=True, do="rematch")
    assert answer.status_code == 204
    assert answer.headers["hx-redirect"] != address


def test_the_scorekeeper_types_points_and_corrects(ana: Person) -> None:
    address = ana.start("score", number="2", name1="Ana", name2="Bea")
    ana.go(f"{address}?dice=44441")
    ana.send(score="fours")
    ana.go(f"{address}?box=choice")
    ana.send(points="21")
    ana.go(f"{address}?fix=2.choice&into=sixes")
    ana.send(points="18")
    record = parse_record(ana.http.get(f"{address}/record").text)
    events = record.game.events
    assert isinstance(events[1], TurnEntered)
    assert events[1].points == 16
    assert [card.total for card in record.game.position.cards] == [16, 18]
    # A zero of typed dice asks as well, and the dice stay typed.
    ana.go(f"{address}?dice=11236")
    answer = ana.send(score="yacht")
    assert answer.url.query == b"zero=yacht&dice=11236"
    ana.send(sure="yacht")
    assert "Yacht: 0" in ana.text


@pytest.mark.parametrize(
    "query",
    ["zero=sevens", "dice=7", "dice=123456", "box=", "fix=9.ones", "fix=x", "into=ones", "step=-1"],
)
def test_an_address_that_makes_no_sense_shows_the_table(ana: Person, query: str) -> None:
    address = ana.start("score")
    assert ana.go(f"{address}?{query}").status_code == 200
    assert 'id="typing"' in ana.text


def test_a_replay_has_an_address_for_each_step(ana: Person, bea: Person) -> None:
    address = ana.start("alone")
    ana.send(do="roll")
    ana.send(do="roll", keep1="1")
    for step, said in ((1, "Step 1 of 4"), (4, "Step 4 of 4"), (99, "Step 4 of 4")):
        assert said in bea.go(f"{address}/replay/{step}").text
    events = parse_record(bea.http.get(f"{address}/record").text).game.events
    assert isinstance(events[-1], DiceRolled)


def test_what_has_not_begun_has_no_replay(ana: Person) -> None:
    address = ana.start("online", me="Ana")
    assert ana.http.get(f"{address}/replay").status_code == 409
    assert ana.http.get(f"{address}/record").status_code == 409


def test_own_games_are_listed_to_their_owner_alone(ana: Person, bea: Person) -> None:
    assert "No games yet on this device." in ana.go("/games").text
    address = ana.start("computer perfect", first="other")
    ana.start("online", me="Ana")
    text = ana.go("/games").text
    assert address in text
    assert re.search(r"2[34] turns to go", text)
    assert "Nobody else yet" in text
    assert address not in bea.go("/games").text


def test_a_theme_is_kept_and_leads_nowhere_else(ana: Person) -> None:
    ana.go("/rules")
    ana.send("/choose", theme="dark")
    assert ana.path == "/rules"
    assert 'data-theme="dark"' in ana.text
    for back in ("//example.org/", "/\\example.org", "https://example.org/"):
        data = {"csrf": re.findall(r'name="csrf" value="(\w+)"', ana.text)[0]}
        answer = ana.http.post("/choose", data={**data, "theme": "", "back": back})
        assert answer.headers["location"] == "/"
    assert "data-theme" not in ana.go("/").text


@pytest.mark.parametrize("path", ["/nowhere", "/table/aaaaaaaaaaaaaaaa", "/table/x", "/table/"])
def test_what_is_not_there_is_said_calmly(ana: Person, path: str) -> None:
    answer = ana.go(path)
    assert answer.status_code == 404
    assert re.search(r'<a class="button" href="[^"]+">', answer.text)


def test_too_many_requests_are_a_page_with_a_way_on(serve: Serve) -> None:
    http = serve(Settings("s" * 32, rate=0.001, burst=2)).browser()
    answers = [http.get("/rules") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "Wait a few seconds." in answers[-1].text
    assert 'href="/rules">Try again' in answers[-1].text
