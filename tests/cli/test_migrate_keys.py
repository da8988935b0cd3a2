"""`migrate diff` of models whose keys change: a finding with the way out for each engine, never an internal error."""

from pathlib import Path

import pytest
from tests.projects import with_imports

from .conftest import Keywright
from .test_migrate_amend import Project

NEXT = ", generation=2, rebuild=kw.Rebuild(from_generation=1)"

BODY = """
class Order(BaseModel):
    __store__: ClassVar = {entity}
    customer: UUID
    placed: {type}
    other: str = ""
"""

HEADS = {
    "dynamodb": 'd = kw.DynamoTable("orders", pk="customer", sk="placed"{head})',
    "mongodb": 'd = kw.MongoDatabase("shop")',
    "cassandra": 'd = kw.Keyspace("shop")',
    "redis": 'd = kw.RedisServer("shop", role="primary"{head})',
}
ENTITIES = {
    "dynamodb": "kw.Item(d)",
    "mongodb": 'kw.Collection(d, "orders", id="{{customer}}#{{placed}}"{store})',
    "cassandra": 'kw.CqlTable(d, "orders", partition="customer", clustering="placed"{store})',
    "redis": 'kw.RedisHash(d, key="order:{{customer}}:{{placed}}")',
}


def models(engine: str, *changes: tuple[str, str], type: str = "str", head: str = "", store: str = "") -> str:
    created = (
        HEADS[engine].format(head=head) + "\n" + BODY.format(entity=ENTITIES[engine].format(store=store), type=type)
    )
    for old, new in changes:
        assert old in created
        created = created.replace(old, new)
    return with_imports("from uuid import UUID", created)


@pytest.fixture
def project(tmp_path: Path, keywright: Keywright) -> Project:
    return Project(tmp_path / "it", keywright)


SWAPPED = (('n="customer", clustering="placed"', 'n="placed", clustering="customer"'),)
AS_TEXT = (("RedisHash(d, ", 'RedisString(d, value="other", '),)

KEYS = [
    ("dynamodb", models("dynamodb", ('sk="placed"', 'sk="other"')), "RB101"),
    ("dynamodb", models("dynamodb", type="int"), "RB102"),
    ("mongodb", models("mongodb", ("{customer}#{placed}", "{placed}#{customer}")), "RB101"),
    ("cassandra", models("cassandra", ('clustering="placed"', 'clustering="-placed"')), "RB101"),
    ("cassandra", models("cassandra", *SWAPPED), "RB101"),
    ("cassandra", models("cassandra", type="int"), "RB102"),
    ("cassandra", models("cassandra", ('other: str = ""', "other: int = 0")), "RB101"),
    ("redis", models("redis", ("order:{customer}:{placed}", "order:{placed}:{customer}")), "RB101"),
    ("redis", models("redis", *AS_TEXT), "RB101"),
]  # fmt: skip


@pytest.mark.parametrize(("engine", "after", "code"), KEYS)
def test_a_key_that_changes_is_a_finding_with_the_way_out(engine: str, after: str, code: str, project: Project) -> None:
    project.becomes(models(engine))
    exit, said = project("diff", "-m", "one")
    assert exit == 0, said
    project.becomes(after)
    exit, said = project("diff", "-m", "two")
    assert exit == 2, said
    assert f"error[{code}]" in said
    assert "help: " in said
    assert said.endswith("nothing was written\n")
    assert [path.name for path in (project.root / "migrations").glob("0*")] == ["0001_one"]


@pytest.mark.parametrize(
    ("engine", "after"),
    [
        ("dynamodb", models("dynamodb", type="int", head=NEXT)),
        ("mongodb", models("mongodb", ("{customer}#{placed}", "{placed}#{customer}"), store=NEXT)),
        ("cassandra", models("cassandra", ('clustering="placed"', 'clustering="-placed"'), store=NEXT)),
        ("redis", models("redis", ("order:{customer}:{placed}", "order:{placed}:{customer}"), head=NEXT)),
    ],
)
def test_the_way_out_is_a_generation_with_gates_for_writers_copy_and_readers(
    engine: str, after: str, project: Project
) -> None:
    project.becomes(models(engine))
    assert project("diff", "-m", "one")[0] == 0
    project.becomes(after)
    exit, said = project("diff", "-m", "two")
    assert exit == 0, said
    assert said.count("waits for you") == 3
    assert "keywright does not copy them" in said
