"""Options and syntax of other libraries: each gives one error with the term of keywright."""

from pathlib import Path

import pytest
from tests.projects import errors_of, with_imports

SETTING = """
content = kw.MongoDatabase("content")
cache = kw.RedisServer("cache", role="cache")
metrics = kw.Keyspace("metrics")
lookup = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk")
shop = kw.DynamoTable("shop", gsis=[lookup])


class Other(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="OTHER#{id}", sk="A", gsis=[lookup.key(pk="OTHER#{id}", sk="A")])

    id: str


class Reading(BaseModel):
    {extra}
    __store__: ClassVar = {store}

    sensor: str
    at: AwareDatetime
    value: int


{pattern}
"""

CASES = {
    "mongoengine's meta": ({"extra": 'meta = {"indexes": ["sensor"]}'}, "E0209", "ClassVar"),
    "unique fields": ({"store": 'kw.Collection(content, "r", unique=["sensor"])'}, "E0501", '"indexes"'),
    "a list of pairs": ({"store": 'kw.Collection(content, "r", indexes=[kw.Index([("at", -1)])])'}, "E0503", '"-'),
    "a database by name": ({"store": 'kw.Collection("content", "r")'}, "E0503", 'kw.MongoDatabase("content")'),
    "expireAfterSeconds": (
        {"store": 'kw.Collection(content, "r", indexes=[kw.Index(["at"], expireAfterSeconds=9)])'},
        "E0501",
        "expire_after",
    ),
    "boto3's key schema": ({"extra": "", "pattern": 'other = kw.DynamoTable("other", KeySchema=[])'}, "E0501", '"pk"'),
    "pynamodb's hash_key": ({"pattern": 'other = kw.DynamoTable("other", hash_key="pk")'}, "E0501", '"pk"'),
    "billing": ({"pattern": 'other = kw.DynamoTable("other", BillingMode="x")'}, "E0501", "stacks/Pulumi.<env>.yaml"),
    "a key by other words": ({"pattern": 'key = lookup.key(partition="a", sk="b")'}, "E0501", '"pk", "sk", "where"'),
    "cqlengine's primary_key": ({"store": 'kw.CqlTable(metrics, "r", primary_key="sensor")'}, "E0501", '"partition"'),
    "an order of CQL": (
        {"store": 'kw.CqlTable(metrics, "r", partition="sensor", clustering=["at desc"])'},
        "E0303",
        '"-at"',
    ),
    "braces around a column": ({"store": 'kw.CqlTable(metrics, "r", partition="{sensor}")'}, "E0303", '"sensor"'),
    "a prefix of keys": ({"store": 'kw.RedisHash(cache, prefix="r")'}, "E0501", '"key"'),
    "a time to live in seconds": ({"store": 'kw.RedisHash(cache, key="r:{sensor}", ttl=5)'}, "E0503", "timedelta"),
    "a key as of a route": ({"store": 'kw.RedisHash(cache, key="r/:sensor")'}, "E0306", "{sensor}"),
    "values in a pattern": ({"pattern": 'found = kw.Get(Reading, eq={"sensor": "a"})'}, "E0503", "text or a list"),
    "an order of SQL": ({"pattern": 'found = kw.Read(Reading, order="at DESC", limit=5)'}, "E0601", '"-at"'),
    "an operator of Django": ({"pattern": 'found = kw.Count(Reading, where={"value__gt": 3})'}, "E0601", "kw.AtLeast"),
    "an operator of MongoDB": ({"pattern": 'found = kw.Count(Reading, where={"value": {"$gt": 3}})'}, "E0503", "kw."),
    "a rate as a number": ({"pattern": "found = kw.Get(Reading, rate=100)"}, "E0503", '"50k/day"'),
    "a store without the base class": ({"extra": "", "pattern": 'x = kw.Collection(content, "x")'}, "E0515", "kw.bind"),
}
"""(replacements in the source, code, part of the help line)."""

SOUND = {"extra": "", "store": 'kw.Collection(content, "readings", id="{sensor}")', "pattern": ""}


@pytest.mark.parametrize("case", CASES)
def test_a_habit_from_another_library_is_one_error_with_the_term_of_keywright(case: str, tmp_path: Path) -> None:
    replacements, code, help = CASES[case]
    source = SETTING
    for place, text in {**SOUND, **replacements}.items():
        source = source.replace(f"{{{place}}}", text)
    errors = errors_of(tmp_path, with_imports(source))
    assert [error.code for error in errors] == [code]
    assert help in errors[0].help
