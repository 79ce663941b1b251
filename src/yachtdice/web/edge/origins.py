"""Hosts and origins: which site a request was sent to, and from which one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope

# RFC 9110, 7.2, with the host and the port of RFC 3986, 3.2. A host of `http` cannot be empty.
_HOST = re.compile(
    r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)"
    r"(?::(?P<port>[0-9]{0,5}))?"
)
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>.+)", re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65535
_SAFE = ("GET", "HEAD", "OPTIONS")


class Foreign(Enum):
    """Why an unsafe request does not count as sent by a page of this site."""

    SITE = "the request comes from another site"
    HIDDEN = "the browser hides which site the request comes from: Origin is null"
    ADDRESS = "Origin names another scheme, host or port than the request was sent to"


@lru_cache(maxsize=1024)
def parse_host(field: bytes) -> tuple[str, int | None] | None:
    """Return the host, in lower case, and the port in a Host field; None if it is invalid."""
    match = _HOST.fullmatch(field.decode("latin-1"))
    if match is None:
        return None
    port = int(match["port"]) if match["port"] else None
    if port is not None and port > _MAX_PORT:
        return None
    if match["ipv6"] is not None:
        try:
            return str(IPv6Address(match["ipv6"])), port
        except AddressValueError:
            return None
    return match[0].partition(":")[0].lower(), port


def find_foreign(scope: Scope, headers: Mapping[bytes, bytes]) -> Foreign | None:
    """Return why an unsafe request is a browser's for a page of another site, None if it is not.

    Clients other than browsers send neither header, and need no such protection.
    """
    if scope["method"] in _SAFE:
        return None
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return None if site in {b"same-origin", b"none"} else Foreign.SITE
    origin = headers.get(b"origin")
    if origin is None:
        return None
    if origin.strip().lower() == b"null":
        return Foreign.HIDDEN
    if _is_same(origin, scope["scheme"], headers.get(b"host", b"")):
        return None
    return Foreign.ADDRESS


def _is_same(origin: bytes, scheme: str, host: bytes) -> bool:
    """Return whether scheme, host and port are the same (RFC 6454, 5).

    A proxy that does not tell of its TLS makes a request for `https` look like one for `http`,
    never the other way round.
    """
    match = _ORIGIN.fullmatch(origin.decode("latin-1"))
    if match is None:
        return False
    theirs = match["scheme"].lower()
    default = _DEFAULT_PORTS[theirs]
    sender, receiver = parse_host(match["host"].encode("latin-1")), parse_host(host)
    if sender is None or receiver is None or (scheme, theirs) == ("https", "http"):
        return False
    return sender[0] == receiver[0] and (sender[1] or default) == (receiver[1] or default)
