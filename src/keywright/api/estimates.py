"""What a plan goes over: how much there is now, what that takes of a billed capacity, and where it is too much to pass.

Nothing of this is approved: a plan's hash knows neither counts nor durations.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from keywright.engines.change import AddIndex, AlterIndex, path_of
from keywright.engines.hazards.effect import Effect
from keywright.engines.interface import StatementFailed
from keywright.engines.sizes import Size, Units
from keywright.history.position import snapshot_before
from keywright.history.site import Site
from keywright.history.snapshot import Snapshot
from keywright.history.version import Stage, Version
from keywright.ir.transform import parse
from keywright.project.migrations import Folder, read_folder
from keywright.rules.judge import Known, judge
from keywright.rules.rule import Finding

from .plans import Plan, plan_of
from .position import stores_of
from .sites import Where, opened


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one stage goes over."""

    object: str
    """Physical name of the table or collection."""
    size: Size | None
    """How much that holds; None where the store does not tell."""
    units: Units | None
    """What it takes of a capacity that is billed; None where none is, or where the size is unknown."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """What is to be known of a plan beside its steps."""

    stages: Mapping[tuple[str, int], Estimate] = field(default_factory=dict)
    """By version and number, those that go over data."""
    warnings: tuple[Finding, ...] = ()
    """What the lint says only to who knows the sizes."""


NOTHING = Estimates()
"""Of a plan whose stores nobody has asked."""


def estimated(where: Where, *, to: str | None, today: date) -> tuple[Plan, Estimates]:
    """What `apply` would do now, and over how much data."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as sites:
        made = plan_of(where, folder, sites, to)
        return made, _estimates(folder, made, sites, today)


def _estimates(folder: Folder, made: Plan, sites: Mapping[str, Site], today: date) -> Estimates:
    stages: dict[tuple[str, int], Estimate] = {}
    bytes: dict[str, dict[tuple[str, str], int]] = {}
    for due in made.due:
        before = snapshot_before(folder.versions, due.version)
        if (found := _gone_over(due.version, due.stage)) is None:
            continue
        key, table = found
        one = _estimate(sites[due.stage.store], before, due.version, due.stage, key, table)
        stages[due.version.number, due.stage.n] = one
        if one.size:
            bytes.setdefault(due.version.number, {})[due.stage.store, table] = one.size.bytes
    warnings = (
        finding
        for version in folder.versions
        if version.number in bytes
        for finding in _too_much(snapshot_before(folder.versions, version), version, bytes[version.number], today)
    )
    return Estimates(stages, tuple(warnings))


def _gone_over(version: Version, stage: Stage) -> tuple[str, str] | None:
    """(key of the target, table or collection in it) of the data that a stage goes over; None for one that does not."""
    if stage.op in ("backfill", "check_index_values"):
        key = path_of(stage.object)[0]
        return key, key
    for one in version.landings:
        if one.id in stage.lands and stage.op == "alter" and {"O", "B", "D"} & set(one.classes):
            return one.change.path[0], Effect(one.change, one.classes, "", "").table
    return None


def _estimate(site: Site, before: Snapshot, version: Version, stage: Stage, key: str, table: str) -> Estimate:
    described: Any = before.stores.get(site.store, {}).get(key) or version.snapshot.stores[site.store][key]
    placed = site.place(key, described)
    name = placed.name if table == key else f"{placed.name}.{table}"
    if stage.op == "backfill":
        entity = path_of(stage.object)[2]
        name = site.engine.work(site.place(key, version.snapshot.stores[site.store][key]), entity).object
    try:
        size = site.driver.size(name)
    except StatementFailed:  # who may change a store need not be allowed to ask for its statistics
        size = None
    if size is None or site.engine.units is None or not _is_billed(version, stage):
        return Estimate(name, size, None)
    return Estimate(name, size, site.engine.units(placed, stage.op, size, _writes(stage)))


def _is_billed(version: Version, stage: Stage) -> bool:
    """Whether a stage reads or writes items, and does not only take something away."""
    is_build = any(isinstance(one, (AddIndex, AlterIndex)) for one in version.changes_of(stage))
    return stage.op != "alter" or is_build


def _writes(stage: Stage) -> tuple[str, ...] | None:
    """Stored paths that a declared backfill writes; None where Python decides."""
    told: Any = stage.more.get("transform")
    return parse(told).writes if told else None


def _too_much(
    before: Snapshot, version: Version, sizes: Mapping[tuple[str, str], int], today: date
) -> Iterator[Finding]:
    """What the lint finds with these sizes, and not without."""
    offline = judge(before, version, today).findings
    yield from (one for one in judge(before, version, today, Known(sizes=sizes)).findings if one not in offline)
