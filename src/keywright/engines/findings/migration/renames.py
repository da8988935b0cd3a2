"""RN: undeclared renames, and declared renames that are none."""

from collections.abc import Iterator

from keywright.engines.contract.shape import is_member
from keywright.errors import quoted

from .context import MigrationContext, MigrationFindingDraft
from .effect import Effect, generation, value_at
from .values import is_field, is_within, stored, type_of


def unhinted(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RN101: a dropped and an added object are alike, and nothing declares whether this is a rename."""
    yield from _fields(context)
    yield from _indexes(context)
    yield from _containers(context, "Table")
    yield from _containers(context, "Entity")


def _fields(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    drops = [
        effect for effect in context.of("DropField") if is_field(effect) and not context.is_part_of_dropped(effect)
    ]
    drops = [effect for effect in drops if not context.is_field_read(effect)]  # a transform converts its values
    dropped = {effect.name for effect in drops}
    additions = [effect for effect in context.of("AddField") if is_field(effect)]
    added = {effect.name for effect in additions}
    for new in additions:
        olds = [
            old.name
            for old in drops
            if (old.store, old.path[:-1]) == (new.store, new.path[:-1]) and not is_within(old, dropped)
            and old.name.rpartition(".")[0] == new.name.rpartition(".")[0]
            and type_of(old.change.before) == type_of(new.change.after)
        ]  # fmt: skip
        if olds and not is_member(new.name) and not is_within(new, added):
            kind = type_of(new.change.after)
            problem = f'field "{new.name}" of {new.entity} is added and {quoted(olds)} is dropped, both of type {kind}'
            hint = f'for a rename, annotate it with RenamedFrom("{olds[0].rpartition(".")[2]}")'
            yield context.hazard(new, problem, f"{hint}; otherwise drop the old field in a separate migration")


def _indexes(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    drops = [effect for effect in context.of("DropIndex") if not context.is_part_of_dropped(effect)]
    for new in context.of("AddIndex"):
        for old in drops:
            is_same = (old.store, old.path[:-1], old.change.before) == (new.store, new.path[:-1], new.change.after)
            if is_same and context.hints.get((new.store, new.path)) != old.name:
                problem = f'index "{new.name}" is added and "{old.name}" is dropped, which differs only in its name'
                hint = f'keep the name "{old.name}": no server renames an index'
                yield context.hazard(new, problem, f'{hint}; or declare renamed_from="{old.name}", which rebuilds it')


def _containers(context: MigrationContext, noun: str) -> Iterator[MigrationFindingDraft]:
    """Tables or entities with the same contents under another name."""
    drops = [
        effect for effect in context.effects if effect.kind == f"Drop{noun}" and not context.is_part_of_dropped(effect)
    ]
    for new in context.effects:
        if new.kind != f"Add{noun}" or context.is_part_of_added(new):
            continue
        for old in drops:
            is_sibling = (old.store, old.path[:-1]) == (new.store, new.path[:-1])
            if is_sibling and generation(old.name)[0] != generation(new.name)[0] and _is_same(context, old, new):
                word = noun.lower()
                problem = f'{word} "{new.name}" is added and "{old.name}" is dropped, which has the same contents'
                hint = f'declare renamed_from="{old.name}"'
                if noun == "Table":
                    hint = f'keep the name "{old.name}", because existing data stays under it'
                hint = f"for a rename, {hint}"
                yield context.hazard(new, problem, f"{hint}; otherwise drop the old {word} in a separate migration")


def _is_same(context: MigrationContext, old: Effect, new: Effect) -> bool:
    """Whether two tables or entities differ only in their names."""
    before, after = old.change.before, new.change.after
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    if "fields" in before:
        return bool(before["fields"] == after["fields"])
    if "shape" in before:
        return bool(before["shape"]) and before["shape"] == after["shape"]
    return _stored_in(context, old, new) and (old.store, new.path, old.name) not in _declared_renames(context)


def _stored_in(context: MigrationContext, old: Effect, new: Effect) -> bool:
    """Whether an entity moves from the one to the other."""
    return any(
        effect.kind == "AlterKey" and effect.store == new.store and effect.path[0] == new.path[0]
        and (effect.change.before, effect.change.after) == (old.name, new.name)
        for effect in context.effects
    )  # fmt: skip


def _declared_renames(context: MigrationContext) -> set[tuple[str, tuple[str, ...], str]]:
    """(store, path of a table, former name) of every rename that an entity declares for its table."""
    renames: set[tuple[str, tuple[str, ...], str]] = set()
    for (store, path), old in context.hints.items():
        keys = value_at(context.after, store, (*path, "key")) if len(path) == 3 else None
        for word, part in (("collection", "collections"), ("table", "tables")):
            if keys and word in keys:
                renames.add((store, (path[0], "native", part, str(keys[word])), old))
    return renames


def idle(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RN102: a rename hint gives a former name that did not exist."""
    for (store, path), old in sorted(context.hints.items()):
        is_applied = context.before.renamed.get(f"{store} {'/'.join(path)}") == old
        if not is_applied and not _existed(context, store, path, old):
            object = "/".join(part for part in path if part not in ("shape", "fields", "native"))
            problem = f'the hint of "{path[-1]}" gives the former name "{old}", but there was no "{old}" before'
            help = "correct the former name, or remove the hint"
            anchor = next(
                (
                    numbered_change.id
                    for numbered_change in context.changes
                    if (numbered_change.change.store, numbered_change.change.path) == (store, path)
                ),
                "",
            )
            yield MigrationFindingDraft(store, object, problem, help, anchor)


def _existed(context: MigrationContext, store: str, path: tuple[str, ...], old: str) -> bool:
    """Whether a sibling had that name, or that stored name.

    If there were no siblings at all, the hint is about the time before the first migration and may stay.
    """
    renamed = next(
        (
            str(effect.change.before)
            for effect in context.effects
            if effect.kind == "RenameEntity" and effect.store == store and effect.path == path[:3]
        ),
        path[2] if len(path) > 2 else "",
    )
    container = (*path[:2], renamed, *path[3:-1]) if len(path) > 3 else path[:-1]
    siblings = value_at(context.before, store, container)
    if not siblings or old in siblings:
        return True
    if len(path) == 5 and any(stored(name, field) == old for name, field in siblings.items()):
        return True
    native = value_at(context.before, store, (path[0], "native")) or {}
    return len(path) == 3 and any(old in native.get(part, {}) for part in ("collections", "tables"))
