"""What one kind of database does in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection, Engine

    from yachtdice.store.contract import Listener


READERS = 4
"""How many connections of one process read at once."""


class Database(Protocol):
    """SQLite or PostgreSQL, as `SqlStore` uses it."""

    is_shared: bool
    now: str
    """The time in seconds since 1970, as an expression in SQL."""
    writer: Engine
    """With one connection, for the writer's thread."""

    @property
    def readers(self) -> Engine | None:
        """Connections that only read; None where there is one connection at all."""
        ...

    @property
    def is_heard(self) -> bool:
        """See `Store.is_heard`."""
        ...

    def prepare(self, connection: Connection) -> None:
        """Keep others from looking after the schema until the transaction ends."""
        ...

    def announce(self, connection: Connection, versions: Mapping[str, int]) -> None:
        """Tell other processes, if the transaction is committed; see `Listener.changed`."""
        ...

    def say(self, connection: Connection, text: str) -> None:
        """Tell other processes, if the transaction is committed; see `Listener.heard`."""
        ...

    def attend(self, listener: Listener) -> None:
        """See `Store.attend`."""
        ...

    def is_passing(self, error: BaseException | None) -> bool:
        """Return whether a transaction that ended with *error* may go well at the next try."""
        ...

    def is_away(self, error: BaseException | None) -> bool:
        """Return whether *error* says that there is no database to talk to."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
