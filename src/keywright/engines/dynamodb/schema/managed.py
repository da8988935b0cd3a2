"""The managed part of a live table: the objects that the target names, and former generations of a table."""

from typing import Any

from keywright.ir.design import Design
from keywright.record import replace

from ..declare.options import DynamoTable, Item
from ..declare.settings import DynamoEnvironment, TableSettings
from .place import unplace
from .target import IndexTarget, TableTarget


def managed(live: TableTarget, table: TableTarget) -> TableTarget:
    """See `Engine.managed`: indexes by name; expiry and stream only if the target has them."""
    live_managed = around(live, table)
    return replace(
        live_managed,
        indexes=_named(live_managed.indexes, table.indexes),
        local_indexes=_named(live_managed.local_indexes, table.local_indexes),
        ttl=live_managed.ttl if table.ttl else None,
        stream=live_managed.stream if table.stream else None,
    )


def with_live_settings(placed: TableTarget, live: TableTarget, environment: DynamoEnvironment) -> TableTarget:
    """See `Engine.with_live_settings`: settings under `tables:`."""
    actual, placement = live.placement, placed.placement
    if actual is None or placement is None:
        return placed
    own = environment.tables.get(unplace(placed, environment).name, TableSettings())
    is_billed = own.billing or own.capacity or own.autoscaling or own.on_demand_limits
    return replace(
        placed,
        placement=replace(
            placement,
            billing=placement.billing if own.billing else actual.billing,
            capacity=placement.capacity if is_billed else actual.capacity,
            limits=placement.limits if is_billed else actual.limits,
            table_class=placement.table_class if own.table_class else actual.table_class,
            has_recovery=actual.has_recovery if own.point_in_time_recovery is None else placement.has_recovery,
            is_protected=actual.is_protected if own.protect is None else placement.is_protected,
            encryption=placement.encryption if own.encryption else actual.encryption,
            tags=actual.tags,
        ),
    )


def _named(live_indexes: tuple[IndexTarget, ...], indexes: tuple[IndexTarget, ...]) -> tuple[IndexTarget, ...]:
    names = {index.name for index in indexes}
    return tuple(index for index in live_indexes if index.name in names)


def around(live: TableTarget, table: TableTarget) -> TableTarget:
    """See `Engine.around`.

    The declared value replaces settings that the service reports in another form, and settings that change by
    themselves: capacity that scales, and the stream that carries changes to replicas.
    """
    actual, declared = live.placement, table.placement
    live = replace(live, generation=table.generation)  # no table reports its generation
    if actual is None or declared is None:
        return live
    is_managed = declared.encryption == "aws-managed" and actual.encryption not in (None, "aws-owned")
    placement = replace(
        actual,
        capacity=declared.capacity if declared.scaling and actual.capacity else actual.capacity,
        scaling=declared.scaling,
        warm=declared.warm,
        encryption=declared.encryption if is_managed else actual.encryption,
        replication=declared.replication,
        has_insights=declared.has_insights,
        kinesis_stream=declared.kinesis_stream,
    )
    is_for_replicas = declared.replication is not None and declared.replication.needs_stream and table.stream is None
    return replace(live, placement=placement, stream=None if is_for_replicas else live.stream)


def keep(design: Design[DynamoTable, Item], before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: a former generation is a table of its own, which stays until a model drops it."""
    tables = dict(after)
    for physical in design.physicals:
        spec = physical.spec
        if spec.rebuild and not spec.rebuild.drops_old:
            former = spec.rebuild.from_generation
            key = f"{spec.name}-k{former}" if former > 1 else spec.name
            if key in before:
                tables[key] = before[key]
    return tables
