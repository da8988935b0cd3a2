"""A table with the times of a JavaScript client, adopted from DynamoDB Local: nothing differs, no byte changes."""

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import Daily
from tests.projects import imported_alone
from tests.servers import Start

from keywright import runtime
from keywright.drivers.dynamodb.driver import client as client_of
from keywright.drivers.dynamodb.driver import connect

pytestmark = pytest.mark.live

STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb-local, name-prefix: "{prefix}", protect: false}}
"""
MINUTE = 60_000
FIRST = 1_767_323_045_123
TYPES = {"PK": "S", "SK": "S", "orgId": "S", "createdAt": "S", "updatedAt": "N"}


def iso(milliseconds: int) -> str:
    """The text of `new Date(milliseconds).toISOString()`."""
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


def fill(client: Any, table: str) -> None:
    """Users with events, keyed by times as text and as numbers, and two indexes by times."""
    indexes = [
        {
            "IndexName": name,
            "KeySchema": [
                {"AttributeName": "orgId", "KeyType": "HASH"}, {"AttributeName": time, "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
        for name, time in (("byCreation", "createdAt"), ("byUpdate", "updatedAt"))
    ]  # fmt: skip
    client.create_table(
        TableName=table,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": type} for name, type in TYPES.items()],
        GlobalSecondaryIndexes=indexes,
    )
    client.update_time_to_live(TableName=table, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expiresAt"})
    for user in range(6):
        created = FIRST + user * MINUTE
        own = {"PK": {"S": f"USER#u{user}"}, "userId": {"S": f"u{user}"}, "orgId": {"S": f"o{user % 2}"}}
        times = {"createdAt": {"S": iso(created)}, "updatedAt": {"N": str(created + 7)}}
        profile = {"SK": {"S": "PROFILE"}, "lastLogin": {"S": f"{iso(created)[:19]}Z"}, "points": {"N": str(created)}}
        client.put_item(TableName=table, Item={**own, **times, **profile})
        for number in range(4):
            at = created + number * MINUTE * 60
            event = {
                "SK": {"S": f"EVENT#{iso(at)}#e{number}"}, "eventId": {"S": f"e{number}"},
                "createdAt": {"S": iso(at)}, "updatedAt": {"N": str(at)},
                "log": {"L": [{"M": {"at": {"S": iso(at)}}}]}, "expiresAt": {"N": str(4_000_000_000 + number)},
            }  # fmt: skip
            client.put_item(TableName=table, Item={**own, **event})
            change = {
                "SK": {"S": f"CHANGE#{at}#c{number}"}, "changeId": {"S": f"c{number}"},
                "changedAt": {"N": str(at)}, "ts": {"N": str(at // 1000)},
            }  # fmt: skip
            client.put_item(TableName=table, Item={**own, **change})


@pytest.fixture
def adopted(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Daily, Any, str]]:
    """(project with the adopted models, client, table)."""
    url = start("dynamodb").url.replace("://", "://times@")  # tables of an access key of its own
    monkeypatch.setenv("KEYWRIGHT_STORE_DYNAMODB", url)
    client: Any = client_of(url)
    daily = Daily(tmp_path, "", stack=STACK)
    table = f"{daily.prefix}events"
    fill(client, table)
    said = daily.keywright("adopt", url)
    assert said.code == 0, said
    yield daily, client, table
    driver = connect(url)
    driver.drop([table])  # the table of the history is protected
    driver.close()
    client.close()


def test_the_first_migration_is_empty(adopted: tuple[Daily, Any, str]) -> None:
    daily, _, _ = adopted
    (file,) = [path for path in (daily.root / "models").glob("*.py") if "Precision" in path.read_text()]
    text = file.read_text()
    for line in (
        'createdAt: Annotated[datetime, kw.Precision("milliseconds")]',
        'updatedAt: Annotated[datetime, kw.Precision("milliseconds")]',
        'lastLogin: Annotated[datetime, kw.Precision("seconds")]',
        'ts: Annotated[datetime, kw.Precision("seconds")]',
        'at: Annotated[datetime, kw.Precision("milliseconds")]',
        "points: int",
        "expiresAt: Annotated[datetime, kw.Ttl()]",
        'sk="EVENT#{createdAt:iso}#{eventId}"',
        'sk="CHANGE#{changedAt:pad(13)}#{changeId}"',
        'types={"changedAt": "N", "ts": "N"}',
    ):
        assert line in text, text
    for words in (("--env", "dev", "migrate", "baseline", "--from", "live"), ("--env", "dev", "drift")):
        said = daily.keywright(*words)
        assert said.code == 0, said
    said = daily("diff", "-m", "next")
    assert "no difference" in said.out, said
    said = daily.keywright("adopt", os.environ["KEYWRIGHT_STORE_DYNAMODB"])
    assert "0 new entities" in said.out, said


def test_every_item_is_read_and_written_back_byte_for_byte(adopted: tuple[Daily, Any, str]) -> None:
    daily, client, table = adopted
    before = client.scan(TableName=table)["Items"]
    with imported_alone(daily.root):
        sys.path.insert(0, str(daily.root))
        models: Any = import_module("models.events")
        kinds = {"PROFILE": models.Profile, "EVENT": models.Event, "CHANGE": models.Change}
        for item in before:
            model = kinds[item["SK"]["S"].partition("#")[0]]
            assert runtime.to_item(runtime.from_item(model, item)) == item
