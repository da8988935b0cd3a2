"""Tables as files for the AWS command line."""

import json

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment, Throughput
from keywright.engines.dynamodb.render import render
from keywright.engines.dynamodb.schema.place import place
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget

TABLE = TableTarget(
    "shop",
    1,
    (KeyPart("pk", "S", "HASH"), KeyPart("sk", "S", "RANGE")),
    indexes=(
        IndexTarget(
            "by_total", (KeyPart("user_id", "S", "HASH"), KeyPart("total", "N", "RANGE")), "INCLUDE", ("status",)
        ),
    ),
    local_indexes=(IndexTarget("by_day", (KeyPart("pk", "S", "HASH"), KeyPart("day", "S", "RANGE")), "KEYS_ONLY"),),
    ttl="expires_at",
    stream="NEW_IMAGE",
)
ENVIRONMENT = DynamoEnvironment(
    flavour="dynamodb",
    name_prefix="dev-",
    billing="provisioned",
    capacity=Throughput(read=5, write=3),
    encryption="aws-managed",
    tags={"team": "shop"},
)


def test_a_table_is_one_call_and_what_comes_after_it() -> None:
    created, after = render(TABLE, place(TABLE, ENVIRONMENT), ENVIRONMENT)
    assert created.path == "dynamodb/shop.json"
    assert json.loads(created.text) == {
        "TableName": "dev-shop",
        "AttributeDefinitions": [
            {"AttributeName": "day", "AttributeType": "S"},
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
            {"AttributeName": "total", "AttributeType": "N"},
            {"AttributeName": "user_id", "AttributeType": "S"},
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "LocalSecondaryIndexes": [
            {
                "IndexName": "by_day",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "RANGE"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "by_total",
                "KeySchema": [
                    {"AttributeName": "user_id", "KeyType": "HASH"},
                    {"AttributeName": "total", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["status"]},
                "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 3},
            }
        ],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        "BillingMode": "PROVISIONED",
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 3},
        "TableClass": "STANDARD",
        "SSESpecification": {"Enabled": True, "SSEType": "KMS"},
        "DeletionProtectionEnabled": True,
        "Tags": [{"Key": "team", "Value": "shop"}],
    }
    assert after.path == "dynamodb/shop.after.json"
    assert [call["operation"] for call in json.loads(after.text)] == ["UpdateTimeToLive", "UpdateContinuousBackups"]


def test_a_plain_local_table_is_one_file() -> None:
    table = TableTarget("shop", 1, (KeyPart("pk", "S", "HASH"),))
    environment = DynamoEnvironment(flavour="dynamodb-local", protect=False)
    (created,) = render(table, place(table, environment), environment)
    assert json.loads(created.text) == {
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
