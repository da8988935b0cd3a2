"""Free ports for new servers."""

import random
import socket
from collections.abc import Sequence

from keywright.errors import Unavailable

EPHEMERAL = 32768
"""First of the ports that Linux assigns to clients (https://docs.kernel.org/networking/ip-sysctl.html, 2026-11-22)."""

BUS = 10000
"""Difference between the port of a Redis cluster node and the port of its bus without `cluster-port`
(https://valkey.io/topics/cluster-tutorial/, 2026-11-22)."""

END = EPHEMERAL - BUS
FIRST = END - BUS
"""Server ports are below the ports of their buses, and these below the ephemeral range, so that no client's socket
takes a port between the check and the start."""


def free_ports(spans: Sequence[int]) -> tuple[int, ...]:
    """For each span, the first of that many consecutive free ports; no port is returned twice."""
    taken: set[int] = set()
    firsts: list[int] = []
    for span in spans:
        first = _free(span, taken)
        taken.update(range(first, first + span))
        firsts.append(first)
    return tuple(firsts)


def is_open(port: int) -> bool:
    """Whether a process of this machine listens on the port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
    except OSError:
        return False
    return True


def _free(span: int, taken: set[int]) -> int:
    # Random, so that two projects that start at the same time rarely choose the same ports.
    for first in random.sample(range(FIRST, END - span), END - FIRST - span):
        ports = range(first, first + span)
        if taken.isdisjoint(ports) and all(_can_bind(port) for port in ports):
            return first
    raise Unavailable(f"no {span} consecutive free ports between {FIRST} and {END}", "end some of the programs there")


def _can_bind(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("0.0.0.0", port))  # every interface, because DynamoDB Local binds to all of them
        except OSError:
            return False
    return True
