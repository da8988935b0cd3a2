"""CAS026: a table of texts is stored without compression."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.ir.attribute import Many, Map, Scalar, Struct, Type

from ..access.growth import typical_row
from ..access.size import part_bytes, value_bytes
from ..findings.tables import entities
from ..schema.table_options import options_map
from ..schema.typemap import native_type

GIB = 2**30
"""Bytes of a gibibyte."""

LONG = 100
"""Bytes from which a text of unknown length is long."""


def models(context: RuleContext, *, share: float = 0.5, min_gb: float = 1) -> Iterator[FindingDraft]:
    """Every such table, unless its declared number of rows is small.

    share: share of texts in a row from which compression pays. min_gb: gibibytes below which a table is small.
    """
    for target, binding, layout in entities(context):
        compression = dict(options_map(dict(layout.target.options).get("compression")))
        is_off = compression.get("enabled") == "false" or compression.get("class") == "NoopCompressor"
        if target.environment.flavour == "keyspaces" or not is_off:
            continue
        name = binding.entity.name
        keys = {part.name for part in layout.keys}
        shares = {part.name: _text_share(part.cell.type) for part in layout.parts.values() if part.name not in keys}
        texts = {
            part.cell.field: (part_bytes(layout, part, name), shares[part.name])
            for part in layout.parts.values()
            if shares.get(part.name)
        }
        row, expected = typical_row(layout, name), binding.spec.expected
        ratio = min(1, sum((band.expected or band.low) * part for band, part in texts.values()) / row)
        unknown = [
            field
            for field, (band, part) in texts.items()
            if part >= share and band.expected is None and (band.high is None or band.high >= LONG)
        ]
        size = None if expected is None else expected * (row + LONG * len(unknown))
        if (ratio < share and not unknown) or (size is not None and size < min_gb * GIB):
            continue
        content = f'"{unknown[0]}" is text' if unknown else f"{100 * ratio:.0f} % of a row are texts"
        volume = f", {size / GIB:,.0f} GiB in all" if size is not None else ""
        yield FindingDraft(
            problem=f"it is not compressed, although {content}{volume}: disks and reads take several times the bytes",
            help='remove compression= for LZ4, or say compression="Zstd"',
            subject=binding.name,
            fix=Fix((SetArgument("compression", '"LZ4"'),)) if binding.spec.compression == "none" else None,
        )


def _text_share(kind: Type | None) -> float:
    """Share of texts in the bytes of a value, with those in lists, maps and embedded models."""
    match kind:
        case Scalar():
            return float(kind.kind in ("string", "json"))
        case Many():
            return _text_share(kind.element)
        case Map():
            return (1 + _text_share(kind.value)) / 2
        case Struct():
            sizes = [(_typical(attribute.type), _text_share(attribute.type)) for attribute in kind.attributes]
            return sum(size * part for size, part in sizes) / max(1, sum(size for size, _ in sizes))
        case _:
            return 0


def _typical(kind: Type) -> float:
    band = value_bytes(kind, native_type(kind, is_frozen=not isinstance(kind, Scalar)), "")
    return LONG if band.expected is None and band.high is None else band.expected or band.low
