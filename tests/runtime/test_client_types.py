"""Client libraries without types have the members that the runtime declares for them."""

from typing import Any

import boto3
import cassandra.cluster
import cassandra.query
import pytest
import redis
import redis.client
import redis.cluster

from keywright.runtime.cassandra import client_types as cassandra_types
from keywright.runtime.dynamodb.client_types import DynamoClient
from keywright.runtime.redis.client_types import RedisClient, RedisPipeline

DYNAMODB: Any = boto3.client("dynamodb", region_name="eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")


@pytest.mark.parametrize(
    ("protocol", "actual"),
    [
        (DynamoClient, DYNAMODB),
        (RedisClient, redis.Redis),
        (RedisClient, redis.cluster.RedisCluster),
        (RedisPipeline, redis.client.Pipeline),
        (RedisPipeline, redis.cluster.ClusterPipeline),
        (cassandra_types.CassandraSession, cassandra.cluster.Session),
        (cassandra_types.Future, cassandra.cluster.ResponseFuture),
        (cassandra_types.PreparedStatement, cassandra.query.PreparedStatement),
        (cassandra_types.BoundStatement, cassandra.query.BoundStatement),
    ],
)
def test_a_client_has_the_members_that_calls_use(protocol: type, actual: Any) -> None:
    members = {name for name in {*vars(protocol), *protocol.__annotations__} if not name.startswith("_")}
    assert members
    assert {name for name in members if not hasattr(actual, name)} == set()
