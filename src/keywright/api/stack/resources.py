"""Resources of Pulumi programs for collections, keyspaces, tables and servers, and their application to stores.

In an environment that follows the models, the steps between two states of a resource run as in a migration: probed and
under the store's lock. In a gated environment `migrate apply` runs them, and a resource only verifies the result.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from keywright.engines.contract.diff import differences
from keywright.engines.contract.plan import Statement
from keywright.engines.contract.resource import Inputs, StackResource, without
from keywright.engines.interface import Description, Engine, StatementFailed
from keywright.engines.registry import engine_named, is_engine
from keywright.errors import Blocked, NeedsDecision, Unavailable, UsageError, quoted
from keywright.ir.json import Json, shortened
from keywright.migrations.backfill.backfill import PassProgress
from keywright.migrations.lock.lock import HeldLock, Lease, locking, new_owner
from keywright.migrations.lock.wait import LockWait
from keywright.migrations.run.runner import Done, run
from keywright.migrations.run.store import StoreConnection
from keywright.record import replace

from .connections import ConnectionPool

SERVER = "serverAddress"
"""Property with the server of a resource; the provider sets it, programs do not."""

LOCK_SECONDS = 90
"""Longest wait for locks of other processes."""


class ResourceWatcher:
    """Observer of resources; this one ignores all events."""

    def step(self, done: Done) -> None:
        """Receive the result of each step."""

    def waiting(self, what: LockWait) -> None:
        """Receive locks of other processes."""

    def items(self, entity: str, progress: PassProgress) -> None:
        """Receive the progress of a pass over the items of an entity."""

    def check(self) -> None:
        """Raise to prevent the next step."""


def engine_of_type(type: str) -> Engine[Any, Any] | None:
    """Engine of a type such as `keywright:mongodb:Collection`; None for a type of another package."""
    package, _, rest = type.partition(":")
    name = rest.partition(":")[0]
    return engine_named(name) if package == "keywright" and is_engine(name) else None


def normal(type: str, inputs: Mapping[str, Any]) -> StackResource:
    """Resource in its engine's normal form. Raises UsageError for inputs that no engine can read."""
    engine = engine_of_type(type)
    if engine is not None:
        try:
            own_inputs = without(inputs, "environment", SERVER)
            target = engine.from_resources([StackResource(type, "", "", own_inputs)])
            resources = [resource for resource in engine.to_resources("", target) if resource.type == type]
        except KeyError as missing:
            raise UsageError(f'{type} lacks "{missing.args[0]}"', "every such resource needs it") from None
        except (AttributeError, AssertionError, TypeError, ValueError):
            help = "write the inputs that `keywright.pulumi.provision()` passes"
            raise UsageError(f"{type} has invalid inputs", help) from None
        if len(resources) == 1:
            return resources[0]
    raise UsageError(f'there is no resource type "{type}"', "docs/pulumi.md lists the resource types")


def wrong(type: str, old: Inputs | None, new: Inputs) -> list[tuple[str, str]]:
    """(property, reason) of invalid inputs, and of changes that are impossible in place."""
    engine, resource = engine_of_type(type), normal(type, new)
    assert engine is not None
    if old is None:
        return []
    former = normal(type, old)
    if former.id != resource.id:
        moved = next(key for key in resource.inputs if former.inputs.get(key) != resource.inputs[key])
        return [(moved, f'the stack has it as "{former.id}", and it cannot be renamed or moved to "{resource.id}"')]
    return [(key, problem) for key, problem in _rebuilt(engine, former, resource) if problem]


