"""Autoscaling of capacity: checks of its settings in a stack file, and its resources.

Source: https://docs.aws.amazon.com/autoscaling/application/userguide/services-that-can-integrate-dynamodb.html,
2026-11-22.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.contract.resource import StackResource
from keywright.engines.interface import Rejection
from keywright.ir.json import Json
from keywright.record import asdict, replace

from ..declare.settings import Autoscaling, CapacityBounds, Scaled, Schedule, TableSettings
from .capabilities import SCALING_TARGET, SCALING_TARGET_LEAST
from .target import TableTarget

TARGET = "aws:appautoscaling/target:Target"
POLICY = "aws:appautoscaling/policy:Policy"
ACTION = "aws:appautoscaling/scheduledAction:ScheduledAction"
"""Resource types: a capacity, its scaling policy, a scheduled change of its bounds."""

_SIDES = ("read", "write")
_WHEN = re.compile(r"(cron|rate|at)\(.+\)")


def settled(settings: TableSettings) -> Autoscaling | None:
    """Autoscaling of a table, with schedules sorted by name."""
    scaling = settings.autoscaling
    return (
        replace(scaling, schedules=tuple(sorted(scaling.schedules, key=lambda schedule: schedule.name)))
        if scaling
        else None
    )


def refuse(settings: TableSettings, declared: str) -> Iterator[Rejection]:
    """Rejections of the autoscaling of a table with provisioned billing."""
    scaling, capacity = settings.autoscaling, settings.capacity
    if scaling is None:
        return
    for side, scaled in _sides(scaling):
        yield from _refuse_bounds(f"the {side} capacity", scaled, declared, ("autoscaling", side))
        least, most = SCALING_TARGET_LEAST.value, SCALING_TARGET.value
        if not least <= scaled.target <= most:
            problem = f'the {side} capacity of table "{declared}" has the target {scaled.target} percent'
            yield Rejection(
                "E0402",
                f"{problem}, DynamoDB allows {least} to {most}",
                "70 is usual",
                declared,
                setting=("autoscaling", side, "target"),
            )
        initial = getattr(capacity, side) if capacity else scaled.min
        if scaled.min <= scaled.max and not scaled.min <= initial <= scaled.max:
            problem = f'the {side} capacity of table "{declared}" starts with {initial}'
            problem += f" and scales between {scaled.min} and {scaled.max}"
            yield Rejection(
                "E0402",
                problem,
                "remove capacity, and it starts with min",
                declared,
                setting=("capacity", side),
            )
    yield from _refuse_schedules(scaling.schedules, declared)


_SCHEDULES = ("autoscaling", "schedules")


def _refuse_bounds(
    subject: str, bounds: CapacityBounds, declared: str, setting: tuple[str, ...]
) -> Iterator[Rejection]:
    if not 1 <= bounds.min <= bounds.max:
        problem = f'{subject} of table "{declared}" scales between {bounds.min} and {bounds.max}'
        yield Rejection("E0402", problem, "min must be 1 or more, and at most max", declared, setting=setting)


def _refuse_schedules(schedules: Sequence[Schedule], declared: str) -> Iterator[Rejection]:
    names = [schedule.name for schedule in schedules]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problem = f'table "{declared}" has two schedules with the name "{name}"'
        yield Rejection("E0402", problem, "choose different names", declared, setting=_SCHEDULES)
    for schedule in schedules:
        subject = f'schedule "{schedule.name}"'
        if not _WHEN.fullmatch(schedule.schedule):
            problem = f'{subject} of table "{declared}" is "{schedule.schedule}"'
            help = "write cron(0 8 * * ? *), rate(1 day) or at(2026-11-27T00:00:00), as AWS does"
            yield Rejection("E0402", problem, help, declared, setting=_SCHEDULES)
        if not (schedule.read or schedule.write):
            problem = f'{subject} of table "{declared}" changes nothing'
            yield Rejection("E0405", problem, "add read: {min: 5, max: 50}, or write", declared, setting=_SCHEDULES)
        for side, bounds in (("read", schedule.read), ("write", schedule.write)):
            if bounds:
                yield from _refuse_bounds(f"by {subject} the {side} capacity", bounds, declared, _SCHEDULES)


def describe(scaling: Autoscaling) -> Json:
    """Autoscaling as plain data."""
    description = asdict(scaling)
    return {**description, "schedules": list(description["schedules"])}


def parse(description: Mapping[str, Any]) -> Autoscaling:
    """The inverse of `describe`."""
    return Autoscaling(
        read=Scaled(**description["read"]),
        write=Scaled(**description["write"]),
        schedules=tuple(
            Schedule(**{**schedule, **{side: CapacityBounds(**schedule[side]) for side in _SIDES if schedule[side]}})
            for schedule in description["schedules"]
        ),
    )


def resources(name: str, table: TableTarget) -> Iterator[StackResource]:
    """Resources that scale the capacity of a placed table; none without autoscaling.

    name: the table's name in the stack.
    """
    scaling = table.placement.scaling if table.placement else None
    if scaling is None:
        return
    parts = [("table", f"table/{table.name}", name)]
    parts += [
        ("index", f"table/{table.name}/index/{index.name}", f"{name}/index/{index.name}") for index in table.indexes
    ]
    for kind, id, resource_name in parts:
        for side, scaled in _sides(scaling):
            inputs: dict[str, Json] = {
                "serviceNamespace": "dynamodb",
                "resourceId": id,
                "scalableDimension": f"dynamodb:{kind}:{side.title()}CapacityUnits",
            }
            scheduled = [(schedule, bounds) for schedule in scaling.schedules if (bounds := getattr(schedule, side))]
            yield from _resources(f"{resource_name}/{side}", name, inputs, side, scaled, scheduled)


def _resources(
    name: str,
    within: str,
    inputs: dict[str, Json],
    side: str,
    scaled: Scaled,
    scheduled: list[tuple[Schedule, CapacityBounds]],
) -> Iterator[StackResource]:
    """A capacity, its policy, its schedules. Later previews ignore bounds that schedules change."""
    id = f"{inputs['resourceId']}/{side}"
    ignored = ("minCapacity", "maxCapacity") if scheduled else ()
    yield StackResource(TARGET, name, id, {**inputs, **_bounds(scaled)}, within, ignored)
    metric = f"DynamoDB{side.title()}CapacityUtilization"
    policy: dict[str, Json] = {
        "name": metric,
        "policyType": "TargetTrackingScaling",
        **inputs,
        "targetTrackingScalingPolicyConfiguration": {
            "targetValue": scaled.target,
            "predefinedMetricSpecification": {"predefinedMetricType": metric},
        },
    }
    yield StackResource(POLICY, f"{name}/policy", f"{id}/policy", policy, name)
    for schedule, bounds in scheduled:
        action: dict[str, Json] = {
            "name": f"{schedule.name}-{side}",
            **inputs,
            "schedule": schedule.schedule,
            "timezone": schedule.timezone,
            "scalableTargetAction": _bounds(bounds),
        }
        yield StackResource(ACTION, f"{name}/schedule/{schedule.name}", f"{id}/schedule/{schedule.name}", action, name)


def read(resources: Iterable[StackResource]) -> Autoscaling | None:
    """Autoscaling of a table from its resources; the inverse of `resources`."""
    inputs: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for resource in resources:
        if "/index/" not in str(resource.inputs.get("resourceId", "/index/")):
            side = "read" if ":Read" in str(resource.inputs["scalableDimension"]) else "write"
            inputs.setdefault((resource.type, side), []).append(resource.inputs)
    if not inputs:
        return None
    schedules: dict[str, dict[str, Any]] = {}
    for side in _SIDES:
        for action in inputs.get((ACTION, side), ()):
            schedule_name = str(action["name"]).removesuffix(f"-{side}")
            schedule = schedules.setdefault(
                schedule_name, {"schedule": action["schedule"], "timezone": action["timezone"]}
            )
            schedule[side] = CapacityBounds(**_read_bounds(action["scalableTargetAction"]))
    scaled = {
        side: Scaled(
            **_read_bounds(inputs[TARGET, side][0]),
            target=int(inputs[POLICY, side][0]["targetTrackingScalingPolicyConfiguration"]["targetValue"]),
        )
        for side in _SIDES
    }
    return Autoscaling(**scaled, schedules=tuple(Schedule(name=name, **schedules[name]) for name in sorted(schedules)))


def _sides(scaling: Autoscaling) -> tuple[tuple[str, Scaled], ...]:
    return (("read", scaling.read), ("write", scaling.write))


def _bounds(bounds: CapacityBounds) -> dict[str, Json]:
    return {"minCapacity": bounds.min, "maxCapacity": bounds.max}


def _read_bounds(action: Mapping[str, Any]) -> dict[str, int]:
    return {"min": int(action["minCapacity"]), "max": int(action["maxCapacity"])}
