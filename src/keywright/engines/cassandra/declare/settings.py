"""Settings of Cassandra in an environment: a stack file contains them, never a model."""

from collections.abc import Mapping
from typing import Literal

from keywright.engines.environment import EngineEnvironment, Threshold
from keywright.record import Record, field


class CassandraAlerts(Record, kw_only=True):
    """Thresholds of alerts on nodes and tables; null disables an alert."""

    pending_compactions: Threshold | None = Threshold(50)
    """Pending compactions of a node."""
    dropped_mutations: Threshold | None = Threshold(0)
    """Writes that a node dropped within five minutes because they had waited too long."""
    tombstones: Threshold | None = Threshold(1_000)
    """Tombstones that one of a hundred reads of a table scans."""
    tombstones_critical: Threshold | None = Threshold(10_000)
    """The same number, for a critical alert."""
    latency: bool = True
    """Whether there is an alert when reads or writes exceed `p99_ms` of their patterns."""
    throttled: Threshold | None = Threshold(0)
    """Reads or writes per minute that Keyspaces throttled."""
    system_errors: Threshold | None = Threshold(0)
    """Requests per minute that failed within Keyspaces."""


class KeyspaceSettings(Record, kw_only=True):
    """Settings of a keyspace in an environment; None keeps the setting of the environment."""

    datacentres: Mapping[str, int] | None = None
    """Copies of each row, by data centre."""
    durable_writes: bool | None = None
    """Whether writes go through the commit log."""
    repair_every_days: int | None = None
    """Days between two repairs."""


class CassandraEnvironment(EngineEnvironment, kw_only=True):
    """Cassandra in one environment: settings of all keyspaces, and of single ones."""

    flavour: Literal["cassandra", "keyspaces", "scylla"]
    """Cassandra itself, Amazon Keyspaces, or ScyllaDB."""
    datacentres: Mapping[str, int] = field(default_factory=dict)
    """Copies of each row, by data centre; for Keyspaces by region, and empty for a single region."""
    keyspace_prefix: str = ""
    """Prefix of every keyspace's name."""
    protect: bool = True
    """Whether tables remain when their stack is destroyed; on by default."""
    durable_writes: bool = True
    """Whether writes go through the commit log; without it, a crash loses the last writes."""
    repair_every_days: int | None = None
    """Days between two repairs of a table; deleted data returns if they exceed gc_grace."""
    alerts: CassandraAlerts = CassandraAlerts()
    """Thresholds of alerts."""
    keyspaces: Mapping[str, KeyspaceSettings] = field(default_factory=dict)
    """Settings of single keyspaces, by declared name; they take precedence."""

    def of_keyspace(self, name: str) -> KeyspaceSettings:
        """The effective settings of a keyspace."""
        own = self.keyspaces.get(name, KeyspaceSettings())
        return KeyspaceSettings(
            datacentres=self.datacentres if own.datacentres is None else own.datacentres,
            durable_writes=self.durable_writes if own.durable_writes is None else own.durable_writes,
            repair_every_days=own.repair_every_days or self.repair_every_days,
        )
