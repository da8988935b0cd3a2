"""Writes a version: the changes between two snapshots, and the stages that land them without breaking what runs."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from keywright.engines.change import (
    AddIndex,
    AddTable,
    AlterIndex,
    AlterValidator,
    Change,
    DropIndex,
    DropTable,
    Path,
)
from keywright.engines.classes import row_of
from keywright.engines.diff import diff
from keywright.engines.interface import Engine
from keywright.engines.parts import Part
from keywright.ir.json import Json

from .order import belongs, has_step, is_beneath, is_gated, is_late, is_moved, rests_on, waits
from .snapshot import EMPTY, Snapshot, landed
from .version import Landing, Stage, Version
from .wording import named

Engines = Callable[[str], Engine[Any, Any]]
"""The engine of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a version is made from."""

    before: Snapshot = EMPTY
    """Where it begins."""
    after: Snapshot
    """Where it leads."""
    hints: Mapping[tuple[str, Path], str] = field(default_factory=dict)
    """Former names, by store and path."""
    transforms: Mapping[tuple[str, Path], Sequence[Mapping[str, Json]]] = field(default_factory=dict)
    """The passes by which stored items of an entity follow, by store and the entity's path."""


def changes(draft: Draft, engines: Engines) -> tuple[Change, ...]:
    """Every change from one snapshot to the other, stores in the order of their names."""
    found: list[Change] = []
    for store in sorted(draft.before.stores.keys() | draft.after.stores.keys()):
        hints = {path: old for (where, path), old in draft.hints.items() if where == store}
        old, new = draft.before.stores.get(store, {}), draft.after.stores.get(store, {})
        found += diff(store, Part(parts={"*": engines(store).parts}), old, new, (), hints)
    return tuple(found)


def author(draft: Draft, engines: Engines, *, number: str, slug: str, parent: str | None) -> Version:
    """A version that leads from one snapshot to the other."""
    found = _admitting(changes(draft, engines), engines)
    landings = tuple(
        Landing(f"c{at}", change, row_of(engines(change.store).classes, change).classes)
        for at, change in enumerate(found, start=1)
    )
    return Version(
        number=number,
        slug=slug,
        parent=parent,
        base=draft.before.fingerprint,
        to=draft.after.fingerprint,
        landings=landings,
        stages=_numbered(_Stages(draft, landings, engines)),
        snapshot=draft.after,
    )


def _admitting(found: Iterable[Change], engines: Engines) -> Iterator[Change]:
    """A validator that gets tighter, or only other, first admits what either accepts: old writers and new ones."""
    for change in found:
        is_validator = isinstance(change, AlterValidator) and change.path[-1] == "validator"
        is_tighter = is_validator and row_of(engines(change.store).classes, change).classes != "S"
        if is_tighter and change.before and change.after:
            both: Json = {"$or": [change.before, change.after]}
            yield replace(change, after=both)
            yield replace(change, before=both)
        else:
            yield change


