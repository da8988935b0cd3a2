"""Cassandra's part of an environment: what a stack file says of keyspaces, never a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from keywright.engines.environment import Environment, Threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class CassandraAlerts:
    """From where on it is told how nodes and tables are; null tells nothing."""

    pending_compactions: Threshold | None = Threshold(50)
    """Compactions that a node is behind."""
    dropped_mutations: Threshold | None = Threshold(0)
    """Writes that a node dropped within five minutes because they had waited too long."""
    tombstones: Threshold | None = Threshold(1_000)
    """Tombstones that one of a hundred reads of a table goes over."""
    tombstones_critical: Threshold | None = Threshold(10_000)
    """The same, where somebody is to look at it at once."""
    latency: bool = True
    """Whether it is told when reads or writes take longer than patterns say by `p99_ms`."""
    throttled: Threshold | None = Threshold(0)
    """Reads or writes of a minute that Keyspaces did not take."""
    system_errors: Threshold | None = Threshold(0)
    """Requests of a minute that failed within Keyspaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyspaceSettings:
    """What an environment may say of one keyspace; None leaves it to the environment's own setting."""

    datacentres: Mapping[str, int] | None = None
    """Copies of each row, by data centre."""
    durable_writes: bool | None = None
    """Whether writes go through the commit log."""
    repair_every_days: int | None = None
    """Days between two repairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CassandraEnvironment(Environment):
    """Cassandra in one environment: settings of all keyspaces, and of single ones."""

    flavour: Literal["cassandra", "keyspaces", "scylla"]
    """Cassandra itself, Amazon Keyspaces, or ScyllaDB."""
    datacentres: Mapping[str, int] = field(default_factory=dict)
    """Copies of each row, by data centre; for Keyspaces by region, and nothing for its one region."""
    keyspace_prefix: str = ""
    """What every keyspace's name begins with."""
    protect: bool = True
    """Whether tables outlive their stack, whoever destroys it; on by default."""
    durable_writes: bool = True
    """Whether writes go through the commit log; off, a crash loses the last ones."""
    repair_every_days: int | None = None
    """Days between two repairs of a table; deleted data comes back where it is longer than gc_grace."""
    alerts: CassandraAlerts = CassandraAlerts()
    """From where on it is told how nodes and tables are."""
    keyspaces: Mapping[str, KeyspaceSettings] = field(default_factory=dict)
    """Settings of single keyspaces, by declared name; they win."""

    def of_keyspace(self, name: str) -> KeyspaceSettings:
        """What counts for one keyspace."""
        own = self.keyspaces.get(name, KeyspaceSettings())
        return KeyspaceSettings(
            datacentres=self.datacentres if own.datacentres is None else own.datacentres,
            durable_writes=self.durable_writes if own.durable_writes is None else own.durable_writes,
            repair_every_days=own.repair_every_days or self.repair_every_days,
        )
