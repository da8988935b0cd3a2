"""MongoDB's part of an environment: what a stack file says of databases, never a model."""

from dataclasses import dataclass
from typing import Literal

from keywright.engines.environment import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class MongoEnvironment(Environment):
    """MongoDB, or a service that speaks its protocol, in one environment."""

    flavour: Literal["mongodb", "atlas", "documentdb", "documentdb-elastic"]
    """MongoDB itself, MongoDB's cloud service, or Amazon DocumentDB with instances or elastic clusters."""
    database_prefix: str = ""
    """What every database's name begins with."""
    protect: bool = True
    """Whether collections outlive their stack, whoever destroys it; on by default."""
    sharded: bool = False
    """Whether collections with a shard key are spread over shards here; a single replica set has none."""
