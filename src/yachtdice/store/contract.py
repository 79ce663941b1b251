"""What a store keeps and promises, whatever it keeps it in.

A *stream* is a list of events, numbered from 1 without gaps. What an event means is none of the
store's business: it has a kind and data that JSON can hold.
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
    """An event to be kept."""

    kind: str
    data: Mapping[str, Any]
    """What `json.dumps` can write, with keys that are no language's words."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An event that was kept, in its envelope."""

    stream: str
    seq: int
    """1 for the first of its stream."""
    time: float
    """Seconds since 1970, in UTC."""
    actor: str
    request: str | None
    """The id of the request that led to it; only on the last event of several."""
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Write:
    """Events to append to one stream, all or none."""

    stream: str
    expected: int
    """The number of events that the stream has before; 0 makes a new one."""
    entries: Sequence[Entry]
    time: float
    actor: str = ""
    request: str | None = None
    """Unique within the stream, so that a request that is repeated cannot act twice."""
    members: Sequence[str] = ()
    """Who is to find the stream in `Store.streams_of` from now on."""
    stage: str | None = None
    """How far the stream is, for `Store.sweep`; None leaves it."""


@dataclass(frozen=True, slots=True)
class StreamInfo:
    """What is known of a stream without its events."""

    stream: str
    version: int
    created: float
    active: float
    """When its newest event was kept; seconds since 1970."""
    stage: str


@dataclass(frozen=True, slots=True)
class StreamCopy:
    """All that a store holds of one stream."""

    stream: str
    stage: str
    members: tuple[str, ...]
    """In order."""
    events: tuple[Stored, ...]

    @property
    def has_gap(self) -> bool:
        """Whether its events are not numbered from 1 on, one after the other."""
        numbers = [event.seq for event in self.events]
        return not numbers or numbers != list(range(1, len(numbers) + 1))

    def writes(self) -> list[Write]:
        """Return what makes the same stream in a store that has none of this name.

        To be appended in one call; a write for each event, since each has its own time and actor.
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
    """Something is wrong with a store."""


class StoreInUseError(StoreError):
    """Another process has the database, and it is one that only one may have."""


class MarkError(StoreError):
    """Another process works on the same database, and is not one of ours: see `SqlStore.open`."""


class StoreBrokenError(StoreError):
    """Something could not be kept or read: a full disk, a lost connection.

    What was to be kept may have been kept all the same; whoever tries again with the same request
    id finds out.
    """


class VersionConflictError(StoreError):
    """A stream is not as long as the writer thought: somebody else was quicker."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream}: expected version {expected}, found {actual}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class RequestRepeatedError(StoreError):
    """A request with this id has been answered already."""

    def __init__(self, stream: str, request: str) -> None:
        super().__init__(f"{stream}: request {request!r} is known")
        self.stream = stream
        self.request = request


class StreamDamagedError(StoreError):
    """A stream holds what no store writes: somebody else did, or the disk."""

    def __init__(self, stream: str, why: str) -> None:
        super().__init__(f"{stream}: {why}")
        self.stream = stream
        self.why = why


class StoreClosedError(StoreError):
    """The store was closed."""


LONGEST_TEXT = 7500
"""Bytes of a text that `Store.say` takes."""


class Listener(Protocol):
    """Who wants to know what other processes do with a shared store. Called in any thread."""

    def changed(self, versions: Mapping[str, int]) -> None:
        """Streams have become so long; 0 says that one was deleted."""
        ...

    def heard(self, text: str) -> None:
        """Another process has said something."""
        ...

    def missed(self) -> None:
        """Anything may have happened: the connection was away, and is back."""
        ...


class Walkable(Protocol):
    """Where whole streams can be had, one page of them after the other."""

    async def walk(self, after: str, limit: int) -> list[StreamCopy]:
        """Return the first *limit* streams whose names come after *after*, in their order.

        Names are compared by the code points of their characters. Each stream is as it is at one
        moment, no two need be as they are at the same one.

        Raises:
            StreamDamagedError: If one of them cannot be read.
        """
        ...


class Store(Walkable, Protocol):
    """Where streams are kept. One contract suite (`tests/store`) holds for each that there is."""

    observe: Callable[[int, float], None] | None
    """Told how many appends were kept at once, and in how many seconds; from any thread."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same streams."""
        ...

    @property
    def is_heard(self) -> bool:
        """Whether `attend` hears of all changes now; always so if nobody else can make any."""
        ...

    def attend(self, listener: Listener) -> None:
        """Tell *listener* from now on what other processes do with the streams; call it once."""
        ...

    async def say(self, text: str) -> None:
        """Tell the listeners of the other processes *text*, of at most `LONGEST_TEXT`.

        Raises:
            StoreError: If they cannot be reached.
        """
        ...

    async def lease(self, name: str, seconds: float) -> float:
        """Take or keep what is called *name* for so long; of all processes one can have it.

        Returns 0 if this process has it now, else the seconds until the other one's time is up.

        Raises:
            StoreError: If that cannot be found out.
        """
        ...

    def append(self, *writes: Write) -> asyncio.Future[None]:
        """Return a future that is done once all of *writes* are durable: all of them or none.

        It fails with VersionConflictError, RequestRepeatedError or StoreClosedError, and then
        nothing was kept. Several of *writes* may go to one stream, in their order. To be called
        from the event loop; whoever stops waiting undoes nothing.
        """
        ...

    async def load(self, stream: str, after: int = 0) -> list[Stored]:
        """Return the events of *stream* from number *after* + 1 on; empty where there are none."""
        ...

    async def streams_of(self, member: str, limit: int) -> list[StreamInfo]:
        """Return the streams of *member*, the most lately active first."""
        ...

    async def copies(self, names: Sequence[str]) -> list[StreamCopy]:
        """Return those of the streams called *names* that there are, in the order of `walk`."""
        ...

    async def sweep(self, stage: str, before: float, limit: int) -> list[str]:
        """Delete up to *limit* streams in *stage* whose newest event is older; return which."""
        ...

    async def delete(self, stream: str) -> bool:
        """Delete *stream*; return whether there was one."""
        ...

    async def ping(self) -> None:
        """Return if streams can be read and written; raise a StoreError if not."""
        ...

    async def close(self) -> None:
        """Finish what was begun and let go. What was not begun fails with StoreClosedError."""
        ...
