"""DDB102: a key can exceed 2048 bytes (partition key) or 1024 bytes (sort key)."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.cost.size import key_bytes, template_bytes
from keywright.engines.dynamodb.access.layout import FilledKeyPart, Layout
from keywright.engines.dynamodb.findings.uses import entities, scalar
from keywright.engines.dynamodb.schema.capabilities import PARTITION_VALUE_BYTES, SORT_VALUE_BYTES
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.key_texts import pieces
from keywright.ir.template import Placeholder, Template
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Parts of a key whose bounded fields exceed the limit; without bounds, nothing is reported."""
    for entity in entities(context):
        reported: set[str] = set()
        for route in entity.routes:
            for part in route.key:
                limit = (PARTITION_VALUE_BYTES if part in route.hashes else SORT_VALUE_BYTES).value
                size = _max_bytes(entity, part)
                if size is not None and size > limit and part.attribute not in reported:
                    reported.add(part.attribute)
                    half = "partition" if part in route.hashes else "sort"
                    yield FindingDraft(
                        problem=f'"{part.written.text}" may take {counted(size, "byte", spec=",.0f")}, the '
                        f"{half} half of a key {limit:,}",
                        help="bound its fields, as by Field(max_length=...) or Size(max=...); or key by a hash of them",
                        subject=entity.binding.name,
                        part=route.index,
                    )


def _max_bytes(entity: Layout, part: FilledKeyPart) -> float | None:
    """Most bytes of a key part; a text of ASCII letters has one for each."""
    if part.native != "S":
        return key_bytes(entity, part).high
    total = 0.0
    for placeholder in part.template.parts:
        high = template_bytes(entity, Template("", (placeholder,))).high
        if high is None:
            return None
        kind = None if isinstance(placeholder, str) else scalar(entity, placeholder.path)
        if kind is not None and kind.max_length is not None and _is_ascii(entity, placeholder):
            high = min(high, kind.max_length)
        total += high
    return total


def _is_ascii(entity: Layout, part: str | Placeholder) -> bool:
    """Whether a part writes ASCII letters only."""
    key_pieces = pieces(Template("", (part,)), entity.attributes)
    return all(piece.letters is not None and all(letter.isascii() for letter in piece.letters) for piece in key_pieces)
