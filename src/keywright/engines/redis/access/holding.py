"""How an entity is held on a placed server, and what Redis is made for."""

from keywright.engines.holding import Holding, Traits
from keywright.ir.binding import Binding

from ..capabilities import VALUE_BYTES
from ..target import ServerTarget
from .held import held
from .size import item_bytes, key_bytes, value_bytes

TRAITS = Traits(answers=frozenset(("near",)), is_in_memory=True, is_clustered=True)
"""Source: https://redis.io/docs/latest/develop/get-started/faq/, 2026-11-22."""


def holding(server: ServerTarget, binding: Binding) -> Holding | None:
    """See `Engine.holding`; bytes are those of keys and values, without what the server adds to them."""
    found = held(server, binding)
    if found is None:
        return None
    is_alone = found.member is None and found.kind not in ("list", "stream", "bitmap", "rate limit")
    item = item_bytes(found)
    return Holding(
        noun="value",
        item=key_bytes(found) + item if is_alone else item,
        fields={one.name: value_bytes(one.type, f"{binding.entity.name}.{one.name}") for one in found.attributes},
        limit=VALUE_BYTES.value if is_alone else None,
        is_watched=True,
    )
