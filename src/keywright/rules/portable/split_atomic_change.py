"""GEN016: what has to change together changes in writes of its own."""

from collections.abc import Iterator

from keywright.engines.flaws.asked import changed
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.copies import Copy, copies
from keywright.ir.pattern import Pattern


def models(whole: Whole) -> Iterator[Flaw]:
    """Every write of a field that has copies by `sync="transaction"`, unless it is in one that writes the copy too."""
    entities = {one.name: one.entity.name for one in whole.design.bindings}
    for copy in copies(whole.design):
        if copy.declared is None or copy.declared.sync != "transaction":
            continue
        for pattern in whole.design.patterns:
            parts = pattern.parts if pattern.kind == "transact" else (pattern,)
            written = {entities.get(one.binding) for one in parts}
            if any(_changes(one, entities, copy) for one in parts) and copy.entity.name not in written:
                yield Flaw(
                    problem=f'it changes "{copy.source}.{copy.attribute}" without "{copy.entity.name}.{copy.path}", '
                    "which follows it by transaction",
                    help=f"put both into one kw.Transact([...]), or let {copy.path} follow by a stream",
                    subject=pattern.name,
                    at=pattern.at,
                )


def _changes(pattern: Pattern, entities: dict[str, str], copy: Copy) -> bool:
    return entities.get(pattern.binding) == copy.source and copy.attribute in changed(pattern)
