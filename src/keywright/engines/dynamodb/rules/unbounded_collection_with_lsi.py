"""DDB028: items of one partition key may outgrow what they may be together where a table has local indexes."""

from collections.abc import Iterator
from math import prod

from keywright.engines.dynamodb.access.layout import Entity
from keywright.engines.dynamodb.access.size import entry_bytes, item_bytes
from keywright.engines.dynamodb.capabilities import COLLECTION_BYTES
from keywright.engines.dynamodb.uses import entities, hash_text, is_time, scalar
from keywright.engines.flaws.context import Flaw, Whole

_KINDS = "event", "reading"


def models(whole: Whole) -> Iterator[Flaw]:
    """Every entity whose items of one key are that large by what is expected, or a series without end."""
    for entity in entities(whole):
        if not entity.table.local_indexes:
            continue
        size, most = _bytes(entity), COLLECTION_BYTES.value
        if size is not None and size > most:
            said = f"come to {size / 1024**3:,.0f} GB"
        elif size is None and _is_endless(entity):
            said = "grow without end"
        else:
            continue
        yield Flaw(
            problem=f'items of one pk="{hash_text(entity.key)}" {said}, and with local indexes they may be '
            f"{most // 1024**3} GB",
            help="put a bucket of time into the partition key; or use Gsi(...), which has no limit",
            subject=entity.binding.name,
        )


def _bytes(entity: Entity) -> float | None:
    """Bytes of one key's items and of their entries in local indexes; None where nobody says how many there are."""
    expected = getattr(entity.binding.spec, "expected", None)
    counts = [scalar(entity, one.path) for part in entity.key.hashes for one in part.template.placeholders]
    distinct = [(len(kind.constants) or kind.facts.distinct) if kind else None for kind in counts]
    if expected is None or not all(distinct):
        return None
    sizes = [item_bytes(entity), *(entry_bytes(entity, one) for one in entity.routes if one.by.kind == "lsi")]
    each = sum(one.low if one.expected is None else one.expected for one in sizes)
    return float(each * expected / prod(one or 1 for one in distinct))


def _is_endless(entity: Entity) -> bool:
    """Whether it is a series that nothing cuts: no bucket in the key, no expiry."""
    kind = getattr(entity.binding.spec, "kind", "")
    hashes = [one for part in entity.key.hashes for one in part.template.placeholders]
    return kind in _KINDS and entity.table.ttl is None and not any(is_time(entity, one) for one in hashes)
