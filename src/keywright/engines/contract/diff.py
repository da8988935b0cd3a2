"""The walk over two descriptions that finds their changes, and the inverse that carries changes out."""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from keywright.ir.json import Json

from .change import Change, Path
from .parts import Noun, Part

Hints = Mapping[Path, str]
"""Former name by the path of what has a new one, from `renamed_from=`."""


def diff(store: str, tree: Part, before: Json, after: Json, path: Path, hints: Hints | None = None) -> Iterator[Change]:
    """The changes that make one description into another, in the order of their paths, renames first.

    tree: which parts there are; path: of the two descriptions, which may be None where there is none.
    """
    if before == after:
        return
    if tree.noun and (before is None or after is None):
        verbs = tree.noun.value
        kind = (verbs.add if before is None else verbs.drop) or verbs.alter
        yield kind(store, path, before, after)
    elif tree.parts:
        yield from _within(store, tree, before or {}, after or {}, path, hints or {})
    else:
        assert tree.noun is not None
        yield tree.noun.value.alter(store, path, before, after)


def _within(store: str, tree: Part, before: Any, after: Any, path: Path, hints: Hints) -> Iterator[Change]:
    former = dict(before)
    for name in sorted(after.keys() - before.keys()):
        old = _former_name(tree.at(name), former, after, name, hints.get((*path, name)))
        if old is not None:
            former[name] = former.pop(old)
            yield _renaming(tree.at(name))(store, (*path, name), old, name)
    for name in sorted(former.keys() | after.keys()):
        yield from diff(store, tree.at(name), former.get(name), after.get(name), (*path, name), hints)


def _former_name(part: Part, former: Any, after: Any, name: str, hint: str | None) -> str | None:
    """The name that a part had, where it is one that was there: by its hint, or a field by what it is stored under."""
    if part.noun is None or part.noun.value.rename is None:
        return None  # it has no identity beside its name
    gone = former.keys() - after.keys()
    if hint is not None and hint in gone:
        return hint
    if part.noun is Noun.FIELD and isinstance(after[name], dict):
        stored = {former[old].get("stored", old): old for old in sorted(gone)}
        return stored.get(hint or after[name].get("stored", name))
    return None


def _renaming(part: Part) -> type[Change]:
    kind = part.noun.value.rename if part.noun else None
    assert kind is not None
    return kind


def patch(description: Json, changes: Iterable[Change]) -> Any:
    """A description with changes carried out, whatever they are about; paths begin within it."""
    made: Any = deepcopy(description)
    for change in changes:
        *above, name = change.path
        holder = made
        for key in above:
            holder = holder.setdefault(key, {})
        if change.kind.startswith("Rename"):
            holder[name] = holder.pop(str(change.before))
        elif change.after is None:
            holder.pop(name, None)
        else:
            holder[name] = deepcopy(change.after)
    return made
