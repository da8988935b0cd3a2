"""BF: existing items that keep their old form until a backfill converts them."""

import re
from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.change import path_of
from keywright.errors import UsageError
from keywright.ir.transform import parse

from .context import MigrationContext, MigrationFindingDraft, check_first
from .effect import Effect, value_at
from .migration import SnapshotInfo
from .values import listed, stored


def computed(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BF101: a computed attribute or index key is added or changed; existing items lack the new value."""
    for effect in context.of("AlterKey"):
        is_computed = effect.path[1:2] == ("shape",) and effect.path[3:4] == ("key",) and "R" not in effect.classes
        if not is_computed or effect.change.after is None or _is_already_stored(context, effect):
            continue
        if not context.is_filled(effect) and not context.is_rebuilt(effect):
            problem = (
                f'{effect.name} of {effect.entity} becomes "{effect.change.after}"; existing items get it with their '
                "next write"
            )
            help = "raise schema_version, so that a backfill writes existing items again"
            yield context.hazard(effect, problem, help)


def _is_already_stored(context: MigrationContext, effect: Effect) -> bool:
    """Whether the same items already have the same value in the same attribute, for another index."""
    index_key = _index_keys(context.after, effect).get(effect.name)
    return index_key is not None and index_key in _index_keys(context.before, effect).values()


def _index_keys(side: SnapshotInfo, effect: Effect) -> dict[str, tuple[str, str, Any]]:
    """(attribute, template, condition) of every index key of an entity, by the argument that declares it."""
    entity = value_at(side, effect.store, effect.path[:3]) or {}
    indexes = value_at(side, effect.store, (effect.path[0], "native", "indexes")) or {}
    index_keys: dict[str, tuple[str, str, Any]] = {}
    for argument, template in entity.get("key", {}).items():
        match = _KEY_OF_INDEX.fullmatch(argument)
        keys = indexes.get(match[1], {}).get("keys", ()) if match else ()
        for attribute, _, role in keys:
            if match and role == ("HASH" if match[2] == "pk" else "RANGE"):
                index_keys[argument] = attribute, template, entity.get("where", {}).get(match[1])
    return index_keys


_KEY_OF_INDEX = re.compile(r'gsi "(.+)" (pk|sk)')


def validated(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BF102: a stricter validator blocks updates of existing documents that break it."""
    for effect in context.of("AlterValidator"):
        is_filled = any(step.op == "backfill" and step.store == effect.store for step in context.steps)
        is_checked = is_filled or context.is_checked(effect) or _is_counted(context, effect)
        if "B" in effect.classes and effect.name == "validator" and not is_checked:
            problem = f'the validator of "{effect.table}" becomes stricter: documents that break it cannot be updated'
            yield context.hazard(effect, problem, check_first(effect))


def _is_counted(context: MigrationContext, effect: Effect) -> bool:
    """Whether a step counts the existing documents that break the validator before it takes effect."""
    return any(
        step.op == "check_validator" and step.store == effect.store and path_of(step.object)[:4] == effect.path[:4]
        for step in context.steps
    )


def copied(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BF103: copies of existing items are missing until each item is written again."""
    for effect in context.of("AlterEntity"):
        if effect.path[3:] == ("copies",) and not context.is_filled(effect):
            before, after = effect.change.before or 1, effect.change.after or 1
            problem = (
                f"the number of copies of {effect.entity} changes from {before} to {after}: existing items keep theirs"
            )
            yield context.hazard(effect, problem, "write every item again, and delete copies beyond the new number")
        elif effect.path[3:] == ("structure",) and _source(effect.change.before) != _source(effect.change.after):
            problem = (
                f"{effect.entity} now copies {_source(effect.change.after)}, but contains data of "
                f"{_source(effect.change.before)}"
            )
            yield context.hazard(effect, problem, "empty it, or fill it again, when the new writers run")


def _source(structure: Any) -> str:
    return str(structure.get("source") or "nothing") if isinstance(structure, dict) else "nothing"


def impure(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BF104: a backfill writes a field that the model does not have, or its transform is invalid."""
    for step in context.steps:
        if step.op != "backfill" or "module" in step.more:
            continue
        try:
            transform = parse(step.more.get("transform"))
        except UsageError as error:
            yield context.hazard_of(step, error.problem, error.help or "correct it")
            continue
        fields = value_at(context.after, step.store, (*step.object.split("/"), "fields")) or {}
        declared = {stored(name, field) for name, field in fields.items()} | _computed(context, step.store, step.object)
        removed = {*transform.unset, *(old for _, old in transform.rename)}
        others = {path for path in transform.writes if path not in removed and not _is_known(path, declared)}
        if others:
            problem = f"step {step.n} writes {listed(others)}, which {step.object.rpartition('/')[2]} does not have"
            help = "declare the field, or remove it from the transform"
            yield context.hazard_of(step, problem, help)


def untold(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BF105: a Python backfill does not declare what it changes."""
    for step in context.steps:
        is_declared = step.applies or step.more.get("effects") == NO_EFFECTS
        if step.op == "backfill" and "module" in step.more and not is_declared:
            problem = f"step {step.n} runs Python and does not declare what it changes"
            yield context.hazard_of(step, problem, f"add applies: [...] or effects: {NO_EFFECTS}")


NO_EFFECTS = "none"
"""The value of `effects:` in a step that changes data, but not the schema."""


def _computed(context: MigrationContext, store: str, object: str) -> set[str]:
    """Attributes that templates fill: computed attributes and key attributes."""
    path = object.split("/")
    keys = value_at(context.after, store, (*path, "key")) or {}
    native = value_at(context.after, store, (path[0], "native")) or {}
    index_keys = (part for index in native.get("indexes", {}).values() for part in index.get("keys", ()))
    attributes = {part[0] for part in (*native.get("keys", ()), *index_keys)}
    return attributes | {word[10:-2] for word in keys if word.startswith('computed["')} | {"_kw_v", "kw_v"}


def _is_known(path: str, declared: set[str]) -> bool:
    return path in declared or any(path.startswith(f"{field}.") for field in declared)
