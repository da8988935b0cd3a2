"""AP: access patterns that lose their index, and indexes that serve none, by the access notes of both snapshots."""

from collections.abc import Iterator, Mapping

from keywright.engines.contract.change import Path
from keywright.errors import quoted

from .context import MigrationContext, MigrationFindingDraft
from .effect import Effect, value_at

NOTHING = "nothing"
"""The note of an unserved pattern."""


def lost_paths(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """AP101: the migration drops or rebuilds an index that a declared access pattern needs."""
    for effect in context.of("DropIndex", "AlterIndex"):
        if effect.kind == "AlterIndex" and "K" not in effect.classes:
            continue
        served = [pattern for pattern, note in context.before.access.items() if _is_by(note, effect)]
        affected = sorted(
            pattern for pattern in served if pattern in context.after.access and not _is_moved(context, effect, pattern)
        )
        if affected:
            what = "is dropped" if effect.kind == "DropIndex" else "is missing until it is rebuilt"
            problem = f'index "{effect.name}" {what}, but it serves {quoted(affected)}'
            help = "let another index serve the pattern first, in an earlier migration"
            yield context.hazard(effect, problem, help)


def _is_moved(context: MigrationContext, effect: Effect, pattern: str) -> bool:
    """Whether another index serves the pattern before this index is dropped."""
    note = context.after.access[pattern]
    if note == NOTHING or not note or _is_by(note, effect):
        return False
    ours = context.step_of(effect)
    for other in context.effects:
        if other.kind == "AddIndex" and _is_by(note, other):
            theirs = context.step_of(other)
            return bool(ours and theirs and theirs.n < ours.n and context.is_gated(effect))
    return context.is_gated(effect) or not context.steps


def unserved(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """AP102: no key or index serves a declared access pattern after the migration."""
    for pattern, note in sorted(context.after.access.items()):
        before = context.before.access.get(pattern)
        if note in ("", NOTHING) and before not in ("", NOTHING):
            change = f'was served by "{before}"' if before else "is new"
            problem = f'pattern "{pattern}" {change}, and no key or index serves it after the migration'
            help = "`keywright patterns` prints the smallest index that serves it"
            yield MigrationFindingDraft("", pattern, problem, help)


def idle(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """AP103: a new index serves no declared access pattern."""
    if not context.after.access:
        return
    for effect in context.effects:
        is_idle = effect.kind == "AddIndex" and not _serves(context, effect.path, effect.store)
        if is_idle and not _constrains(effect) and not _takes_over(context, effect):
            problem = f'index "{effect.name}" serves no declared pattern, but adds cost to every write'
            yield context.hazard(effect, problem, "declare the pattern that needs it, or remove the index")


def _serves(context: MigrationContext, path: Path, store: str) -> bool:
    """Whether the index at a path serves a pattern."""
    return any(_is_named(note, store, path) for note in context.after.access.values())


def _takes_over(context: MigrationContext, effect: Effect) -> bool:
    """Whether an index extends the key of one that serves a pattern, so that the shorter index becomes redundant."""
    value, container = effect.change.after, effect.path[:-1]
    siblings = value_at(context.after, effect.store, container)
    ours = value.get("key") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(ours, list) or not isinstance(siblings, Mapping):
        return False
    rest = {key: item for key, item in value.items() if key != "key"}
    for name, sibling in siblings.items():
        key = sibling.get("key") if isinstance(sibling, Mapping) else None
        if not isinstance(key, list) or len(key) >= len(ours):
            continue
        same = {option: item for option, item in sibling.items() if option != "key"} == rest
        if same and ours[: len(key)] == key and _serves(context, (*container, name), effect.store):
            return True
    return False


def _constrains(effect: Effect) -> bool:
    """Whether an index enforces uniqueness or deletes expired documents."""
    value = effect.change.after
    return isinstance(value, dict) and ("unique" in value or "expireAfterSeconds" in value)


def _is_by(note: str, index: Effect) -> bool:
    """Whether a note names this index; it may contain the table between store and index."""
    return _is_named(note, index.store, index.path)


def _is_named(note: str, store: str, path: Path) -> bool:
    if not note.startswith(f"{store}/") or not note.endswith(f"/{path[-1]}"):
        return False
    between = note[len(store) : -len(path[-1])].strip("/")
    return all(part in path for part in between.split("/") if part)
