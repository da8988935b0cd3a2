"""Gates that open by themselves: once time has passed, or once an index has long enough been used by nobody."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from keywright.engines.change import path_of
from keywright.errors import Blocked
from keywright.ir.json import Json

from .records import StageRow
from .site import Site
from .snapshot import Stores
from .version import Stage, Version

BY_THEMSELVES = ("quiet", "wait")
"""The ops of gates that need nobody."""


def awaited(stage: Stage) -> str:
    """What a gate waits for, after the words "waits for"."""
    if stage.op not in BY_THEMSELVES:
        return f"a person: {stage.text}"
    is_in_days = stage.hours >= 48 and stage.hours % 24 == 0
    spell = f"{stage.hours / 24:g} days" if is_in_days else f"{stage.hours:g} hours"
    text = f": {stage.text}" if stage.text else ""
    return f'{spell} in which nobody uses "{stage.object}"{text}' if stage.op == "quiet" else f"{spell}{text}"


def seen_again(stage: Stage, before: StageRow | None, uses: Json, now: datetime) -> StageRow:
    """The row of a gate at which somebody looks: it is done once what it waits for has lasted as long as it says.

    before: its row of the last time; None the first time. uses: what the server says of the use of the index; another
    answer than the last time begins the wait anew, as does a server that was started meanwhile.
    """
    row = replace(before or StageRow(n=stage.n, state="intent"), state="intent")
    if not row.since or row.seen != uses:
        row = replace(row, since=now.isoformat(timespec="seconds"), seen=uses)
    return replace(row, state="done") if now >= opens(stage, row) else row


def opens(stage: Stage, row: StageRow) -> datetime:
    """When a gate opens if nothing happens until then."""
    return datetime.fromisoformat(row.since) + timedelta(hours=stage.hours)


def uses_of(site: Site, version: Version, stage: Stage, stores: Stores) -> Json:
    """What the server says of the use of the index that a gate is about; Blocked if it does not say."""
    key, _, *object = path_of(stage.object)
    description: Any = stores.get(stage.store, {}).get(key)
    told = None
    if description is not None and site.driver.uses is not None:
        told = site.driver.uses(site.place(key, description).name, tuple(object))
    if told is None:
        place = f"{version.number}/{stage.n}"
        raise Blocked(
            f'{place}: {stage.store} does not tell how often "{stage.object}" is used',
            f"once you know that nobody uses it, run it again with --ack {place} --note TEXT",
        )
    return told


def shut(version: Version, stage: Stage, row: StageRow) -> Blocked:
    """What is said at a gate that does not open yet."""
    place = f"{version.number}/{stage.n}"
    until = opens(stage, row).astimezone(UTC).isoformat(timespec="minutes")
    what = f"waits until {until}"
    if stage.op == "quiet":
        what = f'waits until nobody has used "{stage.object}" from {row.since} to {until}'
    text = f": {stage.text}" if stage.text else ""
    return Blocked(f"{place} {what}{text}", f"run it again then; or open it with --ack {place} --note TEXT")
