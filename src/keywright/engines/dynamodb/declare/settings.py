"""DynamoDB's part of an environment: settings of tables in a stack file, never in a model."""

from collections.abc import Mapping
from typing import Literal

from keywright.engines.environment import EngineEnvironment, Percent, Threshold
from keywright.record import Record, field, fields


class Throughput(Record, kw_only=True):
    """Units per second."""

    read: int
    """Read units."""
    write: int
    """Write units."""


class CapacityBounds(Record, kw_only=True):
    """Bounds of scaling capacity."""

    min: int
    """Fewest units."""
    max: int
    """Most units."""


class Scaled(CapacityBounds, kw_only=True):
    """Bounds and target of capacity that follows the load."""

    target: int = 70
    """Target utilisation in percent."""


class Schedule(Record, kw_only=True):
    """Scheduled change of the bounds."""

    name: str
    """Its name, such as `morning`."""
    schedule: str
    """Time in the syntax of AWS: `cron(0 8 * * ? *)`, `rate(1 day)` or `at(2026-11-27T00:00:00)`."""
    timezone: str = "UTC"
    """Time zone of the schedule, such as `Europe/Berlin`."""
    read: CapacityBounds | None = None
    """Bounds of read capacity from then on; None for no change."""
    write: CapacityBounds | None = None
    """Bounds of write capacity from then on; None for no change."""


class Autoscaling(Record, kw_only=True):
    """Provisioned capacity that follows the load, separately for the table and each global index."""

    read: Scaled
    """Read capacity."""
    write: Scaled
    """Write capacity."""
    schedules: tuple[Schedule, ...] = ()
    """Scheduled changes of the bounds."""


class Replica(Record, kw_only=True):
    """Replica of a table in another region."""

    region: str
    """The region, such as `us-east-1`."""
    point_in_time_recovery: bool | None = None
    """Whether every second of the last 35 days can be restored there; by default as for the table."""
    protect: bool | None = None
    """Whether the service rejects its deletion; by default as for the table."""
    encryption: str | None = None
    """The ARN of a customer's key in that region."""


class DynamoAlerts(Record, kw_only=True):
    """Thresholds of alarms on tables; null for no alarm."""

    throttled: Threshold | None = Threshold(0)
    """Throttled reads or writes per minute, of a table or an index."""
    consumed_percent: Percent | None = Percent(80)
    """Consumed share of the capacity, if the capacity has a maximum."""
    latency: bool = True
    """Whether there is an alarm when an operation exceeds `p99_ms` of its patterns."""
    system_errors: Threshold | None = Threshold(0)
    """Requests per minute that failed within the service."""
    user_errors: Threshold | None = None
    """Invalid requests per minute, of all requests of the account in the region; no alarm by default."""
    ttl_silent_days: Literal[1, 2, 3, 4, 5, 6, 7] | None = 1
    """Days without an expired item, for a table with expiring items."""


class TableSettings(Record, kw_only=True):
    """Settings of one table in an environment; None leaves the environment's own setting."""

    billing: Literal["on-demand", "provisioned"] | None = None
    """Billing of throughput."""
    capacity: Throughput | None = None
    """Provisioned units of the table and of each index; required for provisioned billing without autoscaling."""
    autoscaling: Autoscaling | None = None
    """Bounds within which provisioned capacity follows the traffic; `capacity` is then the initial value."""
    on_demand_limits: Throughput | None = None
    """Most units of on-demand billing, as a guard against runaway cost."""
    warm_throughput: Throughput | None = None
    """Throughput that the table serves at once, without growing first."""
    table_class: Literal["standard", "standard-infrequent-access"] | None = None
    """Table class: a lower price of throughput, or a lower price of storage."""
    point_in_time_recovery: bool | None = None
    """Whether every second of the last 35 days can be restored."""
    protect: bool | None = None
    """Whether the service rejects deletion of the table."""
    encryption: str | None = None
    """Owner of the key: `aws-owned`, `aws-managed`, or the ARN of a customer's key."""
    replicas: tuple[Replica, ...] | None = None
    """Replicas of the table in other regions."""
    consistency: Literal["eventual", "strong"] | None = None
    """Whether reads in one region immediately see writes of another region."""
    witness: str | None = None
    """Region of a witness without data, for strong consistency with data in two regions."""
    contributor_insights: bool | None = None
    """Whether the service counts the most accessed keys."""
    kinesis_stream: str | None = None
    """ARN of a stream of Kinesis that receives every change, beside the table's own stream; in the same region."""


class DynamoEnvironment(EngineEnvironment, kw_only=True):
    """DynamoDB in one environment: settings of all tables, and of single tables."""

    flavour: Literal["dynamodb", "dynamodb-local"]
    """The service itself, or DynamoDB Local for development."""
    name_prefix: str = ""
    """Prefix of every table's name."""
    managed_by: Literal["pulumi", "keywright"] = "pulumi"
    """Owner of the tables: a stack, or only the migration runner."""
    billing: Literal["on-demand", "provisioned"] = "on-demand"
    """Billing of throughput; on demand by default, because it follows the traffic."""
    capacity: Throughput | None = None
    """Provisioned units of each table and each index."""
    autoscaling: Autoscaling | None = None
    """Bounds within which provisioned capacity follows the traffic; `capacity` is then the initial value."""
    on_demand_limits: Throughput | None = None
    """Maximum units of on-demand billing."""
    warm_throughput: Throughput | None = None
    """Throughput that a table serves at once, without growing first."""
    table_class: Literal["standard", "standard-infrequent-access"] = "standard"
    """Table class: a lower price of throughput, or a lower price of storage."""
    point_in_time_recovery: bool = True
    """Whether every second of the last 35 days can be restored; on by default, as protection from mistakes."""
    protect: bool = True
    """Whether the service rejects deletion of tables; on by default."""
    encryption: str = "aws-owned"
    """Owner of the key: `aws-owned`, `aws-managed`, or the ARN of a customer's key."""
    replicas: tuple[Replica, ...] = ()
    """Replicas of each table in other regions."""
    consistency: Literal["eventual", "strong"] = "eventual"
    """Whether reads in one region immediately see writes of another region."""
    witness: str | None = None
    """Region of a witness without data, for strong consistency with data in two regions."""
    contributor_insights: bool = False
    """Whether the service counts the most accessed keys."""
    kinesis_stream: str | None = None
    """ARN of a stream of Kinesis that receives every change of every table."""
    alerts: DynamoAlerts = DynamoAlerts()
    """Thresholds of alarms."""
    tables: Mapping[str, TableSettings] = field(default_factory=dict)
    """Settings of single tables, by declared name; they take precedence."""

    def is_in_second_region(self, name: str) -> bool:
        """See `EngineEnvironment.is_in_second_region`."""
        return bool(self.of_table(name).replicas)

    def of_table(self, name: str) -> TableSettings:
        """Settings of one table, with those of the environment as defaults."""
        own = self.tables.get(name, TableSettings())
        values = {setting.name: getattr(own, setting.name) for setting in fields(TableSettings)}
        return TableSettings(**{key: getattr(self, key) if value is None else value for key, value in values.items()})
