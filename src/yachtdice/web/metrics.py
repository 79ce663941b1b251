"""The metrics of a server for Prometheus; `docs/server.md` describes each of them.

The labels have few values: patterns of routes, classes of status, stable codes. No metric is about
a person or a table. Each application has its own registry.

The histograms do not use those of the library, which take a lock for each observation: that costs
several per cent of the time to send a message.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Info,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.metrics_core import HistogramMetricFamily
from prometheus_client.registry import Collector

import yachtdice
from yachtdice.play.online.bot_mover import BOT_ACTOR
from yachtdice.play.online.tables import Outcome
from yachtdice.rules import YachtError
from yachtdice.store.contract import StoreError
from yachtdice.web.api.routes import code_of
from yachtdice.web.edge.guard import route_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from socketserver import TCPServer

    from starlette.types import Scope

    from yachtdice.play.online.tables import Tables
    from yachtdice.web.stream import Hub

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets of every histogram of times."""
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
NO_ROUTE = "none"
_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class Buckets:
    """The counts of values by bucket, and their sum. Only one thread may call `observe`."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        """Count values up to each of the sorted *bounds*, and values above the last one."""
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """Count *value*; negative times, from clocks of different machines, count as 0."""
        value = value if value > 0.0 else 0.0  # noqa: FURB136 - `max` is three times as slow
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def totals(self) -> tuple[list[tuple[str, float]], float]:
        """Return the number of values up to each bound, in Prometheus' format, and their sum."""
        bounds = [*map(str, map(float, self._bounds)), "+Inf"]
        return list(zip(bounds, accumulate(self._counts), strict=True)), self._sum


class Histogram(Collector):
    """A histogram with separate buckets for each combination of labels."""

    def __init__(
        self,
        name: str,
        documentation: str,
        bounds: Sequence[float],
        *labels: str,
        registry: CollectorRegistry,
    ) -> None:
        self._name, self._documentation, self._bounds, self._labels = (
            name,
            documentation,
            bounds,
            labels,
        )
        self._parts: dict[tuple[str, ...], Buckets] = {}
        registry.register(self)

    def of(self, *values: str) -> Buckets:
        """Return the buckets for labels with these *values*."""
        part = self._parts.get(values)
        if part is None:
            part = self._parts[values] = Buckets(self._bounds)
        return part

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the metric; called from the thread that serves it."""
        family = HistogramMetricFamily(self._name, self._documentation, labels=self._labels)
        for values, part in list(self._parts.items()):
            family.add_metric(values, *part.totals())
        yield family


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        self.registry: CollectorRegistry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        info = Info("yacht", "The program.", registry=self.registry)
        info.info({"version": yachtdice.__version__})
        self._accepted = self._counter(
            "yacht_actions_accepted", "Actions of people that were kept."
        )
        self._repeated = self._counter(
            "yacht_actions_repeated", "Actions that came again and got their first answer."
        )
        self._refused = self._counter(
            "yacht_actions_refused", "Actions that a table or the store refused.", "reason"
        )
        self._computer = self._counter(
            "yacht_computer_steps", "Rolls, holds and scores of computers that were kept."
        )
        self._action_seconds = self._buckets(
            "yacht_action_seconds", "From an action that is accepted to its being durable."
        )
        self._request_seconds = Histogram(
            "yacht_request_seconds",
            "From a request to the begin of its answer.",
            SECONDS,
            *("method", "route", "status"),
            registry=self.registry,
        )
        self._lag = self._buckets(
            "yacht_stream_lag_seconds",
            "From the making of a change to its being sent on an open stream.",
        )
        self._batch = self._buckets("yacht_store_batch_size", "Changes committed at once.", BATCHES)
        self._commit = self._buckets("yacht_store_commit_seconds", "Time that a commit took.")
        self._sweeps = self._counter("yacht_sweeps", "Looks for stale tables that were finished.")
        self._swept = self._counter("yacht_tables_swept", "Stale tables that were deleted.")

    def watch(self, tables: Tables, hub: Hub) -> None:
        """Observe *tables*, their store and the streams of *hub* from now on."""
        tables.observe = self._acted
        hub.observe = self._lag.observe
        tables.store.observe = self._committed
        streams = Gauge("yacht_streams_open", "Streams now open.", registry=self.registry)
        streams.set_function(lambda: hub.streams)
        memory = Gauge("yacht_tables_in_memory", "Tables now in memory.", registry=self.registry)
        memory.set_function(lambda: len(tables))

    def serve(self, host: str, port: int) -> TCPServer:
        """Serve the metrics on a separate port, in a thread, until the process ends.

        Raises:
            OSError: If nothing can listen there.
        """
        server, _ = start_http_server(port, host, self.registry)
        return server

    def answered(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request."""
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = route_of(scope) or NO_ROUTE
        self._request_seconds.of(method, route, f"{status // 100}xx").observe(seconds)

    def swept(self, tables: int) -> None:
        """Count a sweep that deleted so many *tables*."""
        self._sweeps.inc()
        self._swept.inc(tables)

    def _acted(self, holder: str, result: Outcome | YachtError, seconds: float) -> None:
        if isinstance(result, YachtError):
            self._refused.labels(_reason(result)).inc()
        elif result.refusal is not None:
            self._refused.labels(_reason(result.refusal)).inc()
        elif holder == BOT_ACTOR:
            self._computer.inc()
        elif result.is_repeated:
            self._repeated.inc()
        else:
            self._accepted.inc()
            self._action_seconds.observe(seconds)

    def _committed(self, size: int, seconds: float) -> None:
        self._batch.observe(size)
        self._commit.observe(seconds)

    def _counter(self, name: str, documentation: str, *labels: str) -> Counter:
        return Counter(name, documentation, labels, registry=self.registry)

    def _buckets(self, name: str, documentation: str, bounds: Sequence[float] = SECONDS) -> Buckets:
        return Histogram(name, documentation, bounds, registry=self.registry).of()


def _reason(error: YachtError) -> str:
    return "store_failing" if isinstance(error, StoreError) else code_of(error)
