"""GEN017: what is used on a normal day, with all indexes, does not fit into the memory of the machines."""

from collections.abc import Iterator

from keywright.engines.flaws.asked import expected
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole, *, max_percent: int = 80) -> Iterator[Flaw]:
    """Every engine whose environment says how much memory a machine has, and that does not live in it anyway.

    max_percent: percent of the memory that may be taken.
    """
    for engine, traits in whole.traits.items():
        stored = next(whole.of(engine), None)
        ram = getattr(stored.environment, "ram", None) if stored else None
        if stored is None or not isinstance(ram, int) or traits.is_in_memory:
            continue
        if getattr(stored.environment, "sharded", False):
            continue  # nobody says over how many machines it is spread
        sizes: dict[str, float] = {}
        for binding in whole.bindings(engine):
            held, count = whole.holding(binding), expected(binding)
            if held is None or count is None or held.usual is None:
                continue
            active: float = getattr(binding.spec, "active", 1.0)
            sizes[binding.name] = count * (active * held.usual + (held.indexes.expected or 0))
        total = sum(sizes.values())
        if total > ram * max_percent / 100:
            largest = max(sizes, key=lambda name: sizes[name])
            yield Flaw(
                problem=f"what is used of {engine} takes about {total / 2**30:.1f} GiB with its indexes, "
                f'{max_percent} % of the {ram / 2**30:.1f} GiB of memory are a good bound; most of it is "{largest}"',
                help="split off fields that are rarely read, say active= where little of it is used, or say more ram:",
                subject=largest,
            )