def _rebuilt(engine: Engine[Any, Any], former: StackResource, resource: StackResource) -> Iterator[tuple[str, str]]:
    """(property, reason) of changes that are impossible in place; the first property if only their combination is."""
    target = engine.from_resources([former])
    keys = [key for key in {**former.inputs, **resource.inputs} if former.inputs.get(key) != resource.inputs.get(key)]
    has_single = False
    for key in keys:
        changed = {**without(former.inputs, key), **({key: resource.inputs[key]} if key in resource.inputs else {})}
        with suppress(UsageError):
            problem = _refused(engine, target, engine.from_resources([normal(former.type, changed)]))
            has_single |= bool(problem)
            yield key, problem
    if not has_single and keys:
        yield keys[0], _refused(engine, target, engine.from_resources([resource]))


def _refused(engine: Engine[Any, Any], before: Any, after: Any) -> str:
    try:
        engine.migrate(before, after)
    except ValueError as problem:
        return f"{problem}; declare the next generation, with generation={before.generation + 1}"
    return ""


def read(pool: ConnectionPool, type: str, id: str, inputs: Inputs | None) -> Inputs | None:
    """Live inputs of a resource; None if it does not exist.

    inputs: the program's inputs, which select the parts to read; None for those of the models.
    """
    resource = normal(type, inputs) if inputs else pool.declared(type, id)
    with _opened(pool, resource) as connection:
        live = _live(connection, resource)
        return None if live is None else live.inputs


def apply(pool: ConnectionPool, type: str, old: Inputs | None, new: Inputs, watcher: ResourceWatcher) -> None:
    """Bring a resource from its old inputs, None for a new resource, to its new inputs.

    Raises Blocked if only a migration may do that, NeedsDecision if a different object exists, Unavailable if a server
    cannot be reached or rejects a statement; completed statements stay.
    """
    resource = normal(type, new)
    with _opened(pool, resource) as connection:
        _live(connection, resource)  # fails at once if the server does not answer
        if pool.environment().mode == "dev" and not pool.is_applied:
            former = connection.engine.from_resources([normal(type, old)]) if old is not None else None
            _carry_out(
                connection,
                connection.engine.migrate(former, connection.engine.from_resources([resource])),
                pool,
                watcher,
            )
        else:
            _verify(connection, resource, pool, watcher)
        live = _live(connection, resource)
        if live is None or live.inputs != resource.inputs:
            raise Blocked(
                f"{connection.store}: {_first_difference(resource, live)}, and no statement can change that",
                "change it in the server's file or parameter group and restart it, then run the same command again",
            )


def remove(pool: ConnectionPool, type: str, inputs: Inputs, watcher: ResourceWatcher) -> str:
    """Drop a resource's object, unless its environment protects it; returns the reason if the object stays.

    The settings of a server stay as they are.
    """
    resource = normal(type, inputs)
    with _opened(pool, resource) as connection:
        if getattr(connection.environment, "protect", False):
            return f"{resource.id} is not dropped: {connection.engine.title} is protected in this environment"
        if others := _others(connection, resource):
            return f"{resource.id} is not dropped: it contains {others}, which this stack does not remove"
        statements = connection.engine.migrate(connection.engine.from_resources([resource]), None)
        _carry_out(connection, statements, pool, watcher)
        return ""


def _carry_out(
    connection: StoreConnection, statements: tuple[Statement, ...], pool: ConnectionPool, watcher: ResourceWatcher
) -> None:
    statements = tuple(replace(statement, store=connection.store) for statement in statements)
    if not statements:
        return
    with locked(pool, connection, watcher) as held_lock:

        def allow(statement: Statement) -> None:
            watcher.check()
            held_lock.check()

        results = run(statements, connection.driver, tell=watcher.step, allow=allow)
    for done in results:
        if done.outcome == "conflict":
            place = ".".join((done.statement.target, *done.statement.object))
            raise NeedsDecision(
                f"{connection.store}: could not {done.statement.summary}: {place} is {shortened(done.conflicting)}",
                "`pulumi refresh` updates the stack to the live state; `pulumi import` adds a resource that it lacks",
            )


