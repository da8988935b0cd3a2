"""MF: steps that may fail on existing data, or leave items that cannot be read."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.classes import is_added_field_needed, is_tightened
from keywright.errors import UsageError, did_you_mean
from keywright.ir.transform import parse

from .context import MigrationContext, MigrationFindingDraft
from .effect import generation, value_at
from .values import fields_of, is_field, is_within, stored


def required(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """MF103: a new required field is missing in existing items."""
    added = [effect for effect in context.of("AddField") if is_field(effect)]
    for effect in added:
        siblings = {other.name for other in added if other.path[:-1] == effect.path[:-1]}
        is_separate = not is_within(effect, siblings) and not _in_new_parent(context, effect.path, siblings)
        if is_separate and is_added_field_needed(None, effect.change.after) and not context.is_field_written(effect):
            problem = f'field "{effect.name}" of {effect.entity} is required, but existing items lack it'
            help = "give it a default, or raise schema_version and fill it in upgrades="
            yield context.hazard(effect, problem, help)


def _in_new_parent(context: MigrationContext, path: tuple[str, ...], siblings: set[str]) -> bool:
    return any(path[-1].startswith(f"{other}.") for other in siblings if other != path[-1])


def tightened(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """MF104: an optional field becomes required, or a validator becomes stricter before the backfill."""
    for effect in context.of("AlterField"):
        if not is_field(effect):
            continue
        old, new = fields_of(context, effect)
        before, after = old.get(effect.name, effect.change.before), new.get(effect.name, effect.change.after)
        if (
            isinstance(before, dict)
            and isinstance(after, dict)
            and is_tightened(before, after)
            and not context.is_field_written(effect)
        ):
            problem = f'field "{effect.name}" of {effect.entity} becomes required: existing items may lack it'
            help = "leave it optional, or raise schema_version and fill it in upgrades="
            yield context.hazard(effect, problem, help)
    yield from _too_early(context)


def _too_early(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """Steps that make a validator stricter before the backfill of the same target."""
    for numbered_change in context.changes:
        change = numbered_change.change
        is_wide = isinstance(change.after, dict) and "$or" in change.after
        if change.kind != "AlterValidator" or change.after is None or is_wide:
            continue
        step = next((step_info for step_info in context.steps if numbered_change.id in step_info.applies), None)
        later = [
            step_info for step_info in context.steps
            if step and step_info.op == "backfill" and step_info.n > step.n and step_info.store == change.store
        ]  # fmt: skip
        if step and later and _entity_in(context, change.store, later[0].object, change.path):
            problem = f"step {step.n} makes the validator stricter before step {later[0].n} fills the documents"
            help = f"move step {step.n} after step {later[0].n}"
            object = "/".join(part for part in change.path if part not in ("native", "collections"))
            yield MigrationFindingDraft(change.store, object, problem, help, str(step.n))


def _entity_in(context: MigrationContext, store: str, object: str, path: tuple[str, ...]) -> bool:
    """Whether an entity, named by the object of a step, is stored in the collection of a path."""
    home = value_at(context.after, store, (*object.split("/"), "key", "collection"))
    return len(path) > 3 and home == generation(path[3])[0]


def reads_nothing(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """MF107: an upgrade reads a field that existing items do not have."""
    written: dict[tuple[str, str], set[str]] = {}
    for step in context.steps:
        described: Any = step.more.get("transform")
        old = value_at(context.before, step.store, tuple(step.object.split("/"))) if step.object else None
        if step.op != "backfill" or described is None or not isinstance(old, dict):
            continue
        readable = {stored(name, field) for name, field in old.get("fields", {}).items()} | set(old.get("computed", ()))
        readable |= written.setdefault((step.store, step.object), set())
        try:
            transform = parse(described)
        except UsageError:
            continue  # BF104 reports it
        for path in sorted({path.partition(".")[0] for path in transform.needs} - readable):
            problem = f'the upgrade of {step.object.split("/")[-1]} reads "{path}", which existing items do not have'
            yield context.hazard_of(step, problem, did_you_mean(path, sorted(readable)))
        written[step.store, step.object] |= {path.partition(".")[0] for path in transform.writes}
