"""RED003: what is declared to be on a server takes more memory than its data may have."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

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
