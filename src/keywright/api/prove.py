"""Proofs of a project's patterns: in scratch stores that are made, loaded, asked and removed."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from keywright.access.search import Planned
from keywright.compiler import AccessPlan, Compiled, Placed, Project, plan_access, try_compile
from keywright.compiler.plan import Row
from keywright.engines.interface import Driver, Observed
from keywright.errors import DeclarationErrors
from keywright.history.runner import run
from keywright.local import Instance
from keywright.prove.proof import Proof
from keywright.prove.reads import PROVERS as READS
from keywright.prove.run import prove
from keywright.prove.trial import Trial
from keywright.prove.world import World, items
from keywright.runtime import codec_of
from keywright.runtime.database import Database

from .live import answering, connected, instance_of, local_instances, running_servers
from .scratch import Server, drop, environment, fresh_prefix, scratch, without_scans
from .worlds import worlds

Tell = Callable[[str], None]
"""Told in a few words what is going on."""


@dataclass(frozen=True, slots=True)
class Proved:
    """One pattern after its proof."""

    row: Row
    """What was planned."""
    proof: Proof | None
    """What was found; None for a pattern that nothing serves, and where no server runs."""
    skipped: str = ""
    """Why there is no proof of a pattern that is served."""


@dataclass(frozen=True, slots=True)
class _Store:
    """A server with its scratch stores, while proofs run."""

    driver: Driver
    """Loads and looks."""
    observed: Observed
    """What patterns are called with."""
    targets: list[Placed]
    """What was made there."""


def prove_local(
    project: Project,
    compiled: Compiled,
    *,
    scale: int,
    seed: int = 0,
    wanted: Iterable[str] = (),
    tell: Tell = lambda text: None,
) -> list[Proved]:
    """Prove every pattern, or those with the wanted names, on the running local servers.

    scale: about how many items of the largest entity are loaded. seed: decides data and calls.
    Raises Unavailable if no server runs, DeclarationErrors for what a server's version lacks.
    """
    found = running_servers(project.settings, local_instances(compiled))
    servers = [Server(instance, one.url, one.version, one.pid is not None) for instance, one in found.items()]
    return prove_on(project, compiled, servers, scale=scale, seed=seed, wanted=wanted, tell=tell)


def prove_on(
    project: Project,
    compiled: Compiled,
    servers: Sequence[Server],
    *,
    scale: int,
    seed: int = 0,
    wanted: Iterable[str] = (),
    tell: Tell = lambda text: None,
) -> list[Proved]:
    """Prove patterns on servers, in scratch stores that are removed at the end, also when it is broken off."""
    placed, errors = try_compile(project, environment(compiled.environment, list(servers), fresh_prefix()))
    if errors:
        raise DeclarationErrors("the servers lack what the models use", errors)
    plan, names = plan_access(placed), set(wanted)
    rows = [row for row in plan.rows if not names or row.pattern.name in names]
    with ExitStack() as stack:
        taken: set[str] = set()
        targets = _needed(rows, placed.targets)
        used = {instance_of(one) for one in targets}
        stores = {
            server.instance: _made(stack, server, targets, taken, tell) for server in servers if server.instance in used
        }
        loaded = _loaded(plan, targets, stores, scale, seed, tell)
        database = Database(plan, _clients(stores), codec_of)
        prover = _Prover(project, stores, loaded, database, seed)
        stack.enter_context(without_scans(list(servers)))
        done = {id(row): prover.prove(row, tell) for row in sorted(rows, key=lambda row: _TURN[row.pattern.kind])}
    return [done[id(row)] for row in rows]


def evidence_on(
    project: Project,
    compiled: Compiled,
    servers: Sequence[Server],
    *,
    seed: int = 0,
    wanted: Iterable[str] = (),
    tell: Tell = lambda text: None,
) -> list[Proved]:
    """Call every pattern that reads on stores as they are, and judge the servers' evidence; nothing is written.

    Answers are not compared, since nobody knows what the stores hold; values are generated.
    """
    placed, errors = try_compile(project, environment(compiled.environment, list(servers), ""))
    if errors:
        raise DeclarationErrors("the servers lack what the models use", errors)
    plan, names = plan_access(placed), set(wanted)
    rows = [row for row in plan.rows if not names or row.pattern.name in names]
    with ExitStack() as stack:
        stores: dict[Instance, _Store] = {}
        for server in servers:
            driver = stack.enter_context(connected(server))
            here = [one for one in placed.targets if instance_of(one) == server.instance]
            stores[server.instance] = _Store(driver, driver.observe(), here)
        made = worlds(plan, _needed(rows, placed.targets), scale=_EVIDENCE_SCALE, seed=seed)
        database = Database(plan, _clients(stores), codec_of)
        known = {name: one for name, (one, _) in made.items()}
        prover = _Prover(project, stores, known, database, seed, is_compared=False)
        return [prover.prove(row, tell) for row in rows]


_EVIDENCE_SCALE = 50

_TURN = {
    "get": 0, "read": 0, "count": 0, "rank": 0, "aggregate": 0, "take": 1, "put": 2, "update": 3, "increment": 3,
    "transact": 4, "delete": 5,
}  # fmt: skip
"""Patterns that read come before those that change what they read."""


def _needed(rows: Iterable[Row], targets: Iterable[Placed]) -> list[Placed]:
    """The targets that some patterns are about."""
    used = {id(one.target) for row in rows for one in (row.planned, *row.planned.parts)}
    return [one for one in targets if id(one.placed) in used]


def _made(stack: ExitStack, server: Server, targets: Iterable[Placed], taken: set[str], tell: Tell) -> _Store:
    """The scratch stores of one server, made; they go when the stack is left."""
    driver = stack.enter_context(scratch(server, taken))
    here = [one for one in targets if instance_of(one) == server.instance]
    stack.callback(drop, driver, here)
    for one in here:
        tell(f"make {one.store}")
        # Settings of a server are its owner's: proofs need nothing of them, and several servers may stand in one.
        steps = [step for step in one.engine.create(one.placed) if step.object[:1] != ("settings",)]
        run(steps, driver)
    with answering(server.instance):
        return _Store(driver, driver.observe(), here)


def _loaded(
    plan: AccessPlan, targets: Sequence[Placed], stores: dict[Instance, _Store], scale: int, seed: int, tell: Tell
) -> dict[str, World]:
    """What every binding has in its store."""
    found = worlds(plan, targets, scale=scale, seed=seed)
    for name, (made, target) in found.items():
        if (store := stores.get(instance_of(target))) is not None:
            tell(f"load {name}")
            with answering(f"{target.store} {name}"):
                store.driver.load(target.engine.object_of(target.placed, made.binding), items(made))
    return {name: made for name, (made, _) in found.items()}


def _clients(stores: dict[Instance, _Store]) -> dict[str, Any]:
    """The recorded clients by engine and declared name, as `runtime.open` takes them."""
    clients: dict[str, dict[str, Any]] = {}
    for instance, store in stores.items():
        for target in store.targets:
            clients.setdefault(instance.engine, {})[target.declared.name] = store.observed.client
    return clients


@dataclass(frozen=True, slots=True)
class _Prover:
    """Proves one pattern after the other."""

    project: Project
    """The project."""
    stores: dict[Instance, _Store]
    """Where."""
    worlds: dict[str, World]
    """What is there."""
    database: Database
    """Calls the patterns."""
    seed: int
    """Decides the calls."""
    is_compared: bool = True
    """Whether answers are compared with what was loaded; else there is evidence of reads alone."""

    def prove(self, row: Row, tell: Tell) -> Proved:
        """The proof of one pattern."""
        store = self.stores.get(instance_of(row.placed))
        if not row.planned.is_served:
            return Proved(row, None)
        if store is None:
            return Proved(row, None, f"no server runs for {row.placed.store}")
        if not self.is_compared and row.pattern.kind not in READS:
            return Proved(row, None, "nothing is written without --load")
        tell(f"prove {row.pattern.name}")
        pattern = self.project.patterns[row.pattern.context, row.pattern.name]
        return Proved(row, prove(self._trial(row, row.planned, store, partial(self.database.run, pattern))))

    def _trial(self, row: Row, planned: Planned[Any], store: _Store, call: Callable[..., Any]) -> Trial:
        engine, binding = row.placed.engine, planned.binding
        return Trial(
            engine=engine,
            planned=planned,
            run=call,
            observed=store.observed,
            driver=store.driver,
            world=self.worlds[binding.name],
            object=engine.object_of(planned.target, binding),
            rng=random.Random(f"{self.seed} {row.pattern.context}.{planned.pattern.name}"),
            parts=tuple(self._trial(row, part, store, call) for part in planned.parts),
            proof=Proof(is_compared=self.is_compared),
        )


def unproved(found: Iterable[Proved]) -> Iterator[Proved]:
    """Those that are neither proved, nor declared as unserved, nor skipped for want of a server."""
    for one in found:
        is_proved = one.proof is not None and one.proof.is_proved
        if not is_proved and not one.skipped and not (one.proof is None and one.row.pattern.unserved):
            yield one
