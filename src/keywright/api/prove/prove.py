"""Proves a project's access patterns in scratch stores, which are created, loaded, queried and removed."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import ExitStack
from functools import partial
from typing import Any

from keywright.access.search import Planned
from keywright.compiler import AccessPlan, Compiled, Placed, Project, plan_access, try_compile
from keywright.compiler.plan import PlannedPattern
from keywright.engines.interface import Driver, Observed
from keywright.errors import DeclarationErrors
from keywright.ir.pattern import COMBINED_READS
from keywright.local import WantedServer
from keywright.migrations.run.runner import run
from keywright.prove.dataset import Dataset, items
from keywright.prove.proof import Proof
from keywright.prove.proof_case import ProofCase
from keywright.prove.reads import PROVERS as READS
from keywright.prove.run import prove
from keywright.record import Record
from keywright.runtime import codec_of
from keywright.runtime.database import Database

from ..live.local_servers import answering, connected, instance_of, local_instances, running_servers
from .datasets import datasets_of
from .own_servers import own_servers
from .scratch import Server, drop, environment, new_prefix, scratch, without_scans

Tell = Callable[[str], None]
"""Receives a short description of the current work."""


class ProofResult(Record):
    """One pattern after its proof."""

    row: PlannedPattern
    """The planned pattern."""
    proof: Proof | None
    """The proof; None for an unserved pattern, and if no server is running."""
    skipped: str = ""
    """Reason why a served pattern has no proof."""


class _Store(Record):
    """A server with its scratch stores, while proofs run."""

    driver: Driver
    """Loads items and reads stores."""
    observed: Observed
    """The recording client that calls patterns."""
    targets: list[Placed]
    """The server's scratch targets."""
    version: str
    """The version that the server reports."""

    def unanswered(self, planned: Planned[Any]) -> str:
        """Reason why the server cannot answer a pattern that the product supports; empty if it can."""
        return self.targets[0].engine.unanswered(planned, self.version) if self.targets else ""


def prove_local(
    project: Project,
    compiled: Compiled,
    *,
    scale: int,
    seed: int = 0,
    selected: Iterable[str] = (),
    tell: Tell = lambda text: None,
) -> list[ProofResult]:
    """Prove all patterns, or those with selected names, on the running local servers.

    scale: approximate number of items of the largest entity. seed: seed of data and calls.
    Raises Unavailable if no server is running, DeclarationErrors for features that a server's version lacks.
    """
    usual = running_servers(project.settings, local_instances(compiled))
    with own_servers(compiled, usual) as running:
        servers = [
            Server(instance, server.url, server.version, server.pid is not None) for instance, server in running.items()
        ]
        return prove_on(project, compiled, servers, scale=scale, seed=seed, selected=selected, tell=tell)


def prove_on(
    project: Project,
    compiled: Compiled,
    servers: Sequence[Server],
    *,
    scale: int,
    seed: int = 0,
    selected: Iterable[str] = (),
    tell: Tell = lambda text: None,
) -> list[ProofResult]:
    """Prove patterns on servers, in scratch stores that are removed at the end, even after an interruption."""
    placed, errors = try_compile(project, environment(compiled.environment, list(servers), new_prefix()))
    if errors:
        raise DeclarationErrors("the servers lack features that the models use", errors)
    plan, names = plan_access(placed), set(selected)
    rows = [row for row in plan.rows if not names or row.pattern.name in names]
    with ExitStack() as stack:
        used_databases: set[str] = set()
        targets = _needed(rows, placed.targets)
        used = {instance_of(target) for target in targets}
        stores = {
            server.instance: _create(stack, server, targets, used_databases, tell)
            for server in servers
            if server.instance in used
        }
        loaded = _load(plan, targets, stores, scale, seed, tell)
        database = Database(plan, _clients(stores), codec_of)
        prover = _Prover(project, stores, loaded, database, seed)
        stack.enter_context(without_scans(list(servers)))
        turns = sorted(rows, key=lambda row: _ORDER[row.pattern.kind])
        done = {id(row): prover.prove(row, _with_progress(tell, number, rows)) for number, row in enumerate(turns, 1)}
    return [done[id(row)] for row in rows]


def evidence_on(
    project: Project,
    compiled: Compiled,
    servers: Sequence[Server],
    *,
    seed: int = 0,
    selected: Iterable[str] = (),
    tell: Tell = lambda text: None,
) -> list[ProofResult]:
    """Call every reading pattern on existing stores, and verify the servers' evidence; nothing is written.

    Answers are not compared, because the stores' items are unknown; argument values are generated.
    """
    placed, errors = try_compile(project, environment(compiled.environment, list(servers), ""))
    if errors:
        raise DeclarationErrors("the servers lack features that the models use", errors)
    plan, names = plan_access(placed), set(selected)
    rows = [row for row in plan.rows if not names or row.pattern.name in names]
    with ExitStack() as stack:
        stores: dict[WantedServer, _Store] = {}
        for server in servers:
            driver = stack.enter_context(connected(server))
            targets = [target for target in placed.targets if instance_of(target) == server.instance]
            stores[server.instance] = _Store(driver, driver.observe(), targets, server.version)
        generated = datasets_of(plan, _needed(rows, placed.targets), scale=_EVIDENCE_SCALE, seed=seed)
        database = Database(plan, _clients(stores), codec_of)
        datasets = {name: dataset for name, (dataset, _) in generated.items()}
        prover = _Prover(project, stores, datasets, database, seed, is_compared=False)
        return [prover.prove(row, _with_progress(tell, number, rows)) for number, row in enumerate(rows, 1)]


