"""Converts a stack into the resources of a Pulumi program."""

from collections.abc import Sequence
from typing import Any

from keywright.compiler import Placed, plan_access
from keywright.engines.contract.resource import StackResource
from keywright.engines.contract.stack_tables import StackTables
from keywright.engines.registry import engine_named, in_order, stack_tables, stack_tables_of

from ..monitoring import alarms, resource_name
from ..pulumi.plain import Provided, ProvidedTable, ProviderResource
from .desired import Stack
from .item_backfill import runs_of
from .item_identity import keys_of


def provided(stack: Stack) -> Provided:
    """All resources of the stack's environment, as plain data."""
    plan = plan_access(stack.compiled)
    engines = [engine_named(name) for name in in_order(stack.environment.engines)]
    alarms_by_engine = {engine.name: alarms(engine, stack.targets, stack.environment, plan) for engine in engines}
    return Provided(
        environment=stack.environment.name,
        tags={
            key: value
            for tables in stack_tables().values()
            for key, value in getattr(stack.environment.of(tables.engine), "tags", {}).items()
        },
        tables={
            resource_name(target): _table(stack, target, tables, alarms_by_engine[target.engine.name])
            for target in stack.targets
            if (tables := stack_tables_of(target.engine.name)) is not None
        },
        others=tuple(
            ProviderResource(
                resource, target.store, getattr(stack.environment.of(target.engine.name), "protect", False)
            )
            for target in stack.targets
            if stack_tables_of(target.engine.name) is None
            for resource in target.resources
        ),
        grants={
            row.pattern.name: tuple(tables.grants(row.planned))
            for row in plan.rows
            if row.planned.is_served and (tables := stack_tables_of(row.placed.engine.name)) is not None
        },
        parameter_groups={
            key: group
            for engine in engines
            if (part := stack.environment.of(engine.name)) is not None
            for key, group in engine.parameter_groups(
                [target.placed for target in stack.targets if target.engine is engine], part
            ).items()
        },
        alarms=tuple(
            alarm for engine_alarms in alarms_by_engine.values() for alarm in engine_alarms if not alarm.within
        ),
        stores=_stores(stack),
        keys=keys_of(stack.compiled) if stack.is_followed else (),
        runs=runs_of(stack.compiled) if stack.is_followed else (),
        pending=stack.pending,
        is_assumed=stack.is_assumed,
    )


def _stores(stack: Stack) -> tuple[str, ...]:
    history = stack.environment.history
    stores = [target.store for target in (*stack.targets, *stack.compiled.targets)]
    return tuple(sorted({*stores, *([history] if history and "/" in history else [])}))


def _table(stack: Stack, target: Placed, tables: StackTables, alarms: Sequence[StackResource]) -> ProvidedTable:
    """A table with its alarms."""
    placed: Any = target.placed
    key = resource_name(target)
    return ProvidedTable(
        declared=target.declared.name,
        inputs=tables.inputs(placed, stack.orders.get(target.declared.name, ())),
        options=tables.options(placed),
        companions=(*tables.companions(key, placed), *(alarm for alarm in alarms if alarm.within == key)),
        has_stream=tables.has_stream(placed),
        indexes=tuple(index.name for index in placed.indexes),
    )
