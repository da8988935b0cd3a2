"""What a Pulumi program says of a collection, a keyspace, a table or a server, and how the store becomes so.

In an environment that follows the models, the steps between two states of a resource are run as a migration runs them:
probed, under the store's lock. In a gated one they are for `migrate apply`, and a resource only sees that it was there.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from keywright.engines.compare import differences
from keywright.engines.interface import Description, Engine, StatementFailed
from keywright.engines.plan import Step
from keywright.engines.registry import ENGINES
from keywright.engines.resource import Inputs, Resource, without
from keywright.errors import Blocked, NeedsDecision, Unavailable, UsageError, quoted
from keywright.history.backfill import Progress
from keywright.history.lock import Holding, Lease, held, new_owner
from keywright.history.runner import Done, run
from keywright.history.site import Site
from keywright.history.watch import Waiting
from keywright.ir.json import Json, shortened

from .standing import Standing

LOCK_SECONDS = 90
"""How long others' locks are waited for."""


class Watcher:
    """Who is told what happens; tells nobody."""

    def step(self, done: Done) -> None:
        """Each step after its turn."""

    def waiting(self, what: Waiting) -> None:
        """Locks that others hold."""

    def items(self, entity: str, progress: Progress) -> None:
        """How far a pass over the items of an entity is."""

    def check(self) -> None:
        """Called before each step, which it prevents by raising."""


def engine_of_type(type: str) -> Engine[Any, Any] | None:
    """The engine of a type such as `keywright:mongodb:Collection`; None if it is none of ours."""
    package, _, rest = type.partition(":")
    name = rest.partition(":")[0]
    return next((one for one in ENGINES if package == "keywright" and one.name == name), None)


def normal(type: str, inputs: Mapping[str, Any]) -> Resource:
    """A resource as its engine writes it. Raises UsageError for inputs that no engine can read."""
    engine = engine_of_type(type)
    if engine is not None:
        try:
            said = without(inputs, "environment")
            target = engine.from_resources([Resource(type, "", "", said)])
            found = [one for one in engine.to_resources("", target) if one.type == type]
        except KeyError as missing:
            raise UsageError(f'{type} lacks "{missing.args[0]}"', "it has a place in every such resource") from None
        except (AttributeError, AssertionError, TypeError, ValueError):
            raise UsageError(f"{type} cannot be read", "say what `keywright.pulumi.provision()` says of it") from None
        if len(found) == 1:
            return found[0]
    raise UsageError(f'there is no resource "{type}"', "see docs/pulumi.md for those that there are")


def wrong(type: str, old: Inputs | None, new: Inputs) -> list[tuple[str, str]]:
    """(property, why not) of what a program says, and of what cannot become of what it said before, in place."""
    engine, wanted = engine_of_type(type), normal(type, new)
    assert engine is not None
    if old is None:
        return []
    was = normal(type, old)
    if was.id != wanted.id:
        moved = next(key for key in wanted.inputs if was.inputs.get(key) != wanted.inputs[key])
        return [(moved, f'it stands in the stack as "{was.id}", and nothing is renamed or moved to "{wanted.id}"')]
    return [(key, problem) for key, problem in _rebuilt(engine, was, wanted) if problem]


def _rebuilt(engine: Engine[Any, Any], was: Resource, wanted: Resource) -> Iterator[tuple[str, str]]:
    """Each property that cannot change in place; the first, where only several together cannot."""
    target = engine.from_resources([was])
    keys = [key for key in {**was.inputs, **wanted.inputs} if was.inputs.get(key) != wanted.inputs.get(key)]
    found = False
    for key in keys:
        changed = {**without(was.inputs, key), **({key: wanted.inputs[key]} if key in wanted.inputs else {})}
        with suppress(UsageError):
            problem = _refused(engine, target, engine.from_resources([normal(was.type, changed)]))
            found |= bool(problem)
            yield key, problem
    if not found and keys:
        yield keys[0], _refused(engine, target, engine.from_resources([wanted]))


def _refused(engine: Engine[Any, Any], before: Any, after: Any) -> str:
    try:
        engine.migrate(before, after)
    except ValueError as problem:
        return f"{problem}; declare the next generation beside it, with generation={before.generation + 1}"
    return ""


def read(standing: Standing, type: str, id: str, inputs: Inputs | None) -> Inputs | None:
    """What is there under an id, told as a program would; None for nothing.

    inputs: what the program said, and so what is looked at; None for what the models say.
    """
    wanted = normal(type, inputs) if inputs else standing.declared(type, id)
    with _opened(standing, wanted) as site:
        found = _live(site, wanted)
        return None if found is None else found.inputs


def settle(standing: Standing, type: str, old: Inputs | None, new: Inputs, watcher: Watcher) -> None:
    """Bring a resource from what was said of it, None for nothing, to what is said now.

    Raises Blocked where that is for a migration, NeedsDecision where something else stands in its place, Unavailable
    where a server cannot be reached or refuses a statement; what was done until then stays.
    """
    wanted = normal(type, new)
    with _opened(standing, wanted) as site:
        _live(site, wanted)  # one that does not answer says so at once
        if standing.environment().mode == "dev" and not standing.is_applied:
            was = site.engine.from_resources([normal(type, old)]) if old is not None else None
            _carry_out(site, site.engine.migrate(was, site.engine.from_resources([wanted])), standing, watcher)
        else:
            _verify(site, wanted, standing, watcher)
        live = _live(site, wanted)
        if live is None or live.inputs != wanted.inputs:
            raise Blocked(
                f"{site.store}: {_first(wanted, live)}, and no statement can change that",
                "change it in the server's file or parameter group and restart it, then run the same command again",
            )


