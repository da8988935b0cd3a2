"""Steps from one placed table to another: one index change at a time, each awaited by its probe."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.in_place import refuse_rebuilds
from keywright.engines.contract.plan import Statement
from keywright.ir.json import Json
from keywright.record import replace

from ..schema.capabilities import TTL_PAUSE_SECONDS
from ..schema.codec import describe, describe_index, describe_placement
from ..schema.target import IndexTarget, Placement, TableTarget
from .create import STORE, create, create_index
from .diff import CLASSES, PARTS


def migrate(before: TableTarget | None, after: TableTarget | None) -> tuple[Statement, ...]:
    """See `Engine.migrate`: settings first, because an index is created with the capacity that its table then has.

    Settings that the service reports in another form have no step: warm throughput, encryption key, labels. Nor have
    resources that only a stack creates: scaling, replicas, insights.
    """
    if after is None:
        return () if before is None else tuple(_drop(before))
    if before is None:
        return create(after)
    refuse_rebuilds(STORE, PARTS, CLASSES, describe(before), describe(after))
    return (*_settings(before, after), *_indexes(before, after), *_ttl(before, after), *_stream(before, after))


def _drop(table: TableTarget) -> Iterator[Statement]:
    """Steps that drop a table; a protected table is first unprotected by a step of its own."""
    name = table.name
    if table.placement and table.placement.is_protected:
        yield from _settings(table, replace(table, placement=replace(table.placement, is_protected=False)))
    native = describe(table)["native"]
    assert isinstance(native, dict)
    before: Json = {key: native[key] for key in ("keys", "local_indexes") if key in native}
    yield _statement(table, (), f'drop table "{name}"', "DeleteTable", {}, None, before)


def _indexes(before: TableTarget, after: TableTarget) -> Iterator[Statement]:
    """Drops before creations, so that a table at the limit of its indexes has room for the new ones."""
    before_indexes, after_indexes = ({index.name: index for index in table.indexes} for table in (before, after))
    for name, index in before_indexes.items():
        if after_indexes.get(name) != index:
            yield _drop_index(after, index)
    for name, index in after_indexes.items():
        if before_indexes.get(name) != index:
            statement: Json = {"operation": "UpdateTable", "input": create_index(after, index)}
            summary = f'create index "{name}" of table "{after.name}"'
            yield Statement(STORE, after.name, ("indexes", name), summary, statement, describe_index(index))


def _drop_index(table: TableTarget, index: IndexTarget) -> Statement:
    change: Json = [{"Delete": {"IndexName": index.name}}]
    summary = f'drop index "{index.name}" of table "{table.name}"'
    object = ("indexes", index.name)
    return _statement(
        table, object, summary, "UpdateTable", {"GlobalSecondaryIndexUpdates": change}, None, describe_index(index)
    )


def _ttl(before: TableTarget, after: TableTarget) -> Iterator[Statement]:
    """Changes of the expiry attribute: the service requires a pause between off and on, for which the step waits."""
    if before.ttl == after.ttl:
        return

    def specified(attribute: str, is_on: bool) -> dict[str, Json]:
        return {"TimeToLiveSpecification": {"AttributeName": attribute, "Enabled": is_on}}

    if before.ttl:
        summary = f'let items of table "{after.name}" no longer expire by "{before.ttl}"'
        off = _statement(after, ("ttl",), summary, "UpdateTimeToLive", specified(before.ttl, False), None, before.ttl)
        yield replace(off, patience_seconds=TTL_PAUSE_SECONDS.value)
    if after.ttl:
        summary = f'let items of table "{after.name}" expire by "{after.ttl}"'
        on = _statement(after, ("ttl",), summary, "UpdateTimeToLive", specified(after.ttl, True), after.ttl, None)
        yield replace(on, patience_seconds=TTL_PAUSE_SECONDS.value)


def _stream(before: TableTarget, after: TableTarget) -> Iterator[Statement]:
    if before.stream == after.stream:
        return
    if before.stream:
        off: dict[str, Json] = {"StreamSpecification": {"StreamEnabled": False}}
        yield _statement(
            after, ("stream",), f'close the stream of table "{after.name}"', "UpdateTable", off, None, before.stream
        )
    if after.stream:
        on: dict[str, Json] = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": after.stream}}
        yield _statement(
            after, ("stream",), f'open the stream of table "{after.name}"', "UpdateTable", on, after.stream, None
        )


def _settings(before: TableTarget, after: TableTarget) -> Iterator[Statement]:
    """Settings of the environment, each by a call of its own. Removals precede the billing mode, on which they may
    depend. A change of the billing mode includes the capacity; scaled capacity is not changed.
    """
    before_placement, after_placement = before.placement, after.placement
    if before_placement is None or after_placement is None or before_placement == after_placement:
        return
    actual: Any = describe_placement(before_placement)
    expected: Any = describe_placement(after_placement)
    for setting, label in sorted(_CALLS.items(), key=lambda call: call[0] in expected):
        value = expected.get(setting)
        if value == actual.get(setting) or (
            setting == "capacity" and (after_placement.scaling or before_placement.billing != after_placement.billing)
        ):
            continue
        statement = _setting_input(setting, before, after_placement)
        summary = f'set {label} of table "{after.name}"'
        operation = "UpdateContinuousBackups" if setting == "point_in_time_recovery" else "UpdateTable"
        yield _statement(after, ("settings", setting), summary, operation, statement, value, actual.get(setting))


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
    """Input that changes a setting of a table with its current indexes to the value of a placement."""
    match setting:
        case "billing" | "capacity":
            units = _units(placement.capacity, "ReadCapacityUnits", "WriteCapacityUnits")
            updates: list[Json] = [
                {"Update": {"IndexName": index.name, "ProvisionedThroughput": units}} for index in table.indexes
            ]
            billing: dict[str, Json] = {"BillingMode": placement.billing} if setting == "billing" else {}
            provisioned: dict[str, Json] = {"ProvisionedThroughput": units} if placement.capacity else {}
            indexed: dict[str, Json] = (
                {"GlobalSecondaryIndexUpdates": updates} if placement.capacity and updates else {}
            )
            return billing | provisioned | indexed
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


def _statement(
    table: TableTarget,
    object: tuple[str, ...],
    summary: str,
    operation: str,
    input: dict[str, Json],
    after: Json,
    before: Json,
) -> Statement:
    statement: Json = {"operation": operation, "input": {"TableName": table.name, **input}}
    return Statement(STORE, table.name, object, summary, statement, after, (before,))
