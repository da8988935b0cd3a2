"""RED003: the declared data of a server needs more memory than its data may use."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..access.layout import Layout
from ..access.memory import keys_of, memory
from ..declare.options import Structure
from ..findings.servers import ServerContents, servers


def models(context: RuleContext, *, max_percent: int = 100) -> Iterator[FindingDraft]:
    """Servers whose entities need more memory, as far as their numbers and lengths are declared.

    max_percent: percent of maxmemory that data may use.
    """
    for server in servers(context):
        room = server.maxmemory
        share = (server.environment.data_percent or 100) / 100
        sizes = {
            binding.name: (memory(layout, binding) or 0) * share * _filled(context, server, binding, layout)
            for binding, layout in server.entities
        }
        total = sum(sizes.values())
        if room is None or total <= room * max_percent / 100:
            continue
        largest = max(sizes, key=lambda name: sizes[name])
        yield FindingDraft(
            problem=f'data of server "{server.name}" takes about {total / 2**30:,.1f} GiB, of which "{largest}" '
            f"{sizes[largest] / 2**30:,.1f}; it may take {room * max_percent / 100 / 2**30:,.2f} GiB",
            help="say more ram: in the stack file, a shorter ttl= with fewer expected=, or how much of the design size "
            "this environment holds, by data-percent:",
            subject=server.name,
        )


def _filled(context: RuleContext, server: ServerContents, binding: Binding[Structure], layout: Layout) -> float:
    """Share of a cache's possible copies that exist at one time: at most one for each read within the ttl.

    A declared number of copies is taken as it is. Without it, a server in the role of cache keeps what fits.
    """
    keys, seconds = keys_of(layout), layout.structure.ttl_seconds
    if layout.kind != "cache" or binding.spec.expected is not None or not keys or not seconds:
        return 1
    if server.spec.role == "cache":
        return 0
    loads = [plan.pattern.load for plan, _ in calls(context, binding, "get", "put")]
    rates = [load.peak_per_second or load.per_second for load in loads]
    if not rates or None in rates:
        return 1
    return min(1.0, sum(rate or 0 for rate in rates) * seconds / keys)


def live(live_target: LiveTarget, *, max_used: int = 90) -> Iterator[FindingDraft]:
    """A running server that has used nearly all of its memory, or has evicted keys although it is no cache.

    max_used: percent of maxmemory that a running server may use.
    """
    used, room, evicted = (
        live_target.observation.figure(name) or 0 for name in ("used_memory", "maxmemory", "evicted_keys")
    )
    is_cache = any(
        server.stored is live_target.target and server.spec.role == "cache" for server in servers(live_target.context)
    )
    if is_cache:
        return  # a cache is meant to be full
    if evicted or (room and used > room * max_used / 100):
        usage = f"{used / room:.0%} of its {room / 2**20:,.0f} MiB" if room else f"{used / 2**20:,.0f} MiB"
        yield FindingDraft(
            problem=f'server "{live_target.name}" has taken {usage}, {max_used} % are recommended; it has evicted '
            f"{counted(evicted, 'key', spec=',.0f')} since it started",
            help="say more ram: in the stack file, or a shorter ttl=",
            subject=live_target.name,
        )
