"""RED065: the only copy of money is on a server that may lose the last second of writes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.servers import ServerContents, entities


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money",)) -> Iterator[FindingDraft]:
    """Report every such entity that no other store contains.

    kinds: kinds of entities of which no write may be lost.
    """
    elsewhere = {binding.entity.name for binding in context.design.bindings if binding.engine != "redis"}
    for server, binding, layout in entities(context):
        if binding.spec.kind in kinds and binding.entity.name not in elsewhere and layout.kind != "cache":
            loss = _loss(server)
            if loss:
                yield FindingDraft(
                    problem=f'server "{server.name}" has the only copy of it, and {loss}: payments that users have '
                    "seen may disappear",
                    help="store it in a database that confirms a write when it is durable, or set persistence="
                    '[kw.Aof(fsync="always")] on the server'
                    if server.environment.flavour in ("redis", "valkey")
                    else "store it in a database that confirms a write when it is durable, or on MemoryDB",
                    subject=binding.name,
                )


def _loss(server: ServerContents) -> str:
    """What a crash loses; empty for nothing."""
    if server.environment.flavour == "memorydb":
        return ""
    if not server.is_logged:
        return "a failover loses the writes that no replica has" if server.replicas else "a restart loses all writes"
    if server.settings.get("appendfsync", "everysec") == "always":
        return ""
    return "a crash loses about the last second of writes"
