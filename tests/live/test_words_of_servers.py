"""Refusals of real servers that quote what was sent or what is there: what is told of them holds nothing of it."""

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import RedisError
from tests.live.daily import Daily, books

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.engines.contract.pages import ItemChange, StoredItem, Work
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Driver, StatementFailed
from keywright.ir.transform import parse
from keywright.local import Running

pytestmark = pytest.mark.live

Start = Callable[..., Running]

SECRET = "hunter2-pL4nted"


def refusal(act: Callable[[], object]) -> StatementFailed:
    with pytest.raises(StatementFailed) as failure:
        act()
    return failure.value


def told(act: Callable[[], object]) -> str:
    """What is told of a refusal."""
    words = str(refusal(act))
    assert SECRET not in words
    assert words.strip(" .()")
    return words


@pytest.fixture
def content(start: Start) -> Iterator[tuple[Driver, Any]]:
    url = start("mongodb").url
    driver = mongodb.connect(url)
    with mongodb.client(url) as client:
        yield driver, client["words"]["things"]
        client.drop_database("words")
    driver.close()


def indexed(driver: Driver, field: str, direction: Any = 1, **options: Any) -> None:
    spec: Any = {"key": [[field, direction]], "name": f"{field}_1", **options}
    statement: Any = {"command": "createIndexes", "collection": "things", "arguments": {"indexes": [spec]}}
    driver.run(Statement("mongodb/words", "words", (), "create it", statement, {}))


def test_mongodb_names_the_index_and_not_what_two_documents_share(content: tuple[Driver, Any]) -> None:
    driver, things = content
    things.insert_many([{"_id": at, "mail": SECRET} for at in range(2)])
    words = told(lambda: indexed(driver, "mail", unique=True))
    assert "duplicate key error" in words
    assert "mail_1" in words
    things.drop()
    indexed(driver, "mail", unique=True)
    assert "mail_1" in told(lambda: driver.load("words.things", [{"mail": SECRET}, {"mail": SECRET}]))


def test_mongodb_still_tells_what_is_wrong_with_a_definition(content: tuple[Driver, Any]) -> None:
    driver, _ = content
    indexed(driver, "mail")
    assert "mail_1" in told(lambda: indexed(driver, "mail", unique=True))


def test_mongodb_names_the_way_out_by_the_code_of_a_refusal(content: tuple[Driver, Any]) -> None:
    driver, things = content
    indexed(driver, "mail")
    assert "the same name" in refusal(lambda: indexed(driver, "mail", unique=True)).help
    assert "the same keys" in refusal(lambda: indexed(driver, "mail", name="another")).help
    things.insert_many([{"_id": at, "twice": 1} for at in range(2)])
    assert "`keywright migrate plan` counts" in refusal(lambda: indexed(driver, "twice", unique=True)).help
    assert refusal(lambda: indexed(driver, "place", "nonsense")).help == ""


def test_mongodb_does_not_quote_what_it_cannot_index_check_or_convert(content: tuple[Driver, Any]) -> None:
    driver, things = content
    things.insert_one({"_id": SECRET, "place": SECRET, "number": SECRET})
    assert "geo" in told(lambda: indexed(driver, "place", "2dsphere"))
    things.database.command("collMod", "things", validator={"name": {"$type": "int"}})
    assert "validation" in told(lambda: driver.load("words.things", [{"_id": 2, "name": SECRET}]))
    copy = parse({"copy": {"other": "number"}})
    pages = driver.pages(Work(object="words.things", reads=("number",), writes=("other",), transform=copy))
    (outcome,) = pages.write(
        [ItemChange(StoredItem([SECRET], {}, handle={"_id": SECRET, "number": SECRET}), {"other": 1})]
    )
    assert SECRET not in outcome.reason
    assert outcome.kind == "rejected"


