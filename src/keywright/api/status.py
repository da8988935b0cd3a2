"""Where each store of an environment is, and what it waits for."""

from collections.abc import Sequence
from dataclasses import dataclass

from keywright.engines.ledger import Lock
from keywright.history.gates import awaited
from keywright.history.records import Recorded, Revision, recorded
from keywright.history.site import Site
from keywright.history.version import Stage, Version
from keywright.project.migrations import Folder, read_folder
from keywright.project.settings import Settings

from .live import answering
from .position import staged, stores_of, version_named
from .sites import Where, opened


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """One store against the folder of versions."""

    store: str
    """Its name."""
    version: str | None
    """The last version that it has in whole."""
    head: str | None
    """The last version that there is for it."""
    pending: tuple[str, ...]
    """The versions that it lacks."""
    left: tuple[str, ...]
    """The steps that it lacks of them, such as `0008/10`."""
    revision: Revision | None
    """What it remembers of the last version that was begun."""
    gate: str
    """What it waits for, if a stage of it waits for a person."""
    lock: Lock
    """Its lock."""


def status(where: Where) -> list[StoreStatus]:
    """Each store's position, lock and what it waits for."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as sites:
        return [_status(folder, site, *_looked_at(site)) for site in sites.values()]


def has_reached(settings: Settings, found: Sequence[StoreStatus], place: str) -> bool:
    """Whether every store has a version, `0008` or `0008/end`, or a step of one, `0008/10`; UsageError if there is no
    such place.
    """
    folder = read_folder(settings)
    number, _, n = place.partition("/")
    if n in ("", "end"):
        version = version_named(folder, number)
        return not any(version.number in one.pending for one in found)
    version, stage = staged(folder, place)
    return not any(f"{version.number}/{stage.n}" in one.left for one in found)


def _looked_at(site: Site) -> tuple[Recorded, Lock]:
    with answering(site.store):
        return recorded(site.ledger.rows("")), site.ledger.lock()


def _status(folder: Folder, site: Site, history: Recorded, lock: Lock) -> StoreStatus:
    concerned = [one for one in folder.versions if site.store in one.stores]
    done = [one.number for one in concerned if history.is_done(one)]
    lacking = [one for one in concerned if not history.is_done(one)]
    begun = [history.revisions[one.number] for one in concerned if one.number in history.revisions]
    left = [
        (version, stage)
        for version in lacking
        for stage in version.stages
        if stage.store in ("", site.store) and not _is_done_here(history, version, stage)
    ]
    gate = ""
    if left and left[0][0].number in history.revisions and left[0][1].is_gate:
        version, stage = left[0]
        gate = f"{version.number}/{stage.n} {awaited(stage).removeprefix('a person: ')}"
    return StoreStatus(
        site.store,
        done[-1] if done else None,
        concerned[-1].number if concerned else None,
        tuple(one.number for one in lacking),
        tuple(f"{version.number}/{stage.n}" for version, stage in left),
        begun[-1] if begun else None,
        gate,
        lock,
    )


def _is_done_here(history: Recorded, version: Version, stage: Stage) -> bool:
    found = history.stage(version, stage)
    return found is not None and found.state == "done"
