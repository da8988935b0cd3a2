"""MongoDB's part of an environment: what a stack file says of databases, never a model."""

from dataclasses import dataclass
from typing import Literal

from keywright.engines.environment import ByteSize, Environment, Percent, Threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class MongoAlerts:
    """From where on it is told how members of a replica set are; null tells nothing."""

    lag_seconds: Threshold | None = Threshold(10)
    """How far a member is behind the primary."""
    cache_hits_percent: Percent | None = Percent(90)
    """How many percent of the pages that are asked for are in the cache: told below it."""
    connections_percent: Percent | None = Percent(80)
    """How many of the connections that a server takes are taken."""
    connections: Threshold | None = None
    """Connections of an instance of DocumentDB, whose limit goes by its class; by default nothing is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MongoEnvironment(Environment):
    """MongoDB, or a service that speaks its protocol, in one environment."""

    flavour: Literal["mongodb", "atlas", "documentdb", "documentdb-elastic"]
    """MongoDB itself, MongoDB's cloud service, or Amazon DocumentDB with instances or elastic clusters."""
    database_prefix: str = ""
    """What every database's name begins with."""
    protect: bool = True
    """Whether collections outlive their stack, whoever destroys it; on by default."""
    ram: ByteSize | None = None
    """Memory of each machine that bears data; where it is said, what is used has to fit into it."""
    sharded: bool = False
    """Whether collections with a shard key are spread over shards here; a single replica set has none."""
    instances: tuple[str, ...] = ()
    """What DocumentDB calls the instances of the cluster: what alarms are about."""
    alerts: MongoAlerts = MongoAlerts()
    """From where on it is told how members are."""
