"""DynamoDB's part of an environment: what a stack file says of tables, never a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from keywright.engines.environment import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """Units per second."""

    read: int
    """Read units."""
    write: int
    """Write units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What an environment may say of one table; None leaves it to the environment's own setting."""

    billing: Literal["on-demand", "provisioned"] | None = None
    """How throughput is paid for."""
    capacity: Throughput | None = None
    """Provisioned units, of the table and of each index; needed with provisioned billing."""
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
    tables: Mapping[str, TableSettings] = field(default_factory=dict)
    """Settings of single tables, by declared name; they win."""

    def of_table(self, name: str) -> TableSettings:
        """What counts for one table."""
        own = self.tables.get(name, TableSettings())
        known = {one.name: getattr(own, one.name) for one in fields(TableSettings)}
        return TableSettings(**{key: getattr(self, key) if value is None else value for key, value in known.items()})