@contextmanager
def locked(pool: ConnectionPool, connection: StoreConnection, watcher: ResourceWatcher) -> Iterator[HeldLock]:
    """Hold the lock of a store within the block; a lost connection is raised as Unavailable."""
    lease = Lease(pool.where.settings.lease_seconds)
    try:
        with locking(
            connection.ledger, new_owner(), lease, wait_seconds=LOCK_SECONDS, tell=watcher.waiting
        ) as held_lock:
            yield held_lock
    except StatementFailed as failure:
        raise Unavailable(f"{connection.store}: {failure}", "once it answers, run the same command again") from failure


def _verify(
    connection: StoreConnection, resource: StackResource, pool: ConnectionPool, watcher: ResourceWatcher
) -> None:
    """Require the parts that migrations own, and apply the settings of the environment, in a gated environment."""
    live = _live(connection, resource)
    if live is None or _declared(connection, live) != _declared(connection, resource):
        help = f"`keywright --env {pool.where.environment} migrate apply` applies the missing migrations"
        raise Blocked(f"{connection.store}: {_first_difference(resource, live)}", help)
    if live.inputs != resource.inputs and not pool.is_applied:
        before, after = (connection.engine.from_resources([state]) for state in (live, resource))
        _carry_out(connection, connection.engine.migrate(before, after), pool, watcher)


def _declared(connection: StoreConnection, resource: StackResource) -> Json:
    """Native half of a resource without the environment's settings."""
    target = connection.engine.from_resources([resource])
    return connection.engine.describe(connection.engine.unplace(target, connection.environment))["native"]


def _first_difference(resource: StackResource, live: StackResource | None) -> str:
    """First difference between a resource and its live state, in words."""
    if live is None:
        return f'"{resource.id}" does not exist'
    for difference in differences(resource.inputs, live.inputs):
        return (
            f"{'.'.join((resource.id, *difference.path))} is {shortened(difference.actual)}, not "
            f"{shortened(difference.expected)}"
        )
    return f'"{resource.id}" differs'


def _live(connection: StoreConnection, resource: StackResource) -> StackResource | None:
    """Live state of a resource, restricted to the parts that its program manages; None if it does not exist."""
    name, engine = resource.id.partition("/")[0], connection.engine
    description = _introspected(connection, name)
    if description is None:
        return None
    live = engine.managed(engine.parse(description), engine.from_resources([resource]))
    resources = engine.to_resources("", live)
    return next(
        (
            live_resource
            for live_resource in resources
            if (live_resource.type, live_resource.id) == (resource.type, resource.id)
        ),
        None,
    )


def _others(connection: StoreConnection, resource: StackResource) -> str:
    """Names of the other resources inside a target that is dropped as a whole; empty if there are none."""
    description = None if "/" in resource.id else _introspected(connection, resource.id)
    resources = connection.engine.to_resources("", connection.engine.parse(description)) if description else ()
    return quoted(other.id for other in resources if other.id != resource.id)


def _introspected(connection: StoreConnection, name: str) -> Description | None:
    try:
        return connection.driver.introspect([name])[name]
    except StatementFailed as failure:
        raise Unavailable(
            f"{connection.store}: {failure}", "check that it runs, and its address in the stack's configuration"
        ) from failure


def store_of(pool: ConnectionPool, type: str, inputs: Inputs) -> str:
    """Name of a resource's store."""
    return _store(pool, normal(type, inputs))


@contextmanager
def _opened(pool: ConnectionPool, resource: StackResource) -> Iterator[StoreConnection]:
    """Connection to a resource's store."""
    with pool.connection(_store(pool, resource)) as connection:
        yield connection


def _store(pool: ConnectionPool, resource: StackResource) -> str:
    engine = engine_of_type(resource.type)
    assert engine is not None
    part = pool.environment().of(engine.name)
    if part is None:
        problem = f'environment "{pool.where.environment}" has no section for {engine.title}'
        raise UsageError(problem, f"add {engine.name}: {{flavour: {engine.name}}} to its stack file")
    return engine.store(engine.unplace(engine.from_resources([resource]), part))
