"""RED018: data may use all memory of the machine, so that nothing is left for snapshots and buffers."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment

from ..declare.settings import RedisEnvironment
from ..schema.capabilities import MEMORY_SHARE, is_service


def stored(target: TargetInEnvironment, *, max_percent: int = 90) -> Iterator[FindingDraft]:
    """Servers whose maxmemory: takes nearly all of ram:, or more of it than is sound.

    max_percent: percent of the machine's memory that data may use.
    """
    environment, name = target.environment, str(target.declared.name)
    if not isinstance(environment, RedisEnvironment) or is_service(environment.flavour):
        return
    own = environment.of_server(name)
    if own.ram is None or own.maxmemory is None or own.maxmemory * 100 <= own.ram * max_percent:
        return
    yield FindingDraft(
        problem=f'server "{name}" lets data use {own.maxmemory / own.ram:.0%} of {own.ram / 2**30:,.1f} GiB of memory, '
        f"{max_percent} % are allowed: a snapshot or fragmentation needs the rest, and the kernel stops the server",
        help=f"remove maxmemory:, so that data may use {MEMORY_SHARE.value} % of ram:, or raise ram:",
        subject=name,
        at=target.setting("maxmemory"),
    )
