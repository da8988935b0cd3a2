"""Creates a project's missing objects on the local servers, verifies them, and inspects existing objects."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from keywright import local
from keywright.compiler import Compiled, Placed, Project
from keywright.engines.contract.diff import ValueDifference, differences
from keywright.engines.interface import Description, Driver
from keywright.engines.registry import NAMES, facts_of
from keywright.errors import DeclarationErrors, Unavailable
from keywright.local import Running, WantedServer
from keywright.migrations.run.runner import Done, run
from keywright.project.settings import Settings
from keywright.record import Record, field

from ..live.local_servers import (
    START,
    answering,
    compile_for,
    connected,
    instance_named,
    instance_of,
    local_instances,
    running_servers,
)
from .identities import record, recorded

Tell = Callable[[Placed, Done], None]
"""Receives every step after it has run."""


@dataclass(slots=True)
class Applied:
    """One target after `apply`."""

    target: Placed
    """The target."""
    done: list[Done]
    """The results of its steps."""
    differences: list[ValueDifference]
    """Remaining differences of the live store."""

    @property
    def has_conflict(self) -> bool:
        """Whether an object already exists with a different definition."""
        return any(done.outcome == "conflict" for done in self.done)


class Inspected(Record):
    """An object of a live store."""

    store: str
    """Its store."""
    description: Description
    """Its description."""
    dead_letters: Mapping[str, int] = field(default_factory=dict)
    """Number of dead letters by the key of their stream."""


def apply_local(project: Project, compiled: Compiled, *, tell: Tell, allowed: Collection[str] = ()) -> list[Applied]:
    """Create missing objects on the running local servers, then read all objects back and compare.

    Existing objects are never changed or dropped. Targets without a running server are left out.
    allowed: changes of keys that may orphan stored items, in the form of `orphaning`.
    Raises Unavailable if no server is running, ApplyError if a statement fails, DeclarationErrors for features that a
    version lacks and, before creating anything, for changed keys of objects with stored items.
    """
    servers = running_servers(project.settings, local_instances(compiled))
    applied: list[Applied] = []
    placed = compile_for(project, compiled, servers.values())
    with ExitStack() as stack:
        drivers = {instance: stack.enter_context(connected(server)) for instance, server in servers.items()}
        _reject_orphaning(project.settings, placed, servers, drivers, allowed)
        for instance, server in servers.items():
            targets = [target for target in placed.targets if instance_of(target) == instance]
            results = [_apply(target, instance, drivers[instance], tell) for target in targets]
            differing = [result.target for result in results if result.has_conflict]
            record(project.settings, server, targets, placed.environment.name, differing)
            applied += results
    return applied


def _reject_orphaning(
    settings: Settings,
    placed: Compiled,
    servers: Mapping[WantedServer, Running],
    drivers: Mapping[WantedServer, Driver],
    allowed: Collection[str],
) -> None:
    former: dict[str, dict[str, Any]] = {}
    for instance, server in servers.items():
        targets = [target for target in placed.targets if instance_of(target) == instance]
        former |= recorded(settings, server, targets, placed.environment.name)
    if not former:
        return
    from ..live.orphaned_items import orphaning, refusal

    orphaned_items = orphaning(placed, former, lambda store: drivers[instance_named(store)], allowed)
    if errors := [
        refusal(items, f"`keywright apply --local --allow {items.finding.object}`") for items in orphaned_items
    ]:
        raise DeclarationErrors("stored items would become unreachable", errors)


def _apply(target: Placed, instance: WantedServer, driver: Driver, tell: Tell) -> Applied:
    engine = target.engine
    done = run(engine.create(target.placed), driver, tell=lambda step: tell(target, step))
    with answering(instance):
        return Applied(target, done, list(verify(target, driver)))


def verify(target: Placed, driver: Driver) -> Iterator[ValueDifference]:
    """Differences between the native half of a target and the live store."""
    name = target.placed.name
    description = driver.introspect([name])[name]
    if description is None:
        yield ValueDifference((), name, None)
        return
    live = target.engine.managed(target.engine.parse(description), target.placed)
    native = target.engine.describe(target.placed)["native"]
    yield from differences(native, target.engine.describe(live)["native"])


def inspect_local(settings: Settings, engines: Iterable[str] = ()) -> list[Inspected]:
    """Objects of the running local servers, by store and name.

    engines: the engines to inspect; all by default. Raises Unavailable if none of their servers is running.
    """
    chosen = set(engines) or {*NAMES}
    # One name per engine, to find servers whose addresses are in environment variables.
    all_servers = [WantedServer(engine, engine) for engine in local.with_recipes(chosen)]
    servers = [
        running for running in local.running(settings.state / "local", all_servers) if running.instance.engine in chosen
    ]
    if not servers:
        raise Unavailable("no local server is running", START)
    objects: list[Inspected] = []
    for server in servers:
        with connected(server) as driver, answering(server.instance):
            descriptions = sorted(driver.introspect(_names(server.instance, driver)).items())
            dead = driver.dead_letters() if driver.dead_letters else {}
            objects += (
                Inspected(_store(server.instance, name), description, dead)
                for name, description in descriptions
                if description is not None
            )
    return objects


def _names(instance: WantedServer, driver: Driver) -> tuple[str, ...]:
    """Names of the objects to describe; a server that is a target does not know its declared name."""
    return (instance.name,) if facts_of(instance.engine).nouns.is_server else driver.names()


def _store(instance: WantedServer, name: str) -> str:
    return instance.engine if facts_of(instance.engine).nouns.is_table else f"{instance.engine}/{name}"
