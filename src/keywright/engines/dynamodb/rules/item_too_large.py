"""DDB001: an item may outgrow what the service takes, or is large as a rule."""

from collections.abc import Iterator

from keywright.access.cost import Band
from keywright.engines.dynamodb.access.layout import Entity
from keywright.engines.dynamodb.access.size import attribute_bytes, item_bytes
from keywright.engines.dynamodb.capabilities import ITEM_BYTES
from keywright.engines.dynamodb.uses import entities
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.ir.attribute import Scalar

_BLOBS = "string", "bytes", "json"


def models(whole: Whole, *, warn: int = 100 * 1024) -> Iterator[Flaw]:
    """Every entity with such items; if one field makes them large, that field.

    warn: bytes of a typical item that are many.
    """
    for entity in entities(whole):
        size = item_bytes(entity)
        if (said := _large(size, warn)) is None:
            fields = ((one, _large(attribute_bytes(entity, one), warn)) for one in entity.attributes)
            found = next(((one.name, said) for one, said in fields if said), None)
        else:
            found = _largest(entity, size), said
        if found is not None:
            path, said = found
            what = f'"{path}"' if path else "an item"
            yield Flaw(
                problem=f"{what} {said}, and DynamoDB takes {ITEM_BYTES.value // 1024} KB for a whole item",
                help="keep it in S3 and its key here" if path else "bound its lists, or give parts items of their own",
                subject=entity.binding.name,
                field=path,
            )


def live(seen: Seen, *, warn: int = 100 * 1024) -> Iterator[Flaw]:
    """Every entity of which a sampled item is that large."""
    for binding, items in seen.items():
        large = [size for size in items.bytes if size > warn]
        if large:
            yield Flaw(
                problem=f"{items.sample.of(len(large))} take more than {warn / 1024:,.0f} KB, the largest "
                f"{max(large) / 1024:,.0f}, and DynamoDB takes {ITEM_BYTES.value // 1024} KB for a whole item",
                help="keep what makes them large in S3 and its key here, or bound lists",
                subject=binding.name,
            )


def _large(size: Band, warn: int) -> str | None:
    """What is to be said of a size; None if it is well."""
    if size.high is not None and size.high > ITEM_BYTES.value:
        return f"may take {size.high / 1024:,.0f} KB"
    if size.expected is not None and size.expected > warn:
        return f"usually takes {size.expected / 1024:,.0f} KB"
    return None


def _largest(entity: Entity, size: Band) -> str:
    """The text or bytes that take most of an item; empty if none takes half of it."""
    whole = size.high or size.expected or 0
    for one in entity.attributes:
        if isinstance(one.type, Scalar) and one.type.kind in _BLOBS:
            own = attribute_bytes(entity, one)
            if (own.high or own.expected or 0) > whole / 2:
                return one.name
    return ""
