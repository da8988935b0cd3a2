"""What a person decides of a version on its way: that a stage was carried out by hand, or that all is taken back."""

from keywright.engines.plan import State, probe_among
from keywright.errors import NeedsDecision

from . import records
from .execute import Execution
from .landing import places
from .position import position
from .records import StageRow, is_begun, is_stage_done
from .snapshot import Snapshot, landed
from .version import Stage, Version


def resolve(
    execution: Execution, version: Version, stage: Stage, before: Snapshot, note: str, *, is_shown: bool
) -> None:
    """Record that a stage is done, by somebody else; NeedsDecision if the stores must show it, and do not."""
    history = execution.read()
    now = position(version, before, history)
    if is_shown and stage.op == "alter":
        site, after = execution.sites[stage.store], landed(now, version.changes_of(stage))
        wanted = after.get(stage.store, {})
        steps = site.steps(now.get(stage.store, {}), wanted)
        live = site.driver.introspect({step.target for step in steps})
        for at, step in enumerate(steps):
            if probe_among(steps, at, live[step.target]) is not State.PRESENT:
                raise NeedsDecision(
                    f"{version.number}/{stage.n} is not applied: {step.store} does not show: {step.summary}",
                    "`keywright drift` shows what differs; `keywright migrate apply` goes on with it",
                )
    execution.record(version, stage, StageRow(n=stage.n, state="done", note=note))
    execution.mark(version, execution.read(), records.State.RUNNING)


def abort(execution: Execution, version: Version, before: Snapshot) -> list[Stage]:
    """Take back the alterations of a version that is on its way, the newest first; data stays as it is.

    Raises NeedsDecision once something of the contract phase is done: from there it only goes forward.
    """
    history = execution.read()
    done = [stage for stage in version.stages if is_stage_done(version, stage, history)]
    begun = [stage for stage in version.stages if is_begun(version, stage, history)]
    if late := [stage for stage in begun if stage.phase == "contract" and stage.op == "alter"]:
        raise NeedsDecision(
            f"{version.number} cannot be taken back: step {late[0].n} has removed what was there before",
            "go forward: put right what stops it, and run `keywright migrate apply`",
        )
    undone: list[Stage] = []
    for stage in reversed(begun):
        earlier = [one for one in done if one.n < stage.n]
        if stage.op == "alter":
            old = landed(before.stores, [change for one in earlier for change in version.changes_of(one)])
            new = landed(old, version.changes_of(stage))
            start, end = places(version, stage)
            execution.run(version, stage, stage.store, new.get(stage.store, {}), old.get(stage.store, {}), (end, start))
            undone.append(stage)
        execution.record(version, stage, StageRow(n=stage.n, state="undone"))
    execution.mark(version, execution.read(), records.State.ABORTED)
    return undone
