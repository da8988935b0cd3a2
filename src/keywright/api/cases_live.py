"""Tests of a version's transforms on servers of their own: items are stored as they are before the version, the version
is carried out, and the items are read back.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import InvalidOperation
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.change import path_of
from keywright.engines.interface import StatementFailed
from keywright.engines.pages import Item as Stored
from keywright.engines.pages import Pages, Work
from keywright.errors import NeedsDecision, Unavailable, UsageError, quoted
from keywright.history.passes import Settings
from keywright.history.position import snapshot_before
from keywright.history.site import Site
from keywright.history.snapshot import Snapshot
from keywright.history.version import Stage, Version
from keywright.ir.json import Json, canonical
from keywright.local import Event
from keywright.project.migrations import Folder, read_folder

from .backfills import standing
from .cases import Case, Item, Tried
from .live import answering
from .locked import Order, Watcher
from .migrate import apply
from .replay import everything, servers
from .sites import Where, opened


def try_live(where: Where, cases: Sequence[Case], *, tell: Callable[[Event], None], watcher: Watcher) -> list[Tried]:
    """What becomes of each case on real servers, in the order of versions.

    Raises Unavailable where a server cannot be had, UsageError for an item that cannot be stored, NeedsDecision where a
    version cannot be carried out even without the items that go to quarantine.
    """
    if not cases:
        return []
    folder, found = read_folder(where.settings), list[Tried]()
    numbers = sorted({case.version.number for case in cases})
    with servers(where, folder, tell) as (own, skipped):
        if skipped:
            raise Unavailable(f"no server for {'; '.join(skipped)}", "cases go through versions on all of their stores")
        _begin(own, [one for one in folder.versions if one.number < numbers[0]], watcher)
        for version in folder.versions:
            if numbers[0] <= version.number <= numbers[-1]:
                mine = [case for case in cases if case.version.number == version.number]
                found += _carried_out(own, folder, version, mine, watcher)
    return found


def _begin(own: Where, versions: Sequence[Version], watcher: Watcher) -> None:
    """Bring empty servers to the last of some versions in one go; that each leads to the next, `verify` has seen."""
    if versions and not apply(own, Order(to=versions[-1].number), watcher).is_fresh:
        problem = f"the servers have {versions[0].folder} already, so that nothing can be tried on them"
        raise UsageError(problem, "name empty ones in KEYWRIGHT_<ENGINE>_URL, or unset it")


def _carried_out(
    own: Where, folder: Folder, version: Version, cases: Sequence[Case], watcher: Watcher
) -> list[Tried]:  # fmt: skip
    """Carry out a version with the items of its cases in the stores; they are gone afterwards."""
    order = replace(everything(version), backfill=Settings(segments=1, workers=1, max_failed=len(cases)))
    found: list[Tried] = []
    with opened(own, {case.stage.store for case in cases}) as sites:
        kept = list(_stored(sites, snapshot_before(folder.versions, version), cases))
        try:
            apply(own, order, watcher)
        except NeedsDecision:
            # What a server refuses to hold stays as it was, so that no pass finds all items new: judged, and taken out.
            refused = _quarantined(sites, kept)
            if not refused:
                raise
            found += _judged(sites, refused)
            kept = [one for one in kept if one not in refused]
            apply(own, order, watcher)
        found += _judged(sites, kept)
    return sorted(found, key=lambda one: cases.index(one.case))


@dataclass(frozen=True, slots=True)
class _Kept:
    """The item of a case in its store."""

    case: Case
    """The case."""
    key: Json
    """What the item is found by again."""
    item: Item
    """The item before, in the form in which it is stored."""


def _stored(sites: Mapping[str, Site], before: Snapshot, cases: Sequence[Case]) -> Iterator[_Kept]:
    """Store the items of cases as they are before."""
    keys: dict[str, Case] = {}
    for case in cases:
        site, stage = sites[case.stage.store], case.stage
        pages, _ = _opened(site, before, stage, f"{case}: before it there is no {stage.object}")
        if missing := [name for name in pages.keyed_by if name not in case.before]:
            names = " and ".join(f'"{name}"' for name in pages.keyed_by)
            raise UsageError(f"{case} has no {quoted(missing)}", f"to be stored, each item needs its key: {names}")
        key = _put(site, pages, case)
        other = keys.setdefault(canonical([stage.store, stage.object, key]), case)
        if other is not case:
            raise UsageError(f"{case} has the key of {other}", "give each its own: they are in the store together")
        yield _Kept(case, key, _formed(pages, case.before))


def _put(site: Site, pages: Pages, case: Case) -> Json:
    help = "write it as a writer of the version before would have"
    try:
        return pages.put(case.before)
    except (ValueError, OverflowError, ArithmeticError) as error:
        why = "a text is no number of its type" if isinstance(error, InvalidOperation) else str(error)
        raise UsageError(f"{case} cannot be stored: {why}", help) from error
    except StatementFailed as failure:
        if "could not reach" in str(failure):
            raise Unavailable(f"{site.store}: {failure}", "try once more") from failure
        raise UsageError(f"{case} is refused by {site.store}: {failure}", help) from failure


def _quarantined(sites: Mapping[str, Site], kept: Sequence[_Kept]) -> list[_Kept]:
    """Those whose items could not be transformed."""
    return [one for one in kept if _why(sites[one.case.stage.store], one)]


def _why(site: Site, one: _Kept) -> str:
    """Why an item is in quarantine; empty if it is not."""
    found = standing(site, one.case.version, one.case.stage)
    return next((why for key, why in found.quarantine if key == one.key), "") if found else ""


def _judged(sites: Mapping[str, Site], kept: Sequence[_Kept]) -> Iterator[Tried]:
    """Read the items of cases, remove them, and tell what became of each."""
    for one in kept:
        case = one.case
        site = sites[case.stage.store]
        problem = f"{case}: behind it there is no {case.stage.object}"
        pages, work = _opened(site, case.version.snapshot, case.stage, problem, _names(case))
        with answering(site.store):
            (item,) = pages.find([one.key])
            pages.remove(one.key)
        expected = one.item if case.after is None else _formed(pages, case.after)
        found, reason = _shown(pages, work, item, one, expected), _why(site, one)
        if reason and found == one.item:
            found = None
        elif reason:
            reason = f"in quarantine, and not as it was: {reason}"
        elif item is None:
            reason = "it is gone"
        yield Tried(
            case=case, expected=None if case.after is None else expected, found=found, reason=reason, is_live=True
        )


def _names(case: Case) -> tuple[str, ...]:
    """All that an item of a case may have."""
    written = (path.partition(".")[0] for path in case.transform.writes)
    return tuple(sorted({*case.before, *(case.after or ()), *written}))


def _shown(pages: Pages, work: Work, item: Stored | None, one: _Kept, expected: Item) -> Item | None:
    """An item without what keywright itself adds, where the case does not name that; what is expected comes first."""
    own = {VERSION, work.attribute, *(work.mark or ())[:1]} - {*expected}
    keys = {name: one.item[name] for name in pages.keyed_by}
    values = {**keys, **item.values} if item else {}
    shown = {name: value for name, value in values.items() if name not in own}
    return {name: shown[name] for name in (*(name for name in expected if name in shown), *sorted(shown))}


def _formed(pages: Pages, item: Item) -> Item:
    """An item with its values as the store holds them, where it holds such."""
    made = dict(item)
    for name, value in item.items():
        if value is not None:
            try:
                made[name] = pages.form(name, value)
            except (ValueError, OverflowError, ArithmeticError):
                continue
    return made


def _opened(
    site: Site, snapshot: Snapshot, stage: Stage, problem: str, reads: tuple[str, ...] = ()
) -> tuple[Pages, Work]:  # fmt: skip
    """The items of a backfill's entity in a snapshot, and where they are; UsageError if it has no such entity."""
    target, _, entity = path_of(stage.object)
    targets: Any = snapshot.stores.get(stage.store, {})
    if entity not in targets.get(target, {}).get("shape", {}):
        raise UsageError(problem, "cases are about items that are there before and after their version")
    work = replace(site.engine.work(site.place(target, targets[target]), entity), reads=reads)
    with answering(site.store):
        return site.driver.pages(work), work
