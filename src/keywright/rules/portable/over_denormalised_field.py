"""GEN006: a field is copied to too many entities, or changes too often for its copies."""

from collections.abc import Iterator

from keywright.engines.flaws.asked import changed, reads, single
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.copies import Copy, copies


def models(whole: Whole, *, max_copies: int = 3, reads_per_update: int = 10) -> Iterator[Flaw]:
    """Every such field; copies that keep the value of a moment cost nothing later, and are not counted.

    max_copies: entities that may hold a copy. reads_per_update: reads of a copy for each change of its source.
    """
    following: dict[tuple[str, str], dict[str, Copy]] = {}
    for one in copies(whole.design):
        if one.declared is None or one.declared.sync != "never":
            following.setdefault((one.source, one.attribute), {})[one.entity.name] = one
    for (source, attribute), found in following.items():
        owner = next((one for one in whole.design.bindings if one.entity.name == source), None)
        if owner is not None and len(found) > max_copies:
            names = ", ".join(f'"{name}"' for name in sorted(found))
            yield Flaw(
                problem=f'"{attribute}" has copies in {len(found)} entities, {max_copies} are a good bound: {names}',
                help=f"let most of them refer to {source} by its key, and read it there",
                subject=owner.name,
                field=attribute,
            )
        updates = _updates(whole, source, attribute)
        for one in found.values():
            asked = _reads(whole, one) if updates else 0
            if asked and asked < updates * reads_per_update:
                binding = next(two for two in whole.design.bindings if two.entity is one.entity)
                yield Flaw(
                    problem=f'"{one.path}" is read {asked:g} times a second and follows "{source}.{attribute}", which '
                    f"changes {updates:g} times; {reads_per_update} reads for each change are worth a copy",
                    help=f"refer to {source} by its key, and read the field there",
                    subject=binding.name,
                    field=one.path.partition(".")[0],
                )


def _updates(whole: Whole, source: str, attribute: str) -> float:
    """Changes of a field a second."""
    bindings = {one.name for one in whole.design.bindings if one.entity.name == source}
    touching = (one for one in single(whole.design) if one.binding in bindings and attribute in changed(one))
    return sum((one.load.per_second or 0) * one.batch for one in touching)


def _reads(whole: Whole, copy: Copy) -> float:
    """Reads a second of what holds a copy."""
    bindings = (one for one in whole.design.bindings if one.entity is copy.entity)
    found = reads(whole.design)
    return sum(one.load.per_second or 0 for binding in bindings for one in found[binding.name])
