"""RED003: what is declared to be on a server takes more memory than its data may have."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen

from ..access.memory import memory
from ..kept import servers


def models(whole: Whole, *, max_percent: int = 100) -> Iterator[Flaw]:
    """Every server whose entities take more than that, as far as their numbers and lengths are declared.

    max_percent: percent of maxmemory that data may take.
    """
    for server in servers(whole):
        room = server.maxmemory
        share = (server.environment.data_percent or 100) / 100
        sizes = {binding.name: (memory(known, binding) or 0) * share for binding, known in server.entities}
        total = sum(sizes.values())
        if room is None or total <= room * max_percent / 100:
            continue
        largest = max(sizes, key=lambda name: sizes[name])
        yield Flaw(
            problem=f'data of server "{server.name}" takes about {total / 2**30:,.1f} GiB, of which "{largest}" '
            f"{sizes[largest] / 2**30:,.1f}; it may take {room * max_percent / 100 / 2**30:,.2f} GiB",
            help="say more ram: in the stack file, a shorter ttl= with fewer expected=, or how much of the design size "
            "this environment holds, by data-percent:",
            subject=server.name,
        )


def live(seen: Seen, *, max_used: int = 90) -> Iterator[Flaw]:
    """A running server that has nearly used up what it may take, or has evicted what is no cache.

    max_used: percent of maxmemory that a running server may have taken.
    """
    used, room, evicted = (seen.found.figure(name) or 0 for name in ("used_memory", "maxmemory", "evicted_keys"))
    is_cache = any(one.stored is seen.target and one.spec.role == "cache" for one in servers(seen.whole))
    if is_cache:
        return  # it is meant to be full
    if evicted or (room and used > room * max_used / 100):
        taken = f"{used / room:.0%} of its {room / 2**20:,.0f} MiB" if room else f"{used / 2**20:,.0f} MiB"
        yield Flaw(
            problem=f'server "{seen.name}" has taken {taken}, {max_used} % are a good bound; it has evicted '
            f"{evicted:,.0f} keys since it started",
            help="say more ram: in the stack file, or a shorter ttl=",
            subject=seen.name,
        )
