"""What an environment adds to a table, and takes off it again."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from keywright.engines.interface import Description, Refusal
from keywright.ir.binding import Binding

from . import replicas, scaling
from .capabilities import FLAVOURS, NAME_LENGTH
from .settings import DynamoEnvironment, TableSettings, Throughput
from .target import Placement, TableTarget

GENERATION = re.compile(r"-k(\d+)$")
"""What the name of a table ends with from its second generation on."""


def place(table: TableTarget, environment: DynamoEnvironment) -> TableTarget:
    """See `Engine.place`."""
    settings = environment.of_table(table.name)
    flavour = FLAVOURS[environment.flavour]

    def reported(feature: str) -> bool:
        return flavour.has(feature, environment.version)

    is_provisioned = settings.billing == "provisioned"
    placement = Placement(
        billing="PROVISIONED" if is_provisioned else "PAY_PER_REQUEST",
        capacity=_first(settings) if is_provisioned else None,
        scaling=scaling.settled(settings) if reported("autoscaling") and is_provisioned else None,
        limits=_pair(settings.on_demand_limits) if reported("on-demand-limits") and not is_provisioned else None,
        warm=_pair(settings.warm_throughput) if reported("warm-throughput") else None,
        table_class=_class(settings.table_class) if reported("table-class") else None,
        has_recovery=settings.point_in_time_recovery if reported("point-in-time-recovery") else None,
        is_protected=bool(settings.protect),
        encryption=settings.encryption if reported("encryption") else None,
        tags=tuple(sorted(environment.tags.items())) if reported("tags") else None,
        replication=replicas.settled(settings) if reported("replicas") else None,
        has_insights=bool(settings.contributor_insights) and reported("contributor-insights"),
    )
    suffix = f"-k{table.generation}" if table.generation > 1 else ""
    return replace(table, name=f"{environment.name_prefix}{table.name}{suffix}", placement=placement)


def unplace(table: TableTarget, environment: DynamoEnvironment) -> TableTarget:
    """See `Engine.unplace`."""
    suffix = GENERATION.search(table.name)
    generation = int(suffix[1]) if suffix else 1
    name = table.name.removeprefix(environment.name_prefix)
    return replace(table, name=GENERATION.sub("", name), generation=generation, placement=None)


def localise(environment: DynamoEnvironment | None, version: str) -> DynamoEnvironment:
    """See `Engine.localise`: what the stand-in cannot hold, `place` leaves out by its flavour."""
    return replace(environment or DynamoEnvironment(flavour="dynamodb-local", protect=False), flavour="dynamodb-local")


def managed(live: TableTarget, wanted: TableTarget) -> TableTarget:
    """See `Engine.managed`: a table belongs to its models whole.

    What the service does not report as it was said counts as said, and so does what is not for anybody to set: capacity
    that scales, the stream by which changes travel to replicas.
    """
    has, said = live.placement, wanted.placement
    if has is None or said is None:
        return live
    is_managed = said.encryption == "aws-managed" and has.encryption not in (None, "aws-owned")
    placement = replace(
        has,
        capacity=said.capacity if said.scaling and has.capacity else has.capacity,
        scaling=said.scaling,
        warm=said.warm,
        encryption=said.encryption if is_managed else has.encryption,
        replication=said.replication,
        has_insights=said.has_insights,
    )
    is_for_replicas = said.replication is not None and said.replication.needs_stream and wanted.stream is None
    return replace(live, placement=placement, stream=None if is_for_replicas else live.stream)


def object_of(table: TableTarget, binding: Binding) -> str:
    """See `Engine.object_of`: all entities of a table share it."""
    return table.name


def refuse(table: TableTarget, environment: DynamoEnvironment) -> Iterator[Refusal]:
    """See `Engine.refuse`."""
    declared = unplace(table, environment).name
    settings = environment.of_table(declared)
    if wrong := FLAVOURS[environment.flavour].wrong_version(environment.version):
        yield Refusal("E0402", *wrong, declared)
    if settings.billing == "provisioned" and settings.capacity is None and settings.autoscaling is None:
        problem = f'table "{declared}" has provisioned billing and no capacity in this environment'
        yield Refusal("E0405", problem, "add capacity: {read: 100, write: 100}, or say billing: on-demand", declared)
    if settings.billing == "provisioned":
        yield from scaling.refuse(settings, declared)
    elif _has_idle_scaling(declared, environment):
        problem = f'table "{declared}" has autoscaling and on-demand billing, which follows the load by itself'
        yield Refusal("E0402", problem, "leave out autoscaling, or say billing: provisioned", declared)
    yield from replicas.refuse(table, settings, declared)
    if environment.managed_by == "keywright":
        yield from _without_stack(settings, declared)
    if len(table.name) > NAME_LENGTH.value:
        problem = f'the name "{table.name}" has {len(table.name)} characters, DynamoDB allows {NAME_LENGTH.value}'
        yield Refusal("DDB113", problem, "shorten the table's name or the environment's name-prefix", declared)


def _has_idle_scaling(declared: str, environment: DynamoEnvironment) -> bool:
    """Whether capacity that a table does not have is to scale, by what is said where its billing is said."""
    own = environment.tables.get(declared, TableSettings())
    if own.autoscaling or own.billing:
        return own.autoscaling is not None
    is_any_provisioned = any(one.billing == "provisioned" for one in environment.tables.values())
    return environment.autoscaling is not None and not is_any_provisioned


def _without_stack(settings: TableSettings, declared: str) -> Iterator[Refusal]:
    """What only a stack makes, which is no call to a table."""
    said = {
        "autoscaling": settings.autoscaling,
        "replicas": settings.replicas,
        "contributor-insights": settings.contributor_insights,
    }
    for name, value in said.items():
        if value:
            problem = f'table "{declared}" has {name}, which a stack makes, and managed-by: keywright'
            yield Refusal("E0402", problem, f"leave out {name}, or say managed-by: pulumi", declared)


def _first(settings: TableSettings) -> tuple[int, int] | None:
    """The capacity that a table is made with: where it scales, the least, unless it is said."""
    scaled = settings.autoscaling
    return _pair(settings.capacity) or ((scaled.read.min, scaled.write.min) if scaled else None)


def _pair(units: Throughput | None) -> tuple[int, int] | None:
    return (units.read, units.write) if units else None


def _class(name: str | None) -> Literal["STANDARD", "STANDARD_INFREQUENT_ACCESS"]:
    return "STANDARD_INFREQUENT_ACCESS" if name == "standard-infrequent-access" else "STANDARD"


def home(environment: DynamoEnvironment, store: str) -> str:
    """See `Engine.home`."""
    return f"{environment.name_prefix}kw-history"


def is_untouched(table: TableTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`."""
    return live is None
