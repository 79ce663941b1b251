"""The settings of a server; `docs/server.md` describes them for operators."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server behaves."""

    secret: str = field(repr=False)
    """Signs the cookies and tokens: who knows it can sit on any seat. At least 32 characters."""
    rate: float = 30.0
    """Requests a second that one address may make in the long run; 0 lifts its other limits too."""
    burst: int = 150
    """Requests that one address may make at once."""
    streams_per_address: int = 64
    """Open streams that one address may have; a household and a school class share one."""
    max_streams: int = 10_000
    max_connections: int = 12_000
    connections_per_address: int = 256
    """Open connections that one address may have; those of a proxy are not counted."""
    client_timeout: float = 30.0
    """Seconds after which a connection is closed on which a request is not complete, nothing of an
    answer is taken, or nothing was asked."""
    max_target: int = 4000
    """Bytes of the path and the query of a request."""
    max_head: int = 16 * 1024
    """Bytes of a request's headers."""
    max_body: int = 32 * 1024
    """Bytes of a request's body."""
    ping_every: float = 15.0
    """Seconds between signs of life on a stream, so that proxies leave it open."""
    probe_every: float = 5.0
    """Seconds for which the answer of `/health` holds: a probe writes to the store."""
    sweep_every: float = 3600.0
    """Seconds between two looks for stale tables."""
    log_requests: bool = False
    """Whether each request is a line in the log."""
    max_waiting: int = 50
    """How many requests may wait for each thread of the coach; further ones are refused."""
    page_timeout: float = 1.0
    """Seconds until a page that takes long says so."""
    long_page_timeout: float = 25.0
    """Seconds for which the page that says so then waits; less than proxies do."""
    settle_timeout: float = 0.5
    """Seconds that a page waits for the win odds that it shows; without them it says so."""
    odds_timeout: float = 3.0
    """Seconds until a report is shown without win odds, and says so."""
