"""MDB049: a field contains files of many megabytes.

https://www.mongodb.com/docs/manual/core/gridfs/ (2026-11-23) contains no number below the limit; the defaults are ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields, scalar_of
from keywright.engines.findings.shapes import is_unbounded_file
from keywright.engines.mongodb.schema.capabilities import DOCUMENT_BYTES
from keywright.ir.attribute import Many, Scalar
from keywright.ir.text import exact

_MB = 1_000_000


def models(
    context: RuleContext, *, max_mb: float = 4, typical_mb: float = 1, small_mb: float = 0.1
) -> Iterator[FindingDraft]:
    """Every text or binary field that may be larger or usually is, and files of any size by the name of the field.

    max_mb: megabytes of the largest value of a field. typical_mb: megabytes of a typical value.
    small_mb: megabytes from which values of a list are files, whose sum counts.
    """
    for binding in context.bindings("mongodb"):
        for path, attribute in fields(binding.entity.attributes):
            kind = scalar_of(attribute.type)
            if kind is None or kind.kind not in ("bytes", "string"):
                continue
            largest, typical = _largest(kind), kind.facts.average_bytes or 0
            is_file = kind.kind == "bytes" and largest >= small_mb * _MB
            if is_file and isinstance(attribute.type, Many) and attribute.type.max_items:
                largest *= attribute.type.max_items
            is_endless = is_unbounded_file(attribute.name, kind)
            if largest >= max_mb * _MB or typical >= typical_mb * _MB or is_endless:
                size = f"of up to {exact(largest / _MB)} MB" if largest else f"of about {exact(typical / _MB)} MB"
                yield FindingDraft(
                    problem=f'"{path}" holds files {"without a bound" if is_endless else size}, which every read and '
                    "replication of the document "
                    f"transfers; a document has at most {DOCUMENT_BYTES.value // 2**20} MiB",
                    help="store the file in an object store or in GridFS, and only its key here",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def _largest(kind: Scalar) -> int:
    """Bytes of the largest value by its bounds; 0 if unbounded."""
    return min((bound for bound in (kind.max_length, kind.facts.max_bytes) if bound is not None), default=0)
