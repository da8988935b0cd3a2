"""Storage facts of an entity on a placed server, and the traits of Redis."""

from keywright.engines.contract.storage_facts import StorageFacts, Traits
from keywright.ir.binding import Binding

from ..declare.options import Structure
from ..schema.capabilities import VALUE_BYTES
from ..schema.target import ServerTarget
from .layout import layout_of
from .wire import item_bytes, key_bytes, value_bytes

TRAITS = Traits(
    answers=frozenset(("near",)),
    is_in_memory=True,
    is_clustered=True,
    cache="kw.RedisCache(...)",
    shares_keys=True,
    has_own_expiry_rules=True,
)
"""Source: https://redis.io/docs/latest/develop/get-started/faq/, 2026-11-22."""


def storage_facts(server: ServerTarget, binding: Binding[Structure]) -> StorageFacts | None:
    """See `Engine.storage_facts`; bytes are those of keys and values, without the server's overhead."""
    layout = layout_of(server, binding)
    if layout is None:
        return None
    is_alone = layout.member is None and layout.kind not in ("list", "stream", "bitmap", "rate limit")
    item = item_bytes(layout)
    return StorageFacts(
        noun="value",
        item=key_bytes(layout) + item if is_alone else item,
        fields={
            attribute.name: value_bytes(attribute.type, f"{binding.entity.name}.{attribute.name}")
            for attribute in layout.attributes
        },
        limit=VALUE_BYTES.value if is_alone else None,
        reads_fields_alone=layout.kind in ("hash", "json"),
        is_watched=True,
    )
