"""MDB112: a unique index contains a nullable field, so that it accepts only one document without a value.

https://www.mongodb.com/docs/manual/core/index-unique/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.declare.names import ordered
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.mongodb.declare.indexes import Index
from keywright.engines.mongodb.schema.lower_index import lowered
from keywright.ir.entity import resolve


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every such index that does not exclude documents without the field."""
    for binding in context.bindings("mongodb"):
        for index in binding.spec.indexes:
            if not isinstance(index, Index) or not index.unique:
                continue
            for name in ordered(index.keys):
                attributes = resolve(binding.entity.attributes, name) or ()
                if any(attribute.is_nullable for attribute in attributes) and not _is_required(index, name):
                    where = f'{{"{name}": kw.Present()}}'
                    yield FindingDraft(
                        problem=f'"{name}" of a unique index may be null, and of those without it one document alone '
                        "is let in",
                        help=f"say where={where} in the index{', in place of sparse=' if index.sparse else ''}",
                        subject=binding.name,
                        part=lowered(binding, index).name,
                        fix=None if index.where or index.sparse else Fix((SetArgument("where", where),)),
                    )


def _is_required(index: Index, name: str) -> bool:
    """Whether an index excludes documents without a field; a sparse compound index includes them with another field."""
    return name in index.where or (index.sparse and ordered(index.keys) == [name])
