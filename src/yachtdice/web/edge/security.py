"""Tokens, cookies and forms: who sends a request, and whether it comes from this site.

For pages: `viewer(request).holder` is the id of the sender's token, None for somebody without one;
`viewer(request).ensure_holder()` issues a token to them, and the response sets the cookie. Every
form has a hidden field `csrf` with `csrf_token(request)`; `await read_form(request)` returns the
fields, or raises `RefusedError` (400, 403, 413 or 415), which the application turns into an error
answer.
Unsafe requests from pages of other sites are refused before they reach any route.
"""

from __future__ import annotations

import hmac
import os
import secrets
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, Signer
from python_multipart.multipart import parse_options_header
from starlette.exceptions import HTTPException

from yachtdice.play.online.tokens import holder_of, new_token
from yachtdice.web.edge.cookies import find_cookies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.datastructures import FormData
    from starlette.requests import HTTPConnection, Request

LEGACY_COOKIE = "yacht"
"""The cookie's name before it depended on the key. It is read, and never set."""
SECRET_FILE = "secret.key"  # noqa: S105 - a file's name
SECRET_VARIABLE = "YACHT_SECRET_KEY"  # noqa: S105 - a variable's name
MIN_SECRET = 32
_MAX_TOKEN = 200
_FORMS = (b"application/x-www-form-urlencoded", b"multipart/form-data")
# Only this encoding: some of Python's codecs decode to something other than text.
_UTF_8 = (b"utf-8", b"utf8")


