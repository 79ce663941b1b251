"""Cookies, forms, foreign pages, headers, and who may know what."""

import json
import re
import socket
import stat
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from itsdangerous import Signer

from tests.waiting import DEADLINE
from tests.web.conftest import NO_LIMITS, SECRET, Client, Serve, Served
from yachtdice.web.edge import language
from yachtdice.web.edge.guard import CONTENT_SECURITY_POLICY
from yachtdice.web.edge.limits import Limiter, address_of
from yachtdice.web.edge.security import (
    LEGACY_COOKIE,
    SECRET_FILE,
    SECRET_VARIABLE,
    Keys,
    load_secret,
)

COOKIE = Keys(SECRET).cookie
FORM = "application/x-www-form-urlencoded"


def csrf_of(page: httpx.Response) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', page.text)
    assert found
    return found[1]


def new_game(browser: httpx.Client, csrf: str, **headers: str) -> httpx.Response:
    fields = {"csrf": csrf, "start": "alone", "rules": "traditional"}
    return browser.post("/new", data=fields, headers=headers)


def test_every_answer_has_the_headers(served: Served) -> None:
    for path in ("/", "/health", "/api/docs", "/api/openapi.json", "/api/nothing", "/nothing"):
        answer = served.http.get(path)
        assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


def test_the_policy_allows_nothing_unsafe() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "http" not in CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'; script-src 'self';")


def test_the_page_about_the_api_asks_for_nothing_from_elsewhere(served: Served) -> None:
    page = served.http.get("/api/docs").text
    assert "watch_table" not in page
    assert "/api/tables/{table_id}/stream" in page
    assert not re.search(r"<(script|style|link|img)|style=|://", page)


def test_a_form_needs_its_cookie_and_its_token(served: Served) -> None:
    browser = served.browser()
    csrf = csrf_of(browser.get("/"))
    cookie = browser.cookies[COOKIE]
    assert new_game(browser, csrf).status_code == 303
    assert new_game(browser, "").status_code == 403
    assert new_game(browser, csrf[:-1] + "x").status_code == 403
    assert new_game(browser, "\u20ac").status_code == 403
    assert browser.post("/new", data={"start": "alone"}).status_code == 403
    assert browser.post("/new", json={}).status_code == 415
    other = served.browser()
    assert new_game(other, csrf).status_code == 403  # no cookie
    assert csrf_of(other.get("/")) != csrf
    assert new_game(other, csrf).status_code == 403  # another's token
    assert browser.cookies[COOKIE] == cookie


@pytest.mark.parametrize("path", ["/new", "/analyse", "/train", "/choose"])
@pytest.mark.parametrize(
    "charset", ["utf-7", "unicode_escape", "utf-16", "idna", "undefined", "rot13", "none", ""]
)
def test_forms_are_in_utf_8(served: Served, path: str, charset: str) -> None:
    """Some of Python's codecs make half characters, which nothing can be answered with."""
    browser = served.browser()
    text = (
        f'--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{csrf_of(browser.get("/"))}\r\n'
    )
    name = '--b\r\nContent-Disposition: form-data; name="me"\r\n\r\n+2AA-\\ud800\r\n--b--\r\n'
    head = {"Content-Type": f"multipart/form-data; boundary=b; charset={charset}"}
    assert browser.post(path, content=text + name, headers=head).status_code == 415
    head["Content-Type"] = head["Content-Type"].partition("; charset")[0] + "; charset=UTF-8"
    assert browser.post(path, content=text + name, headers=head).status_code != 415


@pytest.mark.parametrize("request_id", ["a\x00b", "\x1b", "x" * 41, "\u20ac", " "])
@pytest.mark.parametrize("path", ["/new", "/train"])
def test_a_request_id_is_one_of_ours(served: Served, path: str, request_id: str) -> None:
    """PostgreSQL keeps no text that has a NUL in it."""
    browser = served.browser()
    sent = {"csrf": csrf_of(browser.get("/")), "start": "alone", "request": request_id}
    if path == "/train":
        while 'name="score"' not in (page := browser.get(path).text):
            pass
        for field in ("exercise", "score"):
            found = re.search(f'name="{field}" value="([^"]+)"', page)
            assert found
            sent[field] = found[1]
    assert browser.post(path, data=sent).status_code == 400
    assert browser.post(path, data={**sent, "request": "fine"}).status_code < 400


