"""Common parts of commands that change the stores of an environment: options, observers, locks."""

import getpass
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from keywright import __version__
from keywright.engines.interface import StatementFailed
from keywright.errors import Unavailable
from keywright.migrations.backfill.backfill import BackfillSettings, PassProgress
from keywright.migrations.backfill.item_check import Checker, CheckProgress
from keywright.migrations.backfill.validator_check import check_validator
from keywright.migrations.lock.lock import Lease, Notify, locking_all, new_owner
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.execute import Execution, MigrationEvent, Signature
from keywright.migrations.run.runner import Pace
from keywright.migrations.run.store import StoreConnection
from keywright.project.migrations.folder import Folder
from keywright.record import Record, field

from ..live.connect import StoreSelector, opened
from ..pulumi.delegated_steps import executor
from ..pulumi.pulumi_cli import Child
from .backfill import Worker
from .position import stores_of


class ApplyOptions(Record, kw_only=True):
    """Options for applying a plan."""

    to: str | None = None
    """Number of the last migration; all by default."""
    approved: str | None = None
    """Hash of the approved plan; None to apply whatever is due."""
    acknowledged: Mapping[str, str] = field(default_factory=dict)
    """Acknowledged gates, with their notes."""
    lock_seconds: float = 90
    """Longest wait for locks of other processes."""
    pace: Pace = field(default_factory=Pace)
    """Waiting times for effects."""
    backfill: BackfillSettings = field(default_factory=BackfillSettings)
    """Settings of backfills."""
    is_replayed: bool = False
    """Whether every migration is applied step by step, with a comparison of the stores after each step."""


class CommandWatcher(Record):
    """Observers of a command."""

    event: Callable[[MigrationEvent], None] = lambda event: None
    """Receives each step and statement."""
    waiting: Notify = lambda waiting: None
    """Receives locks of other processes."""
    backfill: Callable[[Migration, Step, PassProgress], None] = lambda migration, step, progress: None
    """Receives the progress of a backfill."""
    check: Callable[[Migration, Step, CheckProgress], None] = lambda migration, step, checked: None
    """Receives the progress of a check of all items."""
    child: Callable[[str], None] = lambda line: None
    """Receives each line of a stack's update."""


@contextmanager
def executing(
    where: StoreSelector, folder: Folder, options: ApplyOptions, watcher: CommandWatcher
) -> Iterator[Execution]:
    """Execution on all stores of a project, whose locks are held within the block."""
    lease = Lease(where.settings.lease_seconds)
    with opened(where, stores_of(folder)) as connections:
        ledgers = {store: connection.ledger for store, connection in connections.items()}
        waiting = locking_all(ledgers, new_owner(), lease, wait_seconds=options.lock_seconds, tell=watcher.waiting)
        with _repeatable(), waiting as holders:
            yield Execution(
                stores=connections,
                holders=holders,
                hashes={migration.number: folder.hash_of(migration) for migration in folder.migrations},
                executors={"pulumi": executor(child_of(where, watcher))} if is_stacked(connections) else {},
                acknowledged=options.acknowledged,
                signature=Signature(actor=_actor(), tool=__version__),
                workers={
                    "backfill": Worker(folder.path, options.backfill, watcher.backfill),
                    "check_index_values": Checker(options.backfill, watcher.check),
                    "check_validator": check_validator,
                },
                pace=options.pace,
                notify=watcher.event,
                is_checked=options.is_replayed,
            )


def is_stacked(connections: Mapping[str, StoreConnection]) -> bool:
    """Whether a stack owns objects in these stores."""
    return any(connection.by == "pulumi" for connection in connections.values())


def child_of(where: StoreSelector, watcher: CommandWatcher) -> Child:
    """Pulumi command line of an environment's stack."""
    return Child(where.settings.root, where.environment, watcher.child)


@contextmanager
def _repeatable() -> Iterator[None]:
    """Raise a lost connection within the block as Unavailable, because the command can be repeated."""
    try:
        yield
    except StatementFailed as failure:
        help = "once it answers, run the same command again; it continues from the recorded state"
        raise Unavailable(f"the stores and their history: {failure}", help) from failure


def _actor() -> str:
    """User and host, for readers of the history."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = f"user {os.getuid()}"
    return f"{name}@{socket.gethostname()}"
