"""Parameters of a DocumentDB cluster that follow from the models: one group, which all its databases share.

Source: https://www.pulumi.com/registry/packages/aws/api-docs/docdb/clusterparametergroup/, 2026-11-22.
"""

from collections.abc import Sequence

from keywright.engines.capability import is_older
from keywright.engines.contract.resource import StackResource

from ..declare.settings import MongoEnvironment
from .capabilities import FAMILIES
from .target import DatabaseTarget

TYPE = "aws:docdb/clusterParameterGroup:ClusterParameterGroup"
"""The type of the resource."""

CLUSTER = "documentdb/cluster"
"""The key of the group; servers have their names as keys, which contain no slash."""


def parameter_groups(databases: Sequence[DatabaseTarget], environment: MongoEnvironment) -> dict[str, StackResource]:
    """See `Engine.parameter_groups`: one for the cluster if an index expires documents, as a cluster may disable this.

    A cluster has one group, so that it also enables the audit log, which clusters then can export. The user decides
    everything else: models declare neither the retention of changes nor the connections of clients.
    Elastic clusters have no parameter groups.
    """
    indexes = (index for database in databases for collection in database.collections for index in collection.indexes)
    if environment.flavour != "documentdb" or all(index.expire_after_seconds is None for index in indexes):
        return {}
    family = max(version for version in FAMILIES if not is_older(environment.version, version))
    return {
        CLUSTER: StackResource(
            TYPE, "parameters-documentdb", CLUSTER,
            {
                "family": FAMILIES[family],
                "description": "Settings of the cluster that the models need",
                "parameters": [
                    {"name": "audit_logs", "value": "enabled", "applyMethod": "immediate"},
                    {"name": "ttl_monitor", "value": "enabled", "applyMethod": "immediate"},
                ],
                "tags": dict(environment.tags),
            },
        )
    }  # fmt: skip
