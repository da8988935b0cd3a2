"""What live stores are like: looks at each target with an engine's eyes, slowly, for a time, and writes nothing."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from keywright.access.path import AccessPath
from keywright.compiler import Compiled, Placed, Project, plan_access
from keywright.compiler.plan import Row
from keywright.engines.flaws.context import Stored, Whole
from keywright.engines.flaws.observation import Asked, Observation, Sample, Seen
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.observer import UNREACHABLE, Observer
from keywright.errors import Unavailable
from keywright.history.throttle import Clock, Throttle
from keywright.ir.binding import Binding
from keywright.runtime import codec_of

from .asked import asked
from .digest import Digest
from .judged import whole_of
from .live import compile_for, instance_of, local_instances, running_servers
from .sites import Where, opened

T = TypeVar("T")

REFERENCES = 200
"""Different values of one reference that are looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How live stores are looked at."""

    sample: int = 1000
    """About how many items of each table, collection and server are read."""
    seconds: float = 300
    """How long all of it may take; what is left then is told as not looked at."""
    rate: float = 2000
    """Items a second that are read at the most."""
    tell: Callable[[str], None] = lambda text: None
    """Told in a few words what is being looked at."""
    clock: Clock = field(default_factory=Clock)
    """Time."""


@dataclass(frozen=True, slots=True)
class Looked:
    """Everything that was seen."""

    seen: tuple[Seen, ...]
    """Each target that could be looked at."""
    unseen: tuple[str, ...]
    """Stores that could not, and why; what is missing of a target stands in its `Observation`."""


def observe(where: Where, project: Project, compiled: Compiled, look: Look) -> Looked:
    """Look at every target of a project in an environment.

    Raises Unavailable for a server that cannot be reached, UsageError where nobody says where a store is.
    """
    left_out: list[str] = []
    if where.is_local:
        running = running_servers(where.settings, local_instances(compiled))
        compiled = compile_for(project, compiled, running.values())
        missing = dict.fromkeys(one.store for one in compiled.targets if instance_of(one) not in running)
        left_out = [f"{store}: no local server of it runs" for store in missing]
        targets = [one for one in compiled.targets if instance_of(one) in running]
    else:
        targets = list(compiled.targets)
    whole = whole_of(compiled)
    with opened(where, {one.store for one in targets}) as sites:
        eyes = _Eyes(project, compiled, whole, look)
        seen = tuple(eyes.seen(one, sites[one.store].driver) for one in targets)
    return Looked(seen, tuple(left_out))


class _Eyes:
    """Looks at one target after the other."""

    def __init__(self, project: Project, compiled: Compiled, whole: Whole, look: Look) -> None:
        self.project, self.compiled, self.whole, self.look = project, compiled, whole, look
        self.ends = look.clock.now() + look.seconds
        self.plan = plan_access(compiled)

    def seen(self, target: Placed, driver: Driver) -> Seen:
        """One target."""
        stored = next(one for one in self.whole.targets if one.placed is target.placed)
        live, missing = self._live(target, stored, driver)
        if missing:
            return Seen(whole=self.whole, target=stored, found=Observation(unseen=(missing,)))
        found = _Target(self, target, driver).look()
        return Seen(whole=self.whole, target=stored, found=found, live=live)

    def _live(self, target: Placed, stored: Stored, driver: Driver) -> tuple[Stored | None, str]:
        """(the target as the server describes it, why it cannot be looked at)."""
        engine, name = target.engine, target.placed.name
        unseen: list[str] = []
        described = tried(unseen, f"{target.store} {name}", lambda: driver.introspect([name])[name])
        if described is None:
            return None, unseen[0] if unseen else f"{target.store}: {name} is not there"
        shape = {word: getattr(target.placed, word) for word in ("shape", "structures") if hasattr(target.placed, word)}
        live = replace(engine.managed(engine.parse(described), target.placed), **shape)
        declared = replace(engine.unplace(live, stored.environment), name=target.declared.name)
        return replace(stored, declared=declared, placed=live), ""

    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.look.clock.now() >= self.ends


def tried(unseen: list[str], what: str, look: Callable[[], T]) -> T | None:
    """What a look gives; where it is refused None, and that is noted. Unavailable where the server is not there."""
    try:
        return look()
    except StatementFailed as failure:
        if str(failure).startswith(UNREACHABLE):
            raise Unavailable(f"{what}: {failure}", "see whether it runs, and whether it can be reached") from failure
        unseen.append(f"{what}: {' '.join(str(failure).split())[:200]}")
        return None


class _Target:
    """Looks at one target."""

    def __init__(self, eyes: _Eyes, target: Placed, driver: Driver) -> None:
        assert driver.observer is not None
        self.eyes, self.target, self.driver = eyes, target, driver
        self.observer: Observer = driver.observer()
        self.throttle = Throttle(eyes.look.clock, eyes.look.rate)
        self.unseen: list[str] = []
        design = eyes.compiled.project.design
        self.bindings = [
            one
            for one in design.bindings
            if (one.engine, one.physical.name) == (target.engine.name, target.declared.name)
        ]
        self.digests = {one.name: self._digest(one) for one in self.bindings}

    def _digest(self, binding: Binding) -> Digest:
        model: Any = self.eyes.project.models[binding.name]
        references = {path: stored for path, stored, _ in self._links(binding)} if self.observer.absent else {}
        copied = tuple(self.target.engine.copied(self.target.placed, self.eyes.compiled.project.design, binding))
        return Digest(binding, codec_of(model), references, copied if self.observer.values else ())

    def _links(self, binding: Binding) -> Sequence[tuple[str, str, str]]:
        return tuple(self.target.engine.references(self.target.placed, self.eyes.compiled.project.design, binding))

    def look(self) -> Observation:
        """All of it, as far as the server lets it be seen and the time suffices."""
        engine, store, found = self.target.engine, self.target.store, Observation()
        figures = tried(self.unseen, f"figures of {store}", self.observer.figures) or {}
        objects: dict[str, list[Binding]] = {}
        for one in self.bindings:
            objects.setdefault(engine.object_of(self.target.placed, one), []).append(one)
        for name, bindings in objects.items():
            if self.eyes.is_over():
                self.unseen.append(f"{store} {name}: no time was left")
                continue
            found = self._object(found, name, bindings)
        asked = self._asked({way.name for way in found.ways})
        return replace(found, figures=figures, asked=asked, unseen=tuple(self.unseen))

    def _object(self, found: Observation, name: str, bindings: Sequence[Binding]) -> Observation:
        """What is seen of one table, collection or server."""
        what = name if name != self.target.placed.name else self.target.store
        self.eyes.look.tell(f"look at {self.target.store} {name}" if what == name else f"look at {what}")
        table = tried(self.unseen, f"figures of {what}", lambda: self.observer.table(name)) or {}
        ways = tried(self.unseen, f"indexes of {what}", lambda: self.observer.ways(name)) or ()
        about = tried(self.unseen, f"size of {what}", lambda: self.observer.count(name))
        before = len(self.unseen)
        strays, read = tried(self.unseen, f"items of {what}", lambda: self._sample(name, bindings)) or (0, 0)
        noun = self._noun(bindings)
        # What is told of all items in one place is told of each entity's by their share in the sample.
        items = {
            one.name: self.digests[one.name].items(
                _share(about, self.digests[one.name].count, read), noun, self._orphans(one), self._stale(one)
            )
            for one in bindings
        } if len(self.unseen) == before or read else {}  # fmt: skip
        return replace(
            found,
            items={**found.items, **items},
            strays={**found.strays, **({name: (strays, Sample(read, about, noun))} if strays else {})},
            places={**found.places, name: tuple(one.name for one in bindings)},
            ways=(*found.ways, *ways),
            tables={**found.tables, name: table},
        )

    def _sample(self, name: str, bindings: Sequence[Binding]) -> tuple[int, int]:
        """(items of no entity, items that were read): pages with pauses, until there are enough or the time is up."""
        look, strays, read = self.eyes.look, 0, 0
        works = {one.name: self.target.engine.work(self.target.placed, one.name) for one in bindings}
        for page in self.observer.sample(name, works, look.sample):
            for taken in page:
                read += 1
                if taken.entity:
                    self.digests[taken.entity].add(taken)
                strays += not taken.entity and taken.item is not None
            look.tell(f"look at {self.target.store} {name}: {read} items")
            if self.eyes.is_over():
                self.unseen.append(f"{self.target.store} {name}: the time was up after {read} items")
                break
            look.clock.sleep(self.throttle.spend(sum(bool(one.entity) or one.item is not None for one in page)))
        return strays, read

    def _noun(self, bindings: Sequence[Binding]) -> str:
        held = next(filter(None, map(self.eyes.whole.holding, bindings)), None)
        return "key" if self.target.engine.name == "redis" else held.noun if held else "item"

    def _orphans(self, binding: Binding) -> dict[str, tuple[int, int]]:
        """References of the sampled items that lead nowhere."""
        found: dict[str, tuple[int, int]] = {}
        absent, digest = self.observer.absent, self.digests[binding.name]
        for path, _, object in self._links(binding) if absent else ():
            values = list(digest.referred.get(path, ()))[:REFERENCES]
            if values and absent and not self.eyes.is_over():
                what = f'references "{path}" of {binding.name}'
                missing = tried(self.unseen, what, partial(absent, object, values))
                if missing is not None:
                    found[path] = missing, len(values)
        return found

    def _stale(self, binding: Binding) -> dict[str, tuple[int, int]]:
        """Copies in the sampled items that are not what they are copied from, where that is there."""
        found: dict[str, tuple[int, int]] = {}
        values, digest = self.observer.values, self.digests[binding.name]
        for copy in digest.copied if values else ():
            pairs = digest.pairs[copy.path]
            if pairs and values and not self.eyes.is_over():
                what, keys = f'sources of "{copy.path}" of {binding.name}', [key for key, _ in pairs]
                sources = tried(self.unseen, what, partial(values, copy.object, keys, copy.source))
                known = [(value, sources[key]) for key, value in pairs if sources and key in sources]
                found[copy.path] = sum(value != source for value, source in known), len(known)
        return found

    def _asked(self, ways: set[str]) -> dict[str, Asked]:
        """Patterns that read, asked with values of sampled items, where the server chooses how it serves them.

        ways: names of the indexes that are there; what none of them serves is left alone, since it would be a scan.
        """
        if self.observer.watch is None:
            return {}
        watched = tried(self.unseen, f"patterns of {self.target.store}", self.observer.watch)
        if watched is None:
            return {}
        return asked(self._rows(ways), self.digests, self.driver, watched, self.eyes.plan, self.unseen)

    def _rows(self, ways: set[str]) -> Iterator[Row]:
        for row in self.eyes.plan.rows:
            path = row.planned.path
            is_there = isinstance(path, AccessPath) and (path.by.kind != "index" or path.by.name in ways)
            if row.placed.placed is self.target.placed and is_there and not self.eyes.is_over():
                self.eyes.look.tell(f"ask {row.pattern.name}")
                yield row


def _share(about: int | None, own: int, read: int) -> int | None:
    """About how many items are an entity's, by its share of those that were read."""
    if about is None or not read:
        return None
    return own if about <= read else max(own, round(about * own / read))