def remove(standing: Standing, type: str, inputs: Inputs, watcher: Watcher) -> str:
    """Drop what a resource stands for, where its environment does not protect it; says why something was left.

    The settings of a server stay as they are: it goes with who runs it.
    """
    one = normal(type, inputs)
    with _opened(standing, one) as site:
        if getattr(site.environment, "protect", False):
            return f"{one.id} stays where it is: {site.engine.title} is protected in this environment"
        if left := _others(site, one):
            return f"{one.id} stays where it is: it holds {left}, which this stack does not remove"
        steps = site.engine.migrate(site.engine.from_resources([one]), None)
        _carry_out(site, steps, standing, watcher)
        return ""


def _carry_out(site: Site, steps: tuple[Step, ...], standing: Standing, watcher: Watcher) -> None:
    steps = tuple(replace(step, store=site.store) for step in steps)
    if not steps:
        return
    with locked(standing, site, watcher) as holding:

        def allow(step: Step) -> None:
            watcher.check()
            holding.check()

        done = run(steps, site.driver, tell=watcher.step, allow=allow)
    for one in done:
        if one.outcome == "conflict":
            place = ".".join((one.step.target, *one.step.object))
            raise NeedsDecision(
                f"{site.store}: could not {one.step.summary}: {place} is {shortened(one.found)}",
                "`pulumi refresh` takes what is there into the stack, `pulumi import` a resource that is not in it yet",
            )


@contextmanager
def locked(standing: Standing, site: Site, watcher: Watcher) -> Iterator[Holding]:
    """The lock of a store, held within the block; a server that is lost there is an error of the command."""
    lease = Lease(standing.where.settings.lease_seconds)
    try:
        with held(site.ledger, new_owner(), lease, wait_seconds=LOCK_SECONDS, tell=watcher.waiting) as holding:
            yield holding
    except StatementFailed as failure:
        raise Unavailable(f"{site.store}: {failure}", "once it answers, run the same command again") from failure


def _verify(site: Site, wanted: Resource, standing: Standing, watcher: Watcher) -> None:
    """A gated environment: what migrations own must be there, and what the environment owns is brought there."""
    live = _live(site, wanted)
    if live is None or _declared(site, live) != _declared(site, wanted):
        help = f"`keywright --env {standing.where.environment} migrate apply` brings it there"
        raise Blocked(f"{site.store}: {_first(wanted, live)}", help)
    if live.inputs != wanted.inputs and not standing.is_applied:
        was, is_now = (site.engine.from_resources([one]) for one in (live, wanted))
        _carry_out(site, site.engine.migrate(was, is_now), standing, watcher)


def _declared(site: Site, resource: Resource) -> Json:
    """What of a resource is not the environment's own."""
    target = site.engine.from_resources([resource])
    return site.engine.describe(site.engine.unplace(target, site.environment))["native"]


def _first(wanted: Resource, live: Resource | None) -> str:
    """The first thing that is not as it should be."""
    if live is None:
        return f'"{wanted.id}" is not there'
    for one in differences(wanted.inputs, live.inputs):
        return f"{'.'.join((wanted.id, *one.path))} is {shortened(one.found)}, not {shortened(one.wanted)}"
    return f'"{wanted.id}" differs'


def _live(site: Site, wanted: Resource) -> Resource | None:
    """A resource as the store has it, as far as a program speaks of it."""
    name, engine = wanted.id.partition("/")[0], site.engine
    described = _introspected(site, name)
    if described is None:
        return None
    live = engine.managed(engine.parse(described), engine.from_resources([wanted]))
    found = engine.to_resources("", live)
    return next((one for one in found if (one.type, one.id) == (wanted.type, wanted.id)), None)


def _others(site: Site, one: Resource) -> str:
    """What is in a target that is to go as a whole."""
    described = None if "/" in one.id else _introspected(site, one.id)
    inside = site.engine.to_resources("", site.engine.parse(described)) if described else ()
    return quoted(other.id for other in inside if other.id != one.id)


def _introspected(site: Site, name: str) -> Description | None:
    try:
        return site.driver.introspect([name])[name]
    except StatementFailed as failure:
        raise Unavailable(f"{site.store}: {failure}", "see whether it runs, and what the stack says of it") from failure


@contextmanager
def _opened(standing: Standing, one: Resource) -> Iterator[Site]:
    """The store of a resource."""
    engine = engine_of_type(one.type)
    assert engine is not None
    part = standing.environment().of(engine.name)
    if part is None:
        problem = f'environment "{standing.where.environment}" has no part for {engine.title}'
        raise UsageError(problem, f"add {engine.name}: {{flavour: {engine.name}}} to its stack file")
    store = engine.store(engine.unplace(engine.from_resources([one]), part))
    with standing.site(store) as site:
        yield site
