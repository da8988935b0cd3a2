"""The parameter group of a DocumentDB cluster."""

from typing import Any

import pytest

from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.schema.parameter_groups import parameter_groups
from keywright.engines.mongodb.schema.target import CollectionTarget, DatabaseTarget, IndexTarget

PLAIN = DatabaseTarget("content", (CollectionTarget("posts", indexes=(IndexTarget("by", (("at", 1),)),)),))
EXPIRING = DatabaseTarget(
    "identity", (CollectionTarget("devices", indexes=(IndexTarget("end", (("at", 1),), expire_after_seconds=0),)),)
)


@pytest.mark.parametrize(
    ("version", "family"), [("5.0", "docdb5.0"), ("5.0.2", "docdb5.0"), ("8.0", "docdb8.0"), (None, "docdb8.0")]
)
def test_one_group_for_the_cluster_where_an_index_expires_documents(version: str | None, family: str) -> None:
    environment = MongoEnvironment(flavour="documentdb", version=version, tags={"team": "shop"})
    (resource,) = parameter_groups([PLAIN, EXPIRING], environment).values()
    assert (resource.type, resource.name) == (
        "aws:docdb/clusterParameterGroup:ClusterParameterGroup",
        "parameters-documentdb",
    )
    assert resource.inputs == {
        "family": family,
        "description": "Settings of the cluster that the models need",
        "parameters": [
            {"name": "audit_logs", "value": "enabled", "applyMethod": "immediate"},
            {"name": "ttl_monitor", "value": "enabled", "applyMethod": "immediate"},
        ],
        "tags": {"team": "shop"},
    }


@pytest.mark.parametrize(
    ("flavour", "databases"),
    [("documentdb", [PLAIN]), ("documentdb", []), ("mongodb", [EXPIRING]), ("documentdb-elastic", [EXPIRING])],
)
def test_no_group_where_nothing_is_decided(flavour: Any, databases: list[DatabaseTarget]) -> None:
    assert parameter_groups(databases, MongoEnvironment(flavour=flavour)) == {}
