"""Gates that open without a person: after a time, or once an index has been unused for long enough."""

from datetime import UTC, datetime, timedelta
from typing import Any

from keywright.engines.contract.change import path_of
from keywright.errors import Blocked
from keywright.ir.json import Json
from keywright.ir.text import counted
from keywright.record import replace

from ..migration import Migration, Step
from ..snapshot import Stores
from .records import StepRow
from .store import StoreConnection

BY_THEMSELVES = ("quiet", "wait")
"""Operations of gates that need no person."""


def awaited(step: Step) -> str:
    """Condition of a gate, as the text after "waits for"."""
    if step.op not in BY_THEMSELVES:
        return f"a person: {step.text}"
    is_in_days = step.hours >= 48 and step.hours % 24 == 0
    duration = counted(step.hours / 24, "day") if is_in_days else counted(step.hours, "hour")
    text = f": {step.text}" if step.text else ""
    return f'{duration} without any use of "{step.object}"{text}' if step.op == "quiet" else f"{duration}{text}"


def seen_again(step: Step, before: StepRow | None, uses: Json, now: datetime) -> StepRow:
    """Row of a gate after another check: done once its condition has held for its duration.

    before: row of the previous check; None at the first. uses: the server's report on the use of the index; a report
    that differs from the previous one restarts the wait, and so does a restart of the server.
    """
    row = replace(before or StepRow(n=step.n, state="intent"), state="intent")
    if not row.since or row.seen != uses:
        row = replace(row, since=now.isoformat(timespec="seconds"), seen=uses)
    return replace(row, state="done") if now >= opens(step, row) else row


def opens(step: Step, row: StepRow) -> datetime:
    """Time at which a gate opens if nothing happens until then."""
    return datetime.fromisoformat(row.since) + timedelta(hours=step.hours)


def uses_of(connection: StoreConnection, migration: Migration, step: Step, stores: Stores) -> Json:
    """The server's report on the use of a gate's index; Blocked if the server reports none."""
    key, _, *object = path_of(step.object)
    description: Any = stores.get(step.store, {}).get(key)
    uses = None
    if description is not None and connection.driver.uses is not None:
        uses = connection.driver.uses(connection.place(key, description).name, tuple(object))
    if uses is None:
        place = f"{migration.number}/{step.n}"
        raise Blocked(
            f'{place}: {step.store} does not report how often "{step.object}" is used',
            f"once it is certainly unused, run the command again with --ack {place} --note TEXT",
        )
    return uses


def shut(migration: Migration, step: Step, row: StepRow) -> Blocked:
    """Error for a gate that does not open yet."""
    place = f"{migration.number}/{step.n}"
    until = opens(step, row).astimezone(UTC).isoformat(timespec="minutes")
    waiting = f"waits until {until}"
    if step.op == "quiet":
        waiting = f'waits until "{step.object}" has been unused from {row.since} to {until}'
    text = f": {step.text}" if step.text else ""
    help = f"run the command again then, or open the gate with --ack {place} --note TEXT"
    return Blocked(f"{place} {waiting}{text}", help)