_EVIDENCE_SCALE = 50

_ORDER = {
    "get": 0, "read": 0, "count": 0, "rank": 0, "rank_around": 0, "aggregate": 0, "read_together": 0, "transact_get": 0,
    "take": 1, "put": 2, "update": 3, "increment": 3,
    "transact": 4, "delete": 5,
}  # fmt: skip
"""Order of proofs: reads before the writes that change their items."""


def _needed(rows: Iterable[PlannedPattern], targets: Iterable[Placed]) -> list[Placed]:
    """The targets of patterns."""
    used = {id(planned.target) for row in rows for planned in (row.planned, *row.planned.parts)}
    return [target for target in targets if id(target.placed) in used]


def _create(
    stack: ExitStack, server: Server, targets: Iterable[Placed], used_databases: set[str], tell: Tell
) -> _Store:
    """Create the scratch stores of one server; they are dropped when the stack closes."""
    own_targets = [target for target in targets if instance_of(target) == server.instance]
    needs_first = any(target.engine.needs_first_part(target.placed) for target in own_targets)
    driver = stack.enter_context(scratch(server, used_databases, needs_first=needs_first))
    stack.callback(drop, driver, own_targets)
    for placed in own_targets:
        tell(f"create {placed.store}")
        # Settings belong to the server's owner: proofs do not need them, and one server may replace several.
        statements = [
            statement for statement in placed.engine.create(placed.placed) if statement.object[:1] != ("settings",)
        ]
        run(statements, driver)
    with answering(server.instance):
        return _Store(driver, driver.observe(), own_targets, server.version)


def _load(
    plan: AccessPlan, targets: Sequence[Placed], stores: dict[WantedServer, _Store], scale: int, seed: int, tell: Tell
) -> dict[str, Dataset]:
    """Load a dataset for every binding; returns the datasets by binding name."""
    datasets = datasets_of(plan, targets, scale=scale, seed=seed)
    for number, (name, (dataset, target)) in enumerate(datasets.items(), 1):
        if (store := stores.get(instance_of(target))) is not None and not dataset.binding.spec.source:
            _with_progress(tell, number, datasets)(f"load {name}")
            with answering(f"{target.store} {name}"):
                store.driver.load(target.engine.object_of(target.placed, dataset.binding), items(dataset))
    return {name: dataset for name, (dataset, _) in datasets.items()}


def _with_progress(tell: Tell, number: int, work: Sized) -> Tell:
    """Adds the progress to each text."""
    return lambda text: tell(f"{text}, {number} of {len(work)}")


def _clients(stores: dict[WantedServer, _Store]) -> dict[str, Any]:
    """The recording clients by engine and declared name, in the form of `runtime.open`."""
    clients: dict[str, dict[str, Any]] = {}
    for instance, store in stores.items():
        for target in store.targets:
            clients.setdefault(instance.engine, {})[target.declared.name] = store.observed.client
    return clients


class _Prover(Record):
    """Proves patterns."""

    project: Project
    """The project."""
    stores: dict[WantedServer, _Store]
    """The stores by server."""
    datasets: dict[str, Dataset]
    """The dataset of each binding."""
    database: Database
    """Calls the patterns."""
    seed: int
    """Seed of the calls."""
    is_compared: bool = True
    """Whether answers are compared with the dataset; otherwise only evidence of reads is verified."""

    def prove(self, row: PlannedPattern, tell: Tell) -> ProofResult:
        """The proof of one pattern."""
        store = self.stores.get(instance_of(row.placed))
        if not row.planned.is_served:
            return ProofResult(row, None)
        if store is None:
            return ProofResult(row, None, f"no server is running for {row.placed.store}")
        if not self.is_compared and row.pattern.kind not in (*READS, *COMBINED_READS):
            return ProofResult(row, None, "writes are proved only with --load")
        if reason := next(self._unanswered(row.planned, store), ""):
            return ProofResult(row, None, reason)
        tell(f"prove {row.pattern.name}")
        pattern = self.project.patterns[row.pattern.context, row.pattern.name]
        return ProofResult(row, prove(self._case(row, row.planned, store, partial(self.database.run, pattern))))

    def _unanswered(self, planned: Planned[Any], store: _Store) -> Iterator[str]:
        """Reasons why the server cannot answer a pattern, or a part of a transaction."""
        for part in (planned, *planned.parts):
            if reason := store.unanswered(part):
                yield reason

    def _case(self, row: PlannedPattern, planned: Planned[Any], store: _Store, call: Callable[..., Any]) -> ProofCase:
        engine, binding = row.placed.engine, planned.binding
        return ProofCase(
            engine=engine,
            planned=planned,
            run=call,
            observed=store.observed,
            driver=store.driver,
            dataset=self.datasets[binding.name],
            object=engine.object_of(planned.target, binding),
            rng=random.Random(f"{self.seed} {row.pattern.context}.{planned.pattern.name}"),
            parts=tuple(self._case(row, part, store, call) for part in planned.parts),
            proof=Proof(is_compared=self.is_compared),
        )


def unproved(results: Iterable[ProofResult]) -> Iterator[ProofResult]:
    """Results that are neither proved, nor declared as unserved, nor skipped."""
    for result in results:
        is_proved = result.proof is not None and result.proof.is_proved
        if not is_proved and not result.skipped and not (result.proof is None and result.row.pattern.unserved):
            yield result
