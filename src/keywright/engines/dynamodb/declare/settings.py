"""DynamoDB's part of an environment: what a stack file says of tables, never a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from keywright.engines.environment import Environment, Percent, Threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """Units per second."""

    read: int
    """Read units."""
    write: int
    """Write units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Between which capacity moves."""

    min: int
    """The least units."""
    max: int
    """The most units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaled(Bounds):
    """Capacity that follows the load."""

    target: int = 70
    """How many percent of it are to be in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Other bounds from a moment on."""

    name: str
    """Its name, such as `morning`."""
    schedule: str
    """When, as AWS writes it: `cron(0 8 * * ? *)`, `rate(1 day)` or `at(2026-11-27T00:00:00)`."""
    timezone: str = "UTC"
    """In whose time that is, such as `Europe/Berlin`."""
    read: Bounds | None = None
    """Between which read capacity moves from then on; None to leave it."""
    write: Bounds | None = None
    """Between which write capacity moves from then on; None to leave it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Autoscaling:
    """Provisioned capacity that follows the load, of the table and of each global index by itself."""

    read: Scaled
    """Read capacity."""
    write: Scaled
    """Write capacity."""
    schedules: tuple[Schedule, ...] = ()
    """Moments at which the bounds change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """The same table in another region."""

    region: str
    """The region, such as `us-east-1`."""
    point_in_time_recovery: bool | None = None
    """Whether every second of the last 35 days can be restored there; as the table itself where nothing is said."""
    protect: bool | None = None
    """Whether it refuses to be deleted; likewise."""
    encryption: str | None = None
    """The ARN of a key of yours in that region."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamoAlerts:
    """From where on it is told how tables are; null tells nothing."""

    throttled: Threshold | None = Threshold(0)
    """Reads or writes of a minute that the table or an index did not take."""
    consumed_percent: Percent | None = Percent(80)
    """How much of the capacity is taken, where there is a most of it."""
    latency: bool = True
    """Whether it is told when an operation takes longer than patterns say by `p99_ms`."""
    system_errors: Threshold | None = Threshold(0)
    """Requests of a minute that failed within the service."""
    user_errors: Threshold | None = None
    """Requests of a minute that were wrong, of all that the account sends in the region; by default nothing is told."""
    ttl_silent_days: Literal[1, 2, 3, 4, 5, 6, 7] | None = 1
    """For how many days no item expires before that is told, of a table whose items do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What an environment may say of one table; None leaves it to the environment's own setting."""

    billing: Literal["on-demand", "provisioned"] | None = None
    """How throughput is paid for."""
    capacity: Throughput | None = None
    """Provisioned units, of the table and of each index; needed with provisioned billing that does not scale."""
    autoscaling: Autoscaling | None = None
    """Between which provisioned capacity follows the load; `capacity` is then where it begins."""
    on_demand_limits: Throughput | None = None
    """The most that on-demand billing serves, as a guard against runaway cost."""
    warm_throughput: Throughput | None = None
    """What the table can serve at once, before it has grown by itself."""
    table_class: Literal["standard", "standard-infrequent-access"] | None = None
    """Storage price against throughput price."""
    point_in_time_recovery: bool | None = None
    """Whether every second of the last 35 days can be restored."""
    protect: bool | None = None
    """Whether the table refuses to be deleted."""
    encryption: str | None = None
    """Who owns the key: `aws-owned`, `aws-managed`, or the ARN of a key of yours."""
    replicas: tuple[Replica, ...] | None = None
    """Other regions that have the table."""
    consistency: Literal["eventual", "strong"] | None = None
    """Whether a read in one region sees at once what was written in another."""
    witness: str | None = None
    """The region that only votes, where two others hold the data with strong consistency."""
    contributor_insights: bool | None = None
    """Whether the service counts which keys are asked most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamoEnvironment(Environment):
    """DynamoDB in one environment: settings of all tables, and of single ones."""

    flavour: Literal["dynamodb", "dynamodb-local"]
    """The service itself, or its stand-in for development."""
    name_prefix: str = ""
    """What every table's name begins with."""
    managed_by: Literal["pulumi", "keywright"] = "pulumi"
    """Who owns the tables: a stack, or the runner alone."""
    billing: Literal["on-demand", "provisioned"] = "on-demand"
    """How throughput is paid for; on demand by default, since it follows the load."""
    capacity: Throughput | None = None
    """Provisioned units, of each table and each index."""
    autoscaling: Autoscaling | None = None
    """Between which provisioned capacity follows the load; `capacity` is then where it begins."""
    on_demand_limits: Throughput | None = None
    """The most that on-demand billing serves."""
    warm_throughput: Throughput | None = None
    """What a table can serve at once."""
    table_class: Literal["standard", "standard-infrequent-access"] = "standard"
    """Storage price against throughput price."""
    point_in_time_recovery: bool = True
    """Whether every second of the last 35 days can be restored; on by default, since nothing else undoes a mistake."""
    protect: bool = True
    """Whether tables refuse to be deleted; on by default."""
    encryption: str = "aws-owned"
    """Who owns the key: `aws-owned`, `aws-managed`, or an ARN."""
    replicas: tuple[Replica, ...] = ()
    """Other regions that have each table."""
    consistency: Literal["eventual", "strong"] = "eventual"
    """Whether a read in one region sees at once what was written in another."""
    witness: str | None = None
    """The region that only votes, where two others hold the data with strong consistency."""
    contributor_insights: bool = False
    """Whether the service counts which keys are asked most."""
    alerts: DynamoAlerts = DynamoAlerts()
    """From where on it is told how tables are."""
    tables: Mapping[str, TableSettings] = field(default_factory=dict)
    """Settings of single tables, by declared name; they win."""

    def of_table(self, name: str) -> TableSettings:
        """What counts for one table."""
        own = self.tables.get(name, TableSettings())
        known = {one.name: getattr(own, one.name) for one in fields(TableSettings)}
        return TableSettings(**{key: getattr(self, key) if value is None else value for key, value in known.items()})
