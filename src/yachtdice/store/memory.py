"""A store in memory, for data that need not outlive the process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from yachtdice.store.contract import (
    Listener,
    RequestRepeatedError,
    StoreClosedError,
    Stored,
    StreamInfo,
    StreamSnapshot,
    VersionConflictError,
    Write,
)


@dataclass(slots=True)
class _Stream:
    info: StreamInfo
    events: list[Stored] = field(default_factory=list)
    requests: set[str] = field(default_factory=set)


class MemoryStore:
    """A `Store` that keeps streams in a dictionary."""

    is_shared = False
    is_listening = True

    def __init__(self) -> None:
        self.observe: Callable[[int, float], None] | None = None
        self._streams: dict[str, _Stream] = {}
        self._members: dict[str, set[str]] = {}
        self._is_closed = False

    def append(self, *writes: Write) -> asyncio.Future[None]:
        """Append all of *writes* or none; see `Store.append`."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ahead: dict[str, tuple[int, set[str]]] = {}
        try:
            for write in writes:
                self._check(write, ahead)
        except (StoreClosedError, VersionConflictError, RequestRepeatedError) as error:
            future.set_exception(error)
            return future
        for write in writes:
            self._append(write)
        if self.observe is not None:
            self.observe(1, 0.0)
        future.set_result(None)
        return future

    async def load(self, stream: str, after: int = 0) -> list[Stored]:
        """Return the events of *stream* from number *after* + 1 on."""
        kept = self._streams.get(stream)
        return kept.events[after:] if kept else []

    async def streams_of(self, member: str, limit: int) -> list[StreamInfo]:
        """Return the streams of *member*, the most lately active first."""
        infos = [self._streams[stream].info for stream in self._members.get(member, ())]
        return sorted(infos, key=lambda info: (-info.active, info.stream))[:limit]

    async def scan(self, after: str, limit: int) -> list[StreamSnapshot]:
        """Return the first *limit* streams whose names come after *after*, in their order."""
        return await self.snapshots(sorted(name for name in self._streams if name > after)[:limit])

    async def snapshots(self, names: Sequence[str]) -> list[StreamSnapshot]:
        """Return the streams called *names* that exist, ordered by name."""
        found = sorted(name for name in set(names) if name in self._streams)
        return [self._snapshot(name) for name in found]

    async def sweep(self, stage: str, before: float, limit: int) -> list[str]:
        """Delete up to *limit* streams in *stage* whose newest event is older; return which."""
        infos = [kept.info for kept in self._streams.values()]
        old = [info for info in infos if info.stage == stage and info.active < before]
        old.sort(key=lambda info: (info.active, info.stream))
        for info in old[:limit]:
            await self.delete(info.stream)
        return [info.stream for info in old[:limit]]

    async def delete(self, stream: str) -> bool:
        """Delete *stream*; return whether there was one."""
        for streams in self._members.values():
            streams.discard(stream)
        return self._streams.pop(stream, None) is not None

    def subscribe(self, listener: Listener) -> None:
        """Do nothing: there are no other processes."""

    async def broadcast(self, text: str) -> None:
        """Do nothing: there are no other processes."""

    async def lease(self, name: str, seconds: float) -> float:  # noqa: ARG002 - see `Store`
        """Return 0: there are no other processes to hold it."""
        return 0.0

    async def ping(self) -> None:
        """Return if the store is open; raise StoreClosedError if not."""
        if self._is_closed:
            raise StoreClosedError

    async def close(self) -> None:
        """Reject all later calls."""
        self._is_closed = True

    def _snapshot(self, name: str) -> StreamSnapshot:
        kept = self._streams[name]
        members = sorted(member for member, names in self._members.items() if name in names)
        return StreamSnapshot(name, kept.info.stage, tuple(members), tuple(kept.events))

    def _check(self, write: Write, ahead: dict[str, tuple[int, set[str]]]) -> None:
        """Check *write*; *ahead* holds version and request ids after the writes before it."""
        if self._is_closed:
            raise StoreClosedError
        kept = self._streams.get(write.stream)
        actual, requests = ahead.get(write.stream, (kept.info.version if kept else 0, set()))
        if write.request in requests or (kept and write.request in kept.requests):
            raise RequestRepeatedError(write.stream, write.request or "")
        if actual != write.expected:
            raise VersionConflictError(write.stream, write.expected, actual)
        more = set() if write.request is None else {write.request}
        ahead[write.stream] = actual + len(write.entries), requests | more

    def _append(self, write: Write) -> None:
        kept = self._streams.get(write.stream)
        if kept is None:
            kept = _Stream(StreamInfo(write.stream, 0, write.time, write.time, ""))
            self._streams[write.stream] = kept
        last = write.expected + len(write.entries)
        for seq, entry in enumerate(write.entries, start=write.expected + 1):
            request = write.request if seq == last else None
            kept.events.append(
                Stored(write.stream, seq, write.time, write.actor, request, entry.kind, entry.data)
            )
        if write.request is not None:
            kept.requests.add(write.request)
        for member in write.members:
            self._members.setdefault(member, set()).add(write.stream)
        kept.info = replace(
            kept.info,
            version=len(kept.events),
            active=write.time,
            stage=kept.info.stage if write.stage is None else write.stage,
        )
