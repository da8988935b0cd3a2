"""Ends of support of the versions of DocumentDB and Atlas."""

from keywright.engines.findings.lifecycle import Lifecycle
from keywright.engines.mongodb.schema.capabilities import DOCUMENTDB_END_OF_SUPPORT, END_OF_SUPPORT

_CHARGE = "extended support is billed per vCPU and hour"
_FORCED = "Atlas upgrades the cluster at a time of its own choice"

LIFECYCLES = (
    *(
        Lifecycle(type, "DocumentDB", "engineVersion", DOCUMENTDB_END_OF_SUPPORT, {}, 'engine_version="5.0.0"', _CHARGE)
        for type in ("aws:docdb/cluster:Cluster", "aws:docdb/globalCluster:GlobalCluster")
    ),
    *(
        Lifecycle(type, "Atlas", "mongoDbMajorVersion", END_OF_SUPPORT, {}, 'mongo_db_major_version="8.0"', _FORCED)
        for type in ("mongodbatlas:index/advancedCluster:AdvancedCluster", "mongodbatlas:index/cluster:Cluster")
    ),
)
"""By type of resource."""
