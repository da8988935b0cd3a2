"""Updates: of fields of a hash, of a value or score, with the computed attributes that follow."""

from keywright.access.path import Candidate, Rejected
from keywright.access.request import Request
from keywright.ir.attribute import Attribute
from keywright.ir.template import Template

from .calls import Change, Keys
from .held import Held, decided
from .writing import DOCUMENT, guards_of, one_item, served

_MEMBER_ALONE = "a member is all that a {} keeps of an item: delete it and put another"


def update(found: Held, asked: Request) -> Candidate:
    """How an update is served, or why it is not."""
    pattern = asked.pattern
    made = one_item(found, asked, has_member=True)
    if isinstance(made, Rejected):
        return made
    keys, member = made
    changed = (*pattern.sets, *pattern.unset)
    if (reason := _unchangeable(found, asked, keys, changed)) is not None:
        return Rejected(found.by, reason)
    decides = (*decided(found, keys.filled), *decided(found, member))
    guards = guards_of(found, asked, decides)
    if isinstance(guards, Rejected):
        return guards
    computed = _following(found, asked, changed)
    if isinstance(computed, Rejected):
        return computed
    notes = ("one script, which refuses an item that is not there",)
    call = Change(found.structure, keys, member, pattern.sets, pattern.unset, computed, guards, _may_empty(found))
    return served(found, call, *notes)


def _unchangeable(found: Held, asked: Request, keys: Keys, changed: tuple[str, ...]) -> str | None:
    """Why fields cannot be changed in place; None where they can."""
    pattern, in_key = asked.pattern, {one.path for one in (*found.key.placeholders,)}
    if found.member is not None:
        in_key |= {one.path for one in found.member.placeholders}
    if key := next((name for name in changed if name in in_key), None):
        return f'"{key}" is part of the key, and a key never changes: delete the item and put another'
    if any(slot.kind == "draw" for slot in keys.filled.slots):
        return "the shard of the key is drawn at random, so nothing says which item is meant"
    if pattern.pushes:
        return (
            f'"{pattern.pushes}" is one JSON text here, and nothing is pushed into it: keep its elements in a RedisList'
        )
    if found.kind in ("string", "cache") and found.value is None:
        return DOCUMENT
    if not changed and found.kind != "hash":
        return "nothing is changed: name a field in sets="
    if found.kind in ("string", "counter", "sorted set", "geo"):
        other = next((name for name in changed if name != found.value), None)
        return f'only "{found.value}" can be changed, not "{other}"' if other or pattern.unset else None
    if found.kind != "hash":
        return _MEMBER_ALONE.format(found.kind)
    stored = {one.name: one for one in found.stored}
    for name in changed:
        if name not in stored:
            return f'"{name}" is no field of its own: set "{name.partition(".")[0]}" as a whole'
    return next(
        (f'"{name}" is needed and cannot be removed' for name in pattern.unset if not _may_lack(stored[name])), None
    )


def _may_lack(attribute: Attribute) -> bool:
    return attribute.is_nullable or not attribute.is_required


def _may_empty(found: Held) -> bool:
    return found.kind == "hash" and found.version == 1 and not found.computed and all(map(_may_lack, found.stored))


def _following(found: Held, asked: Request, changed: tuple[str, ...]) -> tuple[tuple[str, Template], ...] | Rejected:
    """The computed attributes that a change of fields changes; all that makes them must be known."""
    if found.kind != "hash":
        return ()
    known = {*asked.pattern.sets, *(one.field for one in asked.asked if one.how == "equals" and one.constants is None)}
    following: list[tuple[str, Template]] = []
    for (name, makers), (_, template) in zip(makers_of(found), found.computed, strict=True):
        if not any(maker in changed for maker in makers):
            continue
        if lacking := [maker for maker in makers if maker not in known]:
            listed = ", ".join(f'"{one}"' for one in lacking)
            return Rejected(found.by, f'"{name}" is made of {listed} too: add it to sets= or eq=')
        following.append((name, whole(template, dict(found.computed))))
    return tuple(following)


def makers_of(found: Held) -> list[tuple[str, list[str]]]:
    """The fields that make each computed attribute of a hash."""
    computed = dict(found.computed) if found.kind == "hash" else {}
    made = ((name, whole(template, computed)) for name, template in computed.items())
    return [(name, [one.path.partition(".")[0] for one in one_whole.placeholders]) for name, one_whole in made]


def whole(template: Template, computed: dict[str, Template]) -> Template:
    """A template with what makes the computed attributes in it in their place."""
    parts: list[object] = []
    for part in template.parts:
        path = "" if isinstance(part, str) else part.path
        if path in computed:
            others = {name: one for name, one in computed.items() if name != path}
            parts += whole(computed[path], others).parts
        else:
            parts.append(part)
    return Template(template.text, tuple(parts))  # type: ignore[arg-type]
