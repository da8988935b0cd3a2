"""Ends of support of the versions of ElastiCache; INF208 reports replication groups."""

from keywright.engines.findings.lifecycle import Lifecycle
from keywright.engines.redis.schema.capabilities import END_OF_SUPPORT

LIFECYCLES = (
    Lifecycle(
        "aws:elasticache/cluster:Cluster", "ElastiCache", "engineVersion", END_OF_SUPPORT,
        {"engine": ("redis",)}, 'engine="valkey", engine_version="8.0"', "extended support is billed per node and hour",
    ),
    Lifecycle(
        "aws:elasticache/globalReplicationGroup:GlobalReplicationGroup", "ElastiCache", "engineVersion",
        END_OF_SUPPORT, {"engine": ("redis",)}, 'engine="valkey", engine_version="8.0"',
        "extended support is billed per node and hour",
    ),
)  # fmt: skip
"""By type of resource. The versions of MemoryDB have no announced end."""
