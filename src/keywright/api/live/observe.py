"""Observes live stores: reads figures and a sample of each target, at a limited rate and time, and writes nothing."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from keywright.access.path import AccessPath
from keywright.compiler import Compiled, Placed, Project, plan_access
from keywright.compiler.plan import PlannedPattern
from keywright.engines.contract.observer import Observer, SampledItem
from keywright.engines.findings.context import RuleContext, TargetInEnvironment
from keywright.engines.findings.observation import ExplainedPattern, LiveTarget, Observation, SampleSize
from keywright.engines.interface import Driver, ServerUnreachable, StatementFailed
from keywright.errors import Unavailable, UsageError
from keywright.ir.binding import Binding
from keywright.ir.personal import has_personal_key
from keywright.ir.text import counted
from keywright.migrations.backfill.throttle import Clock, Throttle
from keywright.record import Record, field, replace
from keywright.runtime import codec_of

from ..check.evaluate import context_of
from .connect import StoreSelector, opened
from .digest import Digest
from .explain import explained
from .local_servers import compile_for, instance_of, local_instances, running_servers
from .misfits import MASK, masked

T = TypeVar("T")

REFERENCES = 200
"""Number of different values of a reference that are looked up."""


class LiveCheckOptions(Record, kw_only=True):
    """Options of a live check."""

    sample: int = 1000
    """Approximate number of items that are read of each table, collection and server."""
    seconds: float = 300
    """Time limit of the whole check; the rest is reported as not observed."""
    rate: float = 2000
    """Maximum of items read per second."""
    notify: Callable[[str], None] = lambda text: None
    """Receives the object that is being read, in a few words."""
    clock: Clock = field(default_factory=Clock)
    """Clock of the check."""


class LiveCheck(Record):
    """Result of a live check."""

    targets: tuple[LiveTarget, ...]
    """Observed targets."""
    unseen: tuple[str, ...]
    """Stores that could not be observed, with the reason; gaps of a target are in its `Observation`."""


def observe(where: StoreSelector, project: Project, compiled: Compiled, look: LiveCheckOptions) -> LiveCheck:
    """Observe every target of a project in an environment.

    Raises Unavailable for a server that cannot be reached, UsageError if the address of a store is missing.
    """
    left_out: list[str] = []
    if where.is_local:
        running = running_servers(where.settings, local_instances(compiled))
        compiled = compile_for(project, compiled, running.values())
        missing = dict.fromkeys(target.store for target in compiled.targets if instance_of(target) not in running)
        left_out = [f"{store}: its local server is not running" for store in missing]
        targets = [target for target in compiled.targets if instance_of(target) in running]
    else:
        targets = list(compiled.targets)
    context = context_of(compiled)
    with opened(where, {target.store for target in targets}) as connections:
        observers = _Observers(project, compiled, context, look)
        live_targets = tuple(observers.observed(target, connections[target.store].driver) for target in targets)
    return LiveCheck(live_targets, tuple(left_out))


class _Observers:
    """Observes the targets of a project one after the other."""

    def __init__(self, project: Project, compiled: Compiled, context: RuleContext, options: LiveCheckOptions) -> None:
        self.project, self.compiled, self.context, self.options = project, compiled, context, options
        self.ends = options.clock.now() + options.seconds
        self.plan = plan_access(compiled)

    def observed(self, target: Placed, driver: Driver) -> LiveTarget:
        """Observe a target."""
        declared = next(candidate for candidate in self.context.targets if candidate.placed is target.placed)
        live, missing = self._live(target, declared, driver)
        if missing:
            return LiveTarget(context=self.context, target=declared, observation=Observation(unseen=(missing,)))
        observation = _TargetObserver(self, target, driver).observe()
        return LiveTarget(context=self.context, target=declared, observation=observation, live=live)

    def _live(
        self, target: Placed, stored_target: TargetInEnvironment, driver: Driver
    ) -> tuple[TargetInEnvironment | None, str]:
        """(target in the server's description, reason why it cannot be observed)."""
        engine, name = target.engine, target.placed.name
        unseen: list[str] = []
        description = tried(unseen, f"{target.store} {name}", lambda: driver.introspect([name])[name])
        if description is None:
            return None, unseen[0] if unseen else f"{target.store}: {name} does not exist"
        shape = {word: getattr(target.placed, word) for word in ("shape", "structures") if hasattr(target.placed, word)}
        live = replace(engine.around(engine.parse(description), target.placed), **shape)
        declared = replace(engine.unplace(live, stored_target.environment), name=target.declared.name)
        return replace(stored_target, declared=declared, placed=live), ""

    def is_over(self) -> bool:
        """Whether the time limit is reached."""
        return self.options.clock.now() >= self.ends


def tried(unseen: list[str], what: str, read: Callable[[], T]) -> T | None:
    """Result of a read; None if the server rejects it, which is noted. Unavailable if the server cannot be reached."""
    try:
        return read()
    except ServerUnreachable as failure:
        raise Unavailable(f"{what}: {failure}", "check that it runs and can be reached") from failure
    except StatementFailed as failure:
        unseen.append(f"{what}: {' '.join(str(failure).split())[:200]}")
        return None


class _TargetObserver:
    """Observes a target."""

    def __init__(self, observers: _Observers, target: Placed, driver: Driver) -> None:
        if driver.observer is None:
            help = "remove --live"
            raise UsageError(f"{target.store}: {target.engine.title} does not support sampling of stored items", help)
        self.observers, self.target, self.driver = observers, target, driver
        self.observer: Observer = driver.observer()
        self.throttle = Throttle(observers.options.clock, observers.options.rate)
        self.unseen: list[str] = []
        design = observers.compiled.project.design
        self.bindings = [
            binding
            for binding in design.bindings
            if (binding.engine, binding.physical.name) == (target.engine.name, target.declared.name)
            and not binding.spec.source
        ]
        self.digests = {binding.name: self._digest(binding) for binding in self.bindings}

    def _digest(self, binding: Binding) -> Digest:
        model: Any = self.observers.project.models[binding.name]
        references = {path: stored for path, stored, _ in self._links(binding)} if self.observer.absent else {}
        copied = tuple(self.target.engine.copied(self.target.placed, self.observers.compiled.project.design, binding))
        is_personal = has_personal_key(binding, self.target.engine.key_fields(self.target.placed, binding))
        return Digest(
            binding,
            codec_of(model),
            self.target.engine.work(self.target.placed, binding.name),
            self.observer.plain,
            is_personal,
            references,
            copied if self.observer.values else (),
        )

    def _links(self, binding: Binding) -> Sequence[tuple[str, str, str]]:
        return tuple(self.target.engine.references(self.target.placed, self.observers.compiled.project.design, binding))

    def observe(self) -> Observation:
        """Observe the target, as far as the server permits it and the time suffices."""
        engine, store, observation = self.target.engine, self.target.store, Observation()
        figures = tried(self.unseen, f"figures of {store}", self.observer.figures) or {}
        objects: dict[str, list[Binding]] = {}
        for binding in self.bindings:
            objects.setdefault(engine.object_of(self.target.placed, binding), []).append(binding)
        for name, bindings in objects.items():
            if self.observers.is_over():
                self.unseen.append(f"{store} {name}: not read, because the time limit was reached")
                continue
            observation = self._object(observation, name, bindings)
        explained_patterns = self._explained_patterns({index.name for index in observation.indexes})
        return replace(observation, figures=figures, explained=explained_patterns, unseen=tuple(self.unseen))

    def _object(self, observation: Observation, name: str, bindings: Sequence[Binding]) -> Observation:
        """Observation with a further table, collection or server."""
        what = name if name != self.target.placed.name else self.target.store
        self.observers.options.notify(f"read {self.target.store} {name}" if what == name else f"read {what}")
        table = tried(self.unseen, f"figures of {what}", lambda: self.observer.table(name)) or {}
        indexes = tried(self.unseen, f"indexes of {what}", lambda: self.observer.indexes(name)) or ()
        about = tried(self.unseen, f"size of {what}", lambda: self.observer.count(name))
        before = len(self.unseen)
        unknown_items, read, unknown_key = tried(
            self.unseen, f"items of {what}", lambda: self._sample(name, bindings)
        ) or (0, 0, "")
        noun = self._noun(bindings)
        # Figures of all items in one place are attributed to each entity by its share of the sample.
        items = {
            binding.name: self.digests[binding.name].items(
                _share(about, self.digests[binding.name].count, read), noun,
                self._orphans(binding), self._stale(binding),
            )
            for binding in bindings
        } if len(self.unseen) == before or read else {}  # fmt: skip
        return replace(
            observation,
            items={**observation.items, **items},
            unknown_items={
                **observation.unknown_items,
                **({name: (unknown_items, SampleSize(read, about, noun))} if unknown_items else {}),
            },
            unknown_examples={**observation.unknown_examples, **({name: unknown_key} if unknown_key else {})},
            places={**observation.places, name: tuple(binding.name for binding in bindings)},
            indexes=(*observation.indexes, *indexes),
            tables={**observation.tables, name: table},
        )

    def _sample(self, name: str, bindings: Sequence[Binding]) -> tuple[int, int, str]:
        """(unknown items, items read, key of an unknown item): reads pages with pauses, until there are enough items or
        the time limit is reached.
        """
        options, unknown_items, read, unknown_key = self.observers.options, 0, 0, ""
        works = {binding.name: self.digests[binding.name].work for binding in bindings}
        for page in self.observer.sample(name, works, options.sample):
            for sampled in page:
                read += "dead" not in sampled.facts
                if sampled.entity:
                    self.digests[sampled.entity].add(sampled)
                elif sampled.item is not None or sampled.key:
                    unknown_items, unknown_key = unknown_items + 1, unknown_key or self._key(sampled, bindings)
            options.notify(f"read {self.target.store} {name}: {counted(read, 'item')}")
            if self.observers.is_over():
                self.unseen.append(f"{self.target.store} {name}: time limit reached after {counted(read, 'item')}")
                break
            options.clock.sleep(self.throttle.spend(sum(bool(item.entity) or item.item is not None for item in page)))
        return unknown_items, read, unknown_key

    def _key(self, sampled: SampledItem, bindings: Sequence[Binding]) -> str:
        """Key of an unknown item; masked if the keys of any entity there are personal."""
        digests = [self.digests[binding.name] for binding in bindings]
        if any(digest.is_personal for digest in digests):
            return MASK
        return masked(sampled.key or digests[0].codec.key_in(sampled.item))

    def _noun(self, bindings: Sequence[Binding]) -> str:
        facts = next(filter(None, map(self.observers.context.storage_facts, bindings)), None)
        return self.target.engine.nouns.item or (facts.noun if facts else "item")

    def _orphans(self, binding: Binding) -> dict[str, tuple[int, int]]:
        """(dangling, looked up) references of the sampled items, by path."""
        dangling: dict[str, tuple[int, int]] = {}
        absent, digest = self.observer.absent, self.digests[binding.name]
        for path, _, object in self._links(binding) if absent else ():
            values = list(digest.referred.get(path, ()))[:REFERENCES]
            if values and absent and not self.observers.is_over():
                what = f'references "{path}" of {binding.name}'
                missing = tried(self.unseen, what, partial(absent, object, values))
                if missing is not None:
                    dangling[path] = missing, len(values)
        return dangling

    def _stale(self, binding: Binding) -> dict[str, tuple[int, int]]:
        """(stale, compared) copies in the sampled items whose source exists, by path."""
        stale: dict[str, tuple[int, int]] = {}
        values, digest = self.observer.values, self.digests[binding.name]
        for copy in digest.copied if values else ():
            pairs = digest.pairs[copy.path]
            if pairs and values and not self.observers.is_over():
                what, keys = f'sources of "{copy.path}" of {binding.name}', [key for key, _ in pairs]
                sources = tried(self.unseen, what, partial(values, copy.object, keys, copy.source))
                compared = [(value, sources[key]) for key, value in pairs if sources and key in sources]
                stale[copy.path] = sum(value != source for value, source in compared), len(compared)
        return stale

    def _explained_patterns(self, indexes: set[str]) -> dict[str, ExplainedPattern]:
        """Results of reading patterns, run with values of sampled items, on servers that choose the access path.

        indexes: names of the existing indexes; patterns that none of them serves are skipped, as they would be scans.
        """
        if self.observer.watch is None:
            return {}
        watched = tried(self.unseen, f"patterns of {self.target.store}", self.observer.watch)
        if watched is None:
            return {}
        return explained(self._rows(indexes), self.digests, self.driver, watched, self.observers.plan, self.unseen)

    def _rows(self, indexes: set[str]) -> Iterator[PlannedPattern]:
        for row in self.observers.plan.rows:
            path = row.planned.path
            is_there = isinstance(path, AccessPath) and (path.by.kind != "index" or path.by.name in indexes)
            if row.placed.placed is self.target.placed and is_there and not self.observers.is_over():
                self.observers.options.notify(f"ask {row.pattern.name}")
                yield row


def _share(about: int | None, own: int, read: int) -> int | None:
    """Estimated number of an entity's items, by its share of the items read."""
    if about is None or not read:
        return None
    return own if about <= read else max(own, round(about * own / read))
