"""Rate limits for each address, with bounded memory for any number of addresses."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Scope

MAX_ADDRESSES = 20_000
_IPV6_HOST_BITS = 64
_MAX_ADDRESS = 64
"""Characters; a proxy may forward anything, and addresses are kept in memory."""


def address_of(scope: Scope) -> str:
    """Return the address to count a request for; an IPv6 network of 64 bits counts as one.

    Behind a proxy the server has replaced it with the forwarded one, if it trusts the proxy.
    """
    client = scope.get("client")
    if not client:
        return ""
    host = str(client[0])[:_MAX_ADDRESS]
    if ":" not in host:
        return host
    try:
        address = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> _IPV6_HOST_BITS << _IPV6_HOST_BITS))


class Limiter:
    """A token bucket for each address, of size *burst*, that refills at *rate* per second."""

    def __init__(
        self,
        rate: float,
        burst: int,
        clock: Callable[[], float],
        max_addresses: int = MAX_ADDRESSES,
    ) -> None:
        """Keep the *max_addresses* latest ones; *clock* gives seconds. A rate of 0 is no limit."""
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._max_addresses = max_addresses
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str, cost: float = 1.0) -> float:
        """Take *cost* tokens and return 0, or return the seconds until there are enough."""
        if not self._rate:
            return 0.0
        now = self._clock()
        tokens, then = self._buckets.get(address, (self._burst, now))
        tokens = min(self._burst, tokens + max(0.0, now - then) * self._rate)
        wait = 0.0
        if tokens >= cost:
            tokens -= cost
        else:
            wait = (cost - tokens) / self._rate
        self._buckets[address] = (tokens, now)
        self._buckets.move_to_end(address)
        if len(self._buckets) > self._max_addresses:
            self._buckets.popitem(last=False)
        return wait

    def __len__(self) -> int:
        """Return the number of addresses in memory."""
        return len(self._buckets)
