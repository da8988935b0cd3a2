"""Three-way merge of snapshots: the changes of both sides, or the parts that both sides change differently."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from keywright.engines.contract.change import Change, Path
from keywright.engines.contract.diff import diff
from keywright.engines.contract.parts import Part, PartNames
from keywright.record import Record

from .author.draft import Engines
from .snapshot import Stores, pruned


class Clash(Record):
    """A part that both sides change differently, or that one side needs and the other removes."""

    store: str
    """Store of the part."""
    ours: Path
    """Path of the part in our changes."""
    theirs: Path
    """Path of the part in the other side's changes; usually the same."""


class Merged(Record):
    """Result of a merge."""

    stores: Stores
    """Stores with the changes of both sides; meaningful only without clashes."""
    clashes: tuple[Clash, ...]
    """Parts that cannot be merged, in the order of their paths."""


def merge(base: Stores, theirs: Stores, ours: Stores, engines: Engines) -> Merged:
    """Merge the changes from `base` to `ours` into `theirs`.

    A part that only one side changes is taken from that side. A part that both sides change alike is taken once.
    Validators and options are merged part by part; any other part that both sides change differently is a clash.
    """
    stores: Stores = {}
    clashes: list[Clash] = []
    for store in sorted(base.keys() | theirs.keys() | ours.keys()):
        walk = _Walk(store)
        sides = (base.get(store, {}), theirs.get(store, {}), ours.get(store, {}))
        tree = Part(parts={"*": engines(store).parts})
        merged = walk.merged(tree, *sides, ())
        clashes += walk.clashes or _dangling(store, tree, *sides)
        if merged:
            stores[store] = pruned(merged)
    return Merged(stores, tuple(clashes))


@dataclass(slots=True)
class _Walk:
    """A walk over three descriptions of one store; None stands for a missing part."""

    store: str
    clashes: list[Clash] = field(default_factory=list)

    def merged(self, tree: Part, base: Any, theirs: Any, ours: Any, path: Path) -> Any:
        """The part with the changes of both sides; on a clash, the other side's part."""
        if ours in (base, theirs):
            return theirs
        if theirs == base:
            return ours
        is_removed = tree.noun is not None and base is not None and (theirs is None or ours is None)
        is_added_twice = base is None and tree.noun is not None and len(path) > 1
        if tree.parts and not is_removed and not is_added_twice:
            old, their, our = base or {}, theirs or {}, ours or {}
            parts = {
                name: self.merged(tree.at(name), old.get(name), their.get(name), our.get(name), (*path, name))
                for name in sorted(old.keys() | their.keys() | our.keys())
            }
            present = {name: part for name, part in parts.items() if part is not None}
            is_left_out = not present and tree.noun is None and path[1:2] == ("native",) and len(path) > _TOP
            return None if is_left_out else present
        try:
            if base is None or is_removed or tree.noun not in _MERGED:
                raise _Unmergeable
            return _value(base, theirs, ours)
        except _Unmergeable:
            self.clashes.append(Clash(self.store, path, path))
            return theirs


_TOP = 3
"""Path length of a top-level collection of parts. A description omits an empty collection inside a table."""

_MERGED = (PartNames.VALIDATOR, PartNames.OPTION)
"""Parts whose values are documents; each side may have changed a different key."""


class _Unmergeable(Exception):
    """Both sides changed a value differently."""


def _value(base: Any, theirs: Any, ours: Any, name: str = "") -> Any:
    """JSON merged three ways; `_NOTHING` stands for a missing value. Raises _Unmergeable."""
    if ours in (base, theirs):
        return theirs
    if theirs == base:
        return ours
    sides = (base, theirs, ours)
    if all(isinstance(side, dict) for side in sides):
        names = dict.fromkeys((*theirs, *ours, *base))
        values = {
            key: _value(base.get(key, _NOTHING), theirs.get(key, _NOTHING), ours.get(key, _NOTHING), key)
            for key in names
        }
        return {key: value for key, value in values.items() if value is not _NOTHING}
    if all(isinstance(side, list) for side in sides):
        if name == "required":  # of JSON Schema: a set, which is written in order
            return sorted({field for field in theirs if field in ours or field not in base} | (set(ours) - set(base)))
        if len(base) == len(theirs) == len(ours) and all(isinstance(item, dict) for side in sides for item in side):
            return [_value(*items) for items in zip(*sides, strict=True)]
    raise _Unmergeable


_NOTHING = object()


def _dangling(store: str, tree: Part, base: Any, theirs: Any, ours: Any) -> Iterator[Clash]:
    """Fields and types that one side needs and the other side removes or gives another type."""
    by_us = tuple(diff(store, tree, base, ours, ()))
    by_them = tuple(diff(store, tree, base, theirs, ()))
    for change, other in _dependent_changes(by_us, by_them, (ours, theirs)):
        yield Clash(store, change.path, other.path)
    for change, other in _dependent_changes(by_them, by_us, (theirs, ours)):
        yield Clash(store, other.path, change.path)


def _dependent_changes(
    changes: Iterable[Change], removing: Iterable[Change], sides: tuple[Any, Any]
) -> Iterator[tuple[Change, Change]]:
    """(change, the other side's change of a field that the changed part uses)."""
    removed = [(change, name) for change in removing if change.before is not None for name in _names(change)]
    for change in changes:
        if change.after is None:
            continue
        words = set(_WORD.findall(repr(change.after)))
        for other, name in removed:
            if name not in words or change.path[0] != other.path[0]:
                continue
            places = (_place(change, sides[0]), _place(other, sides[1]))
            uses_field = change.kind in _ABOUT_FIELDS and (places[0] == places[1] or None in places)
            if uses_field or other.kind == "DropType":
                yield change, other
                break


_ABOUT_FIELDS = ("AddIndex", "AlterIndex", "AlterKey", "AlterTtl", "AlterEntity", "AddEntity")
_WORD = re.compile(r"\w+")


def _names(change: Change) -> set[str]:
    """Stored and declared name of a field that a change removes, renames or retypes; name of a type that it removes."""
    if change.kind == "DropType":
        return {change.path[-1]}
    if change.kind not in ("DropField", "AlterField") or not change.path:
        return set()
    before: Any = change.before
    after: Any = change.after
    is_kept = isinstance(before, dict) and isinstance(after, dict)
    if is_kept and all(before.get(word) == after.get(word) for word in ("type", "stored")):
        return set()
    stored = before.get("stored") if isinstance(before, dict) else None
    return {change.path[-1], stored} if isinstance(stored, str) else {change.path[-1]}


def _place(change: Change, targets: Mapping[str, Any]) -> str | None:
    """Table or collection of a change; None if it can be any of its target."""
    key, half, *rest = (*change.path, "", "")
    if half == "shape":
        key_description = targets.get(key, {}).get("shape", {}).get(rest[0], {}).get("key", {})
        place = key_description.get("table", key_description.get("collection"))
        return place if isinstance(place, str) else None
    value = change.after if isinstance(change.after, dict) else change.before
    if isinstance(value, dict) and isinstance(value.get("table"), str):
        return str(value["table"])
    return rest[1] if half == "native" and len(change.path) > 4 else None