class RefusedError(HTTPException):
    """A request that is answered with `status_code` and, in the API, with the stable *code*."""

    def __init__(
        self, status_code: int, code: str, detail: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(status_code, detail, headers)
        self.code = code


def load_secret(folder: Path, file: Path | None = None) -> str:
    """Return the secret in *file*, else the environment, else *folder*, where it may be created.

    Raises:
        ValueError: If it is shorter than 32 characters.
        OSError: If it cannot be read or created.
    """
    secret = given_secret(file) or _stored_secret(folder)
    if len(secret) < MIN_SECRET:
        raise ValueError(f"the secret has fewer than {MIN_SECRET} characters")
    return secret


def given_secret(file: Path | None = None) -> str:
    """Return the secret in *file* or the environment, empty if there is none.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it holds no text.
    """
    if file is not None:
        return file.read_text("ascii").strip() or "empty"
    return os.environ.get(SECRET_VARIABLE, "")


def _stored_secret(folder: Path) -> str:
    path = folder / SECRET_FILE
    folder.mkdir(parents=True, exist_ok=True)
    try:
        # Created with these permissions, so that nobody else can read it at any time.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text("ascii").strip()
    secret = secrets.token_hex(32)
    with os.fdopen(handle, "w", encoding="ascii") as made:
        made.write(f"{secret}\n")
    return secret


class Keys:
    """Signs tokens and recognizes those that this server has issued."""

    def __init__(self, secret: str) -> None:
        self._signer = Signer(secret, salt="yachtdice.seat", digest_method=sha256)
        self.cookie: str = f"yacht_{_digest(secret.encode(), b'yachtdice.cookie')[:16]}"
        """The name of the cookie with the token.

        Browsers keep one set of cookies for all ports of a host, so that servers with different
        keys need different names.
        """
        self._csrf = hmac.new(secret.encode(), b"yachtdice.csrf", sha256).digest()
        # Checking a signature costs more than the rest of a small request. The cache is bounded,
        # and so are its keys.
        self._cached_holder = lru_cache(maxsize=20_000)(self._unsigned)

    def issue(self) -> tuple[str, str]:
        """Return a new signed token and its holder."""
        signed = self._signer.sign(new_token()).decode()
        holder = self.holder(signed)
        assert holder is not None  # just signed
        return signed, holder

    def csrf(self, holder: str) -> str:
        """Return the value of the field `csrf` in the forms of *holder*."""
        return _digest(self._csrf, holder.encode())[:32]

    def holder(self, signed: str) -> str | None:
        """Return the holder of the token *signed*, None if this server has not issued it."""
        if len(signed) > _MAX_TOKEN or not signed.isascii():
            return None
        return self._cached_holder(signed)

    def _unsigned(self, signed: str) -> str | None:
        try:
            return holder_of(self._signer.unsign(signed).decode())
        except BadSignature:
            return None


class Viewer:
    """Who sent one request; `scope["state"]["viewer"]`."""

    __slots__ = ("_keys", "holder", "new_token", "renewed_token")

    def __init__(self, keys: Keys, headers: Mapping[bytes, bytes]) -> None:
        """Read the bearer token of a client of the API, or the cookie of a browser."""
        self._keys = keys
        self.new_token: str = ""
        """A token that was issued in this request; the response sets it as a cookie."""
        self.renewed_token: str = ""
        """A token from a cookie with the legacy name; the response sets it with the current one."""
        self.holder: str | None = None
        bearer = _bearer(headers)
        if bearer:
            self.holder = keys.holder(bearer)
        elif b"cookie" in headers:
            self._read_cookies(headers[b"cookie"])

    def _read_cookies(self, header: bytes) -> None:
        """Find the first token that this server has issued; a cookie of that name may be another's.

        The same name can occur several times, for instance with another `Domain`.
        """
        for name in (self._keys.cookie, LEGACY_COOKIE):
            for signed in find_cookies(header, name):
                self.holder = self._keys.holder(signed)
                if self.holder is not None:
                    self.renewed_token = signed if name == LEGACY_COOKIE else ""
                    return

    @property
    def csrf(self) -> str:
        """The value of the field `csrf` in forms; empty for somebody without a token."""
        return self._keys.csrf(self.holder) if self.holder else ""

    def ensure_holder(self) -> str:
        """Return the holder; issue a token if there is none."""
        if self.holder is None:
            self.new_token, self.holder = self._keys.issue()
        return self.holder


def viewer(connection: HTTPConnection) -> Viewer:
    """Return who sent the request."""
    found = connection.state.viewer
    assert isinstance(found, Viewer)  # the middleware put it there
    return found


def csrf_token(request: HTTPConnection) -> str:
    """Return the value of the field `csrf` of a form; issue a token if there is none."""
    sender = viewer(request)
    sender.ensure_holder()
    return sender.csrf


async def parse_form(request: Request, max_files: int, max_fields: int) -> FormData:
    """Return a form without checking where it comes from.

    Raises:
        RefusedError: If it is not a form in UTF-8 (415), too large (413) or malformed (400).
    """
    kind, parameters = parse_options_header(request.headers.get("content-type"))
    if kind not in _FORMS or parameters.get(b"charset", b"utf-8").lower() not in _UTF_8:
        raise RefusedError(415, "unsupported_media_type", "a form in UTF-8 is expected")
    try:
        return await request.form(max_files=max_files, max_fields=max_fields)
    except RefusedError:
        raise
    except (HTTPException, ValueError) as error:
        raise RefusedError(400, "malformed", "the form cannot be read") from error


async def read_form(request: Request, max_fields: int = 50) -> dict[str, str]:
    """Return the fields of a form of this site; the last one of each name counts.

    Raises:
        RefusedError: If it is malformed (see `parse_form`), has files or too many fields (400),
            or its `csrf` is wrong (403).
    """
    form = await parse_form(request, max_files=0, max_fields=max_fields)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    expected = viewer(request).csrf
    if not expected or not hmac.compare_digest(expected.encode(), _bytes(fields.get("csrf", ""))):
        raise RefusedError(403, "csrf", "the form is not from this site, or its cookie is gone")
    return fields


def _digest(key: bytes, message: bytes) -> str:
    return hmac.new(key, message, sha256).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _bearer(headers: Mapping[bytes, bytes]) -> str:
    value = headers.get(b"authorization")
    if value is None:
        return ""
    kind, _, token = value.decode("latin-1").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
