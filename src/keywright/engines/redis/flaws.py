"""Flaws of Redis."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

from .capabilities import is_service


def boundless(whole: Whole) -> Iterator[Flaw]:
    """RED001: a server may take all memory of its machine."""
    for one in whole.of("redis"):
        if not is_service(one.environment.flavour) and "maxmemory" not in dict(one.placed.settings):
            yield Flaw(
                problem=f'server "{one.declared.name}" has no maxmemory, and by itself takes all there is',
                help="say ram: of its machine in the stack file: three quarters of it are for data",
                subject=one.declared.name,
                at=whole.stack,
            )


def lasting(whole: Whole) -> Iterator[Flaw]:
    """RED004: keys of a cache, of sessions or of a limiter never expire, and nobody said that they shall not."""
    for binding in whole.bindings("redis"):
        role = getattr(binding.physical.spec, "role", "")
        if role not in ("cache", "sessions", "limiter") or getattr(binding.spec, "keep_forever", None):
            continue
        if not any(getattr(binding.spec, word, None) for word in ("ttl", "per", "keep")) and binding.entity.ttl is None:
            yield Flaw(
                problem=f'its keys never expire, on server "{binding.physical.name}" in the role of {role}',
                help='say ttl=timedelta(...); or why not, by keep_forever="..."',
                subject=binding.name,
            )
