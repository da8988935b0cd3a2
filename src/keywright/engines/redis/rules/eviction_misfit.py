"""RED002: the eviction policy of a server drops data that its role cannot lose."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.observation import LiveTarget

from ..findings.servers import servers
from ..schema.capabilities import FIXED_EVICTION

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
    context: RuleContext,
    *,
    cache: tuple[str, ...] = _ALL,
    sessions: tuple[str, ...] = (*_VOLATILE, "noeviction"),
    limiter: tuple[str, ...] = _VOLATILE,
    queue: tuple[str, ...] = ("noeviction",),
    primary: tuple[str, ...] = ("noeviction",),
) -> Iterator[FindingDraft]:
    """Servers whose policy does not fit their role; a policy that a service fixes is not reported.

    cache, sessions, limiter, queue, primary: policies that fit the role, best first.
    """
    fitting = {"cache": cache, "sessions": sessions, "limiter": limiter, "queue": queue, "primary": primary}
    for server in servers(context):
        role, policy = server.spec.role, server.policy
        if FIXED_EVICTION.get(server.environment.flavour) == policy:
            continue
        if server.has_copies_only and role != "cache":
            # RED006 reports those with a log.
            if policy not in cache and server.settings.get("appendonly") != "yes":
                yield FindingDraft(
                    problem=f'server "{server.name}" has nothing but copies, and in the role of {role} evicts by '
                    f'"{policy}": when memory is full, new copies are refused and each miss goes to the source',
                    help='say role="cache", and leave out eviction= and persistence=',
                    subject=server.name,
                )
            continue
        if policy in fitting[role]:
            continue
        best = fitting[role][0]
        yield FindingDraft(
            problem=f'server "{server.name}" in the role of {role} evicts by "{policy}": {_WHY[role]}; '
            f"{', '.join(fitting[role])} would fit",
            help=f'leave out eviction=, or say eviction="{best}"',
            subject=server.name,
            fix=Fix((SetArgument("eviction", f'"{best}"'),)),
        )


def live(
    live_target: LiveTarget,
    *,
    cache: tuple[str, ...] = _ALL,
    sessions: tuple[str, ...] = (*_VOLATILE, "noeviction"),
    limiter: tuple[str, ...] = _VOLATILE,
    queue: tuple[str, ...] = ("noeviction",),
    primary: tuple[str, ...] = ("noeviction",),
) -> Iterator[FindingDraft]:
    """A running server whose policy is neither the declared policy nor a fitting one."""
    fitting = {"cache": cache, "sessions": sessions, "limiter": limiter, "queue": queue, "primary": primary}
    policy = live_target.observation.figures.get("maxmemory_policy")
    for server in servers(live_target.context):
        if server.stored is live_target.target and policy not in (None, server.policy, *fitting[server.spec.role]):
            yield FindingDraft(
                problem=f'server "{server.name}" in the role of {server.spec.role} runs with "{policy}", and '
                f'"{server.policy}" is wanted: {_WHY[server.spec.role]}',
                help="`keywright migrate apply` sets it again; see who changed it",
                subject=server.name,
            )
