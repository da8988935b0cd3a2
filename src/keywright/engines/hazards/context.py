"""What a hazard is told of a migration, as plain data: two snapshots, their net changes, and the stages between."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from keywright.engines.change import Change, Path
from keywright.engines.classes import Rows, row_of
from keywright.engines.diff import diff
from keywright.engines.parts import Part

Hints: TypeAlias = Mapping[tuple[str, Path], str]
"""Former names by store and path, as the models say them."""


class Snapshot(Protocol):
    """All targets at one moment, as `history` keeps them."""

    @property
    def stores(self) -> Mapping[str, Mapping[str, Any]]:
        """Descriptions by store and key of the target."""

    @property
    def graveyard(self) -> Sequence[Mapping[str, Any]]:
        """What was dropped before, and when."""

    @property
    def access(self) -> Mapping[str, str]:
        """What serves each pattern."""

    @property
    def renamed(self) -> Mapping[str, str]:
        """Hints that are spent, by store and path with a blank between."""


class Landing(Protocol):
    """A change as a version names it."""

    @property
    def id(self) -> str:
        """Its name in the version."""

    @property
    def change(self) -> Change:
        """The change."""


class Stage(Protocol):
    """One thing that a version does."""

    @property
    def n(self) -> int:
        """Its number."""

    @property
    def by(self) -> str:
        """Who does it."""

    @property
    def op(self) -> str:
        """What is done."""

    @property
    def store(self) -> str:
        """Where; empty for everywhere."""

    @property
    def object(self) -> str:
        """What it is about."""

    @property
    def lands(self) -> Sequence[str]:
        """Names of the changes that have landed afterwards."""

    @property
    def more(self) -> Mapping[str, Any]:
        """Words that belong to its op."""


class Facts(Protocol):
    """What an engine says of changes; an `Engine` has it, and so has its module `diff`."""

    @property
    def parts(self) -> Part:
        """See `Engine.parts`."""

    @property
    def classes(self) -> Rows:
        """See `Engine.classes`."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A change that a whole version amounts to, whatever ways it takes."""

    change: Change
    """The change."""
    classes: str
    """What it does to a running system: letters of `Class`."""
    why: str
    """What happens, in a few words."""
    object: str
    """What it is about, as people write it: the path without the words that only order it."""

    @property
    def store(self) -> str:
        """Its store."""
        return self.change.store

    @property
    def engine(self) -> str:
        """Name of its engine."""
        return self.change.store.partition("/")[0]

    @property
    def kind(self) -> str:
        """Name of the type of change."""
        return self.change.kind

    @property
    def path(self) -> Path:
        """Path of the part."""
        return self.change.path

    @property
    def name(self) -> str:
        """The last name of the path."""
        return self.change.path[-1]

    @property
    def entity(self) -> str:
        """The entity that it is about; empty if it is about none."""
        return self.path[2] if len(self.path) > 2 and self.path[1] == "shape" else ""

    @property
    def table(self) -> str:
        """Key of the table or collection that it is about; of the whole target where that is one, or none is told."""
        if len(self.path) > 3 and self.path[1] == "native" and self.path[2] in ("collections", "tables"):
            return self.path[3]
        if len(self.path) > 4 and self.path[1:3] == ("native", "indexes"):
            return self.path[3]
        value = self.change.after if self.change.before is None else self.change.before
        owner = value.get("table") if isinstance(value, dict) and len(self.path) == 4 else None
        return str(owner) if owner else self.path[0]