def test_a_form_of_any_length_is_too_large(served: Served) -> None:
    """Also where it does not say how long it is."""
    pieces = (b"csrf=" + b"x" * 10_000 for _ in range(10))
    answer = served.http.post("/new", content=pieces, headers={"Content-Type": FORM})
    assert answer.status_code == 413


def test_what_is_too_long_is_not_remembered() -> None:
    keys = Keys(SECRET)
    token, holder = keys.issue()
    assert keys.holder(token) == holder
    before = keys._cached_holder.cache_info().currsize  # noqa: SLF001
    assert keys.holder("x" * 5000) is None
    assert keys._cached_holder.cache_info().currsize == before  # noqa: SLF001
    headers = {b"accept-language": b"pl," + b"x" * 5000}
    before = language._cached_language.cache_info().currsize  # noqa: SLF001
    assert language.language_of(headers) == "pl"
    assert language._cached_language.cache_info().currsize == before  # noqa: SLF001


@pytest.mark.parametrize(
    "host",
    [
        b"x" * 300,
        b"[",
        b"[::1::]",
        b"[::1]x",
        b"\xff",
        b"a b",
        b"x:99999",
        b"x:y",
        b"",
        b":80",
        b'"><script>',
        b"evil.example/x",
        b"1.2.3.4:5:6",
        b"a@b",
        b"%zz",
        b"\xe2\x84\x80.example",
    ],
)
def test_a_host_is_a_host(ana: Client, host: bytes) -> None:
    """The invitation to a table names it."""
    table = ana.open(mode="online", people=[{"name": "Ana"}])
    for path in (f"/table/{table['id']}", "/games/?x=%ff", "/static"):
        answer = ana.http.get(path, headers={b"Host": host})
        assert answer.status_code == 400
        assert "<script>" not in answer.text
        assert urlsplit(answer.headers.get("location", "/")).hostname in {None, "127.0.0.1"}


@pytest.mark.parametrize(
    "host", ["localhost", "a.example:8000", "A_b-c.example.", "192.0.2.1:", "[::1]:8765", "a%20b"]
)
def test_hosts_of_any_form_are_served(served: Served, host: str) -> None:
    assert served.http.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"HTTP/1.1", 400),
        (b"HTTP/1.1\r\nHost:", 400),
        (b"HTTP/1.0", 200),
        (b"HTTP/1.1\r\nHost: x", 200),
    ],
)
def test_only_http_1_0_needs_no_host(served: Served, head: bytes, status: int) -> None:
    place = urlsplit(served.url)
    with socket.create_connection((place.hostname, place.port), DEADLINE) as connection:
        connection.sendall(b"GET /health " + head + b"\r\nConnection: close\r\n\r\n")
        answer = connection.makefile("rb").read()
    assert int(answer.split()[1]) == status


def test_streams_are_only_looked_at(served: Served, ana: Client) -> None:
    table = ana.open()
    for path in (f"/table/{table['id']}/live", f"/api/tables/{table['id']}/stream"):
        assert served.http.post(path).status_code == 405


def test_the_cookie_is_signed_and_kept_from_scripts(served: Served) -> None:
    browser = served.browser()
    answer = browser.get("/")
    header = answer.headers["set-cookie"]
    assert re.search(r"; Max-Age=\d+; Path=/; HttpOnly; SameSite=Lax$", header)
    token, _, signature = browser.cookies[COOKIE].rpartition(".")
    assert len(token) == 32
    assert len(signature) > 40
    assert "set-cookie" not in browser.get("/").headers  # one for ever
    forged = Signer("another secret", salt="yachtdice.seat").sign("x" * 32).decode()
    answer = served.http.get("/", headers={"Cookie": f"{COOKIE}={forged}"})
    assert "set-cookie" in answer.headers


