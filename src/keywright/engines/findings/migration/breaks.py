"""BC: changes that break running code, which reads or writes the old form."""

import re
from collections.abc import Iterator

from keywright.errors import quoted

from .context import MigrationContext, MigrationFindingDraft
from .effect import Effect
from .values import fields_of, is_field, stored, type_of

_HOMES = ("collection", "table")


def copies(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC101: the stored name of a table, collection or keyspace changes; existing data stays under the old name."""
    renamed = {(effect.store, effect.change.before) for effect in context.effects if effect.kind == "RenameTable"}
    for effect in context.effects:
        before, after = effect.change.before, effect.change.after
        if effect.kind == "RenameTable" and "R" in effect.classes:
            problem = f'"{before}" changes its name to "{after}": {effect.why}'
            help = f'keep the name "{before}", or create a new table, copy the data, and drop the old one later'
            yield context.hazard(effect, problem, help)
        elif effect.kind == "AlterKey" and effect.name in _HOMES and (effect.store, before) not in renamed:
            problem = f'{effect.entity} moves from "{before}" to "{after}", but its existing items stay in "{before}"'
            help = f'keep the name "{before}", or store it in both for a while and copy the items'
            yield context.hazard(effect, problem, help)


def renamed_fields(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC102: a stored field is renamed while running code and existing items still use the old name."""
    for effect in context.of("RenameField"):
        if not is_field(effect):
            continue
        old, new = fields_of(context, effect)
        former = str(effect.change.before)
        names = stored(former, old.get(former)), stored(effect.name, new.get(effect.name))
        if names[0] == names[1] or (context.is_filled(effect) and context.is_gated(effect)):
            continue
        problem = f'field "{former}" of {effect.entity} is renamed to "{effect.name}": items have "{names[0]}", '
        help = (
            f'keep the stored name with Field(alias="{names[0]}"), or raise schema_version and declare '
            f'copy={{"{effect.name}": "{former}"}} in upgrades='
        )
        yield context.hazard(effect, f'{problem}and no backfill writes "{names[1]}"', help)


def types(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC103: the type of a stored field changes; existing values keep the old type."""
    for effect, before, after in _retyped(context):
        if _element(before)[0] != _element(after)[0] or not _element(before)[0]:
            problem = f'the stored type of field "{effect.name}" of {effect.entity} changes from {before} to {after}'
            help = "add a field of the new type and fill it, or declare cast= in upgrades= for existing items"
            yield context.hazard(effect, problem, help)


def elements(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC108: the element type of a stored list or set changes; existing elements keep the old type."""
    for effect, before, after in _retyped(context):
        if _element(before)[0] and _element(before)[0] == _element(after)[0]:
            problem = f'the type of "{effect.name}" of {effect.entity} changes from {before} to {after}'
            yield context.hazard(effect, problem, "add a field of the new type, and fill it from the old one")


def _retyped(context: MigrationContext) -> Iterator[tuple[Effect, str, str]]:
    """(effect, former type, type) of every field whose stored type changes without a backfill.

    RB101 reports columns whose type changes.
    """
    columns = {
        (effect.store, effect.table, effect.name) for effect in context.of("AlterField") if effect.change.is_native
    }
    for effect in context.of("AlterField"):
        before, after = type_of(effect.change.before), type_of(effect.change.after)
        if (effect.store, context.home(effect), stored(effect.name, effect.change.after)) in columns:
            continue
        if is_field(effect) and before != after and not context.is_filled(effect) and not context.is_rebuilt(effect):
            yield effect, before, after


def _element(type: str) -> tuple[str, str]:
    """(kind of collection, type of its elements) of a native type; empty for other types."""
    if match := re.fullmatch(r"(?:frozen<)?(list|set|map)<(.+?)>?>", type):
        return match[1], match[2]
    return ("set", type[0]) if type in ("SS", "NS", "BS") else ("", "")


def marks(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC107: the discriminator of an entity changes; existing items keep the old one."""
    for effect in context.effects:
        is_mark = effect.kind == "AlterEntity" and effect.name == "mark" and "K" in effect.classes
        if is_mark and not context.is_filled(effect) and not context.is_part_of_added(effect):
            before, after = effect.change.before, effect.change.after
            change = f"from {_mark(before)} to {_mark(after)}"
            problem = f"the discriminator of {effect.entity} changes {change}: existing items keep the old one"
            yield context.hazard(effect, problem, _kept(before, after))


def _mark(value: object) -> str:
    """(attribute, values) of a discriminator in words."""
    return f'{quoted(map(str, value[1:]))} in "{value[0]}"' if isinstance(value, list) else "none"


def _kept(before: object, after: object) -> str:
    """Help line: the options with which items with the old value are read."""
    if isinstance(before, list) and isinstance(after, list) and before[0] == after[0]:
        return (
            f'write discriminator="{before[1]}" in the item, which keeps the value, or read both by '
            f'former_discriminators=["{before[1]}"]'
        )
    return "keep the attribute, or raise schema_version and declare in upgrades= how existing items are converted"


def streams(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC105: a change stream is removed or gets other contents; its readers lose unread changes."""
    for effect in context.of("AlterStream"):
        before, after = effect.change.before, effect.change.after
        if before is not None and not context.is_part_of_dropped(effect):
            change = "is removed" if after is None else f"changes from {_text(before)} to {_text(after)}"
            owner = effect.object.removesuffix("/stream")
            problem = f'the stream of "{owner}" {change}: its readers lose unread changes'
            help = "let its readers finish and stop first, then confirm that under ignore:"
            yield context.hazard(effect, problem, help)


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value).lower()
