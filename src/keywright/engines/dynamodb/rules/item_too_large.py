"""DDB001: an item can exceed DynamoDB's limit of 400 KB, or is typically larger than 100 KB."""

from collections.abc import Iterator

from keywright.access.cost import Band
from keywright.engines.dynamodb.access.cost.size import attribute_bytes, item_bytes
from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.findings.uses import entities
from keywright.engines.dynamodb.schema.capabilities import ITEM_BYTES
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.attribute import Attribute, Scalar

_BLOBS = "string", "bytes", "json"


def models(context: RuleContext, *, warn: int = 100 * 1024, file: int = 190 * 1024) -> Iterator[FindingDraft]:
    """Entities with large items; the field, if one field makes them large.

    warn: bytes of a typical item above which it is reported. file: bytes of the largest value above which it is a file.
    """
    for entity in entities(context):
        size = item_bytes(entity)
        if (large := _large(size, warn)) is None:
            fields = ((attribute, attribute_bytes(entity, attribute)) for attribute in entity.attributes)
            texts = ((attribute, _large(size, warn) or _file(attribute, file)) for attribute, size in fields)
            oversized = next(((attribute.name, text) for attribute, text in texts if text), None)
        else:
            oversized = _largest(entity, size), large
        if oversized is not None:
            path, large = oversized
            subject = f'"{path}"' if path else "an item"
            yield FindingDraft(
                problem=f"{subject} {large}, and DynamoDB takes {ITEM_BYTES.value // 1024} KB for a whole item",
                help="keep it in S3 and its key here" if path else "bound its lists, or give parts items of their own",
                subject=entity.binding.name,
                field=path,
            )


def live(live_target: LiveTarget, *, warn: int = 100 * 1024) -> Iterator[FindingDraft]:
    """Entities with a sampled item above the size."""
    for binding, items in live_target.items():
        large = [size for size in items.bytes if size > warn]
        if large:
            yield FindingDraft(
                problem=f"{items.sample.of(len(large), 'takes', 'take')} more than {warn / 1024:,.0f} KB, the largest "
                f"{max(large) / 1024:,.0f}, and DynamoDB takes {ITEM_BYTES.value // 1024} KB for a whole item",
                help="keep what makes them large in S3 and its key here, or bound lists",
                subject=binding.name,
            )


def _large(size: Band, warn: int) -> str | None:
    """Text about a size above the limits; None if it is acceptable."""
    if size.high is not None and size.high > ITEM_BYTES.value:
        return f"may take {size.high / 1024:,.0f} KB"
    if size.expected is not None and size.expected > warn:
        return f"usually takes {size.expected / 1024:,.0f} KB"
    return None


def _file(attribute: Attribute, file: int) -> str | None:
    """Text about a text or bytes that may be a file; None if it is none, or if a usual one is known to be small."""
    kind = attribute.type
    if not isinstance(kind, Scalar) or kind.kind not in _BLOBS or (kind.facts.average_bytes or file) <= file / 4:
        return None
    # A text of this many characters has as many bytes, unless it is in a language with larger ones.
    most = min((bound for bound in (kind.max_length, kind.facts.max_bytes) if bound is not None), default=0)
    return f"may take {most / 1024:,.0f} KB" if most > file else None


def _largest(entity: Layout, size: Band) -> str:
    """The text or bytes field with more than half of an item; empty if there is none."""
    high = size.high or size.expected or 0
    for attribute in entity.attributes:
        if isinstance(attribute.type, Scalar) and attribute.type.kind in _BLOBS:
            field_bytes = attribute_bytes(entity, attribute)
            if (field_bytes.high or field_bytes.expected or 0) > high / 2:
                return attribute.name
    return ""
