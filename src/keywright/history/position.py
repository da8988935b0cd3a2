"""Where stores are on the way through a version, by what is recorded."""

from collections.abc import Mapping, Sequence

from .records import Recorded, is_stage_done
from .snapshot import EMPTY, Snapshot, Stores, landed
from .version import Version


def position(version: Version, before: Snapshot, history: Mapping[str, Recorded]) -> Stores:
    """What the stores are between a version's beginning and its end, by the stages that are done."""
    done = [stage for stage in version.stages if is_stage_done(version, stage, history)]
    return landed(before.stores, [change for stage in done for change in version.changes_of(stage)])


def snapshot_before(versions: Sequence[Version], version: Version) -> Snapshot:
    """The snapshot that a version begins from."""
    at = [one.number for one in versions].index(version.number)
    return versions[at - 1].snapshot if at else EMPTY
