"""A pattern that names its collation is served by an index of the same, pages and proofs included, on a real server."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.live.test_planned_costs import proved
from tests.projects import a_project, imported_alone, with_imports
from tests.servers import Start

from keywright import runtime
from keywright.drivers.mongodb import driver as mongodb

pytestmark = pytest.mark.live

PEOPLE = """
    people = kw.MongoDatabase("people")
    ENGLISH = kw.Collation(locale="en", strength=2)
    Name = Annotated[str, Field(pattern="^[aAbBcC]{1,3}$"), kw.Cardinality(distinct=40)]

    class Person(BaseModel):
        __store__: ClassVar = kw.Collection(
            people, "people", id="{person_id}",
            indexes=[
                kw.Index(["name", "age"]), kw.Index("name", collation=ENGLISH), kw.Index("age"),
                kw.Index("nick", unique=True, collation=kw.Collation(locale="en", strength=2)),
            ],
        )
        person_id: Annotated[str, Field(max_length=10)]
        name: Name
        nick: Annotated[str, Field(pattern="^[a-z]{8}$")]
        age: Annotated[int, Field(ge=0, le=90)]

    named = kw.Read(Person, eq="name", collation=ENGLISH, limit=50, rate="1/s")
    exactly_named = kw.Read(Person, eq="name", limit=50, rate="1/s")
    of_names = kw.Count(Person, one_of="name", collation=ENGLISH, rate="1/s")
    between = kw.Count(Person, range="name", collation=ENGLISH, rate="1/s")
    in_order = kw.Read(Person, order="name", collation=ENGLISH, limit=7, rate="1/s")
    backwards = kw.Read(Person, order="-name", collation=ENGLISH, limit=7, rate="1/s")
    bytes_order = kw.Read(Person, order="name", limit=7, rate="1/s")
    of_age = kw.Read(Person, eq="age", where={"name": "a"}, collation=ENGLISH, limit=7, rate="1/s")
    by_nick = kw.Get(Person, eq="nick", collation=ENGLISH, rate="1/s")
    grow = kw.Update(Person, eq="nick", sets="age", collation=ENGLISH, rate="1/s")
    older = kw.Increment(Person, "age", eq="nick", collation=ENGLISH, rate="1/s")
    leave = kw.Delete(Person, eq="nick", collation=ENGLISH, rate="1/s")
    put = kw.Put(Person, rate="1/s")
"""


def test_a_pattern_with_a_collation_is_served_by_an_index_of_the_same(start: Start, tmp_path: Path) -> None:
    result = proved(start, "mongodb", tmp_path, PEOPLE, scale=120)
    assert {name: entry.row.planned.path.by.name for name, entry in result.items()} == {
        "named": "name_1", "exactly_named": "name_1_age_1", "of_names": "name_1", "between": "name_1",
        "in_order": "name_1", "backwards": "name_1", "bytes_order": "name_1_age_1", "of_age": "age_1",
        "by_nick": "nick_1", "grow": "nick_1", "older": "nick_1", "leave": "nick_1", "put": "people",
    }  # fmt: skip
    assert result["named"].row.planned.path.notes == ()
    assert result["named"].proof.calls > result["exactly_named"].proof.calls  # with the other letters, too


TIED = ["a", "A", "b", "B", "b", "é", "É", "e", "E", "É", "ж", "Ж", "ж", "Ж", "z", "Z", "10", "1"]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 50])
def test_pages_hold_each_item_once_whatever_rules_take_for_equal(start: Start, tmp_path: Path, limit: int) -> None:
    with imported_alone(tmp_path):
        source = PEOPLE.replace('pattern="^[aAbBcC]{1,3}$"', "max_length=3")
        a_project(tmp_path, {f"models/people_{limit}.py": with_imports(source)})
        sys.path.insert(0, str(tmp_path))
        models: Any = import_module(f"models.people_{limit}")
        with mongodb.client(start("mongodb").url) as client:
            database = client["people"]
            database.drop_collection("people")
            rules = {"locale": "en", "strength": 2}
            database["people"].create_index("name", name="name_1", collation=rules)
            db = runtime.open(models, environment="dev", mongodb=client)
            ids = [f"{at:02}"[::-1] + ("x" if at % 2 else "X") for at in range(len(TIED))]
            # Ids that are equal by the rules, too: none of them stands for another one.
            for at, name in enumerate(TIED):
                for own in (ids[at].lower(), ids[at].upper()):
                    models.put(db, models.Person(person_id=own, name=name, nick="n" * 8, age=1))
            for pattern in (models.in_order, models.backwards):
                pages = [[entry.person_id for entry in page] for page in pattern.pages(db, limit=min(limit, 7))]
                result = [entry for page in pages for entry in page]
                assert len(result) == len(set(result)) == 2 * len(TIED)
            assert {entry.name for entry in models.named(db, name="É")} == {"é", "É"}
            assert models.between(db, name=("A", "b")) == 10
            database.drop_collection("people")
