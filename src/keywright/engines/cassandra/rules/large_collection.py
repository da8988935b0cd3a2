"""CAS033: a collection column has no bound, or a frequent read returns thousands of its elements."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.rates import calls
from keywright.errors import quoted
from keywright.ir.attribute import Many, Map
from keywright.ir.text import counted

from ..findings.tables import entities


def models(
    context: RuleContext, *, max_items: int = 1_000, per_second: float = 100, max_bound: int = 65_535
) -> Iterator[FindingDraft]:
    """Every collection without a bound, and every read of large ones at a high rate.

    A collection to which no pattern adds elements may be small: it is a warning, as only its bound is unknown.
    max_items: most elements of a collection that is read often. per_second: most reads per second of a larger one.
    max_bound: largest bound of any collection.
    """
    for _, binding, _ in entities(context):
        collections = [
            (path, attribute.type)
            for path, attribute in fields(binding.entity.attributes)
            if isinstance(attribute.type, (Many, Map))
        ]
        growing = {plan.pattern.pushes: plan.pattern.name for plan, _ in calls(context, binding, "update")}
        unbounded = {path: kind for path, kind in collections if kind.max_items is None or kind.max_items > max_bound}
        for path, kind in unbounded.items():
            if any(path.startswith(f"{outer}.") for outer in unbounded):
                continue
            writer = growing.get(path)
            bound = "no bound" if kind.max_items is None else f"a bound of {kind.max_items:,}"
            growth = f' and grows with each "{writer}"' if writer else ""
            yield FindingDraft(
                problem=f'"{path}" has {bound}{growth}: a read of one element loads the whole collection',
                help="declare Field(max_length=...), or store the elements as rows of a table with a clustering column",
                subject=binding.name,
                field=path.partition(".")[0],
                severity="warning" if kind.max_items is None and writer is None else None,
            )
        bounds = {path.partition(".")[0]: kind.max_items or 0 for path, kind in collections}
        large = {name: bound for name, bound in bounds.items() if bound > max_items}
        for plan, rate in calls(context, binding, "get", "read"):
            pattern = plan.pattern
            returned = [name for name in large if not pattern.fields or name in pattern.fields]
            if returned and (rate or 0) > per_second:
                largest = max(large[name] for name in returned)
                yield FindingDraft(
                    problem=f"{counted(rate or 0, 'call', spec=',.0f')} a second load {quoted(returned)} as a whole, "
                    f"of up to {counted(largest, 'element', spec=',')}; "
                    f"{counted(max_items, 'is allowed', 'are allowed', spec=',')}",
                    help="name the other fields in fields=, or store the elements as rows, and read a page of them",
                    subject=pattern.name,
                    at=pattern.at,
                )
