"""DS: data that is lost, or that expires sooner."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.registry import facts_of
from keywright.ir.text import exact

from .context import MigrationContext, MigrationFindingDraft
from .effect import Effect, generation, value_at
from .values import is_field, is_within, type_of


def stores(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """DS101: a database, keyspace or server is no longer declared; all data in it is lost."""
    for effect in context.effects:
        nouns = facts_of(effect.store).nouns
        if effect.kind == "DropTable" and len(effect.path) == 1 and not nouns.is_table:
            problem = f'{nouns.target} "{effect.name}" is removed with all its data'
            help = "remove it in a separate migration after 14 days without reads, and confirm that under ignore:"
            yield context.hazard(effect, problem, help)


def tables(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """DS102: a table, a collection or an entity with stored items is no longer declared."""
    help = "remove it in a separate migration after 14 days without reads, and confirm that under ignore:"
    for effect in context.effects:
        nouns = facts_of(effect.store).nouns
        is_table = effect.kind == "DropTable" and (len(effect.path) > 1 or nouns.is_table)
        if is_table and not context.is_part_of_dropped(effect) and not _is_copied(context, effect):
            problem = f'{nouns.table} "{effect.name}" is removed with all its data'
            yield context.hazard(effect, problem, help, is_mild=_is_former(context, effect))
        elif (
            effect.kind == "DropEntity"
            and not context.is_part_of_dropped(effect)
            and not _goes_with_table(context, effect)
        ):
            problem = f'"{effect.entity}" is no longer stored in "{effect.path[0]}", but its items remain there'
            delete = "delete its items and stop its writers first, then confirm that under ignore:"
            yield context.hazard(effect, problem, delete)


def _is_former(context: MigrationContext, effect: Effect) -> bool:
    """Whether an earlier migration replaced it by a later generation, so that its model declares its removal."""
    name, number = generation(effect.name)
    siblings = value_at(context.before, effect.store, effect.path[:-1]) or {}
    return any(generation(key)[0] == name and generation(key)[1] > number for key in siblings)


def _is_copied(context: MigrationContext, effect: Effect) -> bool:
    """Whether a later generation replaces it, and a step fills the later generation."""
    name, number = generation(effect.name)
    later = [
        other for other in context.effects
        if other.kind == "AddTable" and (other.store, other.path[:-1]) == (effect.store, effect.path[:-1])
        and generation(other.name)[0] == name and generation(other.name)[1] > number
    ]  # fmt: skip
    objects = {text for other in later for text in (other.name, other.object, other.change.object)}
    return any(step.op == "copy" and step.store == effect.store and step.object in objects for step in context.steps)


def _goes_with_table(context: MigrationContext, effect: Effect) -> bool:
    """Whether the entity's table is dropped too."""
    value: Any = effect.change.before
    home = value["key"].get("collection") or value["key"].get("table")
    dropped = {other.name for other in context.effects if other.kind == "DropTable" and other.store == effect.store}
    return bool(home) and any(generation(name)[0] == home for name in dropped)


def fields(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """DS103: a stored field is no longer declared; running code may still read it."""
    dropped = [
        effect for effect in context.of("DropField") if is_field(effect) and not context.is_part_of_dropped(effect)
    ]
    for effect in dropped:
        siblings = {other.name for other in dropped if other.path[:-1] == effect.path[:-1]}
        if is_within(effect, siblings):
            continue
        consequence = "stored values remain, but nothing reads them"
        if facts_of(effect.store).drops_values:
            consequence = "its column and all values are dropped at once"
        elif context.is_field_removed(effect):
            consequence = "a backfill of this migration removes it from existing items"
        problem = f'field "{effect.name}" of {effect.entity} is removed: {consequence}'
        help = "stop its writers and readers first, then confirm under ignore: since when it is unused"
        yield context.hazard(effect, problem, help)


def expiries(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """DS104: items expire that did not expire before, or they expire sooner."""
    for effect in context.of("AlterTtl", "AlterIndex", "AddIndex", "AlterEntity"):
        if "S" in effect.classes or not _expires_sooner(effect):
            continue
        problem = (
            f'items of "{effect.object}" expire {_text(effect.change.after)} instead of {_text(effect.change.before)}: '
        )
        help = "count the items that would expire at once, and confirm their loss under ignore:"
        yield context.hazard(effect, problem + "older items are deleted at once", help)


def _expires_sooner(effect: Effect) -> bool:
    before, after = _seconds(effect.change.before), _seconds(effect.change.after)
    match effect.kind:
        case "AddIndex":
            return after is not None
        case "AlterIndex":
            return after is not None and (before is None or before > after)
        case "AlterEntity":
            return "D" in effect.classes and (
                before != after or _length(effect.change.after) < _length(effect.change.before)
            )
        case _:
            return "D" in effect.classes


def _seconds(value: Any) -> float | None:
    if isinstance(value, dict):
        seconds = value.get("expireAfterSeconds", value.get("ttl_seconds"))
        return None if seconds is None else float(seconds)
    return None


def _length(value: Any) -> float:
    length = value.get("kept") if isinstance(value, dict) else None
    return float("inf") if length is None else float(length)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        seconds = _seconds(value)
        return "never" if seconds is None else f"after {exact(seconds)} s"
    if isinstance(value, str):
        return f'at "{value}"'
    return "never" if value is None else f"after {value} s"


def graves(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """DS106: a dropped name is used again, while existing items may still have its old values."""
    for effect in context.effects:
        if (
            effect.kind not in ("AddField", "AddTable")
            or context.is_part_of_added(effect)
            or effect.path[1:2] == ("native",)
        ):
            continue
        kind = type_of(effect.change.after) if effect.kind == "AddField" else "table"
        for grave in context.before.graveyard:
            if grave.get("object") != f"{effect.store}/{effect.change.object}" or grave.get("purged"):
                continue
            former_type = str(grave.get("type", ""))
            when = f'"{effect.name}" was dropped in {grave.get("dropped_in")}'
            if former_type != kind:
                problem = (
                    f"{when} as {former_type} and is added again as {kind}: items with an old value cannot be read"
                )
                yield context.hazard(effect, problem, "choose another name, or purge the old values first")
            else:
                problem = f"{when} and is added again: items that were not purged still have the old value"
                help = "choose another name, or purge the old values first"
                yield context.hazard(effect, problem, help, is_mild=True)
