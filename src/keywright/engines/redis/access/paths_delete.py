"""Deletes: of one item, of one member, or of all that stands under a key."""

from keywright.access.fill import Unfilled, fill
from keywright.access.path import Candidate, Rejected
from keywright.access.request import Asked, Request

from .calls import Keys, Remove
from .held import Held, decided, spelled
from .paths_read import KEYED, NAMED
from .writing import guards_of, served


def delete(found: Held, asked: Request) -> Candidate:
    """How a delete is served, or why it is not."""
    filled = fill(spelled(found.key, found, asked), asked, found.attributes)
    if isinstance(filled, Unfilled):
        return Rejected(found.by, f'{filled.reason}, a part of the key "{found.by.name}": add it to eq=')
    keys = Keys(found.prefix, filled, is_cluster=found.is_cluster)
    call = _removal(found, asked, keys)
    if isinstance(call, Rejected):
        return call
    if call.guards and not filled.is_single:
        return Rejected(found.by, f'"{keys.text}" is several keys, and a condition is judged on one')
    notes = ("all members go with the key",) if found.kind not in KEYED and not _is_named(call) else ()
    return served(found, call, *notes, fan_out=filled.fan_out or 1)


def _is_named(call: Remove) -> bool:
    return bool(call.member or call.bit or call.element)


def _removal(found: Held, asked: Request, keys: Keys) -> Remove | Rejected:
    rest = tuple(one for one in asked.asked if one not in decided(found, keys.filled))
    strict = bool(asked.pattern.where)
    if found.kind in NAMED and found.member is not None:
        member = fill(spelled(found.member, found, asked), asked, found.attributes, is_write=True)
        if not isinstance(member, Unfilled):
            guards = guards_of(found, asked, (*decided(found, keys.filled), *decided(found, member)))
            if isinstance(guards, Rejected):
                return guards
            return Remove(found.structure, keys, member, guards=guards, is_strict=strict)
        if rest:
            return Rejected(found.by, f'{member.reason}, a part of the member "{found.member.text}": add it to eq=')
    if not rest and found.kind == "stream" and found.structure.groups:
        return Rejected(found.by, "with the key its consumer groups would go: entries leave a stream by keep=")
    if not rest:
        return Remove(found.structure, keys)
    if found.kind == "bitmap" and (bit := asked.fixed(found.value or "")) is not None and rest == (bit,):
        return Remove(found.structure, keys, bit=bit)
    if found.kind == "list":
        return _element(found, asked, keys, rest)
    if found.kind not in KEYED:
        return Rejected(found.by, f"one item of a {found.kind} cannot be taken away, only all under a key")
    guards = guards_of(found, asked, decided(found, keys.filled))
    return guards if isinstance(guards, Rejected) else Remove(found.structure, keys, guards=guards, is_strict=strict)


def _element(found: Held, asked: Request, keys: Keys, rest: tuple[Asked, ...]) -> Remove | Rejected:
    """An element is found by its whole text, so all fields must be said."""
    known = {one.field for one in asked.asked if one.how == "equals" and one.constants is None}
    lacking = [one.name for one in found.attributes if one.name not in known]
    if lacking or {one.field for one in rest} - known:
        listed = ", ".join(f'"{one}"' for one in lacking)
        return Rejected(found.by, f"an element of a list is found by its whole text: add {listed} to eq=")
    return Remove(found.structure, keys, element=tuple(one.name for one in found.attributes))
