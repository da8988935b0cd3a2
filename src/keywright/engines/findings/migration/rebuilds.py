"""RB: keys that no store changes in place."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.identity import computed_column, key_columns
from keywright.ir.template import Placeholder, TemplateError, parse

from .context import MigrationContext, MigrationFindingDraft
from .effect import Effect, generation, value_at
from .values import listed, stored

HELP = (
    "declare generation= and rebuild=Rebuild(from_generation=...), which create and fill a new one beside the old one"
)
"""Help for a changed key."""
HELP_COLUMN = 'store the field under another name, with Field(alias="..."), and fill it from the old one'
"""Help for a column that cannot change."""
_HELP_TYPE = "add new fields after the existing fields, or create a type with another name"
_FIXED = ("AlterKey", "AddIndex", "DropIndex", "AlterIndex", "AlterStorage", "AlterEntity")
_LOSSLESS = frozenset(("iso", "pad", "tag"))
_NATIVE = ("keys", "partition", "clustering")


def keys(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RB101: a key or another fixed property changes without a new generation."""
    for effect in context.of(*_FIXED):
        if (
            "R" not in effect.classes
            or context.is_rebuilt(effect)
            or effect.name in ("collection", "table", "generation")
        ):
            continue
        if effect.name in _NATIVE and _is_retyped(effect):
            continue
        problem = (
            f'"{effect.object}" changes from {_text(effect.change.before)} to '
            f"{_text(effect.change.after)}: {effect.why}"
        )
        yield context.hazard(effect, problem, HELP)

    for effect in context.of("AlterKey"):
        if (column := computed_column(effect.name)) and not context.is_rebuilt(effect):
            old: Any = value_at(context.before, effect.store, effect.path[:1])
            if effect.entity in old["shape"] and column in key_columns(old, effect.entity):
                problem = (
                    f'"{effect.object}" changes from {_text(effect.change.before)} to {_text(effect.change.after)}'
                )
                yield context.hazard(effect, f'{problem}: "{column}" is part of the key', HELP)

    for effect in context.of("AlterField", "AlterType"):
        if "R" in effect.classes and effect.change.is_native and not context.is_rebuilt(effect):
            problem = (
                f'"{effect.object}" changes from {_text(effect.change.before)} to '
                f"{_text(effect.change.after)}: {effect.why}"
            )
            yield context.hazard(effect, problem, _HELP_TYPE if effect.kind == "AlterType" else HELP_COLUMN)

    for effect in context.of("DropField"):
        if "R" in effect.classes and not context.is_rebuilt(effect):
            yield context.hazard(effect, f'"{effect.object}" is dropped: {effect.why}', HELP)


