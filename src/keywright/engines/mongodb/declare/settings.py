"""MongoDB's part of an environment: settings of databases in a stack file, never in a model."""

from collections.abc import Mapping
from typing import Literal

from keywright.engines.environment import ByteSize, EngineEnvironment, Percent, Threshold
from keywright.record import Record


class MongoAlerts(Record, kw_only=True):
    """Thresholds of the alerts for members of a replica set; null disables an alert."""

    lag_seconds: Threshold | None = Threshold(10)
    """The replication lag of a member."""
    cache_hits_percent: Percent | None = Percent(90)
    """The share of requested pages that are in the cache; the alert fires below it."""
    connections_percent: Percent | None = Percent(80)
    """The share of a server's connections that are open."""
    connections: Threshold | None = None
    """Connections of a DocumentDB instance, whose limit depends on its class; no alert by default."""


class MongoEnvironment(EngineEnvironment, kw_only=True):
    """MongoDB, or a service with its protocol, in one environment."""

    flavour: Literal["mongodb", "atlas", "documentdb", "documentdb-elastic"]
    """MongoDB itself, MongoDB's cloud service, or Amazon DocumentDB with instances or elastic clusters."""
    database_prefix: str = ""
    """The prefix of every database's name."""
    protect: bool = True
    """Whether collections remain when their stack is destroyed; on by default."""
    ram: ByteSize | None = None
    """Memory of each machine with data; if it is set, the working set must fit into it."""
    sharded: bool = False
    """Whether collections with a shard key are sharded here; a single replica set has no shards."""
    zones: Mapping[str, tuple[str, ...]] = {}
    """The shards of each zone that models declare, by its name."""
    instances: tuple[str, ...] = ()
    """The identifiers of the cluster's DocumentDB instances, for which there are alarms."""
    alerts: MongoAlerts = MongoAlerts()
    """The thresholds of alerts."""
