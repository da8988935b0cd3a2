"""DynamoDB tables and items on a real DynamoDB Local."""

import itertools
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from boto3.dynamodb.types import Binary, TypeDeserializer
from botocore.exceptions import ClientError
from hypothesis import given
from pydantic import BaseModel
from tests.engines.dynamodb import everything
from tests.live.drawn import drawn
from tests.properties.dynamodb import targets

from keywright import api, runtime
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.engines.contract.diff import differences
from keywright.engines.contract.plan import ObjectState, Statement, probe
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment, Throughput
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.migrate.create import create_index, create_table
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.engines.interface import Driver, StatementFailed
from keywright.frontend.lower import lower
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.record import Record, replace

pytestmark = pytest.mark.live

HERE = ENGINE.localise(None, "3.3.1")
COUNT = itertools.count()

PK, SK = KeyPart("pk", "S", "HASH"), KeyPart("sk", "S", "RANGE")
SHOP = ENGINE.place(
    TableTarget(
        "shop",
        1,
        (PK, SK),
        indexes=(
            IndexTarget("by_day", (KeyPart("day", "S", "HASH"),), "KEYS_ONLY"),
            IndexTarget("by_place", (KeyPart("place", "S", "HASH"), KeyPart("n", "N", "RANGE")), "INCLUDE", ("name",)),
        ),
        local_indexes=(IndexTarget("by_n", (PK, KeyPart("n", "N", "RANGE"))),),
        ttl="expires_at",
        stream="NEW_IMAGE",
    ),
    HERE,
)


class Account(Record):
    """The tables of one access key."""

    driver: Driver
    """What keywright asks."""
    client: Any
    """What anybody would ask."""


@pytest.fixture
def account(start: Callable[..., Running]) -> Iterator[Account]:
    """Tables that no other test sees."""
    url = start("dynamodb").url.replace("://", f"://test{next(COUNT)}@")
    account = Account(dynamodb.connect(url), dynamodb.client(url))
    yield account
    account.driver.close()
    account.client.close()


def outcomes(table: TableTarget, account: Account) -> dict[tuple[str, ...], str]:
    """What became of each step, by its object."""
    return {done.statement.object: done.outcome for done in run(ENGINE.create(table), account.driver)}


def remaining(table: TableTarget, account: Account) -> list[Any]:
    """What still differs between the target and the live table."""
    result = account.driver.introspect([table.name])[table.name]
    assert result is not None
    return list(differences(ENGINE.describe(table)["native"], result["native"]))


def make(account: Account, table: TableTarget) -> None:
    """The table as somebody else would make it: in one call, without what comes after."""
    account.client.create_table(**create_table(table))


def build(account: Account, index: IndexTarget) -> None:
    """An index of the shop as somebody else would add it."""
    statement: Any = create_index(SHOP, index)
    account.client.update_table(**statement)


# Tables.


def test_the_worked_example_is_made_once_and_then_kept(account: Account) -> None:
    project = api.load(str(Path(__file__).parents[2]))
    for declared in ENGINE.lower(project.design.of_engine("dynamodb")):
        table = ENGINE.place(declared, HERE)
        assert list(ENGINE.refuse(table, HERE)) == []
        # One call makes a table with its indexes and its stream.
        assert {object_ for object_, outcome in outcomes(table, account).items() if outcome == "made"} <= {(), ("ttl",)}
        assert remaining(table, account) == []
        assert set(outcomes(table, account).values()) == {"kept"}
        live = account.driver.introspect([table.name])[table.name]
        assert live is not None
        assert ENGINE.unplace(ENGINE.parse(live), HERE) == replace(declared, shape=())
    assert "shop" in account.driver.names()


@drawn(10)
@given(targets())
def test_generated_tables_are_made_and_read_back(account: Account, declared: TableTarget) -> None:
    table = ENGINE.place(declared, replace(HERE, name_prefix=f"t{next(COUNT)}-"))
    outcomes(table, account)
    assert remaining(table, account) == []
    assert set(outcomes(table, account).values()) == {"kept"}


LATER: list[tuple[TableTarget, set[tuple[str, ...]]]] = [
    (replace(SHOP, indexes=SHOP.indexes[:1]), {("indexes", "by_place"), ("ttl",)}),
    (replace(SHOP, indexes=()), {("indexes", "by_day"), ("indexes", "by_place"), ("ttl",)}),
    (replace(SHOP, stream=None), {("stream",), ("ttl",)}),
    (SHOP, {("ttl",)}),
]


