"""RED005: the only copy of something is where a restart, or a full memory, loses it."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

from ..kept import Kept, servers


def models(whole: Whole) -> Iterator[Flaw]:
    """Every primary server that neither logs nor copies its data, and every entity on a cache that copies nothing."""
    elsewhere = {one.entity.name for one in whole.design.bindings if one.engine != "redis"}
    for server in servers(whole):
        alone = [binding.name for binding, _ in server.entities if binding.entity.name not in elsewhere]
        if server.spec.role == "primary" and alone and not _is_safe(server):
            listed = ", ".join(f'"{name}"' for name in alone)
            yield Flaw(
                problem=f'server "{server.name}" has the only copy of {listed}, and neither logs its writes nor has a '
                "replica",
                help="leave out persistence=, or say persistence=[kw.Aof()], or replicas: 1 in the stack file",
                subject=server.name,
            )
        for binding, known in server.entities if server.spec.role == "cache" else ():
            if known.kind not in ("cache", "rate limit", "hyperloglog") and binding.name in alone:
                yield Flaw(
                    problem=f'server "{server.name}" is a cache, which may drop it, and has the only copy of it',
                    help="store it as kw.RedisCache(..., source_of_truth=...), or on a server in another role",
                    subject=binding.name,
                )


def _is_safe(server: Kept) -> bool:
    """Whether a crash of one machine leaves the data; serverless services always have copies."""
    return server.is_logged or server.replicas > 0 or server.environment.flavour == "elasticache-serverless"
