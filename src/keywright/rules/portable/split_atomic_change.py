"""GEN016: fields that must change together are written separately."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.copies import Copy, copies
from keywright.engines.findings.pattern_facts import changed
from keywright.ir.pattern import Pattern


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every write of a field with copies by `sync="transaction"` whose transaction does not write the copy."""
    entities = {binding.name: binding.entity.name for binding in context.design.bindings}
    for copy in copies(context.design):
        if copy.declared is None or copy.declared.sync != "transaction":
            continue
        for pattern in context.design.patterns:
            parts = pattern.parts if pattern.kind == "transact" else (pattern,)
            written = {entities.get(part.binding) for part in parts}
            if any(_changes(part, entities, copy) for part in parts) and copy.entity.name not in written:
                yield FindingDraft(
                    problem=f'it changes "{copy.source}.{copy.attribute}" without "{copy.entity.name}.{copy.path}", '
                    "which must change in the same transaction",
                    help=f"put both into one kw.Transact([...]), or update {copy.path} by a stream",
                    subject=pattern.name,
                    at=pattern.at,
                )


def _changes(pattern: Pattern, entities: dict[str, str], copy: Copy) -> bool:
    return entities.get(pattern.binding) == copy.source and copy.attribute in changed(pattern)