@pytest.mark.parametrize(("half", "missing"), LATER, ids=["an index", "all indexes", "the stream", "the expiry"])
def test_a_half_created_table_is_completed(account: Account, half: TableTarget, missing: set[tuple[str, ...]]) -> None:
    make(account, half)
    assert {object_ for object_, outcome in outcomes(SHOP, account).items() if outcome == "made"} == missing
    assert remaining(SHOP, account) == []


def test_provisioned_and_protected_tables_are_made_and_completed(account: Account) -> None:
    environment = DynamoEnvironment(
        flavour="dynamodb-local", billing="provisioned", capacity=Throughput(read=5, write=3), protect=True
    )
    table = ENGINE.place(ENGINE.unplace(SHOP, HERE), environment)
    make(account, replace(table, indexes=table.indexes[:1]))
    assert outcomes(table, account)["indexes", "by_place"] == "made"
    assert remaining(table, account) == []
    with pytest.raises(ClientError, match="protected against deletion"):
        account.client.delete_table(TableName="shop")


def test_an_index_that_somebody_else_builds_is_waited_for(account: Account) -> None:
    make(account, replace(SHOP, indexes=()))
    build(account, SHOP.indexes[0])
    (statement,) = (statement for statement in ENGINE.create(SHOP) if statement.object == ("indexes", "by_day"))
    assert probe(statement, account.driver.introspect(["shop"])["shop"]) is ObjectState.PARTIAL
    done = outcomes(SHOP, account)
    assert (done["indexes", "by_day"], done["indexes", "by_place"]) == ("kept", "made")
    assert remaining(SHOP, account) == []


OTHERS: list[tuple[TableTarget, tuple[str, ...]]] = [
    (replace(SHOP, keys=(PK,), local_indexes=()), ()),
    (replace(SHOP, keys=(PK, KeyPart("sk", "N", "RANGE"))), ()),
    (replace(SHOP, local_indexes=()), ()),
    (replace(SHOP, indexes=(replace(SHOP.indexes[0], projection="ALL"),)), ("indexes", "by_day")),
    (replace(SHOP, indexes=(replace(SHOP.indexes[1], included=("other",)),)), ("indexes", "by_place")),
    (replace(SHOP, stream="KEYS_ONLY"), ("stream",)),
]


@pytest.mark.parametrize(("other", "object_"), OTHERS, ids=["keys", "types", "lsi", "projection", "names", "stream"])
def test_a_table_that_differs_is_reported_and_left_alone(
    account: Account, other: TableTarget, object_: tuple[str, ...]
) -> None:
    make(account, other)
    before = account.client.describe_table(TableName="shop")["Table"]
    (statement,) = (statement for statement in ENGINE.create(SHOP) if statement.object == object_)
    (done,) = run([statement], account.driver)
    assert done.outcome == "conflict"
    assert account.client.describe_table(TableName="shop")["Table"] == before


def test_an_expiry_by_another_attribute_is_reported_and_left_alone(account: Account) -> None:
    make(account, SHOP)
    specification = {"AttributeName": "other", "Enabled": True}
    account.client.update_time_to_live(TableName="shop", TimeToLiveSpecification=specification)
    assert outcomes(SHOP, account)[("ttl",)] == "conflict"
    timetolivedescription = account.client.describe_time_to_live(TableName="shop")["TimeToLiveDescription"]
    assert timetolivedescription == {"TimeToLiveStatus": "ENABLED", "AttributeName": "other"}


def test_a_stream_that_was_switched_off_is_none(account: Account) -> None:
    make(account, SHOP)
    account.client.update_table(TableName="shop", StreamSpecification={"StreamEnabled": False})
    assert outcomes(SHOP, account)[("stream",)] == "made"
    assert remaining(SHOP, account) == []


def test_what_is_not_there_has_no_description(account: Account) -> None:
    assert account.driver.introspect(["shop"]) == {"shop": None}
    assert account.driver.names() == ()


def test_access_keys_keep_their_tables_apart(account: Account, start: Callable[..., Running]) -> None:
    make(account, SHOP)
    other = dynamodb.connect(start("dynamodb").url.replace("://", "://somebody@"))
    assert other.introspect(["shop"]) == {"shop": None}
    other.close()