def test_servers_on_one_host_leave_each_other_their_seats(serve: Serve) -> None:
    """Browsers send the cookies of a host to each of its ports."""
    here, there = serve(), serve(replace(NO_LIMITS, secret="t" * 32))
    names = [Keys(secret).cookie for secret in (SECRET, "t" * 32)]
    assert len({*names, LEGACY_COOKIE}) == 3
    jar = httpx.Cookies({LEGACY_COOKIE: "theirs", "theme": "dark"})
    with httpx.Client(cookies=jar, timeout=DEADLINE) as browser:
        for served in (here, there):
            browser.get(served.url)
            table = browser.post(f"{served.url}api/tables", json={}).json()["table"]
            assert table["you"]["seats"] == [0]
        kept = dict(browser.cookies)
        assert kept[LEGACY_COOKIE] == "theirs"
        assert set(kept) == {*names, LEGACY_COOKIE, "theme"}
        for served in (here, there):
            assert "set-cookie" not in browser.get(served.url).headers
            assert len(browser.get(f"{served.url}api/tables").json()["tables"]) == 1
        assert dict(browser.cookies) == kept


def test_a_seat_is_kept_by_the_cookie_of_earlier_versions(served: Served) -> None:
    ana = served.client()
    table = ana.open()
    path = f"/api/tables/{table['id']}"
    legacy = f"{LEGACY_COOKIE}=another's; {LEGACY_COOKIE}={ana.token}"
    answer = served.browser().get(path, headers={"Cookie": legacy})
    assert answer.json()["you"]["seats"] == [0]
    assert answer.headers["set-cookie"].startswith(f"{COOKIE}={ana.token}; ")
    answer = served.browser().get(path, headers={"Cookie": f"{legacy}; {COOKIE}={ana.token}"})
    assert answer.json()["you"]["seats"] == [0]
    assert "set-cookie" not in answer.headers


def test_cookies_are_found_beside_those_that_no_standard_allows(served: Served) -> None:
    browser = served.browser()
    browser.get("/")
    token = browser.cookies[COOKIE]
    for odd in (b'other={"a": 1}', b"name=\xc5\x82\xff", b"my[session]=1", b"=", b"a", b'x="y'):
        mine = f'{COOKIE}={token}; lang="de"; theme=dark'.encode()
        for fields in ([odd + b"; " + mine], [mine + b";" + odd], [odd, mine], [mine, odd]):
            headers = [(b"Cookie", field) for field in fields]
            page = served.browser().get("/", headers=headers)
            assert "set-cookie" not in page.headers
            assert '<html lang="de"' in page.text
            assert 'data-theme="dark"' in page.text


def test_behind_tls_the_cookie_is_secure(served: Served) -> None:
    answer = served.browser().get("/", headers={"X-Forwarded-Proto": "https"})
    assert "; Secure" in answer.headers["set-cookie"]


