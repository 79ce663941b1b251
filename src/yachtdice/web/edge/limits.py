"""How much one address may ask for. What is remembered is bounded, however many addresses come."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Scope

MOST_ADDRESSES = 20_000
_IPV6_HOST_BITS = 64
_LONGEST_ADDRESS = 64
"""Characters; what a proxy forwards may be anything, and is remembered."""


def address_of(scope: Scope) -> str:
    """Return the address that a request counts for; an IPv6 network of 64 bits counts as one.

    Behind a proxy the server has replaced it with the forwarded one, if it trusts the proxy.
    """
    client = scope.get("client")
    if not client:
        return ""
    host = str(client[0])[:_LONGEST_ADDRESS]
    if ":" not in host:
        return host
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped:  # noqa: PLR2004 - IPv6
        return str(address.ipv4_mapped)
    return str(ip_address(int(address) >> _IPV6_HOST_BITS << _IPV6_HOST_BITS))


class Limiter:
    """A bucket of tokens for each address: it holds *burst* and fills by *rate* a second."""

    def __init__(
        self,
        rate: float,
        burst: int,
        clock: Callable[[], float],
        most: int = MOST_ADDRESSES,
    ) -> None:
        """Remember the *most* lately seen addresses; *clock* gives seconds. Rate 0 is no limit."""
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str, cost: float = 1.0) -> float:
        """Return 0 and take *cost* tokens, or the seconds until there will be so many."""
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
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return wait

    def __len__(self) -> int:
        """Return the number of addresses that are remembered."""
        return len(self._buckets)
