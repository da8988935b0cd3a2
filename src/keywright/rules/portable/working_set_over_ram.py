"""GEN017: the working set, including all indexes, does not fit into memory."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import expected


def models(context: RuleContext, *, max_percent: int = 80) -> Iterator[FindingDraft]:
    """Report every engine with a declared memory size, except engines that store all data in memory.

    max_percent: percent of the memory that the working set may take.
    """
    for engine, stored in {target.engine: target for target in context.targets}.items():
        ram, traits = getattr(stored.environment, "ram", None), context.traits.get(engine)
        if not isinstance(ram, int) or traits is None or traits.is_in_memory:
            continue
        if getattr(stored.environment, "sharded", False):
            continue  # the number of shards is unknown
        sizes: dict[str, float] = {}
        for binding in context.bindings(engine):
            facts, count = context.storage_facts(binding), expected(binding)
            if facts is None or count is None or facts.usual is None:
                continue
            active = binding.spec.active
            sizes[binding.name] = count * (active * facts.usual + (facts.indexes.expected or 0))
        total = sum(sizes.values())
        if total > ram * max_percent / 100:
            largest = max(sizes, key=lambda name: sizes[name])
            yield FindingDraft(
                problem=f"the working set of {engine} takes about {total / 2**30:.1f} GiB with its indexes; "
                f"{max_percent} % of the {ram / 2**30:.1f} GiB of memory are recommended. "
                f'The largest part is "{largest}"',
                help="move rarely read fields to a separate entity, declare a lower active=, or set a larger ram:",
                subject=largest,
            )


def live(live_target: LiveTarget, *, max_percent: int = 80) -> Iterator[FindingDraft]:
    """Report every database whose documents and indexes exceed that by the server's figures."""
    ram = getattr(live_target.target.environment, "ram", None)
    if not isinstance(ram, int) or getattr(live_target.target.environment, "sharded", False):
        return
    shares = {binding.name: binding.spec.active for binding in live_target.context.bindings(live_target.target.engine)}
    total = 0.0
    for place, figures in live_target.observation.tables.items():
        share = max((shares[name] for name in live_target.observation.places.get(place, ())), default=1.0)
        bytes, indexes = figures.get("bytes", 0), figures.get("index_bytes", 0)
        if isinstance(bytes, (int, float)) and isinstance(indexes, (int, float)):
            total += bytes * share + indexes
    if total > ram * max_percent / 100:
        yield FindingDraft(
            problem=f"its working set takes {total / 2**30:.1f} GiB with its indexes; {max_percent} % of the "
            f"{ram / 2**30:.1f} GiB of memory are recommended",
            help="move rarely read fields to a separate entity, declare a lower active=, or set a larger ram:",
            subject=live_target.name,
        )
