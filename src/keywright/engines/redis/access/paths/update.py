"""Updates of the fields of a hash, or of a value or score, with the computed attributes that change too."""

from keywright.access.path import Candidate, Rejected
from keywright.access.query import Query
from keywright.ir.template import Template

from ..calls import CallKeys, SetFields
from ..layout import Layout, decided
from .document import may_lack, most_elements, nulls_of, paths_of
from .write_target import DOCUMENT, admitted, guards_of, served, single_item

NOTHING = "nothing is changed: name a field in sets="
"""The reason why an update without changes is not served."""

_MEMBER_ALONE = "a {} stores only a member of an item: delete it and put another"


def update(layout: Layout, query: Query) -> Candidate:
    """The access path of an update, or the reason why there is none."""
    pattern = query.pattern
    item_keys = single_item(layout, query, has_member=True)
    if isinstance(item_keys, Rejected):
        return item_keys
    keys, member = item_keys
    changed = (*pattern.sets, *pattern.unset)
    if (reason := _unchangeable(layout, query, keys, changed)) is not None:
        return Rejected(layout.by, reason)
    decides = (*decided(layout, keys.filled), *decided(layout, member))
    guards = guards_of(layout, query, decides)
    if isinstance(guards, Rejected):
        return guards
    computed = _following(layout, query, changed)
    if isinstance(computed, Rejected):
        return computed
    paths: tuple[str, ...] = ()
    nulls: tuple[str, ...] = ()
    if layout.kind == "json":
        located = paths_of(layout, pattern)
        if isinstance(located, str):
            return Rejected(layout.by, located)
        paths, nulls = located, nulls_of(layout, pattern)
    notes = ("one script, which rejects an absent item",)
    call = SetFields(layout.structure, keys, member, pattern.sets, pattern.unset, computed, guards, _may_empty(layout),
                  admitted(layout, query), paths, pattern.pushes, nulls, most_elements(layout, pattern))  # fmt: skip
    return served(layout, call, *notes)


def _unchangeable(layout: Layout, query: Query, keys: CallKeys, changed: tuple[str, ...]) -> str | None:
    """The reason why fields cannot be changed in place; None if they can."""
    pattern, in_key = query.pattern, {placeholder.path for placeholder in (*layout.key.placeholders,)}
    if layout.member is not None:
        in_key |= {placeholder.path for placeholder in layout.member.placeholders}
    if key := next((name for name in changed if name in in_key), None):
        return f'"{key}" is part of the key, and a key never changes: delete the item and put another'
    if any(slot.kind == "draw" for slot in keys.filled.slots):
        return "the shard of the key is random, so the item is unknown"
    if layout.kind == "json":
        return None if changed or pattern.pushes else NOTHING
    return _unchangeable_fields(layout, query, changed)


def _unchangeable_fields(layout: Layout, query: Query, changed: tuple[str, ...]) -> str | None:
    """The reason why a structure other than a JSON document cannot change fields in place; None if it can."""
    pattern = query.pattern
    if pattern.pushes:
        return f'"{pattern.pushes}" is one JSON text here, without pushes: store its elements in a RedisList'
    if layout.kind in ("string", "cache") and layout.value is None:
        return DOCUMENT
    if not changed and layout.kind != "hash":
        return NOTHING
    if layout.then is not None:
        both = {layout.value, layout.then.field}
        reason = f'"{layout.value}" and "{layout.then.field}" are one number: set both, and nothing else'
        return None if set(changed) == both and not pattern.unset else reason
    if layout.kind in ("string", "counter", "sorted set", "geo"):
        other_field = next((name for name in changed if name != layout.value), None)
        return f'only "{layout.value}" can be changed, not "{other_field}"' if other_field or pattern.unset else None
    if layout.kind != "hash":
        return _MEMBER_ALONE.format(layout.kind)
    stored = {attribute.name: attribute for attribute in layout.stored}
    for name in changed:
        if name not in stored:
            return f'"{name}" is not a separate field: set "{name.partition(".")[0]}" as a whole'
    return next(
        (f'"{name}" is required and cannot be removed' for name in pattern.unset if not may_lack(stored[name])), None
    )


def _may_empty(layout: Layout) -> bool:
    return layout.kind == "hash" and layout.version == 1 and not layout.computed and all(map(may_lack, layout.stored))


def _following(layout: Layout, query: Query, changed: tuple[str, ...]) -> tuple[tuple[str, Template], ...] | Rejected:
    """The computed attributes that a change of fields changes; the call must give all fields that they are made of."""
    if layout.kind not in ("hash", "json"):
        return ()
    known_fields = {
        *query.pattern.sets,
        *(
            condition.field
            for condition in query.conditions
            if condition.kind == "equals" and condition.constants is None
        ),
    }
    following: list[tuple[str, Template]] = []
    for (name, makers), (_, template) in zip(makers_of(layout), layout.computed, strict=True):
        if not any(name.partition(".")[0] in makers for name in changed):
            continue
        if lacking := [maker for maker in makers if maker not in known_fields]:
            listed = ", ".join(f'"{name}"' for name in lacking)
            return Rejected(layout.by, f'"{name}" is computed from {listed} too: add it to sets= or eq=')
        following.append((name, whole_value(template, dict(layout.computed))))
    return tuple(following)


def makers_of(layout: Layout) -> list[tuple[str, list[str]]]:
    """The fields that each computed attribute of a hash or a JSON document is made of."""
    computed = dict(layout.computed) if layout.kind in ("hash", "json") else {}
    whole_templates = ((name, whole_value(template, computed)) for name, template in computed.items())
    return [
        (name, [placeholder.path.partition(".")[0] for placeholder in template.placeholders])
        for name, template in whole_templates
    ]


def whole_value(template: Template, computed: dict[str, Template]) -> Template:
    """The template with the templates of its computed attributes inserted."""
    parts: list[object] = []
    for part in template.parts:
        path = "" if isinstance(part, str) else part.path
        if path in computed:
            other_templates = {name: template for name, template in computed.items() if name != path}
            parts += whole_value(computed[path], other_templates).parts
        else:
            parts.append(part)
    return Template(template.text, tuple(parts))  # type: ignore[arg-type]
