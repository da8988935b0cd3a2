"""Places where a pattern can have a collation."""

from pathlib import Path

import pytest
from tests.projects import errors_of, with_imports


@pytest.mark.parametrize(
    ("engine", "pattern", "problem"),
    [
        ("dynamodb", 'kw.Get(Thing, eq="name", collation=ENGLISH)', "collation= has no effect in dynamodb"),
        ("cassandra", 'kw.Get(Thing, eq="name", collation=ENGLISH)', "collation= has no effect in cassandra"),
        ("redis", 'kw.Get(Thing, eq="name", collation=ENGLISH)', "collation= has no effect in redis"),
        ("mongodb", 'kw.Read(Thing, prefix="name", limit=5, collation=ENGLISH)', "collation= has no effect on prefix="),
        ("mongodb", 'kw.Read(Thing, eq="age", limit=5, collation=ENGLISH)', "the pattern compares no text"),
    ],
)
def test_a_collation_without_effect_is_rejected(tmp_path: Path, engine: str, pattern: str, problem: str) -> None:
    stores = {
        "dynamodb": 'kw.Item(kw.DynamoTable("t"), pk="{name}")',
        "cassandra": 'kw.CqlTable(kw.Keyspace("t"), "t", partition="name")',
        "redis": 'kw.RedisHash(kw.RedisServer("t", role="primary"), key="t:{name}")',
        "mongodb": 'kw.Collection(kw.MongoDatabase("t"), "t", id="{name}")',
    }
    source = f"""
        ENGLISH = kw.Collation(locale="en", strength=2)

        class Thing(BaseModel):
            __store__: ClassVar = {stores[engine]}
            name: Annotated[str, Field(max_length=10)]
            age: int

        pattern = {pattern}
    """
    errors = errors_of(tmp_path, {"models/thing.py": with_imports(source)})
    (error,) = (error for error in errors if error.code == "E0610")
    assert (problem in error.problem, error.at.line) == (True, 17)
