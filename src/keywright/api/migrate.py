"""Migrations of an environment: carried out, taken back, recorded, under the locks of all its stores."""

from dataclasses import replace

from keywright.errors import Blocked, NeedsDecision, UsageError
from keywright.history import mend
from keywright.history.execute import Execution
from keywright.history.lock import unlock
from keywright.history.position import snapshot_before
from keywright.history.runner import ApplyError
from keywright.history.version import Stage
from keywright.project.migrations import Folder, read_folder

from .drift import drifted
from .live import answering
from .locked import Order, Watcher, child_of, executing
from .plans import Plan, plan_of
from .position import place_of, position_of, staged, stores_of, version_named
from .sites import Where, opened


def apply(where: Where, order: Order, watcher: Watcher) -> Plan:
    """Carry out what is due, and return the plan that was carried out.

    Raises Blocked for a gate that is shut, a lock that others hold, a store that is not where its history says, or a
    plan that is not the approved one; NeedsDecision where a person must decide. All that was done is recorded, and
    calling it again goes on from there.
    """
    folder = read_folder(where.settings)
    for place in order.acknowledged:
        _, stage = staged(folder, place)
        if not stage.is_gate:
            raise UsageError(f"{place} waits for nobody", "`keywright migrate plan` shows which steps do")
    with executing(where, folder, order, watcher) as execution:
        if execution.landers:
            child_of(where, watcher).ready()
        made = _begun(where, folder, order, execution)
        _carry_out(execution, folder, made)
        if made.is_behind and order.approved is None:
            rest = _begun(where, folder, order, execution)
            _carry_out(execution, folder, rest)
            made = replace(made, due=(*made.due, *rest.due))
        execution.conclude(place_of(folder, position_of(folder, execution.sites)))
        return made


def _begun(where: Where, folder: Folder, order: Order, execution: Execution) -> Plan:
    """What is due now, and may be done."""
    made = plan_of(where, folder, execution.sites, order.to, is_replayed=order.is_replayed)
    if order.approved is not None and order.approved != made.hash:
        problem = f"the plan is {made.hash}, and {order.approved} was approved"
        raise Blocked(problem, "make a new plan with `keywright migrate plan` and have that approved")
    if made.drift:
        raise Blocked(*drifted(made.drift))
    execution.signature = replace(execution.signature, plan_hash=made.hash)
    return made


def _carry_out(execution: Execution, folder: Folder, made: Plan) -> None:
    try:
        if made.is_fresh:
            last = made.due[0].version
            execution.create([one for one in folder.versions if one.number <= last.number])
            return
        execution.set(made.settings, made.place)
        for version in folder.versions:
            if version.folder in made.files:  # also one that was interrupted when all its stages were done
                execution.carry_out(version, snapshot_before(folder.versions, version))
    except ApplyError as failure:
        if "could not reach" in failure.problem:
            raise
        raise NeedsDecision(failure.problem, failure.help) from failure


def resolve(where: Where, place: str, how: str, reason: str, order: Order, watcher: Watcher) -> None:
    """Record that a stage, `0008/20`, was carried out by hand, or is left out.

    how: `applied`, which NeedsDecision refuses if the stores do not show it; `skip`, for optional stages only.
    """
    folder = read_folder(where.settings)
    version, stage = staged(folder, place)
    if how == "skip" and not stage.more.get("optional"):
        help = "carry it out, by `keywright migrate apply` or by hand; or take the version back with `migrate abort`"
        raise UsageError(f"{place} is not optional, and what comes after it relies on it", help)
    with executing(where, folder, order, watcher) as execution:
        before = snapshot_before(folder.versions, version)
        mend.resolve(execution, version, stage, before, f"{how}: {reason}", is_shown=how == "applied")


def abort(where: Where, number: str, order: Order, watcher: Watcher) -> list[Stage]:
    """Take back what a version that is on its way has altered; returns the stages that were taken back."""
    folder = read_folder(where.settings)
    version = version_named(folder, number)
    with executing(where, folder, order, watcher) as execution:
        now = position_of(folder, execution.sites)
        if version not in now.pending:
            raise Blocked(f"{version.folder} is done, and is not taken back", "write a version that does the opposite")
        return mend.abort(execution, version, snapshot_before(folder.versions, version))


def release(where: Where, owner: str) -> tuple[str, ...]:
    """Release every lock that a dead holder has; returns the stores. Blocked if somebody else holds one."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as sites:
        released: list[str] = []
        for store, site in sites.items():
            with answering(store):
                if unlock(site.ledger, owner):
                    released.append(store)
        return tuple(released)