@dataclass(frozen=True, slots=True)
class Hazard:
    """Something that goes wrong, before it has a code."""

    store: str
    """Where."""
    object: str
    """What it is about, as people write it."""
    problem: str
    """One sentence, with the actual and the allowed value."""
    help: str
    """What to do."""
    anchor: str = ""
    """Where it stands in the version: the id of a change, or the number of a stage."""
    is_mild: bool = False
    """Whether it is only a warning, though its code is an error otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A migration, as hazards see it."""

    before: Snapshot
    """Where it begins."""
    after: Snapshot
    """Where it leads."""
    effects: tuple[Effect, ...]
    """Its net changes: what is made and dropped in one folder is not among them."""
    landings: tuple[Landing, ...] = ()
    """Its changes as it names them."""
    stages: tuple[Stage, ...] = ()
    """What it does, in order."""
    hints: Hints = field(default_factory=dict)
    """Former names that it uses."""
    sizes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Bytes of tables by store and key, where somebody has asked a server; offline nobody has."""
    owners: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Teams by store and object, where the models were read."""

    def of(self, *kinds: str, engine: str = "") -> Iterator[Effect]:
        """The effects of these kinds that are no part of anything made here."""
        for one in self.effects:
            if one.kind in kinds and engine in ("", one.engine) and not self.is_born(one):
                yield one

    def hazard(self, effect: Effect, problem: str, help: str, *, is_mild: bool = False) -> Hazard:
        """A hazard of an effect."""
        return Hazard(effect.store, effect.object, problem, help, self.anchor(effect), is_mild)

    def hazard_of(self, stage: Stage, problem: str, help: str) -> Hazard:
        """A hazard of a stage: about its object, or about the first thing that it lands."""
        landed = (one.change.object for one in self.landings if one.id in stage.lands)
        return Hazard(stage.store, stage.object or next(landed, f"step {stage.n}"), problem, help, str(stage.n))

    def anchor(self, effect: Effect) -> str:
        """The id of the change that an effect comes from; empty if none says so."""
        found = self._landing(effect)
        return found.id if found else ""

    def is_born(self, effect: Effect) -> bool:
        """Whether what it is about is in something that this version makes."""
        return any(
            one is not effect and one.store == effect.store and _is_in(effect, one)
            for one in self.effects
            if one.kind in ("AddTable", "AddEntity")
        )

    def is_gone(self, effect: Effect) -> bool:
        """Whether what it is about goes together with something that holds it."""
        return any(
            one is not effect and one.store == effect.store and _is_in(effect, one)
            for one in self.effects
            if one.kind in ("DropTable", "DropEntity")
        )

    def is_rebuilt(self, effect: Effect) -> bool:
        """Whether it comes with a new generation of its table, or of the whole target."""
        path = (effect.path[0], "generation")
        if any(one.store == effect.store and one.path == path for one in self.effects):
            return True
        home = self.home(effect)
        return bool(home) and any(
            one.kind == "AddTable" and one.store == effect.store and generation(one.path[-1])[0] == home
            and generation(one.path[-1])[1] > 1
            for one in self.effects
        )  # fmt: skip

    def home(self, effect: Effect) -> str:
        """Declared name of the table or collection that an entity is stored in; empty if the target itself is it."""
        if not effect.entity:
            return generation(effect.table)[0] if effect.table != effect.path[0] else ""
        keys: Any = found(self.after, effect.store, (*effect.path[:3], "key")) or {}
        return str(keys.get("collection") or keys.get("table") or "")

    def stage_of(self, effect: Effect) -> Stage | None:
        """The stage that lands an effect; None if none does."""
        landing = self._landing(effect)
        return next((one for one in self.stages if landing and landing.id in one.lands), None)

    def is_filled(self, effect: Effect) -> bool:
        """Whether a backfill of the entity is among the stages."""
        wanted = "/".join(effect.path[:3])
        return any(one.op == "backfill" and one.store == effect.store and one.object == wanted for one in self.stages)

    def is_gated(self, effect: Effect) -> bool:
        """Whether a person says that it may come, before it comes."""
        landing = self.stage_of(effect)
        return landing is not None and (
            landing.by == "human" or any(one.by == "human" and one.n < landing.n for one in self.stages)
        )

    def is_checked(self, effect: Effect) -> bool:
        """Whether somebody, or a step, looks at what would go wrong with it before it goes wrong."""
        landing = self.stage_of(effect)
        names = (effect.name, effect.object, effect.change.object)
        return landing is not None and any(
            (one.op == "check" or one.by == "human")
            and one.n < landing.n
            and one.store in ("", effect.store)
            and one.object in names
            for one in self.stages
        )

    def is_written_twice(self, table: str) -> bool:
        """Whether, before a new table is filled, a person says that writers write to it and to the former one."""
        fills = [one.n for one in self.stages if one.op == "copy" and one.object == table]
        return any(
            one.by == "human" and one.op == "deploy_ack" and one.object == table and fills and one.n < min(fills)
            for one in self.stages
        )

    def _landing(self, effect: Effect) -> Landing | None:
        """The landing of the same part; else one of what holds it."""
        here = [one for one in self.landings if one.change.store == effect.store]
        same = (one for one in here if one.change.path == effect.path)
        above = (one for one in here if effect.path[: len(one.change.path)] == one.change.path)
        return next(same, None) or next(above, None)


def effects(before: Snapshot, after: Snapshot, facts: Callable[[str], Facts], hints: Hints) -> tuple[Effect, ...]:
    """Every net change from one snapshot to the other, stores in the order of their names."""
    made: list[Effect] = []
    for store in sorted(before.stores.keys() | after.stores.keys()):
        engine = facts(store)
        tree = Part(parts={"*": engine.parts})
        known = {path: old for (where, path), old in hints.items() if where == store}
        old, new = dict(before.stores.get(store, {})), dict(after.stores.get(store, {}))
        for change in diff(store, tree, old, new, (), known):
            row = row_of(engine.classes, change)
            made.append(Effect(change, row.classes, row.why, plain(tree, change.path)))
    return tuple(made)


def plain(tree: Part, path: Path) -> str:
    """A path as people write it: `orders/by_status` for `orders/native/indexes/by_status`."""
    kept: list[str] = []
    for name in path:
        is_named = name not in tree.parts
        tree = tree.at(name)
        if is_named or tree.noun is not None:
            kept.append(name)
    return "/".join(kept)


def look_first(effect: Effect) -> str:
    """The help line for what `Context.is_checked` asks for."""
    return f"put a step {{by: human, op: deploy_ack, object: {effect.object}}} in front of it: somebody has looked"


def found(snapshot: Snapshot, store: str, path: Path) -> Any:
    """What stands at a path of a snapshot; None if nothing does."""
    value: Any = snapshot.stores.get(store, {})
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def generation(key: str) -> tuple[str, int]:
    """(name, generation) of the key of a table or target: `orders-k2`, `posts_k2`."""
    name, mark, number = key.rpartition("k")
    is_later = bool(mark) and len(name) > 1 and name[-1] in "-_" and number.isdigit() and int(number) > 1
    return (name[:-1], int(number)) if is_later else (key, 1)


def _is_in(effect: Effect, holder: Effect) -> bool:
    """Whether what an effect is about is part of what another one makes or drops."""
    if effect.path[: len(holder.path)] == holder.path:
        return True
    same_target = effect.path[0] == holder.path[0]
    return same_target and len(holder.path) == 4 and len(effect.path) > 3 and effect.table == holder.path[3]
