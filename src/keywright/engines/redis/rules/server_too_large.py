"""RED030: one server that is no cluster has too much data, or more calls than its core executes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.layout import is_cluster
from ..access.memory import keys_of
from ..findings.load import READS, WRITES, design_share, peak
from ..findings.servers import ServerContents, servers


def models(context: RuleContext, *, max_gb: int = 100, max_calls: int = 200_000) -> Iterator[FindingDraft]:
    """Servers outside a cluster with more declared memory or calls.

    max_gb: gibibytes of one server. max_calls: calls per second of one server.
    """
    for server in servers(context):
        if is_cluster(server.stored.placed):
            continue
        size = _bytes(server) / 2**30
        # A cluster does not divide the calls on a single key: RED031 reports these.
        rates = (peak(context, binding, *READS, *WRITES) for binding, layout in server.entities if keys_of(layout) != 1)
        calls = sum(rates) * design_share(server)
        if size > max_gb or calls > max_calls:
            amount = (
                f"{size:,.0f} GiB, {counted(max_gb, 'is recommended', 'are recommended', spec=',')}: failover, "
                "backup and restart take long"
                if size > max_gb
                else f"up to {counted(calls, 'call', spec=',.0f')} a second, "
                f"{counted(max_calls, 'is recommended', 'are recommended', spec=',')}: one core executes them all"
            )
            yield FindingDraft(
                problem=f'server "{server.name}" is no cluster and has {amount}',
                help=f"set servers: {{{server.name}: {{cluster: true}}}} in the stack file, or divide its entities",
                subject=server.name,
            )


def _bytes(server: ServerContents) -> int:
    """The declared memory; RED003 compares it with the expected data."""
    own = server.environment.of_server(server.name)
    return max(own.ram or 0, own.maxmemory or 0)
