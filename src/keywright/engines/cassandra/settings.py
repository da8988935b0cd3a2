"""Cassandra's part of an environment: what a stack file says of keyspaces, never a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from keywright.engines.environment import Environment


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
