"""AP: patterns that lose what serves them, and indexes that serve none. Judged by the notes of both snapshots."""

from collections.abc import Iterator

from keywright.errors import quoted

from .context import Context, Hazard
from .effect import Effect

NOTHING = "nothing"
"""The note of a pattern that nothing serves."""


def lost(context: Context) -> Iterator[Hazard]:
    """AP101: an index goes, or is gone for a while, and a pattern that is still declared needs it."""
    for one in context.of("DropIndex", "AlterIndex"):
        if one.kind == "AlterIndex" and "K" not in one.classes:
            continue
        asking = [pattern for pattern, note in context.before.access.items() if _is_by(note, one)]
        still = sorted(name for name in asking if name in context.after.access and not _is_moved(context, one, name))
        if still:
            what = "is dropped" if one.kind == "DropIndex" else "is gone until it is built anew"
            problem = f'index "{one.name}" {what}, and {quoted(still)} is served by it'
            help = "let another index serve the pattern first, in a version before this one"
            yield context.hazard(one, problem, help)


def _is_moved(context: Context, one: Effect, pattern: str) -> bool:
    """Whether the pattern is served by something else, which is there before the index goes."""
    note = context.after.access[pattern]
    if note == NOTHING or not note or _is_by(note, one):
        return False
    ours = context.stage_of(one)
    for other in context.effects:
        if other.kind == "AddIndex" and _is_by(note, other):
            theirs = context.stage_of(other)
            return bool(ours and theirs and theirs.n < ours.n and context.is_gated(one))
    return context.is_gated(one) or not context.stages


def unserved(context: Context) -> Iterator[Hazard]:
    """AP102: a pattern that was served is no longer, or a new one is not."""
    for pattern, note in sorted(context.after.access.items()):
        was = context.before.access.get(pattern)
        if note in ("", NOTHING) and was not in ("", NOTHING):
            told = f'was served by "{was}", and is' if was else "is new, and is"
            problem = f'pattern "{pattern}" {told} served by nothing'
            help = "`keywright patterns` tells the smallest index that serves it"
            yield Hazard("", pattern, problem, help)


def idle(context: Context) -> Iterator[Hazard]:
    """AP103: an index comes, or stays, that no pattern is served by any more."""
    if not context.after.access:
        return
    for one in context.effects:
        is_new = one.kind == "AddIndex"
        if is_new and not _constrains(one) and not any(_is_by(note, one) for note in context.after.access.values()):
            problem = f'index "{one.name}" serves no declared pattern, and every write pays for it'
            yield context.hazard(one, problem, "declare the pattern that it is for, or leave the index out")


def _constrains(one: Effect) -> bool:
    """Whether an index is there for what it forbids or deletes."""
    value = one.change.after
    return isinstance(value, dict) and ("unique" in value or "expireAfterSeconds" in value)


def _is_by(note: str, index: Effect) -> bool:
    """Whether a note says that this index serves; between store and index there may be its table."""
    if not note.startswith(f"{index.store}/") or not note.endswith(f"/{index.name}"):
        return False
    between = note[len(index.store) : -len(index.name)].strip("/")
    return all(part in index.path for part in between.split("/") if part)
