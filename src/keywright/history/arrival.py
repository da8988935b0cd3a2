"""Whether stores are where a stage or a version leads to, once its steps are carried out."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.change import Change
from keywright.engines.compare import Difference
from keywright.errors import Blocked
from keywright.ir.json import shortened

from .conflict import Differs
from .site import Site
from .snapshot import Stores
from .version import Stage, Version


def arrived(sites: Mapping[str, Site], what: str, stores: Stores) -> None:
    """Raise Differs where what is there is not what the history leads to.

    what: the version or stage that was carried out, as messages call it.
    """
    found: list[str] = []
    for store, site in sites.items():
        for name, one in site.differences(stores.get(store, {})):
            place = ".".join((name, *one.path))
            found.append(f"{store} {place}: wanted {shortened(one.wanted)}, found {shortened(one.found)}")
    if found:
        more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
        raise Differs(f"{what} is carried out, and {'; '.join(found[:3])}{more}")


def settled(site: Site, version: Version, stage: Stage, wanted: Mapping[str, Any]) -> None:
    """Raise Blocked where a stage is about what no statement can change, such as a setting that is read at start: a
    person is waited for.
    """
    left = [
        found
        for name, found in site.differences(wanted)
        for change in version.changes_of(stage)
        if _is_about(change, found)
    ]
    if left:
        what = "; ".join(f"{'.'.join(one.path)} is {shortened(one.found)}, not {shortened(one.wanted)}" for one in left)
        raise Blocked(
            f"{version.number}/{stage.n}: {stage.store} must be changed by hand: {what}",
            "change it in the server's file or parameter group and restart it, then run the same command again",
        )


def _is_about(change: Change, found: Difference) -> bool:
    """Whether a difference lies in what a change is about."""
    path = change.path[2:]
    return change.is_native and (found.path[: len(path)] == path or path[: len(found.path)] == found.path)
