"""What the models decide of a DocumentDB cluster: parameters of a group, which every database in it shares.

Source: https://www.pulumi.com/registry/packages/aws/api-docs/docdb/clusterparametergroup/, 2026-11-22.
"""

from collections.abc import Sequence

from keywright.engines.capability import is_older
from keywright.engines.resource import Resource

from .capabilities import FAMILIES
from .settings import MongoEnvironment
from .target import DatabaseTarget

TYPE = "aws:docdb/clusterParameterGroup:ClusterParameterGroup"
"""The type of the resource."""

CLUSTER = "documentdb/cluster"
"""What the group is for, beside servers that are called by their names, which have no slash."""


def parameter_groups(databases: Sequence[DatabaseTarget], environment: MongoEnvironment) -> dict[str, Resource]:
    """See `Engine.parameter_groups`: one for the cluster, where an index expires documents, which a cluster may not do.

    Everything else is the user's: the models say neither how long changes are kept nor how clients connect. Elastic
    clusters have no parameter groups.
    """
    indexes = (index for database in databases for one in database.collections for index in one.indexes)
    if environment.flavour != "documentdb" or all(index.expire_after_seconds is None for index in indexes):
        return {}
    family = max(known for known in FAMILIES if not is_older(environment.version, known))
    return {
        CLUSTER: Resource(
            TYPE, "parameters-documentdb", CLUSTER,
            {
                "family": FAMILIES[family],
                "description": "What the models need of the cluster",
                "parameters": [{"name": "ttl_monitor", "value": "enabled", "applyMethod": "immediate"}],
                "tags": dict(environment.tags),
            },
        )
    }  # fmt: skip
