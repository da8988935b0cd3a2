"""RED025: a busy server publishes a message for each event of each key."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..findings.load import WRITES, server_peak
from ..findings.servers import servers

_NAME = "notify-keyspace-events"
_CLASSES = frozenset("g$lshzxetd")
_MANY = 6
"""Classes of events that are nearly all."""


def models(context: RuleContext, *, max_writes: int = 1_000) -> Iterator[FindingDraft]:
    """Servers with notifications of all classes of events and many writes.

    max_writes: writes per second of a server that may notify of all events.
    """
    for server in servers(context):
        classes, writes = server.settings.get(_NAME, ""), server_peak(context, server, *WRITES)
        is_broad = "A" in classes or len(set(classes) & _CLASSES) >= _MANY
        channels = sum(channel in classes for channel in "KE")
        amount = "all" if "A" in classes else "nearly all"
        if is_broad and channels and writes > max_writes:
            yield FindingDraft(
                problem=f'server "{server.name}" notifies of {amount} events of all keys at up to '
                f"{counted(writes, 'write', spec=',.0f')} a "
                f"second: about {writes * channels:,.0f} messages a second, which take time of its only core",
                help=f'choose the classes that consumers need, such as settings={{"{_NAME}": "Ex"}} for expired keys',
                subject=server.name,
            )
