"""Bad requests of all kinds, as the bytes that go over the wire, from a seed."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from itsdangerous import Signer
from starlette.routing import BaseRoute, Mount, Route

import yachtdice.web
from tests.web import nonsense
from yachtdice import CATEGORIES
from yachtdice.bots import LEVELS
from yachtdice.presets import RULE_SET_KEYS
from yachtdice.web.api.shapes import ACTIONS
from yachtdice.web.edge.connections import MAX_PIPELINED
from yachtdice.web.edge.security import LEGACY_COOKIE, Keys

_FOLDER = Path(yachtdice.web.__file__).parent
_TEMPLATES = "".join(path.read_text("utf-8") for path in (_FOLDER / "templates").glob("*.html"))
FIELDS = sorted({"csrf", *re.findall(r'name="([a-z0-9_]+)"', _TEMPLATES)})
"""The fields of all forms."""
WORDS = sorted({"", *re.findall(r'value="([^"{]+)"', _TEMPLATES), *(c.value for c in CATEGORIES)})
"""What the fields of forms can say."""
FILES = sorted(path.name for path in (_FOLDER / "static").iterdir() if path.is_file())
RECORD = 'yacht 1\nrules traditional\nseat 1 "A"\n1.1: 1-2-3-4-5 = choice 15\n'


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom the server knows."""

    token: str
    csrf: str


@dataclass(frozen=True, slots=True)
class World:
    """What there is to get at."""

    secret: str
    people: Sequence[Person]
    tables: Sequence[str]
    routes: Sequence[BaseRoute]


@dataclass(slots=True)
class Request:
    """A request that is right at first."""

    method: str
    target: bytes
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    version: bytes = b"HTTP/1.1"
    is_chunked: bool = False
    is_sound: bool = True
    """Whether it is HTTP, and where it ends is clear, so that it has to be answered."""

    def sent(self) -> bytes:
        """Return it as bytes."""
        headers, body = self.headers, self.body
        if self.is_chunked:
            headers = [*headers, (b"Transfer-Encoding", b"chunked")]
            body = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
        elif body or self.method == "POST":
            headers = [*headers, (b"Content-Length", b"%d" % len(body))]
        lines = [self.method.encode() + b" " + self.target + b" " + self.version]
        lines += [name + b": " + value for name, value in headers]
        return b"\r\n".join(lines) + b"\r\n\r\n" + body


@dataclass(frozen=True, slots=True)
class Attack:
    """Bytes, and how they are sent."""

    kind: str
    parts: tuple[bytes, ...]
    is_head: bool = False
    wants: int = 1
    """How many answers there have to be; 0 where it is cut off, or where it ends is unclear."""
    pause: float = 0.0
    """Seconds between the parts."""
    is_cut: bool = False
    """Whether the client goes away without listening."""