def test_the_api_knows_browsers_by_their_cookie_and_never_tells_it(served: Served) -> None:
    browser = served.browser()
    browser.get("/")
    answer = browser.post("/api/tables", json={})
    assert "token" not in answer.json()
    assert answer.json()["table"]["you"]["seats"] == [0]
    assert len(browser.get("/api/tables").json()["tables"]) == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({"Sec-Fetch-Site": "none"}, 201),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "HOST"}, 201),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "HOST.evil.example"}, 403),
        ({"Origin": "http://name", "Host": "name:80"}, 201),
        ({"Origin": "http://name:80", "Host": "NAME"}, 201),
        ({"Origin": "https://name", "Host": "name:443"}, 201),
        ({"Origin": "https://name:443", "Host": "name", "X-Forwarded-Proto": "https"}, 201),
        ({"Origin": "https://name", "Host": "name"}, 201),  # the proxy does not tell of its TLS
        ({"Origin": "http://[::1]:8000", "Host": "[0:0::1]:8000"}, 201),
        ({"Origin": "http://name", "Host": "name", "X-Forwarded-Proto": "https"}, 403),
        ({"Origin": "http://name", "Host": "name:443"}, 403),
        ({"Origin": "http://name:8221", "Host": "name:8222"}, 403),
        ({"Origin": "ftp://name", "Host": "name"}, 403),
        ({"Origin": "name", "Host": "name"}, 403),
        ({"Origin": "", "Host": "name"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 201),
        ({"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"}, 201),
    ],
)
def test_pages_of_other_sites_change_nothing(
    served: Served, headers: dict[str, str], status: int
) -> None:
    host = served.url.rstrip("/")
    head = {name: value.replace("HOST", host) for name, value in headers.items()}
    answer = served.http.post("/api/tables", json={}, headers=head)
    assert answer.status_code == status
    if status == 403:
        assert answer.json()["error"]["code"] == "foreign_origin"
    assert served.http.get("/", headers=head).status_code == 200  # looking is free


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"Origin": "null"}, ["Your browser hid where the form came from", "“null”"]),
        (
            {"Origin": "http://name<:8221", "Host": "name:8222"},
            ["Sent from another address", "from http://name&lt;:8221, but", "sent to name:8222"],
        ),
        ({"Sec-Fetch-Site": "cross-site"}, ["Sent from another site"]),
        ({}, ["That form was too old"]),
    ],
)
def test_a_refused_form_is_told_what_is_wrong(
    served: Served, headers: dict[str, str], said: list[str]
) -> None:
    answer = new_game(served.browser(), "wrong", **headers)
    assert answer.status_code == 403
    assert [text for text in said if text not in answer.text] == []


def test_no_site_is_invited_to_read_answers(served: Served) -> None:
    head = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = served.http.options("/api/tables", headers=head)
    assert not any(name.startswith("access-control") for name in answer.headers)
    assert answer.status_code in {403, 405}


def test_nobodys_holder_or_token_leaves_the_server(
    served: Served, ana: Client, bob: Client
) -> None:
    table = ana.open(mode="online", people=[{"name": "Ana"}])
    bob.join(table, "Bob")
    keys = Keys(SECRET)
    secrets = [ana.token, bob.token, keys.holder(ana.token), keys.holder(bob.token)]
    assert None not in secrets
    ana.do(ana.get(table), "begin")
    seen = [
        json.dumps(bob.get(table)),
        bob.ask("GET", f"/tables/{table['id']}/events").text,
        bob.ask("GET", f"/tables/{table['id']}/record").text,
        served.http.get(f"/table/{table['id']}").text,
    ]
    assert not [secret for secret in secrets for text in seen if str(secret) in text]


def test_a_secret_is_made_once_and_is_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SECRET_VARIABLE, raising=False)
    folder = tmp_path / "new"
    secret = load_secret(folder)
    assert len(secret) == 64
    assert load_secret(folder) == secret
    assert stat.S_IMODE((folder / SECRET_FILE).stat().st_mode) == 0o600
    monkeypatch.setenv(SECRET_VARIABLE, "e" * 40)
    assert load_secret(folder) == "e" * 40
    monkeypatch.setenv(SECRET_VARIABLE, "short")
    with pytest.raises(ValueError, match="32"):
        load_secret(folder)
    assert [path.name for path in folder.iterdir()] == [SECRET_FILE]


def test_what_is_remembered_of_addresses_is_bounded() -> None:
    now = 0.0
    limiter = Limiter(1.0, 2, lambda: now, max_addresses=10)
    assert [limiter.wait("a") for _ in range(4)] == [0, 0, 1, 1]
    now += 1.5
    assert [limiter.wait("a"), limiter.wait("a")] == [0, 0.5]
    for number in range(100):
        limiter.wait(str(number))
    assert len(limiter) == 10


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (None, ""),
        (("192.0.2.7", 5), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 5), "2001:db8:1:2::"),
        (("2001:db8:1:2:ffff::1", 5), "2001:db8:1:2::"),
        (("::ffff:192.0.2.7", 5), "192.0.2.7"),
        (("fe80::1%eth0", 5), "fe80::"),
        (("odd:thing", 5), "odd:thing"),
        (("x" * 9000, 5), "x" * 64),
    ],
)
def test_an_ipv6_network_counts_as_one_address(
    client: tuple[str, int] | None, address: str
) -> None:
    assert address_of({"client": client}) == address
