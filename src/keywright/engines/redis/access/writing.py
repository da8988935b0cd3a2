"""What the paths of all writes share: the item that they mean, and what must be true of it."""

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.path import AccessPath, Rejected
from keywright.access.request import Asked, Request
from keywright.ir.attribute import Attribute, Scalar

from .calls import Call, Guard, Keys
from .held import Held, spelled

DOCUMENT = "JSON is not changed in place, a script would round numbers and lose empty lists: use a RedisHash"
"""Why fields inside JSON are not written one by one."""


def served(found: Held, call: Call, *notes: str, fan_out: int = 1) -> AccessPath:
    """The path of a write, with what its durability lacks."""
    if found.freshness != "strong":
        notes += ("a failover loses what was written last: copies follow behind",)
    return AccessPath(found.by, call, fan_out, consistency=found.freshness, notes=notes)


def one_item(found: Held, asked: Request, *, has_member: bool) -> tuple[Keys, Filled | None] | Rejected:
    """The key, and the member, of the one item that a write means."""
    filled = fill(spelled(found.key, found, asked), asked, found.attributes, is_write=True)
    if isinstance(filled, Unfilled):
        return Rejected(found.by, f'{filled.reason}, a part of the key "{found.by.name}": add it to eq=')
    keys = Keys(found.prefix, filled, is_cluster=found.is_cluster)
    if not has_member or found.member is None:
        return keys, None
    member = fill(spelled(found.member, found, asked), asked, found.attributes, is_write=True)
    if isinstance(member, Unfilled):
        return Rejected(found.by, f'{member.reason}, a part of the member "{found.member.text}": add it to eq=')
    return keys, member


def guards_of(found: Held, asked: Request, decides: tuple[Asked, ...]) -> tuple[Guard, ...] | Rejected:
    """What is left of a pattern's conditions, as the server judges them."""
    guards: list[Guard] = []
    for one in asked.asked:
        if one in decides:
            continue
        attribute = found.attribute(one.field)
        source = _source(found, one.field)
        if attribute is None or source is None:
            return Rejected(
                found.by, f'"{one.field}" is nothing that the {found.kind} keeps, so "{one}" cannot be judged'
            )
        kind = _compared(attribute)
        if source == "sorted set":
            kind = "number"
        if kind is None and one.how != "present":
            help = "keep whole cents in an int" if word(attribute) == "decimal" else "compare a text or a number"
            return Rejected(found.by, f'no script can judge "{one}" on {word(attribute)}: {help}')
        guards.append(Guard(one, source, attribute.stored if source == "hash" else "", kind or "text"))  # type: ignore[arg-type]
    return tuple(guards)


def _source(found: Held, field: str) -> str | None:
    if found.kind == "hash":
        return "hash" if any(one.name == field for one in found.stored) else None
    if field != found.value:
        return None
    return {"string": "string", "counter": "string", "sorted set": "sorted set"}.get(found.kind)


def _compared(attribute: Attribute) -> str | None:
    if not isinstance(attribute.type, Scalar):
        return None
    kind = attribute.type.kind
    if kind in ("integer", "float"):
        return "integer" if kind == "integer" else "number"
    return "text" if kind in ("string", "boolean", "datetime", "date", "uuid") else None


def word(attribute: Attribute) -> str:
    """What an attribute holds, in a word."""
    return attribute.type.kind if isinstance(attribute.type, Scalar) else "several values"
