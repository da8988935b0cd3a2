"""RED029: a server with many writes waits for its disk at each of them."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.ir.text import counted

from ..findings.load import WRITES, server_peak
from ..findings.servers import servers

_EVERY_SECOND = Fix((SetArgument("persistence", '[kw.Aof(fsync="everysec"), kw.Rdb()]'),))


def models(context: RuleContext, *, max_writes: int = 10_000) -> Iterator[FindingDraft]:
    """Servers that flush the log on each write, with more writes.

    max_writes: writes per second of a server that flushes on each of them.
    """
    for server in servers(context):
        is_forced = server.settings.get("appendonly") == "yes" and server.settings.get("appendfsync") == "always"
        writes = server_peak(context, server, *WRITES)
        if is_forced and writes > max_writes:
            yield FindingDraft(
                problem=f'server "{server.name}" forces its log to disk on each of up to '
                f"{counted(writes, 'write', spec=',.0f')} a "
                f"second, {counted(max_writes, 'is recommended', 'are recommended', spec=',')}: the disk limits "
                "its throughput",
                help='set kw.Aof(fsync="everysec"), or move what must not be lost to a server of its own',
                subject=server.name,
                fix=_EVERY_SECOND,
            )
