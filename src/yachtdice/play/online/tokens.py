"""Tokens and ids. A token is a secret that holds seats; its public half says whose seat it is."""

from __future__ import annotations

import base64
import secrets
from hashlib import sha256

TOKEN_BYTES = 24
TABLE_ID_LENGTH = 16

# Lower case and no padding: ids stand in addresses that people read out to each other.
_ID_PATTERN = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def new_token() -> str:
    """Return a secret of 192 random bits, fit for a cookie or a header."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def holder_of(token: str) -> str:
    """Return the public half of *token*: 26 characters, from which nobody can compute it."""
    digest = sha256(b"yachtdice/holder/" + token.encode(errors="surrogatepass")).digest()
    return _text(digest[:16])


def new_table_id(holder: str = "", request_id: str = "") -> str:
    """Return an unguessable id of 80 bits; the same one for the same holder and request.

    A request that is retried thus opens one table, not two.
    """
    if request_id:
        seed = f"yachtdice/table/{holder}/{request_id}".encode(errors="surrogatepass")
        return _text(sha256(seed).digest()[:10])
    return _text(secrets.token_bytes(10))


def is_table_id(text: str) -> bool:
    """Return whether *text* has the form of a table's id."""
    return len(text) == TABLE_ID_LENGTH and _ID_PATTERN.issuperset(text)


def _text(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=").lower()