def test_a_failed_statement_has_the_words_of_the_server(account: Account) -> None:
    statement = Statement("dynamodb", "shop", (), "", {"operation": "UpdateTable", "input": {"TableName": "shop"}}, {})
    with pytest.raises(StatementFailed, match=r"^Cannot do operations on a non-existent table \(ResourceNotFound"):
        account.driver.run(statement)


def test_two_indexes_are_not_built_at_once(account: Account) -> None:
    make(account, replace(SHOP, indexes=()))
    build(account, SHOP.indexes[0])
    with pytest.raises(ClientError, match="Only 1 online index can be created or deleted simultaneously"):
        build(account, SHOP.indexes[1])


# Items.


def test_loaded_items_are_there_and_take_the_place_of_older_ones(account: Account) -> None:
    make(account, SHOP)
    items: list[Any] = [{"pk": {"S": str(n % 40)}, "sk": {"S": "a"}, "n": {"N": str(n)}} for n in range(100)]
    assert account.driver.load("shop", items) == 100
    assert account.driver.load("shop", [items[0], items[0]]) == 2
    result = {item["pk"]["S"]: int(item["n"]["N"]) for item in account.client.scan(TableName="shop")["Items"]}
    assert result == {"0": 0, **{str(n % 40): n for n in range(61, 100)}, "20": 60} | {"0": 0}


def test_an_item_that_the_server_refuses_fails_with_its_words(account: Account) -> None:
    make(account, SHOP)
    with pytest.raises(StatementFailed, match="One of the required keys was not given a value"):
        account.driver.load("shop", [{"pk": {"S": "a"}}])
    with pytest.raises(StatementFailed, match="ResourceNotFound"):
        account.driver.load("nowhere", [{"pk": {"S": "a"}}])


def test_an_item_whose_time_is_over_is_removed(filled: Account) -> None:
    """In a table without indexes: the local server leaves expired items in others."""
    now = datetime.now(UTC)
    gone, there = (everything.Log(name=f"{days}", at=now - timedelta(days)) for days in (8, 6))
    filled.driver.load("logs", [runtime.to_item(gone), runtime.to_item(there)])
    ends = time.monotonic() + 60
    while "Item" in filled.client.get_item(TableName="logs", Key=runtime.key_of(gone)):
        assert time.monotonic() < ends
        time.sleep(0.2)  # the server looks every few seconds
    assert "Item" in filled.client.get_item(TableName="logs", Key=runtime.key_of(there))


def test_what_is_stored_is_told_in_the_form_in_which_it_was_written(filled: Account) -> None:
    for instance in [*everything.INSTANCES, *everything.OTHERS]:
        for item in runtime.to_items(instance):
            filled.driver.load(table_of(type(instance)), [item])
            assert filled.driver.stored(table_of(type(instance)), item) == item
    assert filled.driver.stored("logs", {"pk": {"S": "nobody"}}) is None


def test_dropped_tables_are_gone(account: Account) -> None:
    make(account, SHOP)
    account.driver.drop(["shop", "nowhere"])
    assert account.driver.names() == ()
    make(account, SHOP)


@pytest.fixture(scope="module")
def filled(start: Callable[..., Running]) -> Iterator[Account]:
    """An account with the tables of the models that hold everything."""
    url = start("dynamodb").url.replace("://", "://filled@")
    account = Account(dynamodb.connect(url), dynamodb.client(url))
    design = lower([everything])
    assert list(ENGINE.check(design)) == []
    for declared in ENGINE.lower(design):
        table = ENGINE.place(declared, HERE)
        assert "conflict" not in outcomes(table, account).values()
        assert remaining(table, account) == []
    yield account
    account.driver.close()
    account.client.close()


def table_of(model: type[BaseModel]) -> str:
    """Name of a model's table."""
    store: Any = vars(getattr(model, "__pydantic_generic_metadata__", {}).get("origin") or model)["__store__"]
    return str(store.table.name)


@pytest.mark.parametrize(
    "instance", [*everything.INSTANCES, *everything.OTHERS], ids=lambda entry: type(entry).__name__
)
def test_what_is_written_is_read_back(filled: Account, instance: BaseModel) -> None:
    table = table_of(type(instance))
    for item in runtime.to_items(instance):
        filled.client.put_item(TableName=table, Item=item)
    result = filled.client.get_item(TableName=table, Key=runtime.key_of(instance))["Item"]
    assert runtime.from_item(type(instance), result) == instance


