"""Replay of all migrations on temporary servers."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from keywright import local
from keywright.engines.registry import engine_named
from keywright.local import Running, ServerEvent
from keywright.migrations.migration import Migration
from keywright.migrations.snapshot import target_of
from keywright.project.migrations.folder import Folder, read_folder
from keywright.record import Record, replace

from ..live.connect import StoreSelector
from ..live.local_servers import instance_named, products_for
from .apply import apply
from .locks import ApplyOptions, CommandWatcher
from .position import stores_of


class ReplayResult(Record):
    """Result of a replay."""

    migrations: tuple[str, ...]
    """Folders of the migrations, in order; each was compared with its snapshot after every step."""
    statements: int
    """Number of native steps that were run."""
    skipped: tuple[str, ...]
    """Unavailable servers, with the reason."""


def verify(
    where: StoreSelector, *, engines: Iterable[str] = (), tell: Callable[[ServerEvent], None], watcher: CommandWatcher
) -> ReplayResult:
    """Replay all migrations on temporary servers, and compare the stores with the expected state after each step.

    engines: only stores of these; all by default. Raises Unavailable if no server is available, NeedsDecision if a
    store differs from its migration.
    """
    folder = read_folder(where.settings)
    with servers(where, folder, tell) as (own, skipped):
        steps = 0
        for migration in folder.migrations:
            plan = apply(own, everything(migration), watcher)
            steps += sum(len(due.statements) for due in plan.due)
        return ReplayResult(tuple(migration.folder for migration in folder.migrations), steps, skipped)


def everything(migration: Migration) -> ApplyOptions:
    """Options for one migration with all gates open, because nobody else uses the servers."""
    gates = {f"{migration.number}/{step.n}": "replayed" for step in migration.steps if step.is_gate}
    return ApplyOptions(to=migration.number, acknowledged=gates, is_replayed=True)


def _products(folder: Folder) -> dict[str, str]:
    """The products of the servers that the targets of all migrations need."""
    return products_for(
        (engine, target_of(engine, key, description))
        for migration in folder.migrations
        for store, targets in migration.snapshot.stores.items()
        for engine in (engine_named(store.partition("/")[0]),)
        for key, description in targets.items()
    )


@contextmanager
def servers(
    where: StoreSelector, folder: Folder, tell: Callable[[ServerEvent], None]
) -> Iterator[tuple[StoreSelector, tuple[str, ...]]]:
    """The same project on new servers, which are stopped and removed at the end.

    A server in `KEYWRIGHT_<ENGINE>_URL` is never used, because it may contain data.
    """
    state = Path(tempfile.mkdtemp(prefix="keywright-"))
    settings = replace(where.settings, state_folder=str(state))
    wanted_servers = sorted({instance_named(store) for store in stores_of(folder)}, key=str)
    try:
        required = local.required_engines(local.RECIPES)
        answers = local.up(
            state / "local", wanted_servers, required=required, tell=tell, is_own=True, products=_products(folder)
        )
        skipped = tuple(f"{server}: {answer.reason}" for server, answer in zip(wanted_servers, answers, strict=True)
                        if not isinstance(answer, Running))  # fmt: skip
        yield StoreSelector(settings, where.environment, is_local=True), skipped
    finally:
        local.down(state / "local", tell=lambda event: None)
        shutil.rmtree(state, ignore_errors=True)
