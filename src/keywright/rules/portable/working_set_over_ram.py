"""GEN017: what is used on a normal day, with all indexes, does not fit into the memory of the machines."""

from collections.abc import Iterator

from keywright.engines.flaws.asked import expected
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen


def models(whole: Whole, *, max_percent: int = 80) -> Iterator[Flaw]:
    """Every engine whose environment says how much memory a machine has, and that does not live in it anyway.

    max_percent: percent of the memory that may be taken.
    """
    for engine, stored in {one.engine: one for one in whole.targets}.items():
        ram, traits = getattr(stored.environment, "ram", None), whole.traits.get(engine)
        if not isinstance(ram, int) or traits is None or traits.is_in_memory:
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


def live(seen: Seen, *, max_percent: int = 80) -> Iterator[Flaw]:
    """Every database whose documents and indexes, as the server tells them, are more than that by themselves."""
    ram = getattr(seen.target.environment, "ram", None)
    if not isinstance(ram, int) or getattr(seen.target.environment, "sharded", False):
        return
    shares = {one.name: getattr(one.spec, "active", 1.0) for one in seen.whole.bindings(seen.target.engine)}
    total = 0.0
    for place, figures in seen.found.tables.items():
        share = max((shares[name] for name in seen.found.places.get(place, ())), default=1.0)
        bytes, indexes = figures.get("bytes", 0), figures.get("index_bytes", 0)
        if isinstance(bytes, (int, float)) and isinstance(indexes, (int, float)):
            total += bytes * share + indexes
    if total > ram * max_percent / 100:
        yield Flaw(
            problem=f"what is used of it takes {total / 2**30:.1f} GiB with its indexes, {max_percent} % of the "
            f"{ram / 2**30:.1f} GiB of memory are a good bound",
            help="split off fields that are rarely read, say active= where little of it is used, or say more ram:",
            subject=seen.name,
        )
