"""How much memory an entity takes on its server: how many keys there will be, and what each takes by its encoding."""

from math import prod

from keywright.access.cost import Band
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import TIME_WIDTHS

from .held import Held
from .size import (
    HYPERLOGLOG_BYTES,
    bucket_share,
    fields_memory,
    item_bytes,
    key_bytes,
    key_memory,
    set_memory,
    sorted_set_memory,
    string_memory,
    template_bytes,
    value_bytes,
)

_ELEMENT = 4
"""Bytes beside its own of an element of a list, with its share of nodes. Source: quicklist.c, 2026-11-21."""

_ENTRY = 26
"""Bytes of an entry of a stream beside its values, whose names are kept once. Source: as measured in docs/sizing.md."""

_SCORE = 10
"""Bytes of a score in a compact block."""


def keys_of(known: Held) -> float | None:
    """How many keys there will be by the numbers of values of their parts; None where one is not known."""
    counts: list[float] = []
    for one in known.key.placeholders:
        if one.shards is not None:
            counts.append(one.shards)
            continue
        found = resolve(known.attributes, one.path)
        kind = found[-1].type if found else None
        is_time = any(filter.name in TIME_WIDTHS for filter in one.filters)
        if is_time or not isinstance(kind, Scalar) or not (kind.facts.distinct or kind.constants):
            return None
        counts.append(kind.facts.distinct or len(kind.constants))
    return prod(counts)


def elements_of(known: Held, binding: Binding) -> float | None:
    """How many elements one key has; None where it is not known."""
    expected, keys = getattr(binding.spec, "expected", None), keys_of(known)
    if expected is not None and keys:
        return float(max(1, expected / keys))
    return known.structure.kept if keys == 1 else None


def memory(known: Held, binding: Binding) -> float | None:
    """Bytes of all items of an entity at the design size with their keys; None where nobody says how many there are.

    Of lengths that are not declared the least counts, so that it is never too much.
    """
    expected, keys = getattr(binding.spec, "expected", None), keys_of(known)
    if known.kind in ("string", "counter", "cache", "hash"):
        keys = keys if expected is None else expected
        value = _alone(known)
    elif known.kind == "hyperloglog":
        value = HYPERLOGLOG_BYTES
    elif known.kind == "rate limit":
        value = None  # how many calls are within a period, nobody says
    else:
        elements = elements_of(known, binding)
        value = None if elements is None else _several(known, max(1, round(elements)))
    if keys is None or value is None:
        return None
    has_ttl = known.structure.ttl_seconds is not None or known.structure.expires_at is not None
    share = bucket_share(max(1, round(keys)))
    return keys * (key_memory(_typical(key_bytes(known)), has_ttl=has_ttl) + value + share * (2 if has_ttl else 1))


def _alone(known: Held) -> float:
    """Bytes of the value of a key that is one item."""
    if known.kind == "counter":
        return string_memory(None)
    if known.kind != "hash":
        return string_memory(_typical(item_bytes(known)))
    sizes = ((one.stored, _typical(value_bytes(one.type, one.name))) for one in known.stored)
    return fields_memory([(len(name.encode()), size) for name, size in sizes])


def _several(known: Held, elements: int) -> float | None:
    """Bytes of the value of a key that holds so many items."""
    if known.kind == "bitmap":
        return None  # as long as its last bit
    length = _typical(template_bytes(known.member, known) if known.member else item_bytes(known))
    if known.kind == "set":
        return set_memory(elements, length)
    if known.kind in ("sorted set", "geo"):
        return sorted_set_memory(elements, length, _SCORE)
    return elements * (length + (_ELEMENT if known.kind == "list" else _ENTRY))


def _typical(band: Band) -> int:
    return round(band.low if band.expected is None else band.expected)
