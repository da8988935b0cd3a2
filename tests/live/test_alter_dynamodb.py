"""Tables that change on a real DynamoDB Local, one index at a time."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import given
from tests.live.altering import becomes, outcomes, remaining, survives
from tests.live.drawn import drawn
from tests.properties.near import pairs

from keywright.drivers.dynamodb import driver as dynamodb
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment, Throughput
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.engines.interface import Driver
from keywright.local import Running
from keywright.record import Record, replace

pytestmark = pytest.mark.live

HERE = ENGINE.localise(None, "3.3.1")
PROVISIONED = DynamoEnvironment(
    flavour="dynamodb-local", protect=False, billing="provisioned", capacity=Throughput(read=5, write=3)
)


def an_index(name: str, attribute: str, type: str = "S", projection: Any = "ALL") -> IndexTarget:
    return IndexTarget(name, (KeyPart(attribute, type, "HASH"),), projection)


SHOP = TableTarget(
    "shop",
    1,
    (KeyPart("pk", "S", "HASH"), KeyPart("sk", "S", "RANGE")),
    indexes=(an_index("by_day", "day"), an_index("by_place", "place")),
    ttl="expires_at",
    stream="NEW_IMAGE",
)
OTHER = replace(
    SHOP,
    indexes=(an_index("by_day", "day", "N"), an_index("by_name", "name", projection="KEYS_ONLY")),
    ttl="ends_at",
    stream="KEYS_ONLY",
)


class Account(Record):
    """The tables of one access key."""

    driver: Driver
    """What keywright asks."""
    client: Any
    """What anybody would ask."""

    def empty(self) -> None:
        """Leave no table."""
        for name in self.driver.names():
            self.client.update_table(TableName=name, DeletionProtectionEnabled=False)
        self.driver.drop(self.driver.names())


@pytest.fixture(scope="module")
def connected(start: Callable[..., Running]) -> Iterator[Account]:
    url = start("dynamodb").url.replace("://", "://alter@")
    account = Account(dynamodb.connect(url), dynamodb.client(url))
    yield account
    account.driver.close()
    account.client.close()


@pytest.fixture
def account(connected: Account) -> Account:
    """An account without tables, which no other file sees."""
    connected.empty()
    return connected


def placed(table: TableTarget, environment: DynamoEnvironment = HERE) -> TableTarget:
    return ENGINE.place(table, environment)


def test_indexes_change_one_by_one_and_expiry_and_stream_by_way_of_none(account: Account) -> None:
    assert becomes(ENGINE, placed(SHOP), placed(OTHER), account.driver) == (
        'drop index "by_day" of table "shop"',
        'drop index "by_place" of table "shop"',
        'create index "by_day" of table "shop"',
        'create index "by_name" of table "shop"',
        'let items of table "shop" no longer expire by "expires_at"',
        'let items of table "shop" expire by "ends_at"',
        'close the stream of table "shop"',
        'open the stream of table "shop"',
    )


def index_changes(pair: tuple[TableTarget, TableTarget]) -> int:
    """How many indexes of the first are not in the second, and the other way round: each takes a second."""
    return len(set(pair[0].indexes) ^ set(pair[1].indexes))


def is_dropped(pair: tuple[TableTarget, TableTarget]) -> bool:
    """Whether a local server can drop the first one's indexes.

    One with the very key of its table is deleted for ever, and so is every index of any table that goes after it.
    Seen with DynamoDB Local 3.3.1, 2026-11-21.
    """
    return all(index.keys != pair[0].keys for index in pair[0].indexes)


@drawn(4)
@given(pairs(ENGINE).filter(lambda pair: pair[0] != pair[1] and index_changes(pair) <= 1 and is_dropped(pair)))
def test_a_generated_table_becomes_another(account: Account, pair: tuple[TableTarget, TableTarget]) -> None:
    account.empty()
    becomes(ENGINE, *pair, account.driver)


def test_billing_takes_capacity_along_and_comes_before_indexes(account: Account) -> None:
    """An index is made with capacity exactly where its table has some."""
    plain = replace(SHOP, indexes=SHOP.indexes[:1], ttl=None, stream=None)
    more = replace(plain, indexes=(*plain.indexes, an_index("by_name", "name")))
    assert becomes(ENGINE, placed(plain), placed(more, PROVISIONED), account.driver) == (
        'set the billing mode of table "shop"',
        'create index "by_name" of table "shop"',
    )
    indexes = account.client.describe_table(TableName="shop")["Table"]["GlobalSecondaryIndexes"]
    assert {index["IndexName"]: index["ProvisionedThroughput"]["ReadCapacityUnits"] for index in indexes} == {
        "by_day": 5, "by_name": 5,
    }  # fmt: skip
    larger = placed(more, replace(PROVISIONED, capacity=Throughput(read=7, write=4)))
    for table_target, summary in ((larger, "capacity"), (placed(more), "billing mode")):
        before = larger if table_target is not larger else placed(more, PROVISIONED)
        statements = ENGINE.migrate(before, table_target)
        assert [statement.summary for statement in statements] == [f'set the {summary} of table "shop"']
        assert outcomes(statements, account.driver) == Counter(made=1)
        assert remaining(ENGINE, table_target, account.driver) == []


def test_a_table_without_indexes_survives_every_crash(account: Account) -> None:
    before, after = replace(SHOP, indexes=()), replace(OTHER, indexes=())
    protected = replace(PROVISIONED, protect=True)
    result = survives(ENGINE, placed(before), placed(after, protected), account.driver, account.empty)
    assert len(result) == 7  # billing, protection, and two each for expiry and stream


@pytest.mark.parametrize("stop", [0, 1], ids=["while it is deleted", "while it is built"])
def test_an_index_in_the_making_is_waited_for_when_a_plan_is_run_again(account: Account, stop: int) -> None:
    before = placed(replace(SHOP, indexes=SHOP.indexes[:1], ttl=None, stream=None))
    after = placed(replace(SHOP, indexes=OTHER.indexes[:1], ttl=None, stream=None))
    outcomes(ENGINE.create(before), account.driver)
    statements = ENGINE.migrate(before, after)
    outcomes(statements[:stop], account.driver)
    account.driver.run(statements[stop])
    assert outcomes(statements, account.driver) == Counter(kept=stop + 1, made=1 - stop)
    assert remaining(ENGINE, after, account.driver) == []


def test_a_protected_table_is_dropped_in_two_steps_that_can_be_run_again(account: Account) -> None:
    table = placed(replace(SHOP, indexes=()), replace(HERE, protect=True))
    statements = ENGINE.migrate(table, None)
    assert [statement.summary for statement in statements] == [
        'set the protection of table "shop"',
        'drop table "shop"',
    ]
    for stop in range(3):
        outcomes(ENGINE.create(table), account.driver)
        outcomes(statements[:stop], account.driver)
        assert outcomes(statements, account.driver) == +Counter(kept=stop, made=2 - stop)
        assert account.driver.introspect(["shop"]) == {"shop": None}


def test_a_table_with_another_key_is_not_dropped(account: Account) -> None:
    other = placed(replace(SHOP, keys=SHOP.keys[:1], indexes=()))
    outcomes(ENGINE.create(other), account.driver)
    assert outcomes(ENGINE.migrate(placed(SHOP), None), account.driver) == Counter(conflict=1)
    assert account.driver.names() == ("shop",)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    (
        "another expiry at once",
        {"operation": "update_time_to_live",
         "TimeToLiveSpecification": {"AttributeName": "ends_at", "Enabled": True}},
        "active on a different AttributeName",
    ),
    (
        "another stream at once",
        {"operation": "update_table",
         "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}},
        "already has an enabled stream",
    ),
    (
        "what is protected",
        {"operation": "delete_table"},
        "protected against deletion",
    ),
]  # fmt: skip
"""What a plan goes around, and the server's words for it."""


@pytest.mark.parametrize(("what", "call", "words"), REFUSED, ids=[entry[0] for entry in REFUSED])
def test_the_server_refuses_what_a_plan_goes_around(
    account: Account, what: str, call: dict[str, Any], words: str
) -> None:
    table = placed(replace(SHOP, indexes=()), replace(HERE, protect=True))
    outcomes(ENGINE.create(table), account.driver)
    given = {key: value for key, value in call.items() if key != "operation"}
    with pytest.raises(ClientError, match=words):
        getattr(account.client, call["operation"])(TableName="shop", **given)


def test_the_server_changes_no_table_while_an_index_is_built(account: Account) -> None:
    before = placed(replace(SHOP, indexes=(), ttl=None, stream=None))
    outcomes(ENGINE.create(before), account.driver)
    (statement,) = ENGINE.migrate(before, replace(before, indexes=SHOP.indexes[:1]))
    account.driver.run(statement)
    with pytest.raises(ClientError, match="Can't update table while indexes are in CREATING"):
        account.client.update_table(
            TableName="shop", BillingMode="PROVISIONED",
            ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
        )  # fmt: skip
