"""The interface of a store of event streams, and the values that it takes and returns.

A *stream* is a list of events, numbered from 1 without gaps. A store does not interpret events:
each has a kind and data that JSON can represent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from yachtdice.rules import YachtError

if TYPE_CHECKING:
    import asyncio


@dataclass(frozen=True, slots=True)
class Entry:
    """An event to append."""

    kind: str
    data: Mapping[str, Any]
    """Whatever `json.dumps` accepts; keys are stable identifiers."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored event with its envelope."""

    stream: str
    seq: int
    """The event's number within its stream, from 1."""
    time: float
    """Seconds since 1970, in UTC."""
    actor: str
    request: str | None
    """The id of the request that led to it; only on the last event of one write."""
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Write:
    """Events to append to one stream, all or none."""

    stream: str
    expected: int
    """The number of events in the stream before; 0 creates it."""
    entries: Sequence[Entry]
    time: float
    actor: str = ""
    request: str | None = None
    """Unique within the stream, so that a repeated request cannot take effect twice."""
    members: Sequence[str] = ()
    """Members to add to the stream, for `Store.streams_of`."""
    stage: str | None = None
    """The new stage of the stream, for `Store.sweep`; None leaves it unchanged."""


@dataclass(frozen=True, slots=True)
class StreamInfo:
    """A stream without its events."""

    stream: str
    version: int
    created: float
    active: float
    """The time of its newest event; seconds since 1970."""
    stage: str


@dataclass(frozen=True, slots=True)
class StreamSnapshot:
    """Everything that a store holds of one stream."""

    stream: str
    stage: str
    members: tuple[str, ...]
    """Sorted."""
    events: tuple[Stored, ...]

    @property
    def has_gap(self) -> bool:
        """Whether its events are not numbered from 1 without gaps."""
        numbers = [event.seq for event in self.events]
        return not numbers or numbers != list(range(1, len(numbers) + 1))

    def writes(self) -> list[Write]:
        """Return the writes that recreate the stream in a store that does not have it.

        Append them in one call. There is one for each event, since each has its own time and actor.
        """
        return [
            Write(
                self.stream,
                event.seq - 1,
                (Entry(event.kind, event.data),),
                event.time,
                event.actor,
                event.request,
                self.members if event.seq == 1 else (),
                self.stage if event.seq == 1 else None,
            )
            for event in self.events
        ]


class StoreError(YachtError):
    """A store cannot do what it was asked to."""


class StoreInUseError(StoreError):
    """Another process uses the database, which only one process may."""


class ClusterKeyMismatchError(StoreError):
    """Another process uses the same database with another cluster key: see `SqlStore.open`."""


class StoreBrokenError(StoreError):
    """Reading or writing failed: a full disk, a lost connection.

    The events may have been stored all the same; trying again with the same request id finds out.
    """


class VersionConflictError(StoreError):
    """A stream is not as long as the writer expected: another writer was quicker."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream}: expected version {expected}, found {actual}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class RequestRepeatedError(StoreError):
    """The stream has an event with this request id already."""

    def __init__(self, stream: str, request: str) -> None:
        super().__init__(f"{stream}: request {request!r} is known")
        self.stream = stream
        self.request = request


class StreamDamagedError(StoreError):
    """A stream holds data that no store writes."""

    def __init__(self, stream: str, why: str) -> None:
        super().__init__(f"{stream}: {why}")
        self.stream = stream
        self.why = why


class StoreClosedError(StoreError):
    """The store was closed."""


MAX_TEXT = 7500
"""The longest text, in bytes, that `Store.broadcast` takes."""


class Listener(Protocol):
    """Receives what other processes do with a shared store. Called in any thread."""

    def on_change(self, versions: Mapping[str, int]) -> None:
        """Handle new *versions* of streams; 0 means that one was deleted."""
        ...

    def on_message(self, text: str) -> None:
        """Handle a *text* that another process broadcast."""
        ...

    def on_gap(self) -> None:
        """Handle a gap: the connection was lost, and anything may have changed meanwhile."""
        ...


class Scannable(Protocol):
    """A source of whole streams, page by page."""

    async def scan(self, after: str, limit: int) -> list[StreamSnapshot]:
        """Return the first *limit* streams whose names sort after *after*, ordered by name.

        Names are compared by code points. Each stream is consistent in itself; two streams may be
        read at different moments.

        Raises:
            StreamDamagedError: If one of them cannot be read.
        """
        ...


class Store(Scannable, Protocol):
    """A store of event streams. One contract suite (`tests/store`) tests all implementations."""

    observe: Callable[[int, float], None] | None
    """Called with the number of appends in a batch and its seconds, in any thread."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same streams."""
        ...

    @property
    def is_listening(self) -> bool:
        """Whether listeners currently receive all changes; always true without other processes."""
        ...

    def subscribe(self, listener: Listener) -> None:
        """Notify *listener* from now on of what other processes do. To be called once."""
        ...

    async def broadcast(self, text: str) -> None:
        """Send *text*, of at most `MAX_TEXT` bytes, to the listeners of all other processes.

        Raises:
            StoreError: If it cannot be sent.
        """
        ...

    async def lease(self, name: str, seconds: float) -> float:
        """Acquire or renew the lease called *name* for *seconds*; one process can hold it.

        Returns 0 if this process holds it now, else the seconds until the other's lease expires.

        Raises:
            StoreError: If the database cannot be reached.
        """
        ...

    def append(self, *writes: Write) -> asyncio.Future[None]:
        """Append *writes*, all or none; return a future that is done once they are durable.

        If it fails with VersionConflictError, RequestRepeatedError or StoreClosedError, nothing was
        stored. Several of *writes* may go to one stream, in their order. To be called on the event
        loop. Cancelling the future undoes nothing.
        """
        ...

    async def load(self, stream: str, after: int = 0) -> list[Stored]:
        """Return the events of *stream* from number *after* + 1 on; empty if there are none."""
        ...

    async def streams_of(self, member: str, limit: int) -> list[StreamInfo]:
        """Return the streams of *member*, the most lately active first."""
        ...

    async def snapshots(self, names: Sequence[str]) -> list[StreamSnapshot]:
        """Return the streams called *names* that exist, in the order of `scan`."""
        ...

    async def sweep(self, stage: str, before: float, limit: int) -> list[str]:
        """Delete up to *limit* streams in *stage* whose newest event is older; return which."""
        ...

    async def delete(self, stream: str) -> bool:
        """Delete *stream*; return whether there was one."""
        ...

    async def ping(self) -> None:
        """Check that streams can be read and written, by reading and writing; keep nothing of it.

        Raises:
            StoreError: If they cannot.
        """
        ...

    async def close(self) -> None:
        """Finish pending calls and release all resources. Later calls raise StoreClosedError."""
        ...
