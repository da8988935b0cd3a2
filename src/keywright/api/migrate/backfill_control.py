"""Control of running backfills: progress, pause, rate, further workers, quarantine."""

from keywright.errors import Blocked, UsageError
from keywright.migrations.backfill.backfill import control, retry_quarantine
from keywright.migrations.run.records import is_step_done, recorded, step_key
from keywright.project.migrations.folder import read_folder
from keywright.record import Record, replace

from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering
from .backfill import BackfillProgress, Worker, progress_of
from .locks import ApplyOptions, CommandWatcher, executing
from .position import check_files, find_step, position_of


class BackfillControl(Record, kw_only=True):
    """Commands to a backfill."""

    join: bool = False
    """Work on the backfill in this process too."""
    pause: bool = False
    """Pause all workers."""
    resume: bool = False
    """Resume all workers."""
    abort: bool = False
    """Stop all workers."""
    rate: float | None = None
    """Items a second for each process; 0 for no limit."""
    retry_quarantine: bool = False
    """Transform the items in quarantine again."""
    restart: bool = False
    """Restart the backfill."""


def control_backfill(
    where: StoreSelector, place: str, what: BackfillControl, options: ApplyOptions, watcher: CommandWatcher
) -> BackfillProgress | None:
    """Control a backfill; returns its progress, None if it has not begun."""
    folder = read_folder(where.settings)
    migration, step = find_step(folder, place)
    if step.op != "backfill":
        raise UsageError(f"{place} is not a backfill, but {step.op}", "`keywright migrate plan` shows the steps")
    if what.restart:
        restart_options = replace(options, backfill=replace(options.backfill, restart=True))
        with executing(where, folder, restart_options, watcher) as execution:
            if is_step_done(migration, step, position_of(folder, execution.stores).histories):
                raise Blocked(f"{place} is done, and has transformed all items", "write a further migration")
            holder = execution.holders[step.store]
            execution.workers["backfill"](execution.stores[step.store], migration, step, holder)
            return progress_of(execution.stores[step.store], migration, step)
    with opened(where, [step.store]) as connections:
        connection, worker = connections[step.store], Worker(folder.path, options.backfill, watcher.backfill)
        key = step_key(migration, step)
        state = "pause" if what.pause else "abort" if what.abort else "run" if what.resume else None
        with answering(connection.store):
            check_files(folder, {connection.store: recorded(connection.ledger.rows(""))})
            if state or what.rate is not None:
                control(connection.ledger, key, state=state, rate=what.rate)
            if what.retry_quarantine:
                pages, work, python = worker.opened(connection, migration, step)
                retry_quarantine(connection.ledger, key, pages, work, code=python, settings=options.backfill)
            if what.join:
                worker.join(connection, migration, step)
        return progress_of(connection, migration, step)