@dataclass(frozen=True, slots=True)
class _Stages:
    """The stages of a draft, in the order in which they are safe: what comes, what follows, what goes."""

    draft: Draft
    landings: tuple[Landing, ...]
    engines: Engines

    def __iter__(self) -> Iterator[Stage]:
        rebuilds = tuple(self._rebuilds())
        moved = {id for stage in rebuilds for id in stage.lands}
        filled = [one for one in self.landings if one.id not in moved and self._transform(one) is not None]
        waiting = {(one.change.store, one.change.path[0]) for one in filled}
        groups = sorted(self._grouped([one for one in self.landings if has_step(one)]), key=rests_on)
        early = [one for one in groups if not is_late(one[0]) and not waits(one[0], waiting)]
        yield from (stage for group in early for stage in self._expanded(group))
        yield from rebuilds
        late = sorted((group for group in groups if is_late(group[0])), key=is_beneath)
        blocking = [group for group in late if self._is_in_the_way(group[0].change)]
        yield from self._gates(blocking, ())
        yield from (_alter(group, "contract") for group in blocking)
        yield from self._backfills(filled)
        later = [group for group in groups if not is_late(group[0]) and group not in early]
        yield from (stage for group in later for stage in self._expanded(group))
        late = [group for group in late if group not in blocking]
        unmoved = [one for one in self.landings if one.id not in moved]
        yield from self._gates(late, [one for one in unmoved if is_gated(one) and one not in filled])
        yield from (_alter(group, "contract") for group in late)
        rest = [one for one in unmoved if not (has_step(one) or one in filled or is_gated(one))]
        yield Stage(n=0, phase="contract", by="runner", op="assert_snapshot", lands=tuple(one.id for one in rest))

    def _grouped(self, landings: Sequence[Landing]) -> list[list[Landing]]:
        """What a table takes along, with it; an index with one that it cannot stand beside; everything else alone."""
        tables = [one for one in landings if isinstance(one.change, (AddTable, DropTable))]
        going = [one for one in landings if isinstance(one.change, DropIndex)]
        groups: dict[str, list[Landing]] = {one.id: [one] for one in landings}
        for one in landings:
            owners = chain(
                (table.id for table in tables if belongs(one.change, table.change)),
                (old.id for old in going if self._clash(old.change, one.change)),
            )
            if (owner := next(owners, None)) is not None:
                groups[owner] += groups.pop(one.id)
        return list(groups.values())

    def _clash(self, old: Change, new: Change) -> bool:
        """Whether an index can be built only once a former one of the same table is gone."""
        is_beside = (old.store, old.path[:-1]) == (new.store, new.path[:-1])
        return is_beside and isinstance(new, AddIndex) and self.engines(old.store).clash(old.before, new.after)

    def _expanded(self, group: Sequence[Landing]) -> Iterator[Stage]:
        """An alteration, behind a look at stored data where that could stand in its way."""
        first = group[0]
        stage = _alter(group, "expand")
        if isinstance(first.change, (AddIndex, AlterIndex)) and "B" in first.classes:
            why = row_of(self.engines(first.change.store).classes, first.change).why
            text = f"stored data does not stand in the way of it: {named(first.change)}: {why}"
            yield replace(stage, by="human", op="deploy_ack", lands=(), text=text)
        elif isinstance(first.change, AddIndex) and "R" not in first.classes and self._leaves_out(first.change):
            yield replace(stage, op="check_index_values", lands=())
        yield stage

    def _leaves_out(self, index: Change) -> bool:
        """Whether items with values that do not fit an index would be missing in it without a word."""
        return self.engines(index.store).leaves_out

    def _rebuilds(self) -> Iterator[Stage]:
        """The gates of a new generation; the copy is a person's, and the former generation stays."""
        entities = {(one.change.store, one.change.path[:3]) for one in self.landings if is_moved(one)}
        moved = [one for one in self.landings if (one.change.store, one.change.path[:3]) in entities]
        for one in self.landings:
            old = self._former(one.change)
            if old is None:
                continue
            new, store = one.change.path[-1], one.change.store
            lands = tuple(other.id for other in moved if other.change.store == store)
            both = f'deployed are writers that write to "{old}" and to "{new}"'
            copied = f'what "{old}" held before is in "{new}" too, and was compared; keywright copies nothing yet'
            read = f'deployed are readers that ask "{new}" and nothing else'
            gate = Stage(n=0, phase="sync", by="human", op="deploy_ack", store=store, object=new, text=both)
            yield gate
            yield replace(gate, phase="backfill", op="copy", text=copied)
            yield replace(gate, phase="cutover", lands=lands, text=read)

    def _former(self, change: Change) -> str | None:
        """The table that an added one is the next generation of; None for any other change."""
        match = _GENERATION.match(change.path[-1])
        if not isinstance(change, AddTable) or match is None:
            return None
        name, generation = match[1], int(match[3])
        before = f"{name}{match[2]}{generation - 1}" if generation > 2 else name
        known: Any = self.draft.before.stores.get(change.store, {})
        for part in change.path[:-1]:
            known = known.get(part, {})
        return before if before in known else None

    def _transform(self, one: Landing) -> Sequence[Mapping[str, Json]] | None:
        """The passes that fill what a change needs; None for a change that needs none, or has none."""
        change = one.change
        if change.is_native or "B" not in one.classes or len(change.path) < 3:
            return None
        return self.draft.transforms.get((change.store, change.path[:3]))

    def _backfills(self, filled: Sequence[Landing]) -> Iterator[Stage]:
        entities: dict[tuple[str, Path], list[Landing]] = {}
        for one in filled:
            entities.setdefault((one.change.store, one.change.path[:3]), []).append(one)
        for (store, path), landings in entities.items():
            what = ", ".join(dict.fromkeys(named(one.change) for one in landings))
            text = f"deployed is code that reads both forms of {path[-1]}, and writes the new one: {what}"
            yield Stage(n=0, phase="expand", by="human", op="deploy_ack", store=store, text=text)
            passes = self.draft.transforms[store, path]
            for at, words in enumerate(passes, start=1):
                lands = tuple(landing.id for landing in landings) if at == len(passes) else ()
                about = Stage(n=0, phase="backfill", by="runner", op="backfill", store=store, object="/".join(path))
                yield replace(about, lands=lands, more=words)

    def _is_in_the_way(self, change: Change) -> bool:
        """Whether an index must go first: a unique one takes but one item without a field that a transform removes."""
        before: Any = change.before
        if not isinstance(change, DropIndex) or not isinstance(before, dict) or not before.get("unique"):
            return False
        keys = {path for path, _ in before["key"]}
        return any(
            keys & _removed(one["transform"])
            for (store, path), passes in self.draft.transforms.items()
            for one in passes
            if (store, path[0]) == (change.store, change.path[0])
        )

    def _gates(self, late: Sequence[Sequence[Landing]], others: Sequence[Landing]) -> Iterator[Stage]:
        """One gate before all that goes, for those whose code would miss it."""
        going = [one for group in late for one in group if "K" in one.classes or "D" in one.classes]
        going += others
        if going:
            what = ", ".join(dict.fromkeys(named(one.change) for one in going))
            lands = tuple(one.id for one in going if not has_step(one))
            text = f"no running code needs what goes: {what}"
            yield Stage(n=0, phase="contract", by="human", op="deploy_ack", lands=lands, text=text)


_GENERATION = re.compile(r"(.+?)([-_]k)(\d+)\Z")
"""The name of a table from its second generation on."""


def _removed(transform: Json) -> set[str]:
    """Stored paths that items no longer have after a transform."""
    told: Any = transform
    return {*told.get("rename", {}).values(), *told.get("unset", ())}


def _alter(group: Sequence[Landing], phase: str) -> Stage:
    first = group[0].change
    lands = tuple(one.id for one in group)
    return Stage(n=0, phase=phase, by="runner", op="alter", store=first.store, object=first.object, lands=lands)


def _numbered(stages: Iterable[Stage]) -> tuple[Stage, ...]:
    """In tens, so that a person can put one between."""
    return tuple(replace(stage, n=10 * at) for at, stage in enumerate(stages, start=1))


def replayed(version: Version, before: Snapshot) -> Snapshot:
    """The snapshot that a version's changes lead to: what its own must be."""
    return replace(version.snapshot, stores=landed(before.stores, [one.change for one in version.landings]))
