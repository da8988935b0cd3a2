"""Deletes of one item, of one member, or of all items under a key."""

from keywright.access.fill import Unfilled, fill
from keywright.access.path import Candidate, Rejected
from keywright.access.query import Condition, Query

from ..calls import CallKeys, Remove
from ..layout import Layout, decided, expanded
from .read import KEYED, NAMED
from .write_target import guards_of, served


def delete(layout: Layout, query: Query) -> Candidate:
    """The access path of a delete, or the reason why there is none."""
    filled = fill(expanded(layout.key, layout, query), query, layout.attributes)
    if isinstance(filled, Unfilled):
        return Rejected(layout.by, f'{filled.reason}, a part of the key "{layout.by.name}": add it to eq=')
    keys = CallKeys(layout.prefix, filled, is_cluster=layout.is_cluster)
    call = _removal(layout, query, keys)
    if isinstance(call, Rejected):
        return call
    if call.guards and not filled.is_single:
        return Rejected(layout.by, f'"{keys.text}" is several keys, and a condition applies to one key')
    notes = ("all members are deleted with the key",) if layout.kind not in KEYED and not _is_named(call) else ()
    return served(layout, call, *notes, fan_out=filled.fan_out or 1)


def _is_named(call: Remove) -> bool:
    return bool(call.member or call.bit or call.element)


def _removal(layout: Layout, query: Query, keys: CallKeys) -> Remove | Rejected:
    residual = tuple(condition for condition in query.conditions if condition not in decided(layout, keys.filled))
    strict = bool(query.pattern.where)
    if layout.kind in NAMED and layout.member is not None:
        member = fill(expanded(layout.member, layout, query), query, layout.attributes, is_write=True)
        if not isinstance(member, Unfilled):
            guards = guards_of(layout, query, (*decided(layout, keys.filled), *decided(layout, member)))
            if isinstance(guards, Rejected):
                return guards
            return Remove(layout.structure, keys, member, guards=guards, is_strict=strict)
        if residual:
            return Rejected(layout.by, f'{member.reason}, a part of the member "{layout.member.text}": add it to eq=')
    if not residual and layout.kind == "stream" and layout.structure.groups:
        return Rejected(
            layout.by, "deleting the key would delete its consumer groups: keep= removes entries of a stream"
        )
    if not residual:
        return Remove(layout.structure, keys)
    if layout.kind == "bitmap" and (bit := query.fixed(layout.value or "")) is not None and residual == (bit,):
        return Remove(layout.structure, keys, bit=bit)
    if layout.kind == "list":
        return _element(layout, query, keys, residual)
    if layout.kind not in KEYED:
        return Rejected(layout.by, f"a single item of a {layout.kind} cannot be deleted, only all items of a key")
    guards = guards_of(layout, query, decided(layout, keys.filled))
    return guards if isinstance(guards, Rejected) else Remove(layout.structure, keys, guards=guards, is_strict=strict)


def _element(layout: Layout, query: Query, keys: CallKeys, residual: tuple[Condition, ...]) -> Remove | Rejected:
    """The server finds an element by its whole text, so that the pattern must give all fields."""
    fields = {
        condition.field for condition in query.conditions if condition.kind == "equals" and condition.constants is None
    }
    lacking = [attribute.name for attribute in layout.attributes if attribute.name not in fields]
    if lacking or {condition.field for condition in residual} - fields:
        listed = ", ".join(f'"{name}"' for name in lacking)
        return Rejected(layout.by, f"an element of a list is found by its whole text: add {listed} to eq=")
    return Remove(layout.structure, keys, element=tuple(attribute.name for attribute in layout.attributes))
