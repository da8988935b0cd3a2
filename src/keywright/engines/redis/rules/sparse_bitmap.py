"""RED034: the bit of a bitmap is a large, sparse number, so that one bit allocates megabytes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.attribute import Scalar
from keywright.ir.text import counted

from ..access.layout import Layout
from ..access.memory import elements_of
from ..findings.servers import entities
from ..schema.capabilities import BITMAP_BITS


def models(context: RuleContext, *, max_mb: int = 16, min_percent: float = 1) -> Iterator[FindingDraft]:
    """Bitmaps whose last bit allocates more, unless enough of the bits are expected to be set.

    max_mb: mebibytes of a bitmap without a known number of set bits. min_percent: percent of the bits of a larger
    bitmap that must be set.
    """
    for _, binding, layout in entities(context):
        if layout.kind != "bitmap":
            continue
        bits, is_declared = _bits(layout)
        size, elements = bits / 8 / 2**20, elements_of(layout, binding)
        if size <= max_mb or (elements is not None and elements * 100 >= bits * min_percent):
            continue
        suffix = "" if elements is None else f" for {elements:,.0f} set bits"
        bound = f'"{layout.value}" goes to {bits - 1:,}' if is_declared else f'"{layout.value}" has no upper bound'
        yield FindingDraft(
            problem=f"{bound}: the last bit allocates {size:,.0f} MiB{suffix}, "
            f"{counted(max_mb, 'is allowed', 'are allowed')}, and blocks the "
            "server meanwhile",
            help="number the objects from 0 without gaps, and declare the bound, such as Field(ge=0, lt=1_000_000); "
            "or store them as kw.RedisSet(...)",
            subject=binding.name,
        )


def _bits(layout: Layout) -> tuple[int, bool]:
    """The number of bits of the longest row, and whether it is declared."""
    attribute = layout.attribute(layout.value or "")
    kind = attribute.type if attribute is not None and isinstance(attribute.type, Scalar) else None
    if kind is None or kind.maximum is None:
        return BITMAP_BITS.value, False
    return min(int(kind.maximum) + (not kind.excludes_maximum), BITMAP_BITS.value), True
