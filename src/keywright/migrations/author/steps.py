"""The steps of a migration in a safe order: additions, backfills, removals."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from keywright.engines.contract.change import (
    AddIndex,
    AddTable,
    AlterIndex,
    AlterValidator,
    Change,
    DropIndex,
    DropTable,
    Path,
)
from keywright.engines.contract.classes import row_of
from keywright.ir.json import Json
from keywright.record import Record, replace

from ..migration import NumberedChange, Step
from ..wording import named
from .draft import Draft, Engines
from .step_order import (
    WARN,
    belongs,
    has_step,
    is_after,
    is_beneath,
    is_beside,
    is_gated,
    is_late,
    is_moved,
    rests_on,
    waits,
)


class Steps(Record):
    """The steps of one draft; they are not numbered yet."""

    draft: Draft
    """The input of the migration."""
    changes: tuple[NumberedChange, ...]
    """Its changes."""
    engines: Engines
    """The engines of its stores."""

    def __iter__(self) -> Iterator[Step]:
        rebuilds = tuple(self._rebuilds())
        moved = {id for step in rebuilds for id in step.applies}
        filled = [
            numbered_change
            for numbered_change in self.changes
            if numbered_change.id not in moved and self._transform(numbered_change) is not None
        ]
        waiting = {(change.change.store, change.change.path[0]) for change in filled}
        groups = sorted(
            self._grouped([numbered_change for numbered_change in self.changes if has_step(numbered_change)]),
            key=rests_on,
        )
        early = [group for group in groups if not is_late(group[0]) and not waits(group[0], waiting)]
        yield from (step for group in early for step in self._expanded(group))
        yield from rebuilds
        late = sorted((group for group in groups if is_late(group[0])), key=is_beneath)
        blocking = [group for group in late if self._must_be_dropped_first(group[0].change)]
        yield from self._gates(blocking, ())
        yield from (_alter(group, "contract") for group in blocking)
        yield from self._backfills(filled)
        later = [group for group in groups if not is_late(group[0]) and group not in early]
        yield from (step for group in later for step in self._expanded(group))
        late = [group for group in late if group not in blocking]
        validators = [group for group in late if self._is_stricter(group[0].change)]
        yield from self._stricter_validators(validators)
        late = [group for group in late if group not in validators]
        unmoved = [numbered_change for numbered_change in self.changes if numbered_change.id not in moved]
        yield from self._gates(late, [change for change in unmoved if is_gated(change) and change not in filled])
        yield from (_alter(group, "contract") for group in late)
        rest = [change for change in unmoved if not (has_step(change) or change in filled or is_gated(change))]
        yield Step(
            n=0, phase="contract", by="runner", op="assert_snapshot", applies=tuple(change.id for change in rest)
        )

    def _grouped(self, numbered_changes: Sequence[NumberedChange]) -> list[list[NumberedChange]]:
        """Groups of changes: a table with its parts, an index with the dropped index that it conflicts with."""
        tables = [
            numbered_change
            for numbered_change in numbered_changes
            if isinstance(numbered_change.change, (AddTable, DropTable))
        ]
        dropped = [
            numbered_change for numbered_change in numbered_changes if isinstance(numbered_change.change, DropIndex)
        ]
        new_validators = [
            numbered_change
            for numbered_change in numbered_changes
            if isinstance(numbered_change.change, AlterValidator) and numbered_change.change.before is None
        ]
        first_validators = {
            (numbered_change.change.store, numbered_change.change.path[:-1]): numbered_change
            for numbered_change in reversed(new_validators)
        }
        groups: dict[str, list[NumberedChange]] = {
            numbered_change.id: [numbered_change] for numbered_change in numbered_changes
        }
        for numbered_change in numbered_changes:
            owners = chain(
                (table.id for table in tables if belongs(numbered_change.change, table.change)),
                (old.id for old in dropped if self._clash(old.change, numbered_change.change)),
                (
                    first.id
                    for first in first_validators.values()
                    if numbered_change in new_validators and is_after(numbered_change.change, first.change)
                ),
            )
            if (owner := next(owners, None)) is not None:
                groups[owner] += groups.pop(numbered_change.id)
        return list(groups.values())

    def _clash(self, old: Change, new: Change) -> bool:
        """Whether an index can be built only after a former index of the same table is dropped."""
        is_new = is_beside(old, new) and isinstance(new, AddIndex)
        return is_new and self.engines(old.store).clash(old.before, new.after)

    def _expanded(self, group: Sequence[NumberedChange]) -> Iterator[Step]:
        """An alteration, after a check of stored data if that data can block it."""
        first = group[0]
        step = _alter(group, "expand")
        if isinstance(first.change, (AddIndex, AlterIndex)) and "B" in first.classes:
            why = row_of(self.engines(first.change.store).classes, first.change).why
            text = f"stored data does not block this change: {named(first.change)}: {why}"
            yield replace(step, by="human", op="deploy_ack", applies=(), text=text)
        elif isinstance(first.change, AddIndex) and "R" not in first.classes and self._omits_items(first.change):
            yield replace(step, op="check_index_values", applies=())
        elif self._is_stricter(first.change):
            yield replace(step, op="check_validator", applies=())
        yield step

    def _is_stricter(self, change: Change) -> bool:
        """Whether the server rejects writes after the change that it accepted before."""
        return self.engines(change.store).rejects_stored(change)

    def _stricter_validators(self, groups: Sequence[Sequence[NumberedChange]]) -> Iterator[Step]:
        """Stricter validators: each after a count of stored items that break it, new ones after a gate."""
        if new := [change for group in groups for change in group if change.change.before == WARN]:
            what = ", ".join(
                dict.fromkeys(f'"{change.change.path[-2]}" of "{change.change.path[0]}"' for change in new)
            )
            text = f"writes of running code satisfy the validator, according to the server's log: {what}"
            yield Step(n=0, phase="contract", by="human", op="deploy_ack", text=text)
        for group in groups:
            step = _alter(group, "contract")
            yield replace(step, op="check_validator", applies=())
            yield step

    def _omits_items(self, index: Change) -> bool:
        """Whether the index silently omits items whose values do not fit it."""
        return self.engines(index.store).omits_items

    def _rebuilds(self) -> Iterator[Step]:
        """Gates of a new generation; a person copies the items, and the former generation stays."""
        entities = {
            (numbered_change.change.store, numbered_change.change.path[:3])
            for numbered_change in self.changes
            if is_moved(numbered_change)
        }
        moved = [
            numbered_change
            for numbered_change in self.changes
            if (numbered_change.change.store, numbered_change.change.path[:3]) in entities
        ]
        for numbered_change in self.changes:
            former, object = self._former(numbered_change.change), numbered_change.change.path[-1]
            old, new = f'"{former}"', f'"{object}"'
            if numbered_change.change.path[1:] == ("generation",):  # of a server, whose keys are not separate objects
                object = numbered_change.change.path[0]
                old, new = (
                    f"the keys of generation {generation}"
                    for generation in (numbered_change.change.before, numbered_change.change.after)
                )
                yield _alter([numbered_change], "expand")
            elif former is None:
                continue
            store = numbered_change.change.store
            applies = tuple(other.id for other in moved if other.change.store == store and other is not numbered_change)
            written = f"code that writes to {old} and to {new} is deployed"
            copied = f"all items of {old} have been copied to {new} and compared; keywright does not copy them"
            read = f"code that reads only {new} is deployed"
            gate = Step(n=0, phase="sync", by="human", op="deploy_ack", store=store, object=object, text=written)
            yield gate
            yield replace(gate, phase="backfill", op="copy", text=copied)
            yield replace(gate, phase="cutover", applies=applies, text=read)

    def _former(self, change: Change) -> str | None:
        """Name of the previous generation of an added table; None for any other change."""
        match = _GENERATION.match(change.path[-1])
        if not isinstance(change, AddTable) or match is None:
            return None
        name, generation = match[1], int(match[3])
        before = f"{name}{match[2]}{generation - 1}" if generation > 2 else name
        store: Any = self.draft.before.stores.get(change.store, {})
        for part in change.path[:-1]:
            store = store.get(part, {})
        return before if before in store else None

    def _transform(self, numbered_change: NumberedChange) -> Sequence[Mapping[str, Json]] | None:
        """Backfill passes that a change needs; None for a change without passes."""
        change = numbered_change.change
        if change.is_native or "B" not in numbered_change.classes or len(change.path) < 3:
            return None
        return self.draft.transforms.get((change.store, change.path[:3]))

    def _backfills(self, filled: Sequence[NumberedChange]) -> Iterator[Step]:
        entities: dict[tuple[str, Path], list[NumberedChange]] = {}
        for numbered_change in filled:
            entities.setdefault((numbered_change.change.store, numbered_change.change.path[:3]), []).append(
                numbered_change
            )
        for (store, path), numbered_changes in entities.items():
            what = ", ".join(dict.fromkeys(named(numbered_change.change) for numbered_change in numbered_changes))
            passes = self.draft.transforms[store, path]
            text = f"code that reads both forms of {path[-1]} and writes the new form is deployed: {what}"
            if not any("version" in words for words in passes):
                text += "; no older code is running, because nothing would find its updates after the backfill"
            yield Step(n=0, phase="expand", by="human", op="deploy_ack", store=store, text=text)
            for position, words in enumerate(passes, start=1):
                applies = (
                    tuple(numbered_change.id for numbered_change in numbered_changes) if position == len(passes) else ()
                )
                step = Step(n=0, phase="backfill", by="runner", op="backfill", store=store, object="/".join(path))
                yield replace(step, applies=applies, more=words)

    def _must_be_dropped_first(self, change: Change) -> bool:
        """Whether an index must be dropped first: a unique index accepts only one item without a removed field."""
        before: Any = change.before
        if not isinstance(change, DropIndex) or not isinstance(before, dict) or not before.get("unique"):
            return False
        keys = {path for path, _ in before["key"]}
        return any(
            keys & _removed(words["transform"])
            for (store, path), passes in self.draft.transforms.items()
            for words in passes
            if (store, path[0]) == (change.store, change.path[0])
        )

    def _gates(self, late: Sequence[Sequence[NumberedChange]], others: Sequence[NumberedChange]) -> Iterator[Step]:
        """One gate before all removals, because running code may still need the removed objects."""
        removed = [change for group in late for change in group if "K" in change.classes or "D" in change.classes]
        removed += others
        if removed:
            what = ", ".join(dict.fromkeys(named(change.change) for change in removed))
            applies = tuple(change.id for change in removed if not has_step(change))
            text = f"no running code needs the removed objects: {what}"
            yield Step(n=0, phase="contract", by="human", op="deploy_ack", applies=applies, text=text)


_GENERATION = re.compile(r"(.+?)([-_]k)(\d+)\Z")
"""Name of a table from its second generation on."""


def _removed(transform: Json) -> set[str]:
    """Stored paths that a transform removes from items."""
    operations: Any = transform
    return {*operations.get("rename", {}).values(), *operations.get("unset", ())}


def _alter(group: Sequence[NumberedChange], phase: str) -> Step:
    first = group[0].change
    applies = tuple(numbered_change.id for numbered_change in group)
    return Step(n=0, phase=phase, by="runner", op="alter", store=first.store, object=first.object, applies=applies)
