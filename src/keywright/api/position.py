"""Where an environment is, by the histories of its stores."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile

from keywright.errors import Blocked, UsageError, did_you_mean
from keywright.history.position import position, snapshot_before
from keywright.history.records import Recorded, State, is_stage_done, pending, recorded
from keywright.history.site import Site
from keywright.history.snapshot import Stores
from keywright.history.version import Stage, Version
from keywright.project.migrations import Folder

from .live import answering


def stores_of(folder: Folder) -> tuple[str, ...]:
    """Every store that some version speaks of, sorted."""
    return tuple(sorted({store for version in folder.versions for store in version.stores}))


@dataclass(frozen=True, slots=True)
class Position:
    """Where an environment is, by the histories of its stores."""

    histories: Mapping[str, Recorded]
    """What each store remembers."""
    pending: tuple[Version, ...]
    """The versions that are not in all of their stores."""
    stores: Stores
    """What should be there now."""

    @property
    def is_without_history(self) -> bool:
        """Whether no store remembers any version."""
        return not any(one.revisions for one in self.histories.values())


def position_of(folder: Folder, sites: Mapping[str, Site]) -> Position:
    """Where the stores are."""
    histories: dict[str, Recorded] = {}
    for store, site in sites.items():
        with answering(store):
            histories[store] = recorded(site.ledger.rows(""))
    _check_files(folder, histories)
    left = pending(folder.versions, histories)
    if not left:
        return Position(histories, (), folder.head.snapshot.stores if folder.head else {})
    before = snapshot_before(folder.versions, left[0])
    return Position(histories, left, position(left[0], before, histories))


def place_of(folder: Folder, now: Position) -> str:
    """Where the stores are, in one word: `0008/20` once all steps to 20 are done, `0008/0` before the first."""
    if not now.pending:
        return f"{folder.head.number}/end" if folder.head else ""
    version = now.pending[0]
    done = takewhile(lambda stage: is_stage_done(version, stage, now.histories), version.stages)
    return f"{version.number}/{max((stage.n for stage in done), default=0)}"


def _check_files(folder: Folder, histories: Mapping[str, Recorded]) -> None:
    """A version that was applied must be the one that stands in the folder."""
    known = {one.number: one for one in folder.versions}
    for store, history in histories.items():
        for number, revision in history.revisions.items():
            if revision.state == State.ABORTED.value:
                continue  # it may be written anew, or not at all
            if number not in known:
                problem = f'{store} has version "{number}", which is not in "{folder.path}"'
                raise Blocked(problem, "take the newest migrations from git: this copy is older than the store")
            if revision.file_hash != folder.hash_of(known[number]):
                problem = f'"{known[number].folder}" is not what it was when it was applied to {store}'
                raise Blocked(problem, "restore the folder from git: a version is never edited once it was applied")


def version_named(folder: Folder, number: str) -> Version:
    """The version of that number or folder; UsageError if there is none."""
    found = next((one for one in folder.versions if number in (one.number, one.folder)), None)
    if found is None:
        raise UsageError(
            f'there is no version "{number}"', did_you_mean(number, [one.number for one in folder.versions])
        )
    return found


def staged(folder: Folder, place: str) -> tuple[Version, Stage]:
    """The version and the stage that `0008/20` means."""
    number, _, n = place.partition("/")
    version = version_named(folder, number)
    stage = next((one for one in version.stages if str(one.n) == n), None)
    if stage is None:
        raise UsageError(
            f'there is no step "{place}"', did_you_mean(place, [f"{number}/{one.n}" for one in version.stages])
        )
    return version, stage