def key_types(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RB102: a key keeps its name but changes its type without a new generation."""
    for effect in context.of("AlterKey"):
        if effect.name in _NATIVE and _is_retyped(effect) and not context.is_rebuilt(effect):
            problem = (
                f'the key of "{effect.table}" changes from {_text(effect.change.before)} to '
                f"{_text(effect.change.after)}"
            )
            yield context.hazard(effect, f"{problem}: {effect.why}", HELP)


def _is_retyped(effect: Effect) -> bool:
    """Whether a key differs in its types only."""
    before, after = effect.change.before, effect.change.after
    if not isinstance(before, list) or not isinstance(after, list) or len(before) != len(after):
        return False
    return before != after and all(_untyped(a) == _untyped(b) for a, b in zip(before, after, strict=True))


def _untyped(part: Any) -> list[Any]:
    return [part[0], *part[2:]]


def _text(value: Any) -> str:
    """A key for messages."""
    if value is None:
        return "absent"
    if isinstance(value, list):
        return ", ".join(f"{part[0]} {part[1]}" for part in value)
    if isinstance(value, dict):
        return str(value.get("kind") or value.get("keys") or "another")
    return f'"{value}"'


def merging(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RB105: the new key lacks a field of the old key, so that two items could become one."""
    for effect in context.effects:
        if effect.kind == "AddTable" and generation(effect.name)[1] > 1:
            yield from _merging_in(context, effect)
        elif effect.kind == "AlterKey" and effect.name == "generation":
            yield from _merging_on(context, effect)


def _merging_in(context: MigrationContext, effect: Effect) -> Iterator[MigrationFindingDraft]:
    """Findings about a table that is a new generation of an existing table."""
    name, number = generation(effect.name)
    former = next(
        (
            key
            for earlier in range(number - 1, 0, -1)
            if value_at(context.before, effect.store, (*effect.path[:-1], key := _key(effect, name, earlier)))
            is not None
        ),
        None,
    )
    if former is None:
        return
    targets = (former, effect.name) if len(effect.path) == 1 else (effect.path[0], effect.path[0])
    old = value_at(context.before, effect.store, (targets[0],)) or {}
    new = value_at(context.after, effect.store, (targets[1],)) or {}
    for entity in sorted(old["shape"].keys() & new["shape"].keys()):
        if len(effect.path) > 1 and name not in (
            new["shape"][entity]["key"].get(word) for word in ("collection", "table")
        ):
            continue
        before, after = _identity(old, entity, former), _identity(new, entity, effect.name)
        yield from _lost(context, effect, entity, before, after)


def _key(effect: Effect, name: str, number: int) -> str:
    """The key of another generation of the same table."""
    separator = effect.name[len(name) : len(name) + 1]
    return f"{name}{separator}k{number}" if number > 1 else name


def _merging_on(context: MigrationContext, effect: Effect) -> Iterator[MigrationFindingDraft]:
    """Findings about all entities of a target that is a new generation as a whole."""
    old, new = (value_at(side, effect.store, effect.path[:1]) for side in (context.before, context.after))
    for entity in sorted(old["shape"].keys() & new["shape"].keys()):
        yield from _lost(context, effect, entity, _identity(old, entity, ""), _identity(new, entity, ""))


def _lost(
    context: MigrationContext, effect: Effect, entity: str, before: set[Placeholder], after: set[Placeholder]
) -> Iterator[MigrationFindingDraft]:
    """A finding about fields of the old key that the new key does not determine."""
    lost = {placeholder.path for placeholder in before if placeholder.path and not _is_in_key(placeholder, after)}
    if lost:
        problem = f"the new key of {entity} lacks {listed(lost)}, which the old key contains: items could merge"
        yield context.hazard(effect, problem, f"add {listed(lost)} to the new key")


def _is_in_key(placeholder: Placeholder, key: set[Placeholder]) -> bool:
    return any(
        other == placeholder
        or (other.path == placeholder.path and all(filter.name in _LOSSLESS for filter in other.filters))
        for other in key
    )


def _identity(target: Any, entity: str, table: str) -> set[Placeholder]:
    """The placeholders of an entity's key, including fields that are key columns without a template."""
    key: dict[str, str] = target["shape"][entity]["key"]
    placeholders = {
        placeholder for word in ("pk", "sk", "id", "key", "member") for placeholder in _placeholders(key.get(word))
    }
    paths = {stored(path, field): path for path, field in target["shape"][entity]["fields"].items()}
    for column in _bare_columns(target, key, table):
        computed = key.get(f'computed["{column}"]')
        placeholders |= set(_placeholders(computed)) if computed else {Placeholder(paths.get(column, column))}
    return placeholders


def _bare_columns(target: Any, key: dict[str, str], table: str) -> Iterator[str]:
    """Stored names of key columns without a template: fields and computed columns."""
    native = target["native"]
    arguments = {"HASH": "pk", "RANGE": "sk"}
    yield from (name for name, _, role in native.get("keys", ()) if arguments[role] not in key)
    if "collections" in native and "id" not in key:
        yield "_id"
    described = native.get("tables", {}).get(table, {})
    yield from (part[0] for word in ("partition", "clustering") for part in described.get(word, ()))


def _placeholders(text: str | None) -> tuple[Placeholder, ...]:
    try:
        return parse(text).placeholders if text else ()
    except TemplateError:
        return ()
