"""What would be dangerous on something old, and is not on what a version makes itself."""

from pathlib import Path

import pytest

from .reports import codes_of, errors, model

EMPTY = {
    "mongodb": """
class Visit(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "visits", id="{visit_id}", indexes=[kw.Index("email", unique=True)])
    visit_id: str
    email: str
    at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=3))]
""",
    "dynamodb": """
class Visit(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="VISIT#{visit_id}", sk="VISIT")
    visit_id: str
    email: str
""",
    "cassandra": """
class Visit(BaseModel):
    __store__: ClassVar = kw.CqlTable(shop, "visits", partition="visit_id", ttl=timedelta(days=3))
    visit_id: str
    email: str
    note: str | None = None
""",
    "redis": """
class Visit(BaseModel):
    __store__: ClassVar = kw.RedisHash(shop, key="visit:{visit_id}", ttl=timedelta(days=3))
    visit_id: str
    email: str
""",
}


@pytest.mark.parametrize("engine", sorted(EMPTY))
def test_what_is_made_here_may_have_anything(engine: str, tmp_path: Path) -> None:
    assert codes_of(tmp_path, model(engine), model(engine, tail=EMPTY[engine])) in ([], ["AP103"])


def test_a_new_table_is_made_with_all_its_indexes_at_once(tmp_path: Path) -> None:
    tail = """
by_email, by_name = kw.Gsi("by_email", pk="email"), kw.Gsi("by_name", pk="name")
people = kw.DynamoTable("people", gsis=[by_email, by_name])

class Person(BaseModel):
    __store__: ClassVar = kw.Item(people, pk="PERSON#{person_id}", sk="PERSON")
    person_id: str
    email: str
    name: str
"""
    assert errors(tmp_path, model("dynamodb"), model("dynamodb", tail=tail)) == []


def test_fields_of_an_embedded_model_that_is_new_and_optional_are_not_missing(tmp_path: Path) -> None:
    above = "class Place(BaseModel):\n    street: str\n"
    after = model("mongodb", "place: Place | None = None", above=above)
    assert errors(tmp_path, model("mongodb"), after) == []


def test_no_change_is_no_finding(tmp_path: Path) -> None:
    assert codes_of(tmp_path, model("mongodb"), model("mongodb")) == []
