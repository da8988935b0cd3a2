"""The walk over two descriptions that finds their changes, its inverse, which applies them, and plain differences."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keywright.ir.json import Json
from keywright.record import Record

from .change import Change, Path
from .parts import Part, PartNames

Hints = Mapping[Path, str]
"""Former name by path of the renamed part, from `renamed_from=`."""


def diff(store: str, tree: Part, before: Json, after: Json, path: Path, hints: Hints | None = None) -> Iterator[Change]:
    """The changes from one description to another, in the order of their paths, renames first.

    tree: the parts of a description. before, after: None for a missing description. path: the path of both.
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
        if former.get(name) is not after.get(name):  # a patch shares unchanged parts
            yield from diff(store, tree.at(name), former.get(name), after.get(name), (*path, name), hints)


def _former_name(part: Part, former: Any, after: Any, name: str, hint: str | None) -> str | None:
    """The former name of a part, if it existed: from its hint, or for a field from its stored name."""
    if part.noun is None or part.noun.value.rename is None:
        return None  # its name is its only identity
    dropped = former.keys() - after.keys()
    if hint is not None and hint in dropped:
        return hint
    if part.noun is PartNames.FIELD and isinstance(after[name], dict):
        stored = {former[old].get("stored", old): old for old in sorted(dropped)}
        return stored.get(hint or after[name].get("stored", name))
    return None


def _renaming(part: Part) -> type[Change]:
    kind = part.noun.value.rename if part.noun else None
    assert kind is not None
    return kind


def patch(description: Json, changes: Iterable[Change]) -> Any:
    """A description with the changes applied; paths start within it.

    It shares unchanged parts with the argument and with the changes: none of them is ever modified.
    """
    patched: Any = description
    for change in changes:
        patched = _patched(patched, change.path, change)
    return patched


def _patched(holder: Any, path: Path, change: Change) -> Any:
    name, *below = path
    patched = dict(holder)
    if below:
        patched[name] = _patched(patched.get(name, {}), tuple(below), change)
    elif change.kind.startswith("Rename"):
        patched[name] = patched.pop(str(change.before))
    elif change.after is None:
        patched.pop(name, None)
    else:
        patched[name] = change.after
    return patched


class ValueDifference(Record):
    """One value that differs."""

    path: tuple[str, ...]
    """Its path in the native half."""
    expected: Json
    """The value in the target; None if the target does not contain it."""
    actual: Json
    """The live value; None if it does not exist."""


def differences(expected: Json, actual: Json, path: tuple[str, ...] = ()) -> Iterator[ValueDifference]:
    """The smallest differing parts, in the order of their paths."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            yield from differences(expected.get(key), actual.get(key), (*path, key))
    elif expected != actual:
        yield ValueDifference(path, expected, actual)
