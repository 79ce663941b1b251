"""Tables of values in files, used only if undamaged and for the same rules.

A file is a line of JSON, the numbers, and a checksum:

    {"format": "yachtdice table", "version": 1, "kind": "solo", "rules": "<fingerprint>", ...}
    count x 8 bytes: float64, little-endian
    32 bytes: SHA-256 of everything before

Nothing in it is ever executed, and its rules are compared by `RuleSet.fingerprint`, so that neither
a house rule nor a new key leads to wrong values.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from yachtdice.files import atomic_write
from yachtdice.solver.errors import ValueTableError, ValueTableReason

if TYPE_CHECKING:
    from yachtdice.rules import RuleSet
    from yachtdice.solver.arrays.lattice import Floats

FORMAT = "yachtdice table"
VERSION = 1
"""Raised whenever the format, or the order of the numbers, changes."""

_DIGEST = 32
_LONGEST_HEADER = 1000


def save_table(path: str | os.PathLike[str], kind: str, rules: RuleSet, values: Floats) -> None:
    """Write *values*, a table of that *kind* for *rules*, to a file, at once or not at all.

    Raises:
        OSError: If the file cannot be written.
    """
    path = Path(path)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "rules": rules.fingerprint,
        "key": rules.key,
        "count": len(values),
    }
    content = json.dumps(header).encode() + b"\n" + values.astype("<f8").tobytes()
    with atomic_write(path) as file:
        file.write(content + sha256(content).digest())


def load_table(path: str | os.PathLike[str], kind: str, rules: RuleSet, count: int) -> Floats:
    """Return the table of that *kind* for *rules* from a file.

    Raises:
        ValueTableError: If the file cannot be read, is damaged, or holds anything else.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ValueTableError(ValueTableReason.MISSING, str(error)) from error
    line, *_ = content[:_LONGEST_HEADER].partition(b"\n")
    header = _header(line, str(path))
    if header.get("version") != VERSION:
        found = f"{path}: version {header.get('version')!r:.20}, not {VERSION}"
        raise ValueTableError(ValueTableReason.OTHER_VERSION, found)
    body, digest = content[:-_DIGEST], content[-_DIGEST:]
    if sha256(body).digest() != digest:
        raise ValueTableError(ValueTableReason.DAMAGED, f"{path}: wrong checksum")
    if header["kind"] != kind:
        raise ValueTableError(ValueTableReason.OTHER_KIND, f"{path}: {header['kind']}, not {kind}")
    if header["rules"] != rules.fingerprint:
        raise ValueTableError(ValueTableReason.OTHER_RULES, f"{path}: {header['key']}")
    numbers = body[len(line) + 1 :]
    if len(numbers) != count * 8:
        raise ValueTableError(ValueTableReason.DAMAGED, f"{path}: {len(numbers)} bytes of numbers")
    return np.frombuffer(numbers, "<f8").astype(np.float64)


def _header(line: bytes, path: str) -> dict[str, object]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueTableError(ValueTableReason.DAMAGED, f"{path}: no header")
    return header
