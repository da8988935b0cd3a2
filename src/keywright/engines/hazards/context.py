"""What a hazard is told of a migration, and what it tells."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from keywright.engines.change import Path
from keywright.errors import UsageError
from keywright.ir.transform import parse

from .effect import Effect, found, generation
from .version import Hints, Landing, Snapshot, Stage


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


@dataclass(frozen=True, slots=True)
class Index:
    """Effects and landings by what is asked for."""

    made: frozenset[tuple[str, Path]]
    """Store and path of every table and entity that comes."""
    dropped: frozenset[tuple[str, Path]]
    """The same of those that go."""
    risen: frozenset[tuple[str, str]]
    """Store and name of every table, or whole target, of which there is a new generation."""
    landings: Mapping[tuple[str, Path], Landing]
    """The first landing by store and path."""

    @staticmethod
    def of(effects: Sequence[Effect], landings: Sequence[Landing]) -> "Index":
        """The index of a version."""
        named = {"AddTable": set[tuple[str, Path]](), "DropTable": set[tuple[str, Path]]()}
        risen: set[tuple[str, str]] = set()
        for one in effects:
            if one.kind in ("AddTable", "AddEntity", "DropTable", "DropEntity"):
                named["AddTable" if one.kind.startswith("Add") else "DropTable"].add((one.store, one.path))
            if one.kind == "AddTable" and generation(one.name)[1] > 1:
                risen.add((one.store, generation(one.name)[0]))
            if one.path[1:] == ("generation",):
                risen.add((one.store, one.path[0]))
        first = {(one.change.store, one.change.path): one for one in reversed(landings)}
        return Index(frozenset(named["AddTable"]), frozenset(named["DropTable"]), frozenset(risen), first)


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
    index: Index = field(init=False)
    """The same, by what is asked for."""

    def __post_init__(self) -> None:
        """Sort once what is asked for again and again."""
        object.__setattr__(self, "index", Index.of(self.effects, self.landings))

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
        return _is_in(effect, self.index.made)

    def is_gone(self, effect: Effect) -> bool:
        """Whether what it is about goes together with something that holds it."""
        return _is_in(effect, self.index.dropped)

    def is_rebuilt(self, effect: Effect) -> bool:
        """Whether it comes with a new generation of its table, or of the whole target."""
        risen = self.index.risen
        return (effect.store, effect.path[0]) in risen or (effect.store, self.home(effect)) in risen

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
        return any(self._backfills(effect))

    def is_given(self, effect: Effect) -> bool:
        """Whether a backfill of the entity writes the field that an effect is about."""
        field = effect.change.after
        name = str(field.get("stored", effect.name)) if isinstance(field, dict) else effect.name
        return any(_writes(one.more.get("transform"), name) for one in self._backfills(effect))

    def is_read(self, effect: Effect) -> bool:
        """Whether a declared transform of the entity makes something of a field, so that what it holds lives on."""
        before: Any = effect.change.before
        stored = before.get("stored", effect.name) if isinstance(before, Mapping) else effect.name
        wanted = "/".join(effect.path[:3])
        return any(
            stored in parse(one.more["transform"]).reads
            for one in self.stages
            if one.op == "backfill" and (one.store, one.object) == (effect.store, wanted) and "transform" in one.more
        )

    def is_gated(self, effect: Effect) -> bool:
        """Whether a person says that it may come, before it comes."""
        landing = self.stage_of(effect)
        return landing is not None and (
            landing.by == "human"
            or any((one.by == "human" or one.op == "quiet") and one.n < landing.n for one in self.stages)
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

    def _backfills(self, effect: Effect) -> Iterator[Stage]:
        wanted = "/".join(effect.path[:3])
        return (one for one in self.stages if (one.op, one.store, one.object) == ("backfill", effect.store, wanted))

    def _landing(self, effect: Effect) -> Landing | None:
        """The landing of the same part; else the closest of what holds it."""
        path, landings = effect.path, self.index.landings
        paths = (path[:end] for end in range(len(path), 0, -1))
        return next((landings[effect.store, one] for one in paths if (effect.store, one) in landings), None)


def look_first(effect: Effect) -> str:
    """The help line for what `Context.is_checked` asks for."""
    return f"put a step {{by: human, op: deploy_ack, object: {effect.object}}} in front of it: somebody has looked"


def _writes(transform: Any, name: str) -> bool:
    """Whether a transform writes a path, something in it, or the whole that it is in."""
    try:
        written = parse(transform).writes
    except UsageError:  # which BF104 tells
        return False
    return any(f"{path}.".startswith(f"{name}.") or f"{name}.".startswith(f"{path}.") for path in written)


def _is_in(effect: Effect, holders: frozenset[tuple[str, Path]]) -> bool:
    """Whether what an effect is about is part of one of these, and not that itself."""
    path = effect.path
    if any((effect.store, path[:end]) in holders for end in range(1, len(path))):
        return True
    homes = ((path[0], "native", part, effect.table) for part in ("collections", "tables"))
    return len(path) > 3 and any(home != path and (effect.store, home) in holders for home in homes)
