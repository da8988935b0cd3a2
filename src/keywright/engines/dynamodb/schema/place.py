"""Adds the settings of an environment to a table, and removes them."""

import re
from collections.abc import Iterator
from typing import Literal

from keywright.engines.contract.pages import Work
from keywright.engines.interface import Description, Rejection
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.record import replace

from ..declare.options import Item
from ..declare.settings import DynamoEnvironment, TableSettings, Throughput
from . import replicas, scaling
from .capabilities import FLAVOURS, NAME_LENGTH
from .target import Placement, TableTarget

GENERATION = re.compile(r"-k(\d+)$")
"""Suffix of a table's name from its second generation on."""


_KINESIS = re.compile(r"arn:aws[a-z-]*:kinesis:[a-z0-9-]+:[0-9]{12}:stream/[A-Za-z0-9_.-]{1,128}$")
"""ARN of a stream.
Source: https://docs.aws.amazon.com/kinesis/latest/APIReference/API_StreamDescription.html, 2026-11-28."""


def place(table: TableTarget, environment: DynamoEnvironment) -> TableTarget:
    """See `Engine.place`."""
    settings = environment.of_table(table.name)
    flavour = FLAVOURS[environment.flavour]

    def reported(feature: str) -> bool:
        return flavour.has(feature, environment.version)

    is_provisioned = settings.billing == "provisioned"
    placement = Placement(
        billing="PROVISIONED" if is_provisioned else "PAY_PER_REQUEST",
        capacity=_initial_capacity(settings) if is_provisioned else None,
        scaling=scaling.settled(settings) if reported("autoscaling") and is_provisioned else None,
        limits=_pair(settings.on_demand_limits) if reported("on-demand-limits") and not is_provisioned else None,
        warm=_pair(settings.warm_throughput) if reported("warm-throughput") else None,
        table_class=_table_class(settings.table_class) if reported("table-class") else None,
        has_recovery=settings.point_in_time_recovery if reported("point-in-time-recovery") else None,
        is_protected=bool(settings.protect),
        encryption=settings.encryption if reported("encryption") else None,
        tags=tuple(sorted(environment.tags.items())) if reported("tags") else None,
        replication=replicas.settled(settings) if reported("replicas") else None,
        has_insights=bool(settings.contributor_insights) and reported("contributor-insights"),
        kinesis_stream=settings.kinesis_stream if reported("kinesis-stream") else None,
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
    """See `Engine.localise`: `place` leaves out the features that DynamoDB Local lacks, by the flavour."""
    return replace(environment or DynamoEnvironment(flavour="dynamodb-local", protect=False), flavour="dynamodb-local")


def apart(environment: DynamoEnvironment, prefix: str) -> DynamoEnvironment:
    """See `Engine.apart`."""
    return replace(environment, name_prefix=prefix, protect=False, billing="on-demand", tables={})


def object_of(table: TableTarget, binding: Binding[Item]) -> str:
    """See `Engine.object_of`: all entities of a table share it."""
    return table.name


def work(table: TableTarget, entity: str) -> Work:
    """See `Engine.work`: items are identified by their discriminator, else by their key templates."""
    shape = next(other for other in table.shape if other.name == entity)
    key_schemas = (table.keys, *(index.keys for index in (*table.indexes, *table.local_indexes)))
    return Work(
        object=table.name,
        reads=(),
        writes=(),
        types={field.stored: field.type for field in shape.fields},
        key_attributes=tuple({part.attribute for keys in key_schemas for part in keys}),
        discriminator=shape.discriminator,
        keys=_key_templates(shape.keys),
        others=tuple(_key_templates(other.keys) for other in table.shape if other.name != entity),
    )


def _key_templates(keys: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((argument, template) for argument, template in keys if argument in ("pk", "sk"))


def refuse(table: TableTarget, environment: DynamoEnvironment) -> Iterator[Rejection]:
    """See `Engine.refuse`."""
    declared = unplace(table, environment).name
    settings = environment.of_table(declared)
    if version_problem := FLAVOURS[environment.flavour].wrong_version(environment.version):
        yield Rejection("E0402", *version_problem, declared, setting=("version",))
    if settings.billing == "provisioned" and settings.capacity is None and settings.autoscaling is None:
        problem = f'table "{declared}" has provisioned billing and no capacity in this environment'
        yield Rejection(
            "E0405",
            problem,
            "add capacity: {read: 100, write: 100}, or write billing: on-demand",
            declared,
            setting=("billing",),
        )
    if settings.billing == "provisioned":
        yield from scaling.refuse(settings, declared)
    elif _has_idle_scaling(declared, environment):
        problem = f'table "{declared}" has autoscaling and on-demand billing, which scales by itself'
        yield Rejection(
            "E0402", problem, "remove autoscaling, or write billing: provisioned", declared, setting=("autoscaling",)
        )
    yield from replicas.refuse(table, settings, declared)
    if settings.kinesis_stream is not None and not _KINESIS.match(settings.kinesis_stream):
        problem = f'table "{declared}" has kinesis-stream: {settings.kinesis_stream}, which is no ARN of a stream'
        help = "write its ARN, such as arn:aws:kinesis:eu-west-1:111122223333:stream/changes"
        yield Rejection("E0402", problem, help, declared, setting=("kinesis-stream",))
    if environment.managed_by == "keywright":
        yield from _stack_only(settings, declared)
    if len(table.name) > NAME_LENGTH.value:
        problem = (
            f'the name "{table.name}" has {counted(len(table.name), "character")}, DynamoDB allows {NAME_LENGTH.value}'
        )
        yield Rejection("DDB113", problem, "shorten the table's name or the environment's name-prefix", declared)


def _has_idle_scaling(declared: str, environment: DynamoEnvironment) -> bool:
    """Whether autoscaling is set for a table without provisioned capacity, at the level that sets the billing."""
    own = environment.tables.get(declared, TableSettings())
    if own.autoscaling or own.billing:
        return own.autoscaling is not None
    is_any_provisioned = any(table.billing == "provisioned" for table in environment.tables.values())
    return environment.autoscaling is not None and not is_any_provisioned


def _stack_only(settings: TableSettings, declared: str) -> Iterator[Rejection]:
    """Settings that only a stack can apply, because they are resources of their own."""
    stack_settings = {
        "autoscaling": settings.autoscaling,
        "replicas": settings.replicas,
        "contributor-insights": settings.contributor_insights,
        "kinesis-stream": settings.kinesis_stream,
    }
    for name, value in stack_settings.items():
        if value:
            problem = f'table "{declared}" has {name}, which needs a stack, but managed-by: keywright'
            yield Rejection("E0402", problem, f"remove {name}, or write managed-by: pulumi", declared, setting=(name,))


def _initial_capacity(settings: TableSettings) -> tuple[int, int] | None:
    """Capacity of a new table: the declared one, else the lower bound of its scaling."""
    scaling = settings.autoscaling
    return _pair(settings.capacity) or ((scaling.read.min, scaling.write.min) if scaling else None)


def _pair(units: Throughput | None) -> tuple[int, int] | None:
    return (units.read, units.write) if units else None


def _table_class(name: str | None) -> Literal["STANDARD", "STANDARD_INFREQUENT_ACCESS"]:
    return "STANDARD_INFREQUENT_ACCESS" if name == "standard-infrequent-access" else "STANDARD"


HISTORY = "kw-history"
"""Name of the table of histories, without the prefix of the environment."""


def home(environment: DynamoEnvironment, store: str) -> str:
    """See `Engine.home`."""
    return f"{environment.name_prefix}{HISTORY}"


def is_untouched(table: TableTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`."""
    return live is None