def test_dynamodb(start: Start) -> None:
    url = start("dynamodb").url.replace("://", "://words@")
    driver, client = dynamodb.connect(url), dynamodb.client(url)
    client.create_table(
        TableName="things", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
    )  # fmt: skip
    again: Any = {"operation": "CreateTable", "input": {
        "TableName": "things", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST",
    }}  # fmt: skip
    statement = Statement("dynamodb", "things", (), "create it", again, {})
    assert "wait until it is ACTIVE" in refusal(lambda: driver.run(statement)).help
    wrong = ({"pk": {"N": SECRET}}, {"pk": {"S": "a"}, "n": {"N": SECRET}}, {"pk": {"S": SECRET}, "n": {"X": SECRET}},
             {"pk": {"S": SECRET}, "n": {"S": SECRET * 40_000}}, {"pk": {"N": "1"}, SECRET: {"S": ""}})  # fmt: skip
    for item in wrong:
        told(lambda item=item: driver.load("things", [item]))
    assert "ResourceNotFoundException" in told(lambda: driver.load("nothing", [{"pk": {"S": SECRET}}]))
    pages = driver.pages(Work(object="things", reads=("n",), writes=("n",)))
    handle = {"pk": {"S": SECRET}, "n": {"N": SECRET}}
    told(lambda: pages.write([ItemChange(StoredItem({}, {}, handle=handle), {"n": Decimal(1)})]))
    client.delete_table(TableName="things")
    client.close()
    driver.close()


def test_cassandra(start: Start) -> None:
    url = start("cassandra").url
    driver, session = cassandra.connect(url), cassandra.client(url)
    session.execute(
        "CREATE KEYSPACE words WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", timeout=30
    )
    session.execute("CREATE TABLE words.things (id text PRIMARY KEY, n int, at timestamp)", timeout=30)
    run = [f"INSERT INTO words.things (id, n) VALUES ('{SECRET}', '{SECRET}')",
           f"UPDATE words.things SET at = '{SECRET}' WHERE id = 'a'",
           f"INSERT INTO words.things (id) VALUES ({SECRET})",
           f"CREATE TABLE words.things ({SECRET!r})"]  # fmt: skip
    for statement in run:
        told(lambda statement=statement: driver.run(Statement("cassandra/words", "words", (), "", statement, {})))
    driver.load("words.things", [{"id": SECRET, "n": 1}])
    for row in ({"id": SECRET, "n": SECRET}, {"id": "", "n": 1}, {"id": "x" * 70_000 + SECRET, "n": 1}):
        with pytest.raises((StatementFailed, TypeError)) as failure:
            driver.load("words.things", [row])
        assert SECRET not in str(failure.value)
    session.execute("DROP KEYSPACE words", timeout=30)
    session.cluster.shutdown()
    driver.close()


def test_redis(start: Start) -> None:
    url = start("redis").url
    driver, client = redis.connect(url), redis.client(url)
    client.set("words:1", SECRET)
    pages = driver.pages(Work(object="server", reads=("n",), writes=("n",), keys=(("key", "words:{id}"),)))
    (item,) = pages.find([{"primary": 0, "key": "words:1"}])
    assert item
    assert SECRET not in item.poison
    for command in (["NOSUCH", SECRET, SECRET], ["CONFIG", "SET", "nosuch", SECRET], ["EXPIRE", "words:1", SECRET]):
        with pytest.raises(RedisError) as failure:
            client.execute_command(*command)
        assert SECRET not in str(redis._failure(failure.value))
    setting = Statement("redis/words", "server", (), "set it", {"command": ["CONFIG", "SET", "nosuch", SECRET]}, {})
    failure = refusal(lambda: driver.run(setting))
    assert (str(failure), "`version:`" in failure.help) == ('the server has no setting "nosuch"', True)
    setting = Statement("redis/words", "server", (), "set it", {"command": ["CONFIG", "SET", "hz", "many"]}, {})
    assert (refusal(lambda: driver.run(setting)).help, "hz" in told(lambda: driver.run(setting))) == ("", True)
    client.delete("words:1")
    client.close()
    driver.close()


def test_a_unique_index_that_fails_tells_and_keeps_no_value(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", start("mongodb").url)
    daily = Daily(tmp_path / "library", books())
    for words in (("diff", "-m", "first"), ("apply", "--local")):
        assert daily(*words).code == 0
    with daily.collection() as collection:
        collection.insert_many([{"_id": str(at), "title": SECRET} for at in range(2)])
    daily.becomes(books().replace("indexes=[]", 'indexes=[kw.Index("title", unique=True)]'))
    assert daily("diff", "-m", "unique").code == 0
    applied = daily("apply", "--local", "--ack", "0002/10")
    assert applied.code == 5, applied
    said = [applied, *(daily(*words) for words in (("status", "--local"), ("plan", "--local"), ("apply", "--local")))]
    assert [entry for entry in said if SECRET in entry.out + entry.err] == []
    assert "title_1" in applied.err
    with daily.site() as site:
        assert SECRET not in json.dumps(site.ledger.rows(""))
    daily.forget()