def test_every_copy_is_there(filled: Account) -> None:
    copied = everything.Copied(number=8)
    assert filled.driver.load("keyed", runtime.to_items(copied)) == 3
    for number in range(3):
        item = filled.client.get_item(TableName="keyed", Key={"pk": {"S": f"8#{number}"}, "sk": {"S": "COPY"}})
        assert runtime.from_item(everything.Copied, item["Item"]) == copied


def test_an_item_is_in_an_index_exactly_when_its_keys_are_there(filled: Account) -> None:
    ticket = everything.OTHERS[2]
    assert isinstance(ticket, everything.Ticket)
    closed = ticket.model_copy(update={"number": 43, "status": "closed", "owner": None})
    filled.driver.load("keyed", [runtime.to_item(ticket), runtime.to_item(closed)])

    def numbers(index: str) -> set[int]:
        items = filled.client.scan(TableName="keyed", IndexName=index)["Items"]
        return {runtime.from_item(everything.Ticket, item).number for item in items}

    assert numbers("lookup") == {42}
    assert numbers("sparse") == {42}


def test_an_item_is_found_by_fields_of_an_index(filled: Account) -> None:
    reading = everything.OTHERS[0]
    filled.driver.load("natural", [runtime.to_item(reading)])
    items = filled.client.query(
        TableName="natural",
        IndexName="by_value",
        KeyConditionExpression="place = :place AND #month = :month AND #value > :value",
        ExpressionAttributeNames={"#month": "month", "#value": "value"},
        ExpressionAttributeValues={":place": {"S": "hall"}, ":month": {"S": "2026-11"}, ":value": {"N": "1"}},
    )["Items"]
    assert [runtime.from_item(everything.Reading, item) for item in items] == [reading]


def test_other_clients_read_the_same_values(filled: Account) -> None:
    instance = everything.Usual(**everything.values())
    filled.client.put_item(TableName="everything", Item=runtime.to_item(instance))
    item = filled.client.get_item(TableName="everything", Key=runtime.key_of(instance))["Item"]
    read = {name: TypeDeserializer().deserialize(value) for name, value in item.items()}
    part = {
        "a": Decimal("9.9"), "tags": {"a", "b"}, "given": 7, "at": "2026-11-21T16:05:09.123456Z",
        "owner": str(everything.OWNER),
    }  # fmt: skip
    assert read == {
        "pk": "USUAL#é b",
        "sk": "VALUES",
        "entity_type": "Usual",
        "_kw_v": 2,
        "month": "2026-11",
        "again": Decimal("12.3"),
        "cased": "É B",
        "name": "é b",
        "number": -7,
        "real": Decimal("0.1"),
        "exact": Decimal("12.3"),
        "truth": True,
        "raw": Binary(b"\0\xff"),
        "moment": "2026-11-21T16:05:09.123456Z",
        "day": "2026-11-21",
        "clock": "16:05:09.123456",
        "span": Decimal("-86399.999999"),
        "identity": str(everything.OWNER),
        "anything": {"a": [1, Decimal("2.5"), None, "x", True, []], "b": 2**40},
        "whatever": {"raw": Binary(b"\0")},
        "url": "https://example.org/",
        "address": "10.0.0.1",
        "colour": "red",
        "level": 2,
        "word": "on",
        "optional": "here",
        "given": 7,
        "Select": "some",
        "listed": [part, {"a": 1, "given": None}],
        "words": {"", "a", "b"},
        "numbers": {-2, 3, 10},
        "exacts": {Decimal("1.5"), 2},
        "blobs": {Binary(b""), Binary(b"\xff")},
        "days": {"2025-01-02", "2026-01-02"},
        "colours": {"green", "red"},
        "truths": [False, True],
        "gapped": [None, 1] if read["gapped"][0] is None else [1, None],
        "maybe": {"usual"},
        "mapped": {"one": 1, "two": -2000},
        "counted": {"red": 1},
        "gaps": [1, None, 2**40],
        "holes": {"a": None, "b": ""},
        "pair": [1, 2],
        "nested": {"k": [part]},
        "groups": [{"a"}, []],
        "part": part,
    }
