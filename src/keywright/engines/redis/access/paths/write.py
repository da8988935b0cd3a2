"""Writes of whole items, and increments; updates and deletes have their own modules."""

from keywright.access.path import Candidate, Rejected
from keywright.access.query import Query
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve

from ...schema.layout import delayed, json_path
from ..calls import Increase, PutItems
from ..layout import Layout, decided
from .delete import delete
from .document import unreachable
from .read import KEYED
from .update import makers_of, update
from .write_target import DOCUMENT, admitted, guards_of, served, single_item, word

_NATIVE = ("string", "counter", "cache", "json", "set", "sorted set", "geo", "bitmap")
"""Structures whose write command rejects an existing item, or reports that it existed."""

_NO_IDENTITY = {
    "list": "an element of a list has no key: store the elements in a RedisSet or RedisSortedSet",
    "stream": "every entry of a stream is new: store unique items in a RedisHash",
    "hyperloglog": "a HyperLogLog is not exact about its members: use a RedisSet",
    "rate limit": "every call counts: a rate limit has no existing item",
}


def write(layout: Layout, query: Query) -> Candidate:
    """The access path of a write, or the reason why there is none."""
    match query.pattern.kind:
        case "put":
            return _put(layout, query)
        case "update":
            return update(layout, query)
        case "increment":
            return _increment(layout, query)
        case _:
            return delete(layout, query)


def _put(layout: Layout, query: Query) -> Candidate:
    check = ""
    if layout.structure.window == "bucket":
        return Rejected(layout.by, "a bucket has no calls to record: take its tokens with kw.Take")
    if query.pattern.if_absent:
        if layout.kind in _NO_IDENTITY:
            return Rejected(layout.by, _NO_IDENTITY[layout.kind])
        drawn_placeholder = next(
            (placeholder for placeholder in layout.key.placeholders if placeholder.shards and not placeholder.path),
            None,
        )
        if drawn_placeholder is not None:
            return Rejected(layout.by, "the shard of the key is random, so the item may exist in another shard")
        check = "command" if _is_native(layout) and query.pattern.batch == 1 else "script"
    tag = next((placeholder.path for placeholder in layout.key.placeholders if placeholder.is_tag), "")
    member = layout.member.text if layout.member else ""
    call = PutItems(layout.structure, layout.prefix + layout.key.text, member, check, layout.is_cluster, tag)  # type: ignore[arg-type]
    several = layout.is_cluster and query.pattern.batch > 1
    notes: tuple[str, ...] = (
        ("items in several slots are written one after the other, each atomically",) if several else ()
    )
    if layout.structure.due is not None:
        notes += (f'an entry waits in {delayed(call.key)} until "{layout.structure.due}"',)
    return served(layout, call, *notes)


def _is_native(layout: Layout) -> bool:
    """Whether one command writes the item or reports that it existed, and no other command must follow."""
    if layout.kind not in _NATIVE or layout.structure.expires_at is not None:
        return False
    if layout.kind in KEYED and layout.kind != "json":  # SET sets the expiry too
        return True
    return layout.structure.ttl_seconds is None and layout.structure.kept is None


def _increment(layout: Layout, query: Query) -> Candidate:
    field = query.pattern.field or ""
    attribute = layout.attribute(field)
    item_keys = single_item(layout, query, has_member=True)
    if isinstance(item_keys, Rejected):
        return item_keys
    path: tuple[Attribute, ...] | None = None
    if layout.kind == "json":
        path = resolve(layout.attributes, field)
        if path and (reason := unreachable(field, path)) is not None:
            return Rejected(layout.by, reason)
        attribute = path[-1] if path and path[0] in layout.stored else None
    command = _adding(layout, attribute)
    if isinstance(command, Rejected):
        return command
    assert attribute is not None
    if dependent := next((name for name, makers in makers_of(layout) if field.partition(".")[0] in makers), None):
        return Rejected(layout.by, f'"{dependent}" is computed from "{field}", and is not updated with it: update both')
    keys, member = item_keys
    guards = guards_of(layout, query, (*decided(layout, keys.filled), *decided(layout, member)))
    if isinstance(guards, Rejected):
        return guards
    is_whole = word(attribute) == "integer"
    versions = admitted(layout, query)
    stored = json_path(*(part.stored for part in path)) if path else attribute.stored
    call = Increase(layout.structure, keys, member, stored, field, command, is_whole, guards, versions)  # type: ignore[arg-type]
    notes: tuple[str, ...] = () if is_whole else ("added in binary floating point, not to the last digit",)
    if call.must_exist:
        notes += ("one script, which rejects an absent item",)
    elif not guards:
        notes += (f"starts at 0 if there is no {'member' if member else 'key'}",)
    return served(layout, call, *notes)


def _adding(layout: Layout, attribute: Attribute | None) -> str | Rejected:
    if attribute is None or not isinstance(attribute.type, Scalar):
        return Rejected(layout.by, "only a number of the item itself can be incremented")
    kind, name = attribute.type.kind, attribute.name
    if kind == "decimal":
        return Rejected(
            layout.by, f'"{name}" is decimal, and Redis adds in floating point: store whole cents in an int'
        )
    if layout.kind == "hash" and any(stored_attribute.name == name for stored_attribute in layout.stored):
        return "HINCRBY" if kind == "integer" else "HINCRBYFLOAT"
    if layout.kind == "json" and kind in ("integer", "float"):
        return "JSON.NUMINCRBY"
    if name == layout.value and layout.then is not None:
        other = layout.then.field
        return Rejected(layout.by, f'an increment would keep "{other}": use kw.Update(..., sets=["{name}", "{other}"])')
    if name == layout.value and layout.kind == "sorted set":
        return "ZINCRBY"
    if name == layout.value and layout.kind in ("counter", "string") and kind == "integer":
        return "INCRBY"
    if layout.kind in ("string", "cache") and layout.value is None:
        return Rejected(layout.by, DOCUMENT)
    return Rejected(
        layout.by, f'"{name}" is not a number that a {layout.kind} can increment: use a RedisCounter or RedisHash'
    )