class Fuzzer:
    """Makes attacks on every route of *world*; the same ones from the same *seed*."""

    def __init__(self, world: World, seed: object) -> None:
        self._world = world
        self._chance = random.Random(f"{seed}")  # noqa: S311 - no secret
        ours = Signer(world.secret, salt="yachtdice.seat", digest_method=sha256)
        self._tokens = [
            *("x", "a.b", "\u00e9", "x" * 5000, ".", "..", '"', "\x00"),
            Keys(world.secret).issue()[0],
            Signer(world.secret, salt="other", digest_method=sha256).sign("x" * 32).decode(),
            Signer("another secret", salt="yachtdice.seat").sign("x" * 32).decode(),
            *(ours.sign(text).decode("latin-1") for text in ("", "x", "a.b", "x" * 100, b"\xe9")),
            *(person.csrf for person in world.people),
        ]
        self._faults: tuple[Callable[[Request], None], ...] = (
            self._method,
            self._path,
            self._query,
            self._header,
            self._header,
            self._twice,
            self._type,
            self._token,
            self._raw_body,
            self._half_body,
            self._chunked,
            self._old,
            self._huge,
            self._coding,
        )
        self._ways: tuple[Callable[[Request], Attack], ...] = (
            *[self._whole] * 14,
            self._split,
            self._slow,
            self._half,
            self._half,
            self._pipelined,
        )

    def attacks(self) -> Iterator[Attack]:
        """Yield attacks without end: on each route in turn, by each of its methods."""
        while True:
            for route in self._world.routes:
                assert isinstance(route, Route | Mount)
                for method in sorted(getattr(route, "methods", None) or {"GET", "POST"}):
                    yield self._attack(route, method)
                    if self._chance.random() < 0.05:
                        yield Attack("no http", (self._chance.choice(nonsense.NO_HTTP),), wants=0)

    def _attack(self, route: Route | Mount, method: str) -> Attack:
        request = Request(method, self._target(route), [(b"Host", b"127.0.0.1")])
        person = self._chance.choice(self._world.people)
        if self._chance.random() < 0.7:
            self._sign(request, person.token)
        if method == "POST" and route.path.startswith("/api"):
            self._json(request, is_action=route.path.endswith("/actions"))
        elif method == "POST":
            self._form(request, person.csrf)
        # Some have no fault but what they ask for.
        for fault in self._chance.sample(self._faults, self._chance.choice((0, 1, 1, 1, 2, 3))):
            fault(request)
        return self._chance.choice(self._ways)(request)

    # What is asked for

    def _target(self, route: Route | Mount) -> bytes:
        chance = self._chance
        path = route.path
        if isinstance(route, Mount):
            path += f"/{chance.choice(FILES)}"
        if chance.random() < 0.8:
            path = path.replace("{table_id}", chance.choice(self._world.tables))
        raw = re.sub(r"\{\w+:int\}", lambda _: chance.choice(("1", "0", "99", "7")), path).encode()
        return re.sub(rb"\{\w+(:\w+)?\}", lambda _: chance.choice(nonsense.SEGMENTS), raw)

    def _sign(self, request: Request, token: str) -> None:
        said = token.encode("latin-1")
        if self._chance.random() < 0.5:
            request.headers.append((b"Authorization", b"Bearer " + said))
        else:
            request.headers.append((b"Cookie", LEGACY_COOKIE.encode() + b"=" + said))

    def _json(self, request: Request, *, is_action: bool) -> None:
        request.headers.append((b"Content-Type", b"application/json"))
        wanted = self._action() if is_action else self._opening()
        for _ in range(self._chance.choice((0, 1, 1, 2))):
            wanted = self._spoilt(wanted)
        request.body = json.dumps(wanted).encode()

    def _action(self) -> object:
        chance = self._chance
        action = {
            "do": chance.choice(sorted(ACTIONS)),
            "kept": chance.choices(range(1, 7), k=chance.randrange(5)),
            "faces": chance.choices(range(1, 7), k=chance.randrange(6)),
            "dice": chance.choices(range(1, 7), k=5),
            "category": chance.choice(CATEGORIES).value,
            "points": chance.randrange(60),
            "seat": chance.randrange(3),
            "level": chance.choice(sorted(LEVELS)),
            "first": 0,
            "instead_of": None,
        }
        known = {"do", *(field.name for field in fields(ACTIONS[str(action["do"])]))}
        return {
            "version": chance.randrange(3, 40),
            "request": chance.choice(("r", f"r{chance.random()}", *nonsense.TEXTS)),
            "action": {key: value for key, value in action.items() if key in known},
        }

    def _opening(self) -> object:
        # Nearly always with something that no table can be: too many would be opened.
        chance = self._chance
        return {
            "people": [{"name": chance.choice(nonsense.TEXTS), "level": None}],
            "rules": chance.choice((*RULE_SET_KEYS, "none")),
            "size": chance.choice((1, 6, 7)),
            "hints": chance.choice((True, False, 1)),
            "first": chance.choice((0, None, 9)),
            "request": chance.choice(("r", *nonsense.TEXTS)),
        }

    def _spoilt(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """Return JSON with one thing in it that is missing, too much or another."""
        chance = self._chance
        if isinstance(value, dict) and value and chance.random() < 0.8:
            key = chance.choice(sorted(value))
            match chance.randrange(6):
                case 0:
                    return {k: v for k, v in value.items() if k != key}
                case 1:
                    return {**value, chance.choice(nonsense.TEXTS): chance.choice(nonsense.VALUES)}
                case _:
                    return {**value, key: self._spoilt(value[key])}
        if isinstance(value, list) and value and chance.random() < 0.5:
            return [*value[:-1], self._spoilt(value[-1])]
        return chance.choice(nonsense.VALUES)

    def _form(self, request: Request, csrf: str) -> None:
        chance = self._chance
        names = chance.sample(FIELDS, chance.randrange(6))
        filled = {name: chance.choice((*WORDS, *nonsense.TEXTS)) for name in names}
        if chance.random() < 0.5:
            filled |= {"do": chance.choice(WORDS), "version": str(chance.randrange(3, 40))}
        filled["csrf"] = csrf if chance.random() < 0.9 else chance.choice(nonsense.TEXTS)
        if chance.random() < 0.2:
            filled["record"] = RECORD[: chance.randrange(len(RECORD))] + chance.choice(WORDS)
        if chance.random() < 0.6:
            request.headers.append((b"Content-Type", b"application/x-www-form-urlencoded"))
            request.body = urlencode(filled, errors="surrogatepass").encode()
            return
        kind = chance.choice((b"", b"", b"; charset=utf-8", *nonsense.CHARSETS))
        request.headers.append((b"Content-Type", b"multipart/form-data; boundary=b" + kind))
        request.body = self._multipart(filled)

    def _multipart(self, filled: dict[str, str]) -> bytes:
        chance = self._chance
        parts = [
            b'Content-Disposition: form-data; name="%s"\r\n\r\n%s' % (name.encode(), text.encode())
            for name, text in filled.items()
        ]
        if chance.random() < 0.5:
            parts.append(chance.choice(nonsense.PARTS))
        if chance.random() < 0.2:
            parts *= 30
        whole = b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"
        return whole if chance.random() < 0.8 else whole[: chance.randrange(len(whole))]

    # What is wrong with it

    def _method(self, request: Request) -> None:
        request.method = self._chance.choice(nonsense.METHODS)
        # A method in the wrong case, CONNECT and the like are no requests of HTTP/1.1 here.
        request.is_sound &= request.method in {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}

    def _path(self, request: Request) -> None:
        path, _, query = request.target.partition(b"?")
        segments = path.split(b"/")
        place = self._chance.randrange(1, len(segments) + 1)
        segments[place : place + self._chance.randrange(2)] = [
            self._chance.choice(nonsense.SEGMENTS)
        ]
        request.target = b"/".join(segments) + (b"?" + query if query else b"")

    def _query(self, request: Request) -> None:
        request.target += b"?" + self._chance.choice(nonsense.QUERIES)

    def _header(self, request: Request) -> None:
        name, value = self._chance.choice(nonsense.HEADERS)
        request.is_sound &= name not in nonsense.FRAMING and len(value) < 4000
        if name == b"Host":  # the first one counts
            request.headers = [header for header in request.headers if header[0] != name]
        request.headers.append((name, value))

    def _twice(self, request: Request) -> None:
        request.headers += self._chance.sample(request.headers, 1)

    def _type(self, request: Request) -> None:
        kept = [header for header in request.headers if header[0] != b"Content-Type"]
        request.headers = [*kept, (b"Content-Type", self._chance.choice(nonsense.TYPES))]

    def _token(self, request: Request) -> None:
        wrong = (b"Authorization", b"Cookie")
        request.headers = [header for header in request.headers if header[0] not in wrong]
        self._sign(request, self._chance.choice(self._tokens))

    def _raw_body(self, request: Request) -> None:
        request.body = self._chance.choice(nonsense.BODIES)

    def _half_body(self, request: Request) -> None:
        request.body = request.body[: self._chance.randrange(len(request.body) + 1)]

    def _chunked(self, request: Request) -> None:
        request.is_chunked = True

    def _old(self, request: Request) -> None:
        request.version = self._chance.choice((b"HTTP/1.0", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/0.9"))
        request.is_sound &= request.version == b"HTTP/1.0"

    def _huge(self, request: Request) -> None:
        request.body = request.body * 3 + b"x" * self._chance.choice((20_000, 40_000, 300_000))
        request.is_sound = False  # who still sends may not hear why nobody listens

    def _coding(self, request: Request) -> None:
        request.headers.append((b"Content-Encoding", b"gzip"))
        request.body = gzip.compress(request.body + bytes(100_000), mtime=0)

    # How it is sent

    def _whole(self, request: Request) -> Attack:
        return self._sent("whole", request, (request.sent(),))

    def _split(self, request: Request) -> Attack:
        data = request.sent()
        cut = self._chance.randrange(len(data))
        attack = self._sent("split", request, (data[:cut], data[cut:]), pause=0.02)
        return attack if request.version == b"HTTP/1.1" else replace(attack, wants=0)

    def _slow(self, request: Request) -> Attack:
        """Byte by byte, as long as that does not take for ever."""
        data = request.sent()[:400]
        attack = self._sent("slow", request, tuple(bytes((byte,)) for byte in data), pause=0.001)
        # In HTTP/1.0 the connection ends with the answer, which then may not reach who still sends.
        is_heard = len(data) < 400 and request.version == b"HTTP/1.1"
        return attack if is_heard else replace(attack, wants=0)

    def _half(self, request: Request) -> Attack:
        data = request.sent()
        return Attack("half", (data[: self._chance.randrange(len(data))],), wants=0, is_cut=True)

    def _pipelined(self, request: Request) -> Attack:
        number = self._chance.choice((2, 9, 400))
        attack = self._sent("pipelined", request, (request.sent() * number,))
        return attack if number < MAX_PIPELINED else replace(attack, wants=0)

    @staticmethod
    def _sent(kind: str, request: Request, parts: tuple[bytes, ...], pause: float = 0.0) -> Attack:
        is_head = request.method == "HEAD"
        return Attack(kind, parts, is_head, int(request.is_sound), pause)
