"""What every command has that changes the stores of an environment: an order, somebody who watches, all locks."""

import getpass
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from keywright import __version__
from keywright.engines.interface import StatementFailed
from keywright.errors import Unavailable
from keywright.history.backfill import Progress, Settings
from keywright.history.checking import Checked, Checker
from keywright.history.execute import Event, Execution, Signature
from keywright.history.lock import Lease, Tell, held_all, new_owner
from keywright.history.runner import Pace
from keywright.history.site import Site
from keywright.history.version import Stage, Version
from keywright.project.migrations import Folder

from .backfills import Worker
from .landing import lander
from .position import stores_of
from .pulumi_child import Child
from .sites import Where, opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How a plan is to be carried out."""

    to: str | None = None
    """The last version; all by default."""
    approved: str | None = None
    """The hash of the plan that was approved; None to carry out what is due."""
    acknowledged: Mapping[str, str] = field(default_factory=dict)
    """Gates that are open, with what was said of them."""
    lock_seconds: float = 90
    """How long others' locks are waited for."""
    pace: Pace = field(default_factory=Pace)
    """How long effects are waited for."""
    backfill: Settings = field(default_factory=Settings)
    """How backfills are done."""
    is_replayed: bool = False
    """Whether every version is carried out as it was written, and the stores are compared after each of its stages."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told what happens."""

    event: Callable[[Event], None] = lambda event: None
    """Each stage and step."""
    waiting: Tell = lambda waiting: None
    """Locks that others hold."""
    backfill: Callable[[Version, Stage, Progress], None] = lambda version, stage, progress: None
    """How far a backfill is."""
    check: Callable[[Version, Stage, Checked], None] = lambda version, stage, checked: None
    """How far a look at all items is."""
    child: Callable[[str], None] = lambda line: None
    """Each line of an update of a stack."""


@contextmanager
def executing(where: Where, folder: Folder, order: Order, watcher: Watcher) -> Iterator[Execution]:
    """The means to change all stores of a project, whose locks are held within the block."""
    lease = Lease(where.settings.lease_seconds)
    with opened(where, stores_of(folder)) as sites:
        ledgers = {store: site.ledger for store, site in sites.items()}
        waiting = held_all(ledgers, new_owner(), lease, wait_seconds=order.lock_seconds, tell=watcher.waiting)
        with _going_on(), waiting as holders:
            yield Execution(
                sites=sites,
                holders=holders,
                hashes={one.number: folder.hash_of(one) for one in folder.versions},
                landers={"pulumi": lander(child_of(where, watcher))} if is_stacked(sites) else {},
                acknowledged=order.acknowledged,
                signature=Signature(actor=_actor(), tool=__version__),
                workers={
                    "backfill": Worker(folder.path, order.backfill, watcher.backfill),
                    "check_index_values": Checker(order.backfill, watcher.check),
                },
                pace=order.pace,
                tell=watcher.event,
                is_checked=order.is_replayed,
            )


def is_stacked(sites: Mapping[str, Site]) -> bool:
    """Whether a stack owns something in these stores."""
    return any(site.by == "pulumi" for site in sites.values())


def child_of(where: Where, watcher: Watcher) -> Child:
    """The command line that lands what an environment's stack owns."""
    return Child(where.settings.root, where.environment, watcher.child)


@contextmanager
def _going_on() -> Iterator[None]:
    """Within the block, a server that is lost is an error of the command, which can be given again."""
    try:
        yield
    except StatementFailed as failure:
        help = "once it answers, run the same command again: it goes on from what was recorded"
        raise Unavailable(f"the stores and their history: {failure}", help) from failure


def _actor() -> str:
    """Who is at work: for people who read the history."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = f"user {os.getuid()}"
    return f"{name}@{socket.gethostname()}"
