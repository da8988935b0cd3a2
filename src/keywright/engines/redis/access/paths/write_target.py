"""The common parts of all write paths: the item, and the conditions on it."""

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.partial_write import Versions, versions_of
from keywright.access.path import AccessPath, Rejected
from keywright.access.query import Condition, Query
from keywright.declare.store import VERSION
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve

from ...schema.layout import json_path
from ..calls import Call, CallKeys, Guard
from ..layout import Layout, expanded

DOCUMENT = "JSON text is not changed in place, because scripts round numbers: use a RedisHash, or a RedisJson"
"""The reason why fields inside JSON are not written one by one."""


def served(layout: Layout, call: Call, *notes: str, fan_out: int = 1) -> AccessPath:
    """The path of a write, with a note about its durability."""
    if layout.freshness != "strong":
        notes += ("a failover loses the last writes, because replication is asynchronous",)
    return AccessPath(layout.by, call, fan_out, consistency=layout.freshness, notes=notes)


def single_item(layout: Layout, query: Query, *, has_member: bool) -> tuple[CallKeys, Filled | None] | Rejected:
    """The key and the member of the one item of a write."""
    filled = fill(expanded(layout.key, layout, query), query, layout.attributes, is_write=True)
    if isinstance(filled, Unfilled):
        return Rejected(layout.by, f'{filled.reason}, a part of the key "{layout.by.name}": add it to eq=')
    keys = CallKeys(layout.prefix, filled, is_cluster=layout.is_cluster)
    if not has_member or layout.member is None:
        return keys, None
    member = fill(expanded(layout.member, layout, query), query, layout.attributes, is_write=True)
    if isinstance(member, Unfilled):
        return Rejected(layout.by, f'{member.reason}, a part of the member "{layout.member.text}": add it to eq=')
    return keys, member


def guards_of(layout: Layout, query: Query, decides: tuple[Condition, ...]) -> tuple[Guard, ...] | Rejected:
    """The remaining conditions of a pattern, in the form in which the server checks them."""
    guards: list[Guard] = []
    for condition in query.conditions:
        if condition in decides:
            continue
        path = resolve(layout.attributes, condition.field) if layout.kind == "json" else None
        attribute = path[-1] if path else layout.attribute(condition.field)
        source = _source(layout, condition.field)
        if attribute is None or source is None:
            return Rejected(
                layout.by,
                f'"{condition.field}" is not stored in the {layout.kind}, so "{condition}" cannot be checked',
            )
        if source == "sorted set" and layout.then is not None:
            both = f'"{layout.value}" and "{layout.then.field}" are one number'
            return Rejected(layout.by, f'{both}, so "{condition}" cannot be checked')
        kind = _compared(attribute)
        if source == "sorted set":
            kind = "number"
        if kind is None and condition.kind != "present":
            help = "store whole cents in an int" if word(attribute) == "decimal" else "compare a text or a number"
            return Rejected(layout.by, f'no script can check "{condition}" on {word(attribute)}: {help}')
        stored = json_path(*(part.stored for part in path)) if path else attribute.stored if source == "hash" else ""
        guards.append(Guard(condition, source, stored, kind or "text"))  # type: ignore[arg-type]
    return tuple(guards)


def admitted(layout: Layout, query: Query) -> Versions | None:
    """The schema versions that a partial write admits; of the structures with partial writes, only hashes and JSON
    documents have one."""
    has_version = layout.kind in ("hash", "json")
    return versions_of(layout.binding, VERSION, layout.key_fields, query) if has_version else None


def _source(layout: Layout, field: str) -> str | None:
    if layout.kind in ("hash", "json"):
        top = field.partition(".")[0] if layout.kind == "json" else field
        return layout.kind if any(attribute.name == top for attribute in layout.stored) else None
    if field != layout.value:
        return None
    return {"string": "string", "counter": "string", "sorted set": "sorted set"}.get(layout.kind)


def _compared(attribute: Attribute) -> str | None:
    if not isinstance(attribute.type, Scalar):
        return None
    kind = attribute.type.kind
    if kind in ("integer", "float"):
        return "integer" if kind == "integer" else "number"
    return "text" if kind in ("string", "boolean", "datetime", "date", "uuid") else None


def word(attribute: Attribute) -> str:
    """The type of an attribute, in a word."""
    return attribute.type.kind if isinstance(attribute.type, Scalar) else "several values"
