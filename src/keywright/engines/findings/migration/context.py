"""The input of a rule for migrations, and its output."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.contract.change import Path
from keywright.errors import UsageError
from keywright.ir.transform import parse
from keywright.record import Record, field

from .effect import Effect, generation, value_at
from .migration import Hints, NumberedChangeInfo, SnapshotInfo, StepInfo


class MigrationFindingDraft(Record):
    """A finding about a migration before it has a code."""

    store: str
    """Its store."""
    object: str
    """Its object, in the form for messages: `orders/by_status`."""
    problem: str
    """One sentence, with the actual and the allowed value."""
    help: str
    """What to do."""
    anchor: str = ""
    """Its place in the migration: the id of a change, or the number of a step."""
    is_mild: bool = False
    """Whether it is a warning although its rule reports errors."""


class EffectIndex(Record):
    """Lookup tables over effects and changes."""

    added: frozenset[tuple[str, Path]]
    """Store and path of every added table and entity."""
    dropped: frozenset[tuple[str, Path]]
    """Store and path of every dropped table and entity."""
    rebuilt: frozenset[tuple[str, str]]
    """Store and name of every table, or whole target, with a new generation."""
    changes: Mapping[tuple[str, Path], NumberedChangeInfo]
    """The first numbered change by store and path."""

    @staticmethod
    def of(effects: Sequence[Effect], numbered_changes: Sequence[NumberedChangeInfo]) -> "EffectIndex":
        """The lookup tables of a migration."""
        named = {"AddTable": set[tuple[str, Path]](), "DropTable": set[tuple[str, Path]]()}
        rebuilt: set[tuple[str, str]] = set()
        for effect in effects:
            if effect.kind in ("AddTable", "AddEntity", "DropTable", "DropEntity"):
                named["AddTable" if effect.kind.startswith("Add") else "DropTable"].add((effect.store, effect.path))
            if effect.kind == "AddTable" and generation(effect.name)[1] > 1:
                rebuilt.add((effect.store, generation(effect.name)[0]))
            if effect.path[1:] == ("generation",):
                rebuilt.add((effect.store, effect.path[0]))
        first = {
            (numbered_change.change.store, numbered_change.change.path): numbered_change
            for numbered_change in reversed(numbered_changes)
        }
        return EffectIndex(frozenset(named["AddTable"]), frozenset(named["DropTable"]), frozenset(rebuilt), first)


class MigrationContext(Record, kw_only=True):
    """A migration as the input of rules."""

    before: SnapshotInfo
    """The snapshot before it."""
    after: SnapshotInfo
    """The snapshot after it."""
    effects: tuple[Effect, ...]
    """Its net changes, without objects that it both adds and drops."""
    changes: tuple[NumberedChangeInfo, ...] = ()
    """Its numbered changes."""
    steps: tuple[StepInfo, ...] = ()
    """Its steps in order."""
    hints: Hints = field(default_factory=dict)
    """Former names that it uses."""
    sizes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Bytes of tables by store and key, from a server; empty offline."""
    owners: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Teams by store and object, from the models."""
    index: EffectIndex
    """Lookup tables over its effects and changes."""

    def of(self, *kinds: str, engine: str = "") -> Iterator[Effect]:
        """The effects of these kinds, without parts of objects that the migration adds."""
        for effect in self.effects:
            if effect.kind in kinds and engine in ("", effect.engine) and not self.is_part_of_added(effect):
                yield effect

    def hazard(self, effect: Effect, problem: str, help: str, *, is_mild: bool = False) -> MigrationFindingDraft:
        """A finding about an effect."""
        return MigrationFindingDraft(effect.store, effect.object, problem, help, self.anchor(effect), is_mild)

    def hazard_of(self, step: StepInfo, problem: str, help: str) -> MigrationFindingDraft:
        """A finding about a step: about its object, or about the object of its first change."""
        objects = (
            numbered_change.change.object for numbered_change in self.changes if numbered_change.id in step.applies
        )
        return MigrationFindingDraft(
            step.store, step.object or next(objects, f"step {step.n}"), problem, help, str(step.n)
        )

    def anchor(self, effect: Effect) -> str:
        """The id of the change that contains an effect; empty if there is none."""
        change = self._change_of(effect)
        return change.id if change else ""

    def is_part_of_added(self, effect: Effect) -> bool:
        """Whether its object is part of an object that this migration adds."""
        return _is_in(effect, self.index.added)

    def is_part_of_dropped(self, effect: Effect) -> bool:
        """Whether its object is part of an object that this migration drops."""
        return _is_in(effect, self.index.dropped)

    def is_rebuilt(self, effect: Effect) -> bool:
        """Whether the migration adds a new generation of its table, or of the whole target."""
        rebuilt = self.index.rebuilt
        return (effect.store, effect.path[0]) in rebuilt or (effect.store, self.home(effect)) in rebuilt

    def home(self, effect: Effect) -> str:
        """Declared name of an entity's table or collection; empty if this is the target itself."""
        if not effect.entity:
            return generation(effect.table)[0] if effect.table != effect.path[0] else ""
        keys: Any = value_at(self.after, effect.store, (*effect.path[:3], "key")) or {}
        return str(keys.get("collection") or keys.get("table") or "")

    def step_of(self, effect: Effect) -> StepInfo | None:
        """The step that applies an effect; None if there is none."""
        numbered_change = self._change_of(effect)
        return next((step for step in self.steps if numbered_change and numbered_change.id in step.applies), None)

    def is_filled(self, effect: Effect) -> bool:
        """Whether a step is a backfill of the entity."""
        return any(self._backfills(effect))

    def is_field_written(self, effect: Effect) -> bool:
        """Whether a backfill of the entity writes the field of an effect."""
        field = effect.change.after
        name = str(field.get("stored", effect.name)) if isinstance(field, dict) else effect.name
        return any(_writes(backfill.more.get("transform"), name) for backfill in self._backfills(effect))

    def is_field_removed(self, effect: Effect) -> bool:
        """Whether a backfill of the entity removes the field, by its stored name, from existing items."""
        before: Any = effect.change.before
        stored = str(before.get("stored", effect.name)) if isinstance(before, Mapping) else effect.name
        transforms: Any = [backfill.more.get("transform") for backfill in self._backfills(effect)]
        return any(stored in transform.get("unset", ()) for transform in transforms if isinstance(transform, dict))

    def is_field_read(self, effect: Effect) -> bool:
        """Whether a declared transform of the entity reads a field, so that its values are converted."""
        before: Any = effect.change.before
        stored = before.get("stored", effect.name) if isinstance(before, Mapping) else effect.name
        text = "/".join(effect.path[:3])
        return any(
            stored in parse(step.more["transform"]).reads
            for step in self.steps
            if step.op == "backfill" and (step.store, step.object) == (effect.store, text) and "transform" in step.more
        )

    def is_gated(self, effect: Effect) -> bool:
        """Whether a gate precedes the step that applies it."""
        applying = self.step_of(effect)
        return applying is not None and (
            applying.by == "human"
            or any((step.by == "human" or step.op == "quiet") and step.n < applying.n for step in self.steps)
        )

    def is_checked(self, effect: Effect) -> bool:
        """Whether a check or a person verifies its preconditions before the step that applies it."""
        applying = self.step_of(effect)
        names = (effect.name, effect.object, effect.change.object)
        return applying is not None and any(
            (step.op == "check" or step.by == "human")
            and step.n < applying.n
            and step.store in ("", effect.store)
            and step.object in names
            for step in self.steps
        )

    def is_written_twice(self, table: str) -> bool:
        """Whether a person confirms dual writes, to a new table and the former one, before the new table is filled."""
        fills = [step.n for step in self.steps if step.op == "copy" and step.object == table]
        return any(
            step.by == "human" and step.op == "deploy_ack" and step.object == table and fills and step.n < min(fills)
            for step in self.steps
        )

    def _backfills(self, effect: Effect) -> Iterator[StepInfo]:
        text = "/".join(effect.path[:3])
        return (step for step in self.steps if (step.op, step.store, step.object) == ("backfill", effect.store, text))

    def _change_of(self, effect: Effect) -> NumberedChangeInfo | None:
        """The numbered change of the same part; else of the closest container."""
        path, numbered_changes = effect.path, self.index.changes
        paths = (path[:end] for end in range(len(path), 0, -1))
        keys = ((effect.store, path) for path in paths)
        return next((numbered_changes[key] for key in keys if key in numbered_changes), None)


def check_first(effect: Effect) -> str:
    """The help line for a change that `MigrationContext.is_checked` does not accept."""
    return f"put a step {{by: human, op: deploy_ack, object: {effect.object}}} before it, to confirm a check"


def _writes(transform: Any, name: str) -> bool:
    """Whether a transform writes a path, a part of it, or a container of it."""
    try:
        written = parse(transform).writes
    except UsageError:  # BF104 reports it
        return False
    return any(f"{path}.".startswith(f"{name}.") or f"{name}.".startswith(f"{path}.") for path in written)


def _is_in(effect: Effect, containers: frozenset[tuple[str, Path]]) -> bool:
    """Whether the object of an effect is a part of one of these containers, not a container itself."""
    path = effect.path
    if any((effect.store, path[:end]) in containers for end in range(1, len(path))):
        return True
    homes = ((path[0], "native", part, effect.table) for part in ("collections", "tables"))
    return len(path) > 3 and any(home != path and (effect.store, home) in containers for home in homes)
