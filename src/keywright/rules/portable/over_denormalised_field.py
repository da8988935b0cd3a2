"""GEN006: a field has copies in too many entities, or changes too often to be copied."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.copies import Copy, copies
from keywright.engines.findings.pattern_facts import changed, expected, reads, single
from keywright.ir.attribute import Scalar
from keywright.ir.entity import element
from keywright.ir.text import counted, figure


def models(
    context: RuleContext, *, max_copies: int = 3, reads_per_update: int = 10, max_writes_per_second: int = 1_000
) -> Iterator[FindingDraft]:
    """Report every such field; copies that are never updated do not count.

    max_copies: allowed number of entities with a copy. reads_per_update: least number of reads of a copy for each
    change of its source. max_writes_per_second: most writes of copies a second, if each change updates all copies.
    """
    synchronised: dict[tuple[str, str], dict[str, Copy]] = {}
    for copy in copies(context.design):
        if copy.declared is None or copy.declared.sync != "never":
            synchronised.setdefault((copy.source, copy.attribute), {})[copy.entity.name] = copy
    for (source, attribute), by_entity in synchronised.items():
        owner = next((binding for binding in context.design.bindings if binding.entity.name == source), None)
        if owner is not None and len(by_entity) > max_copies:
            names = ", ".join(f'"{name}"' for name in sorted(by_entity))
            yield FindingDraft(
                problem=f'"{attribute}" has copies in {counted(len(by_entity), "entity", "entities")}, '
                f"{counted(max_copies, 'is recommended', 'are recommended')}: {names}",
                help=f"replace most copies by a reference to {source}, and read the field there",
                subject=owner.name,
                field=attribute,
            )
        updates = _updates(context, source, attribute)
        for copy in by_entity.values():
            read_rate = _reads(context, copy) if updates else 0
            writes = updates * _copies_of_value(context, copy)
            if read_rate and read_rate < updates * reads_per_update and not _is_sought(context, copy):
                binding = next(binding for binding in context.design.bindings if binding.entity is copy.entity)
                yield FindingDraft(
                    problem=f'"{copy.path}" is read {counted(read_rate, "time", spec=figure)} per second, but its '
                    f'source "{source}.{attribute}" '
                    f"changes {counted(updates, 'time', spec=figure)}; a copy pays from "
                    f"{counted(reads_per_update, 'read')} for each change",
                    help=f"replace the copy by a reference to {source}, and read the field there",
                    subject=binding.name,
                    field=copy.path.partition(".")[0],
                )
            elif writes > max_writes_per_second:
                binding = next(binding for binding in context.design.bindings if binding.entity is copy.entity)
                yield FindingDraft(
                    problem=f'"{source}.{attribute}" changes {counted(updates, "time", spec=figure)} per second, and '
                    f'each change updates "{copy.path}" in up to '
                    f"{counted(writes / updates, 'item', spec=figure)}: "
                    f"{counted(writes, 'write', spec=figure)} a second",
                    help=f"replace the copy by a reference to {source}, and read the field there",
                    subject=binding.name,
                    field=copy.path.partition(".")[0],
                )


def _updates(context: RuleContext, source: str, attribute: str) -> float:
    """Changes of a field per second; what fills a cache changes nothing."""
    bindings = {
        binding.name
        for binding in context.design.bindings
        if binding.entity.name == source and not hasattr(binding.spec, "source_of_truth")
    }
    writes = [pattern for pattern in single(context.design) if pattern.binding in bindings]
    updates = [pattern for pattern in writes if attribute in changed(pattern)]
    # Items that only puts write are replaced by them: a put changes what an update would.
    is_replaced = not any(pattern.kind in ("update", "increment") for pattern in writes)
    writes = updates or [item for item in writes if is_replaced and item.kind == "put" and not item.if_absent]
    return sum((pattern.load.per_second or 0) * pattern.batch for pattern in writes)


def _reads(context: RuleContext, copy: Copy) -> float:
    """Reads of the entity with the copy, per second."""
    bindings = (binding for binding in context.design.bindings if binding.entity is copy.entity)
    patterns = reads(context.design)
    return sum(pattern.load.per_second or 0 for binding in bindings for pattern in patterns[binding.name])


def _is_sought(context: RuleContext, copy: Copy) -> bool:
    """Whether a pattern selects or orders items by the copy, which no reference could serve."""
    names = {binding.name for binding in context.design.bindings if binding.entity is copy.entity}
    patterns = [pattern for pattern in single(context.design) if pattern.binding in names]
    return any(
        copy.path in {*pattern.eq, *pattern.one_of, pattern.range, pattern.prefix, pattern.contains, *pattern.search}
        or copy.path in {path.removeprefix("-") for path in pattern.order}
        or any(condition.field == copy.path for condition in pattern.where)
        for pattern in patterns
    )


def _copies_of_value(context: RuleContext, copy: Copy) -> float:
    """Items that copy one value on average: their share of all items, and at most as the reference declares."""
    kinds = (element(attribute.type) for _, attribute in fields(copy.entity.attributes))
    references = [kind.facts.reference for kind in kinds if isinstance(kind, Scalar) and kind.facts.reference]
    declared = [reference.max_referrers for reference in references if reference.entity == copy.source]
    most = float(max((count or 0 for count in declared), default=0))
    sizes = {
        binding.entity.name: expected(binding)
        for binding in context.design.bindings
        if binding.entity.name in (copy.source, copy.entity.name)
    }
    items, sources = sizes.get(copy.entity.name), sizes.get(copy.source)
    average = items / sources if items and sources else None
    return min(average, most) if average and most else average or most or 1.0
