"""RED028: a server has more threads for input and output than it can use."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.ir.text import counted


def stored(target: TargetInEnvironment, *, max_threads: int = 8) -> Iterator[FindingDraft]:
    """Servers with more io-threads:.

    max_threads: threads that read and write sockets with a gain.
    """
    threads, name = int(dict(target.placed.settings).get("io-threads", "1")), str(target.declared.name)
    if threads > max_threads:
        yield FindingDraft(
            problem=f'server "{name}" has {threads} threads for input and output, '
            f"{counted(max_threads, 'is', 'are')} useful: more wait for each other and for the main thread",
            help=f"set io-threads: {max_threads} or less in the stack file, and use a cluster for more throughput",
            subject=name,
            at=target.setting("io-threads"),
        )
