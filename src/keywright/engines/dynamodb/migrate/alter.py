"""Steps from one placed table to another: one change of one index at a time, each waited for by its probe."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from keywright.engines.in_place import refuse_rebuilds
from keywright.engines.plan import Step
from keywright.ir.json import Json

from .capabilities import TTL_PAUSE_SECONDS
from .codec import describe, describe_index, describe_placement
from .diff import CLASSES, PARTS
from .migrate import STORE, create, create_index
from .target import IndexTarget, Placement, TableTarget

_TOO_SOON = "modified multiple times"
"""Words of the service where the expiry of a table was changed less than an hour ago."""


def migrate(before: TableTarget | None, after: TableTarget | None) -> tuple[Step, ...]:
    """See `Engine.migrate`: settings first, for an index is made with the capacity that its table has by then.

    What a service does not report as it was said has no step: warm throughput, the key of the encryption, labels;
    neither has what only a stack makes: scaling, replicas, insights.
    """
    if after is None:
        return () if before is None else tuple(_drop(before))
    if before is None:
        return create(after)
    refuse_rebuilds(STORE, PARTS, CLASSES, describe(before), describe(after))
    return (*_settings(before, after), *_indexes(before, after), *_ttl(before, after), *_stream(before, after))


def _drop(table: TableTarget) -> Iterator[Step]:
    """A protected table is unprotected first, by a step of its own."""
    name = table.name
    if table.placement and table.placement.is_protected:
        yield from _settings(table, replace(table, placement=replace(table.placement, is_protected=False)))
    native = describe(table)["native"]
    assert isinstance(native, dict)
    was: Json = {key: native[key] for key in ("keys", "local_indexes") if key in native}
    yield _step(table, (), f'drop table "{name}"', "DeleteTable", {}, None, was)


def _indexes(before: TableTarget, after: TableTarget) -> Iterator[Step]:
    """What goes, goes first, so that a table at the limit of its indexes has room for the new ones."""
    old, new = ({index.name: index for index in one.indexes} for one in (before, after))
    for name, index in old.items():
        if new.get(name) != index:
            yield _drop_index(after, index)
    for name, index in new.items():
        if old.get(name) != index:
            statement: Json = {"operation": "UpdateTable", "input": create_index(after, index)}
            summary = f'create index "{name}" of table "{after.name}"'
            yield Step(STORE, after.name, ("indexes", name), summary, statement, describe_index(index))


def _drop_index(table: TableTarget, index: IndexTarget) -> Step:
    change: Json = [{"Delete": {"IndexName": index.name}}]
    summary = f'drop index "{index.name}" of table "{table.name}"'
    object = ("indexes", index.name)
    return _step(
        table, object, summary, "UpdateTable", {"GlobalSecondaryIndexUpdates": change}, None, describe_index(index)
    )


def _ttl(before: TableTarget, after: TableTarget) -> Iterator[Step]:
    """Another attribute is switched off and on: the service wants a pause between, for which the step has patience."""
    if before.ttl == after.ttl:
        return

    def specified(attribute: str, is_on: bool) -> dict[str, Json]:
        return {"TimeToLiveSpecification": {"AttributeName": attribute, "Enabled": is_on}}

    if before.ttl:
        summary = f'let items of table "{after.name}" no longer expire by "{before.ttl}"'
        off = _step(after, ("ttl",), summary, "UpdateTimeToLive", specified(before.ttl, False), None, before.ttl)
        yield replace(off, patience_seconds=TTL_PAUSE_SECONDS.value, too_soon=_TOO_SOON)
    if after.ttl:
        summary = f'let items of table "{after.name}" expire by "{after.ttl}"'
        on = _step(after, ("ttl",), summary, "UpdateTimeToLive", specified(after.ttl, True), after.ttl, None)
        yield replace(on, patience_seconds=TTL_PAUSE_SECONDS.value, too_soon=_TOO_SOON)


def _stream(before: TableTarget, after: TableTarget) -> Iterator[Step]:
    if before.stream == after.stream:
        return
    if before.stream:
        off: dict[str, Json] = {"StreamSpecification": {"StreamEnabled": False}}
        yield _step(
            after, ("stream",), f'close the stream of table "{after.name}"', "UpdateTable", off, None, before.stream
        )
    if after.stream:
        on: dict[str, Json] = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": after.stream}}
        yield _step(
            after, ("stream",), f'open the stream of table "{after.name}"', "UpdateTable", on, after.stream, None
        )


def _settings(before: TableTarget, after: TableTarget) -> Iterator[Step]:
    """Settings of the environment, each by a call of its own; what goes is taken away before the billing changes, on
    which it may depend. A change of the billing takes the capacity along; capacity that scales is left alone.
    """
    old, new = before.placement, after.placement
    if old is None or new is None or old == new:
        return
    was: Any = describe_placement(old)
    wanted: Any = describe_placement(new)
    for setting, what in sorted(_CALLS.items(), key=lambda one: one[0] in wanted):
        value = wanted.get(setting)
        if value == was.get(setting) or (setting == "capacity" and (new.scaling or old.billing != new.billing)):
            continue
        statement = _setting_input(setting, before, new)
        summary = f'set {what} of table "{after.name}"'
        operation = "UpdateContinuousBackups" if setting == "point_in_time_recovery" else "UpdateTable"
        yield _step(after, ("settings", setting), summary, operation, statement, value, was.get(setting))


_CALLS = {
    "billing": "the billing mode",
    "capacity": "the capacity",
    "on_demand_limits": "the limits",
    "table_class": "the class",
    "point_in_time_recovery": "the recovery",
    "deletion_protection": "the protection",
}
"""Settings that a call changes, with their names in a summary."""


def _setting_input(setting: str, table: TableTarget, placement: Placement) -> dict[str, Json]:
    """The input that changes a setting of a table, as it is with its indexes, to what a placement says."""
    match setting:
        case "billing" | "capacity":
            units = _units(placement.capacity, "ReadCapacityUnits", "WriteCapacityUnits")
            updates: list[Json] = [
                {"Update": {"IndexName": index.name, "ProvisionedThroughput": units}} for index in table.indexes
            ]
            made: dict[str, Json] = {"BillingMode": placement.billing} if setting == "billing" else {}
            provisioned: dict[str, Json] = {"ProvisionedThroughput": units} if placement.capacity else {}
            indexed: dict[str, Json] = (
                {"GlobalSecondaryIndexUpdates": updates} if placement.capacity and updates else {}
            )
            return made | provisioned | indexed
        case "on_demand_limits":
            limits = _units(placement.limits or (-1, -1), "MaxReadRequestUnits", "MaxWriteRequestUnits")
            return {"OnDemandThroughput": limits}
        case "table_class":
            return {"TableClass": placement.table_class}
        case "point_in_time_recovery":
            is_on = bool(placement.has_recovery)
            return {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": is_on}}
        case _:
            return {"DeletionProtectionEnabled": placement.is_protected}


def _units(pair: tuple[int, int] | None, read: str, write: str) -> Json:
    return {read: pair[0], write: pair[1]} if pair else {}


def _step(
    table: TableTarget,
    object: tuple[str, ...],
    summary: str,
    operation: str,
    input: dict[str, Json],
    wants: Json,
    before: Json,
) -> Step:
    statement: Json = {"operation": operation, "input": {"TableName": table.name, **input}}
    return Step(STORE, table.name, object, summary, statement, wants, (before,))
