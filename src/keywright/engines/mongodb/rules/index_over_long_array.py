"""MDB034: an index contains every element of a long array.

https://www.mongodb.com/docs/manual/data-modeling/design-antipatterns/unbounded-arrays/ (2026-11-23) contains no number;
the default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.access.layout import view
from keywright.ir.attribute import Many
from keywright.ir.entity import resolve
from keywright.ir.text import counted


def models(context: RuleContext, *, max_entries: int = 200) -> Iterator[FindingDraft]:
    """Every index over an array that may have more elements.

    max_entries: entries of a document that an index may have.
    """
    targets = {target.declared.name: target.placed for target in context.of("mongodb")}
    for binding in context.bindings("mongodb"):
        target = targets.get(binding.physical.name)
        layout = view(target, binding) if target else None
        for index in layout.indexes if layout else ():
            array = next((path for path in index.arrays if path), None)
            attributes = resolve(binding.entity.attributes, array) if array else None
            kind = attributes[-1].type if attributes else None
            if not isinstance(kind, Many) or kind.max_items is None or kind.max_items <= max_entries:
                continue  # MDB001 reports an array without a bound
            yield FindingDraft(
                problem=f"it has up to {counted(kind.max_items, 'entry', 'entries', spec=',')} for each document, "
                f'one for each element of "{array}", '
                f"{counted(max_entries, 'is recommended', 'are recommended')}: a change of the array rewrites many",
                help=f'store the elements of "{array}" as documents of a separate collection, and index these; or '
                "lower the bound of the array",
                subject=binding.name,
                part=index.target.name,
            )
