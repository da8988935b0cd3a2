"""RB: keys that no store changes in place."""

from collections.abc import Iterator
from typing import Any

from keywright.ir.template import Placeholder, TemplateError, parse

from .context import Context, Hazard
from .effect import Effect, found, generation
from .values import is_field, listed, stored, type_of

_HELP = "say generation= and rebuild=Rebuild(from_generation=...): a new one is made beside the old one and filled"
_LOSSLESS = frozenset(("iso", "pad", "tag"))
_NATIVE = ("keys", "partition", "clustering")


def keys(context: Context) -> Iterator[Hazard]:
    """RB101: what identifies or places items changes, and no new generation is declared."""
    for one in context.of("AlterKey", "AddIndex", "DropIndex", "AlterIndex", "AlterStorage", "AlterEntity"):
        if "R" not in one.classes or context.is_rebuilt(one) or one.name in ("collection", "table", "generation"):
            continue
        if one.name in _NATIVE and _is_retyped(one):
            continue
        problem = f'"{one.object}" is {_shown(one.change.before)} and becomes {_shown(one.change.after)}: {one.why}'
        yield context.hazard(one, problem, _HELP)


def key_types(context: Context) -> Iterator[Hazard]:
    """RB102: a key keeps its name and gets another type, and no new generation is declared."""
    for one in context.of("AlterKey"):
        if one.name in _NATIVE and _is_retyped(one) and not context.is_rebuilt(one):
            problem = f'the key of "{one.table}" is {_shown(one.change.before)} and becomes {_shown(one.change.after)}'
            yield context.hazard(one, f"{problem}: {one.why}", _HELP)
    for one in context.of("AlterField"):
        was, now = type_of(one.change.before), type_of(one.change.after)
        is_id = is_field(one) and stored(one.name, one.change.after) == "_id" and one.engine == "mongodb"
        if is_id and was != now and not context.is_rebuilt(one):
            yield context.hazard(one, f"the _id of {one.entity} is {was} and becomes {now}, which is fixed", _HELP)


def _is_retyped(one: Effect) -> bool:
    """Whether a key differs in its types alone."""
    was, now = one.change.before, one.change.after
    if not isinstance(was, list) or not isinstance(now, list) or len(was) != len(now):
        return False
    return was != now and all(_untyped(a) == _untyped(b) for a, b in zip(was, now, strict=True))


def _untyped(part: Any) -> list[Any]:
    return [part[0], *part[2:]]


def _shown(value: Any) -> str:
    """A key in a few words."""
    if value is None:
        return "absent"
    if isinstance(value, list):
        return ", ".join(f"{part[0]} {part[1]}" for part in value)
    if isinstance(value, dict):
        return str(value.get("kind") or value.get("keys") or "another")
    return f'"{value}"'


def merging(context: Context) -> Iterator[Hazard]:
    """RB105: two items that had two keys could have one, since the new key does not say what the old one said."""
    for one in context.effects:
        if one.kind == "AddTable" and generation(one.name)[1] > 1:
            yield from _merging_in(context, one)
        elif one.kind == "AlterKey" and one.name == "generation":
            yield from _merging_on(context, one)


def _merging_in(context: Context, one: Effect) -> Iterator[Hazard]:
    """Of a table that is a new generation of one that was there."""
    name, number = generation(one.name)
    former = next(
        (key for earlier in range(number - 1, 0, -1)
         if found(context.before, one.store, (*one.path[:-1], key := _key(one, name, earlier))) is not None),
        None,
    )  # fmt: skip
    if former is None:
        return
    targets = (former, one.name) if len(one.path) == 1 else (one.path[0], one.path[0])
    old = found(context.before, one.store, (targets[0],)) or {}
    new = found(context.after, one.store, (targets[1],)) or {}
    for entity in sorted(old["shape"].keys() & new["shape"].keys()):
        if len(one.path) > 1 and name not in (
            new["shape"][entity]["key"].get(word) for word in ("collection", "table")
        ):
            continue
        was = _identity(old, entity, former)
        yield from _said(context, one, entity, was, _identity(new, entity, one.name))


def _key(one: Effect, name: str, number: int) -> str:
    """The key of another generation of the same table."""
    mark = one.name[len(name) : len(name) + 1]
    return f"{name}{mark}k{number}" if number > 1 else name


def _merging_on(context: Context, one: Effect) -> Iterator[Hazard]:
    """Of all entities of a target that is a new generation as a whole."""
    old, new = (found(side, one.store, one.path[:1]) for side in (context.before, context.after))
    for entity in sorted(old["shape"].keys() & new["shape"].keys()):
        yield from _said(context, one, entity, _identity(old, entity, ""), _identity(new, entity, ""))


def _said(context: Context, one: Effect, entity: str, was: set[Placeholder], now: set[Placeholder]) -> Iterator[Hazard]:
    lost = {each.path for each in was if each.path and not _is_told(each, now)}
    if lost:
        problem = f"the new key of {entity} does not tell {listed(lost)}, which the old one told: items could merge"
        yield context.hazard(one, problem, f"put {listed(lost)} into the new key as well")


def _is_told(one: Placeholder, by: set[Placeholder]) -> bool:
    return any(
        other == one or (other.path == one.path and all(filter.name in _LOSSLESS for filter in other.filters))
        for other in by
    )


def _identity(target: Any, entity: str, table: str) -> set[Placeholder]:
    """What the key of an entity is made of, fields that are columns by themselves included."""
    key: dict[str, str] = target["shape"][entity]["key"]
    made = {placeholder for word in ("pk", "sk", "id", "key", "member") for placeholder in _placeholders(key.get(word))}
    native = target["native"]
    columns = [part[0] for part in native.get("keys", ())]
    described = native.get("tables", {}).get(table, {})
    columns += [part[0] for word in ("partition", "clustering") for part in described.get(word, ())]
    templated = {"pk", "sk"} & key.keys() and "keys" in native
    for column in columns if not templated else ():
        computed = key.get(f'computed["{column}"]')
        made |= set(_placeholders(computed)) if computed else {Placeholder(column)}
    return made


def _placeholders(text: str | None) -> tuple[Placeholder, ...]:
    try:
        return parse(text).placeholders if text else ()
    except TemplateError:
        return ()
