"""RED002: what a server drops when its memory is full is not what its role can bear to lose."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.engines.flaws.observation import Seen

from ..capabilities import FIXED_EVICTION
from ..kept import servers

_ALL = ("allkeys-lru", "allkeys-lfu", "allkeys-lrm")
_VOLATILE = ("volatile-ttl", "volatile-lru", "volatile-lfu", "volatile-lrm")

_WHY = {
    "cache": "a cache keeps what is asked for",
    "sessions": "who is active would be logged out",
    "limiter": "a full limiter refuses every call, or forgets who it counts",
    "queue": "work would be lost without a word",
    "primary": "data would be lost without a word",
}


def models(
    whole: Whole,
    *,
    cache: tuple[str, ...] = _ALL,
    sessions: tuple[str, ...] = _VOLATILE,
    limiter: tuple[str, ...] = _VOLATILE,
    queue: tuple[str, ...] = ("noeviction",),
    primary: tuple[str, ...] = ("noeviction",),
) -> Iterator[Flaw]:
    """Every server whose policy does not fit its role; a policy that a service fixes is left alone.

    cache, sessions, limiter, queue, primary: policies that fit the role, the best first.
    """
    fitting = {"cache": cache, "sessions": sessions, "limiter": limiter, "queue": queue, "primary": primary}
    for server in servers(whole):
        role, policy = server.spec.role, server.policy
        if policy in fitting[role] or FIXED_EVICTION.get(server.environment.flavour) == policy:
            continue
        best = fitting[role][0]
        yield Flaw(
            problem=f'server "{server.name}" in the role of {role} evicts by "{policy}": {_WHY[role]}; '
            f"{', '.join(fitting[role])} would fit",
            help=f'leave out eviction=, or say eviction="{best}"',
            subject=server.name,
            fix=Fix((SetArgument("eviction", f'"{best}"'),)),
        )


def live(
    seen: Seen,
    *,
    cache: tuple[str, ...] = _ALL,
    sessions: tuple[str, ...] = _VOLATILE,
    limiter: tuple[str, ...] = _VOLATILE,
    queue: tuple[str, ...] = ("noeviction",),
    primary: tuple[str, ...] = ("noeviction",),
) -> Iterator[Flaw]:
    """A running server whose policy is neither the declared one nor one that fits."""
    fitting = {"cache": cache, "sessions": sessions, "limiter": limiter, "queue": queue, "primary": primary}
    policy = seen.found.figures.get("maxmemory_policy")
    for server in servers(seen.whole):
        if server.stored is seen.target and policy not in (None, server.policy, *fitting[server.spec.role]):
            yield Flaw(
                problem=f'server "{server.name}" in the role of {server.spec.role} runs with "{policy}", and '
                f'"{server.policy}" is wanted: {_WHY[server.spec.role]}',
                help="`keywright migrate apply` sets it again; see who changed it",
                subject=server.name,
            )
