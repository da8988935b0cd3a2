"""CAS034: a column contains values of megabytes, which a node reads and sends as a whole."""

from collections.abc import Iterator

from keywright.access.cost import Band
from keywright.access.extent import elements
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.shapes import is_unbounded_file
from keywright.ir.attribute import Many, Map, Scalar, Type
from keywright.ir.entity import parts
from keywright.ir.text import exact

from ..access.size import part_bytes
from ..findings.tables import entities
from ..schema.capabilities import MUTATION_BYTES

MIB = 2**20
"""Bytes of a mebibyte."""


def models(context: RuleContext, *, usual_mb: float = 1) -> Iterator[FindingDraft]:
    """Every column whose usual value is too large, or whose largest value a node rejects; and files of any size by the
    name of the column.

    usual_mb: mebibytes of the largest allowed usual value.
    """
    for _, binding, layout in entities(context):
        for part in layout.parts.values():
            kind = part.cell.type
            if kind is None:
                continue
            size = part_bytes(layout, part, binding.entity.name)
            if not isinstance(kind, Scalar):
                size = Band(0, _declared_bytes(kind), None)
            if size.expected is not None and size.expected >= usual_mb * MIB:
                problem = (
                    f'values of "{part.cell.field}" have about {size.expected / MIB:,.1f} MiB, and each is read and '
                    f"sent as a whole; {exact(usual_mb)} MiB is allowed"
                )
            elif size.high is not None and size.high >= MUTATION_BYTES.value:
                problem = (
                    f'values of "{part.cell.field}" have up to {size.high / MIB:,.0f} MiB, and a node rejects writes '
                    f"of {MUTATION_BYTES.value // MIB} MiB"
                )
            elif isinstance(kind, Scalar) and is_unbounded_file(part.cell.field, kind):
                problem = f'"{part.cell.field}" contains files without a bound, and each is read and sent as a whole'
            else:
                continue
            yield FindingDraft(
                problem=problem,
                help="store the content in object storage and its address here, or cut it into chunks that are rows",
                subject=binding.name,
                field=part.cell.field,
            )


def _declared_bytes(kind: Type) -> float:
    """Usual bytes of a value by the sizes that are declared for it or for what it contains; half the bound of bytes."""
    if kind.facts.average_bytes is not None:
        return kind.facts.average_bytes
    match kind:
        case Scalar(kind="bytes"):
            return (kind.facts.max_bytes or kind.max_length or 0) / 2
        case Many():
            return (elements(kind, "").expected or 1) * _declared_bytes(kind.element)
        case Map():
            return (elements(kind, "").expected or 1) * _declared_bytes(kind.value)
        case _:
            return sum(map(_declared_bytes, parts(kind)))
