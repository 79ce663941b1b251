"""The differences between the supported databases, as a protocol."""

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
    """An engine with one connection, for the writer's thread."""

    @property
    def readers(self) -> Engine | None:
        """Read-only connections; None if the writer's is the only one."""
        ...

    @property
    def is_listening(self) -> bool:
        """See `Store.is_listening`."""
        ...

    def prepare(self, connection: Connection) -> None:
        """Lock the schema against other processes until the transaction ends."""
        ...

    def announce(self, connection: Connection, versions: Mapping[str, int]) -> None:
        """Notify other processes once the transaction commits; see `Listener.on_change`."""
        ...

    def broadcast(self, connection: Connection, text: str) -> None:
        """Send *text* to others once the transaction commits; see `Listener.on_message`."""
        ...

    def subscribe(self, listener: Listener) -> None:
        """See `Store.subscribe`."""
        ...

    def is_transient(self, error: BaseException | None) -> bool:
        """Return whether *error* is transient: the same transaction may succeed if tried again."""
        ...

    def is_unreachable(self, error: BaseException | None) -> bool:
        """Return whether *error* says that the database cannot be reached."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...
