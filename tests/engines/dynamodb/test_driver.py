"""What the driver makes of answers that a local server hardly gives; a stub gives them here."""

from typing import Any

import pytest

from keywright.drivers.dynamodb import driver as dynamodb
from keywright.engines.contract.plan import ObjectState, probe
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.engines.interface import Driver

TABLE = TableTarget(
    "shop",
    1,
    (KeyPart("pk", "S", "HASH"),),
    indexes=(IndexTarget("by_day", (KeyPart("day", "S", "HASH"),)),),
    ttl="expires_at",
    stream="NEW_IMAGE",
)


class Stub:
    """A client of a service with one table, which leaves a part of each batch unprocessed."""

    def __init__(self, **changes: Any) -> None:
        self.ttl = changes.pop("ttl", "ENABLED")
        index = {
            "IndexName": "by_day",
            "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
            "IndexStatus": changes.pop("index", "ACTIVE"),
        }
        self.table = {
            "TableName": "shop",
            "TableArn": "arn:aws:dynamodb:ddblocal:000000000000:table/shop",
            "TableStatus": "ACTIVE",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("day", "pk")],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [index],
            "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
            "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
            **changes,
        }
        self.batches: list[list[str]] = []

    class exceptions:  # as the client calls it
        class ResourceNotFoundException(Exception):
            pass

    def describe_table(self, **_: Any) -> Any:
        return {"Table": self.table}

    def describe_time_to_live(self, **_: Any) -> Any:
        return {"TimeToLiveDescription": {"TimeToLiveStatus": self.ttl, "AttributeName": "expires_at"}}

    def batch_write_item(self, RequestItems: dict[str, list[Any]]) -> Any:
        (requests,) = RequestItems.values()
        self.batches.append([request["PutRequest"]["Item"]["pk"]["S"] for request in requests])
        return {"UnprocessedItems": {"shop": requests[10:]} if requests[10:] else {}}

    def close(self) -> None:
        pass


def connected(monkeypatch: pytest.MonkeyPatch, stub: Stub) -> Driver:
    monkeypatch.setattr(dynamodb, "client", lambda url: stub)
    return dynamodb.connect("http://127.0.0.1:1")


def test_items_that_were_not_processed_are_sent_again_with_growing_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    stub, pauses = Stub(), list[float]()
    monkeypatch.setattr("time.sleep", pauses.append)
    items = [{"pk": {"S": str(number)}} for number in range(27)]
    assert connected(monkeypatch, stub).load("shop", items) == 27
    names = [str(number) for number in range(27)]
    assert stub.batches == [names[:25], names[10:25], names[20:25], names[25:]]
    assert pauses == [0.05, 0.1]


WHOLE: list[tuple[str, ...]] = [(), ("indexes", "by_day"), ("stream",), ("ttl",)]
"""All parts of the table: one that is made or changed takes no other change meanwhile."""


@pytest.mark.parametrize(
    ("answer", "partial"),
    [
        ({}, []),
        ({"TableStatus": "CREATING"}, WHOLE),
        ({"TableStatus": "UPDATING"}, WHOLE),
        ({"index": "CREATING"}, [("indexes", "by_day")]),
        ({"ttl": "ENABLING"}, [("ttl",)]),
    ],
    ids=str,
)
def test_what_is_in_the_making_is_partial(
    monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any], partial: list[tuple[str, ...]]
) -> None:
    environment = ENGINE.localise(None, "3.3.1")
    description = connected(monkeypatch, Stub(**answer)).introspect(["shop"])["shop"]
    states = {
        statement.object: probe(statement, description) for statement in ENGINE.create(ENGINE.place(TABLE, environment))
    }
    assert states == {state: ObjectState.PARTIAL if state in partial else ObjectState.PRESENT for state in states}


def test_a_table_that_is_deleted_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert connected(monkeypatch, Stub(TableStatus="DELETING")).introspect(["shop"]) == {"shop": None}


def test_a_table_of_the_service_has_all_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    stub: Any = Stub(
        TableArn="arn:aws:dynamodb:eu-west-1:111122223333:table/shop",
        TableClassSummary={"TableClass": "STANDARD_INFREQUENT_ACCESS"},
        SSEDescription={"Status": "ENABLED", "KMSMasterKeyArn": "arn:aws:kms:eu-west-1:111122223333:key/shop"},
        DeletionProtectionEnabled=True,
        OnDemandThroughput={"MaxReadRequestUnits": 100, "MaxWriteRequestUnits": 50},
    )
    stub.describe_continuous_backups = lambda **_: {
        "ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "ENABLED"}}
    }
    pages = [{"Tags": [{"Key": "team", "Value": "shop"}]}, {"Tags": [{"Key": "stage", "Value": "prod"}]}]
    stub.get_paginator = lambda _: type("Paginator", (), {"paginate": staticmethod(lambda **_: pages)})
    description = connected(monkeypatch, stub).introspect(["shop"])["shop"]
    assert description is not None
    native: Any = description["native"]
    assert native["settings"] == {
        "billing": "PAY_PER_REQUEST",
        "on_demand_limits": [100, 50],
        "table_class": "STANDARD_INFREQUENT_ACCESS",
        "point_in_time_recovery": True,
        "deletion_protection": True,
        "encryption": "arn:aws:kms:eu-west-1:111122223333:key/shop",
        "tags": {"stage": "prod", "team": "shop"},
    }
