"""Capacity that scales by itself: what a stack file may say of it, and the resources that do it.

Source: https://docs.aws.amazon.com/autoscaling/application/userguide/services-that-can-integrate-dynamodb.html,
2026-11-22.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from keywright.engines.interface import Refusal
from keywright.engines.resource import Resource
from keywright.ir.json import Json

from .capabilities import SCALING_TARGET, SCALING_TARGET_LEAST
from .settings import Autoscaling, Bounds, Scaled, Schedule, TableSettings
from .target import TableTarget

TARGET = "aws:appautoscaling/target:Target"
POLICY = "aws:appautoscaling/policy:Policy"
ACTION = "aws:appautoscaling/scheduledAction:ScheduledAction"
"""The types of the resources: a capacity, how it follows the load, when its bounds change."""

_SIDES = ("read", "write")
_WHEN = re.compile(r"(cron|rate|at)\(.+\)")


def settled(settings: TableSettings) -> Autoscaling | None:
    """How the capacity of a table scales, its schedules sorted by name."""
    scaling = settings.autoscaling
    return replace(scaling, schedules=tuple(sorted(scaling.schedules, key=lambda one: one.name))) if scaling else None


def refuse(settings: TableSettings, declared: str) -> Iterator[Refusal]:
    """What is wrong with how the capacity of a table scales, of which its billing is known to be provisioned."""
    scaling, capacity = settings.autoscaling, settings.capacity
    if scaling is None:
        return
    for side, scaled in _sides(scaling):
        yield from _refuse_bounds(f"the {side} capacity", scaled, declared)
        least, most = SCALING_TARGET_LEAST.value, SCALING_TARGET.value
        if not least <= scaled.target <= most:
            problem = f'the {side} capacity of table "{declared}" has the target {scaled.target} percent'
            yield Refusal("E0402", f"{problem}, DynamoDB allows {least} to {most}", "70 is usual", declared)
        begins = getattr(capacity, side) if capacity else scaled.min
        if scaled.min <= scaled.max and not scaled.min <= begins <= scaled.max:
            problem = f'the {side} capacity of table "{declared}" begins with {begins}'
            problem += f" and scales between {scaled.min} and {scaled.max}"
            yield Refusal("E0402", problem, "leave out capacity, and it begins with the least", declared)
    yield from _refuse_schedules(scaling.schedules, declared)


def _refuse_bounds(what: str, bounds: Bounds, declared: str) -> Iterator[Refusal]:
    if not 1 <= bounds.min <= bounds.max:
        problem = f'{what} of table "{declared}" scales between {bounds.min} and {bounds.max}'
        yield Refusal("E0402", problem, "min is 1 or more, and not above max", declared)


def _refuse_schedules(schedules: Sequence[Schedule], declared: str) -> Iterator[Refusal]:
    names = [one.name for one in schedules]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problem = f'table "{declared}" has two schedules called "{name}"'
        yield Refusal("E0402", problem, "call them differently", declared)
    for one in schedules:
        what = f'schedule "{one.name}"'
        if not _WHEN.fullmatch(one.schedule):
            problem = f'{what} of table "{declared}" is "{one.schedule}"'
            help = "write cron(0 8 * * ? *), rate(1 day) or at(2026-11-27T00:00:00), as AWS does"
            yield Refusal("E0402", problem, help, declared)
        if not (one.read or one.write):
            problem = f'{what} of table "{declared}" changes nothing'
            yield Refusal("E0405", problem, "add read: {min: 5, max: 50}, or write", declared)
        for side, bounds in (("read", one.read), ("write", one.write)):
            if bounds:
                yield from _refuse_bounds(f"by {what} the {side} capacity", bounds, declared)


def describe(scaling: Autoscaling) -> Json:
    """As plain data."""
    told = asdict(scaling)
    return {**told, "schedules": list(told["schedules"])}


def parse(told: Mapping[str, Any]) -> Autoscaling:
    """The inverse of `describe`."""
    return Autoscaling(
        read=Scaled(**told["read"]),
        write=Scaled(**told["write"]),
        schedules=tuple(
            Schedule(**{**one, **{side: Bounds(**one[side]) for side in _SIDES if one[side]}})
            for one in told["schedules"]
        ),
    )


def resources(name: str, table: TableTarget) -> Iterator[Resource]:
    """Those that let the capacity of a placed table follow the load; none where it does not.

    name: what the stack calls the table.
    """
    scaling = table.placement.scaling if table.placement else None
    if scaling is None:
        return
    parts = [("table", f"table/{table.name}", name)]
    parts += [("index", f"table/{table.name}/index/{one.name}", f"{name}/index/{one.name}") for one in table.indexes]
    for kind, id, called in parts:
        for side, scaled in _sides(scaling):
            what: dict[str, Json] = {
                "serviceNamespace": "dynamodb",
                "resourceId": id,
                "scalableDimension": f"dynamodb:{kind}:{side.title()}CapacityUnits",
            }
            timed = [(one, bounds) for one in scaling.schedules if (bounds := getattr(one, side))]
            yield from _resources(f"{called}/{side}", name, what, side, scaled, timed)


def _resources(
    name: str, within: str, what: dict[str, Json], side: str, scaled: Scaled, timed: list[tuple[Schedule, Bounds]]
) -> Iterator[Resource]:
    """A capacity, its policy, its schedules. Bounds that schedules move are theirs after the first of them."""
    id = f"{what['resourceId']}/{side}"
    moved = ("minCapacity", "maxCapacity") if timed else ()
    yield Resource(TARGET, name, id, {**what, **_bounds(scaled)}, within, moved)
    metric = f"DynamoDB{side.title()}CapacityUtilization"
    policy: dict[str, Json] = {
        "name": metric,
        "policyType": "TargetTrackingScaling",
        **what,
        "targetTrackingScalingPolicyConfiguration": {
            "targetValue": scaled.target,
            "predefinedMetricSpecification": {"predefinedMetricType": metric},
        },
    }
    yield Resource(POLICY, f"{name}/policy", f"{id}/policy", policy, name)
    for one, bounds in timed:
        action: dict[str, Json] = {
            "name": f"{one.name}-{side}",
            **what,
            "schedule": one.schedule,
            "timezone": one.timezone,
            "scalableTargetAction": _bounds(bounds),
        }
        yield Resource(ACTION, f"{name}/schedule/{one.name}", f"{id}/schedule/{one.name}", action, name)


def read(resources: Iterable[Resource]) -> Autoscaling | None:
    """How a table scales by its resources; the inverse of `resources`."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for one in resources:
        if "/index/" not in str(one.inputs.get("resourceId", "/index/")):
            side = "read" if ":Read" in str(one.inputs["scalableDimension"]) else "write"
            found.setdefault((one.type, side), []).append(one.inputs)
    if not found:
        return None
    schedules: dict[str, dict[str, Any]] = {}
    for side in _SIDES:
        for action in found.get((ACTION, side), ()):
            called = str(action["name"]).removesuffix(f"-{side}")
            own = schedules.setdefault(called, {"schedule": action["schedule"], "timezone": action["timezone"]})
            own[side] = Bounds(**_read_bounds(action["scalableTargetAction"]))
    scaled = {
        side: Scaled(
            **_read_bounds(found[TARGET, side][0]),
            target=int(found[POLICY, side][0]["targetTrackingScalingPolicyConfiguration"]["targetValue"]),
        )
        for side in _SIDES
    }
    return Autoscaling(**scaled, schedules=tuple(Schedule(name=name, **schedules[name]) for name in sorted(schedules)))


def _sides(scaling: Autoscaling) -> tuple[tuple[str, Scaled], ...]:
    return (("read", scaling.read), ("write", scaling.write))


def _bounds(bounds: Bounds) -> dict[str, Json]:
    return {"minCapacity": bounds.min, "maxCapacity": bounds.max}


def _read_bounds(told: Mapping[str, Any]) -> dict[str, int]:
    return {"min": int(told["minCapacity"]), "max": int(told["maxCapacity"])}
