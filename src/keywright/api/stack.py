"""What a stack provides: in development what the models say, else the position that migrations have reached there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from keywright.compiler import Compiled, Placed, compile, load
from keywright.engines.change import AddIndex, AddTable, DropIndex, DropTable
from keywright.engines.registry import engine_of
from keywright.engines.resource import Resource
from keywright.errors import Blocked, UsageError
from keywright.history.position import snapshot_before
from keywright.history.records import State
from keywright.history.snapshot import Stores, landed, target_of
from keywright.history.version import Version
from keywright.project.environment import Environment
from keywright.project.migrations import Folder, read_folder

from .position import Position, position_of, staged, stores_of, version_named
from .provided import POSITION
from .sites import Where, environment_of, opened
from .versions import difference


@dataclass(frozen=True, slots=True)
class Stack:
    """Everything that an environment is to have."""

    environment: Environment
    """The environment."""
    targets: tuple[Placed, ...]
    """Every table, database, keyspace and server, as the position has it."""
    compiled: Compiled
    """The models in the environment."""
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The indexes of each table, by its declared name, in the order in which they were made."""
    pending: tuple[str, ...] = ()
    """Folders of the versions that are still to come here."""
    is_followed: bool = False
    """Whether it is what the models say, and stored items follow them."""
    is_assumed: bool = False
    """Whether nobody has asked the stores where they are."""


def resources_of(target: Placed) -> tuple[Resource, ...]:
    """The Pulumi resources of a target."""
    return target.engine.to_resources(target.declared.name, target.placed)


def stack_of(where: Where, position: str | None = None) -> Stack:
    """The stack of an environment.

    position: how far its stores are, `0008`, `0008/end` or `0008/20`, by who holds their locks; None to ask them.
    Behind it, each with its ~, tables that are to lose their protection. Raises UsageError where the models are ahead
    of the migrations of a gated environment, Blocked where a version is on its way and nobody says where.
    """
    name, environment = where.environment, environment_of(where)
    compiled = compile(load(str(where.settings.root)), environment)
    folder = read_folder(where.settings)
    orders = index_orders(folder.versions)
    if environment.mode == "dev" and position is None:
        return Stack(environment, compiled.targets, compiled, orders, is_followed=True)
    if environment.mode == "gated" and (found := difference(compiled, folder).changes):
        problem = f'"{name}" is changed by migrations only, and the models are ahead of them by {len(found)} changes'
        raise UsageError(problem, "write them down with `keywright migrate diff -m TEXT`")
    assumed = environment.position if position is None else None
    if position is None and assumed is None:
        with opened(where, stores_of(folder)) as sites:
            now = position_of(folder, sites)
        _check_rest(name, now)
        pending = tuple(one.folder for one in now.pending)
        return Stack(environment, _placed(now.stores, environment, compiled), compiled, orders, pending)
    said = position or assumed
    assert said is not None
    place, *bared = said.split("~")
    try:
        stores, pending = _at(folder, place)
    except UsageError as error:
        source = POSITION if position else f'"position" of environment "{name}"'
        raise UsageError(f'{source} is "{said}": {error.problem}', error.help) from error
    placed = tuple(_bared(one) if one.placed.name in bared else one for one in _placed(stores, environment, compiled))
    return Stack(environment, placed, compiled, orders, pending, is_assumed=position is None)


def _check_rest(name: str, now: Position) -> None:
    """No version is on its way: its steps may be at work, or have stopped anywhere."""
    for version in now.pending:
        for history in now.histories.values():
            revision = history.revisions.get(version.number)
            if revision is not None and revision.state in _ON_ITS_WAY:
                problem = f'{version.folder} is {revision.state} in "{name}", and its stack waits for the end of it'
                raise Blocked(problem, f"`keywright --env {name} migrate apply` goes on with it")


_ON_ITS_WAY = tuple(state.value for state in (State.RUNNING, State.FAILED, State.MANUAL))


def _bared(one: Placed) -> Placed:
    """A table without its protection, in every region, as an update before that which drops it has it."""
    placed: Any = one.placed
    placement = replace(placed.placement, is_protected=False)
    if placement.replication is not None:
        replicas = tuple(replace(replica, is_protected=False) for replica in placement.replication.replicas)
        placement = replace(placement, replication=replace(placement.replication, replicas=replicas))
    return replace(one, placed=replace(placed, placement=placement))


def _at(folder: Folder, place: str) -> tuple[Stores, tuple[str, ...]]:
    """What the stores are at a position, and the folders of the versions behind it."""
    number, _, n = place.partition("/")
    version = version_named(folder, number)
    later = tuple(one.folder for one in folder.versions if one.number > version.number)
    if n in ("", "end"):
        return version.snapshot.stores, later
    done = 0 if n == "0" else staged(folder, place)[1].n
    before = snapshot_before(folder.versions, version)
    return landed(before.stores, version.landed_by(done)), (version.folder, *later)


def _placed(stores: Stores, environment: Environment, compiled: Compiled) -> tuple[Placed, ...]:
    """The targets of a position in an environment, those that the models know first and in their order."""
    known = {(one.store, one.declared.name, one.declared.generation): at for at, one in enumerate(compiled.targets)}
    found: list[Placed] = []
    for store, targets in stores.items():
        engine = engine_of(store)
        part = environment.of(engine.name)
        for key, description in targets.items():
            declared = target_of(engine, key, description)
            found.append(Placed(engine, declared, engine.place(declared, part)))
    last = len(known)
    return tuple(
        sorted(found, key=lambda one: known.get((one.store, one.declared.name, one.declared.generation), last))
    )


def index_orders(versions: Iterable[Version]) -> dict[str, tuple[str, ...]]:
    """The indexes of each table by its key, in the order in which versions have made them."""
    orders: dict[str, list[str]] = {}
    for version in versions:
        for one in version.landings:
            change, key = one.change, one.change.path[0]
            if isinstance(change, (AddTable, DropTable)) and len(change.path) == 1:
                native = version.snapshot.stores.get(change.store, {}).get(key, {}).get("native", {})
                orders[key] = sorted(native.get("indexes", {})) if isinstance(change, AddTable) else []
            elif change.path[1:3] == ("native", "indexes") and len(change.path) == 4:
                name, order = change.path[3], orders.setdefault(key, [])
                if isinstance(change, DropIndex) and name in order:
                    order.remove(name)
                elif isinstance(change, AddIndex) and name not in order:
                    order.append(name)
    return {key: tuple(order) for key, order in orders.items()}
