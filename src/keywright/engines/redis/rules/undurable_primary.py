"""RED005: a restart, or full memory, loses the only copy of an entity."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.errors import quoted

from ..findings.copies import elsewhere
from ..findings.servers import ServerContents, expires, records_on_limiter, servers


def models(context: RuleContext, *, brief_seconds: int = 3_600) -> Iterator[FindingDraft]:
    """Primary servers without a log or replicas, records on a limiter, and entities on a cache that are not copies.

    brief_seconds: time to live up to which a record on a cache may be a computed result, about which the rule asks.
    """
    stored_elsewhere = elsewhere(context)
    for server in servers(context):
        alone = server.only_copies(stored_elsewhere)
        if server.spec.role == "primary" and alone and not _is_safe(server):
            listed = ", ".join(f'"{name}"' for name in alone)
            yield FindingDraft(
                problem=f'server "{server.name}" has the only copy of {listed}, and neither logs its writes nor has a '
                "replica",
                help="leave out persistence=, or say persistence=[kw.Aof()]; and say replicas: 1 in the stack file",
                subject=server.name,
            )
        records = records_on_limiter(server, stored_elsewhere)
        if records and not server.is_logged:
            yield FindingDraft(
                problem=f'server "{server.name}" in the role of limiter writes no log, and has the only copy of '
                f"{quoted(records)}: a restart loses it",
                help='store it on a server with role="primary", which logs its writes and evicts nothing',
                subject=server.name,
            )
        if server.spec.role in ("sessions", "limiter") and server.policy != "noeviction":
            yield from _evicted(server, alone)
        for binding, layout in server.entities if server.spec.role == "cache" else ():
            if binding.name in alone and binding.name not in server.estimates:
                seconds = layout.structure.ttl_seconds
                asks = seconds is not None and seconds <= brief_seconds and binding.spec.kind == "record"
                yield FindingDraft(
                    problem=f'server "{server.name}" is a cache, which may drop it, and has the only copy of it'
                    + (": can it be computed again?" if asks else ""),
                    help='store it on a server in another role; if it can be computed again, say so by kind="cache" '
                    "or kw.RedisCache(..., source_of_truth=...)",
                    subject=binding.name,
                    severity="question" if asks else None,
                )


def _evicted(server: ServerContents, alone: list[str]) -> Iterator[FindingDraft]:
    """Amounts and units that expire, on a server that evicts what expires."""
    for binding, layout in server.entities:
        is_evictable = server.policy.startswith("allkeys-") or expires(layout.structure)
        if binding.name in alone and binding.spec.kind in ("money", "stock") and is_evictable:
            yield FindingDraft(
                problem=f'server "{server.name}" has the only copy of it, and evicts it by "{server.policy}" when '
                "memory is full",
                help='store it on a server with role="primary", which evicts nothing',
                subject=binding.name,
            )


def _is_safe(server: ServerContents) -> bool:
    """Whether the data survives the crash of one machine; serverless services always have replicas."""
    return server.is_logged or server.replicas > 0 or server.environment.flavour == "elasticache-serverless"
