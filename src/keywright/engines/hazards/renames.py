"""RN: renames that nobody declared, and declared ones that are none."""

from collections.abc import Iterator

from keywright.errors import quoted

from .context import Context, Hazard
from .effect import Effect, found, generation
from .values import is_field, is_within, stored, type_of


def unhinted(context: Context) -> Iterator[Hazard]:
    """RN101: something goes and something like it comes, and nothing says whether it is the same."""
    yield from _fields(context)
    yield from _indexes(context)
    yield from _wholes(context, "Table")
    yield from _wholes(context, "Entity")


def _fields(context: Context) -> Iterator[Hazard]:
    gone = [one for one in context.of("DropField") if is_field(one) and not context.is_gone(one)]
    gone = [one for one in gone if not context.is_read(one)]  # a transform says what becomes of it
    dropped = {one.name for one in gone}
    come = [one for one in context.of("AddField") if is_field(one)]
    added = {one.name for one in come}
    for new in come:
        olds = [
            old.name
            for old in gone
            if (old.store, old.path[:-1]) == (new.store, new.path[:-1]) and not is_within(old, dropped)
            and type_of(old.change.before) == type_of(new.change.after)
        ]  # fmt: skip
        if olds and not is_within(new, added):
            kind = type_of(new.change.after)
            problem = f'field "{new.name}" of {new.entity} comes and {quoted(olds)} goes, each of type {kind}'
            hint = f'if it is the same, annotate it with RenamedFrom("{olds[0]}")'
            yield context.hazard(new, problem, f"{hint}; else drop the one in a version of its own")


def _indexes(context: Context) -> Iterator[Hazard]:
    gone = [one for one in context.of("DropIndex") if not context.is_gone(one)]
    for new in context.of("AddIndex"):
        for old in gone:
            is_same = (old.store, old.path[:-1], old.change.before) == (new.store, new.path[:-1], new.change.after)
            if is_same and context.hints.get((new.store, new.path)) != old.name:
                problem = f'index "{new.name}" comes and "{old.name}", which is the same but for its name, goes'
                hint = f'keep the name "{old.name}": no server renames an index'
                yield context.hazard(new, problem, f'{hint}; or say renamed_from="{old.name}", and it is built anew')


def _wholes(context: Context, noun: str) -> Iterator[Hazard]:
    """Tables or entities that hold the same under another name."""
    gone = [one for one in context.effects if one.kind == f"Drop{noun}" and not context.is_gone(one)]
    for new in context.effects:
        if new.kind != f"Add{noun}" or context.is_born(new):
            continue
        for old in gone:
            is_beside = (old.store, old.path[:-1]) == (new.store, new.path[:-1])
            if is_beside and generation(old.name)[0] != generation(new.name)[0] and _is_same(context, old, new):
                what = noun.lower()
                problem = f'{what} "{new.name}" comes and "{old.name}", which holds the same, goes'
                hint = f'say renamed_from="{old.name}"'
                if noun == "Table":
                    hint = f'keep the name "{old.name}": what is stored does not follow another'
                hint = f"if it is the same, {hint}"
                yield context.hazard(new, problem, f"{hint}; else drop the one in a version of its own")


def _is_same(context: Context, old: Effect, new: Effect) -> bool:
    """Whether two tables or entities look like one with two names."""
    was, now = old.change.before, new.change.after
    if not isinstance(was, dict) or not isinstance(now, dict):
        return False
    if "fields" in was:
        return bool(was["fields"] == now["fields"])
    if "shape" in was:
        return bool(was["shape"]) and was["shape"] == now["shape"]
    return _stored_in(context, old, new) and (old.store, new.path, old.name) not in _said(context)


def _stored_in(context: Context, old: Effect, new: Effect) -> bool:
    """Whether an entity that was stored in the one is stored in the other."""
    return any(
        one.kind == "AlterKey" and one.store == new.store and one.path[0] == new.path[0]
        and (one.change.before, one.change.after) == (old.name, new.name)
        for one in context.effects
    )  # fmt: skip


def _said(context: Context) -> set[tuple[str, tuple[str, ...], str]]:
    """(store, path of a table, former name) of every rename that an entity declares for the table that it is in."""
    made: set[tuple[str, tuple[str, ...], str]] = set()
    for (store, path), old in context.hints.items():
        keys = found(context.after, store, (*path, "key")) if len(path) == 3 else None
        for word, part in (("collection", "collections"), ("table", "tables")):
            if keys and word in keys:
                made.add((store, (path[0], "native", part, str(keys[word])), old))
    return made


def idle(context: Context) -> Iterator[Hazard]:
    """RN102: a former name that nothing had."""
    for (store, path), old in sorted(context.hints.items()):
        is_spent = context.before.renamed.get(f"{store} {'/'.join(path)}") == old
        if not is_spent and not _was_there(context, store, path, old):
            object = "/".join(part for part in path if part not in ("shape", "fields", "native"))
            problem = f'"{path[-1]}" is said to have been "{old}", and version before has no "{old}" there'
            help = "correct the former name, or take the hint away"
            anchor = next(
                (one.id for one in context.landings if (one.change.store, one.change.path) == (store, path)), ""
            )
            yield Hazard(store, object, problem, help, anchor)


def _was_there(context: Context, store: str, path: tuple[str, ...], old: str) -> bool:
    """Whether something of that name stood beside it, by its own name or by that in the store.

    Where nothing stood there at all, the hint is about times before the first version, and may stay.
    """
    renamed = next(
        (
            str(one.change.before)
            for one in context.effects
            if one.kind == "RenameEntity" and one.store == store and one.path == path[:3]
        ),
        path[2] if len(path) > 2 else "",
    )
    holder = (*path[:2], renamed, *path[3:-1]) if len(path) > 3 else path[:-1]
    beside = found(context.before, store, holder)
    if not beside or old in beside or any(stored(name, one) == old for name, one in beside.items() if len(path) == 5):
        return True
    native = found(context.before, store, (path[0], "native")) or {}
    return len(path) == 3 and any(old in native.get(part, {}) for part in ("collections", "tables"))
