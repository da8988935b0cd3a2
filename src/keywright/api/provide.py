"""A stack as what a Pulumi program says of it."""

from collections.abc import Sequence
from typing import Any

from keywright.compiler import Placed, plan_access
from keywright.engines.dynamodb import iam
from keywright.engines.dynamodb.beside import beside
from keywright.engines.dynamodb.resources import options, to_resource
from keywright.engines.registry import ENGINES
from keywright.engines.resource import Resource

from .monitoring import alarms, called
from .provided import Other, Provided, Table
from .runs import runs_of
from .stack import Stack, resources_of


def provided(stack: Stack) -> Provided:
    """Everything that the stack's environment has, as plain data."""
    plan = plan_access(stack.compiled)
    told = {engine.name: alarms(engine, stack.targets, stack.environment, plan) for engine in ENGINES}
    return Provided(
        environment=stack.environment.name,
        tags=dict(getattr(stack.environment.of("dynamodb"), "tags", {})),
        tables={
            called(one): _table(stack, one, told["dynamodb"]) for one in stack.targets if one.engine.name == "dynamodb"
        },
        others=tuple(
            Other(resource, one.store, getattr(stack.environment.of(one.engine.name), "protect", False))
            for one in stack.targets
            if one.engine.name != "dynamodb"
            for resource in resources_of(one)
        ),
        grants={
            row.pattern.name: iam.grants(row.planned)
            for row in plan.rows
            if row.placed.engine.name == "dynamodb" and row.planned.is_served
        },
        parameter_groups={
            key: group
            for engine in ENGINES
            if (part := stack.environment.of(engine.name)) is not None
            for key, group in engine.parameter_groups(
                [one.placed for one in stack.targets if one.engine is engine], part
            ).items()
        },
        alarms=tuple(one for found in told.values() for one in found if not one.within),
        runs=runs_of(stack.compiled) if stack.is_followed else (),
        pending=stack.pending,
        is_assumed=stack.is_assumed,
    )


def _table(stack: Stack, one: Placed, alarms: Sequence[Resource]) -> Table:
    """A table, with those of the alarms that are about it."""
    placed: Any = one.placed
    key = called(one)
    return Table(
        declared=one.declared.name,
        inputs=to_resource(placed, stack.orders.get(one.declared.name, ())),
        options=options(placed),
        beside=(*beside(key, placed), *(alarm for alarm in alarms if alarm.within == key)),
        has_stream=bool(placed.stream),
        indexes=tuple(index.name for index in placed.indexes),
    )
