"""MDB034: an index contains every element of a long array.

https://www.mongodb.com/docs/manual/data-modeling/design-antipatterns/unbounded-arrays/ (2026-11-23) contains no number;
the default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.access.layout import Layout, view
from keywright.engines.mongodb.access.size import value_bytes
from keywright.ir.attribute import Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.text import counted

_FAR = 4
"""Times that the usual array is shorter than one that is too long."""


def models(context: RuleContext, *, max_entries: int = 200) -> Iterator[FindingDraft]:
    """Every index over an array that may have more elements, unless it usually has few and is seldom written.

    max_entries: entries of a document that an index may have; also entries a second that seldom writes change, if
    each array has its greatest length.
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
            if layout and _is_usually_short(layout, kind, array or "", max_entries):
                per_second = _writes(context, binding)
                if per_second is not None and per_second * kind.max_items <= max_entries:
                    continue
            yield FindingDraft(
                problem=f"it has up to {counted(kind.max_items, 'entry', 'entries', spec=',')} for each document, "
                f'one for each element of "{array}", '
                f"{counted(max_entries, 'is recommended', 'are recommended')}: a change of the array rewrites many",
                help=f'store the elements of "{array}" as documents of a separate collection, and index these; or '
                "lower the bound of the array",
                subject=binding.name,
                part=index.target.name,
            )


def _is_usually_short(layout: Layout, kind: Many, array: str, max_entries: int) -> bool:
    """Whether the declared average size has room for few elements of the least size."""
    least = value_bytes(layout, kind.element, array).low
    average = kind.facts.average_bytes
    return average is not None and least > 0 and average / least * _FAR <= max_entries


def _writes(context: RuleContext, binding: Binding) -> float | None:
    """Documents that are put, updated or deleted each second at the peak; None if no pattern or no rate is declared."""
    writes: list[float] = []
    for plan in context.plans_of(binding):
        load = plan.pattern.load
        for part in plan.parts or (plan,):
            if part.binding.name != binding.name or part.pattern.kind not in ("put", "update", "delete"):
                continue
            peak = load.peak_per_second or load.per_second
            if peak is None:
                return None
            writes.append(peak * max(1, part.pattern.batch))
    return sum(writes) if writes else None
