"""Fields and lists of one of several models: what is served is proved on every engine that stores them."""

from pathlib import Path

import pytest
from tests.live.conftest import Start
from tests.live.test_every_change import proved

pytestmark = pytest.mark.live

MODELS = """
store = PLACE

class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    name: Annotated[str, Field(max_length=20)]
    age: Annotated[int, Field(ge=0, le=40)] = 1
    lives: Annotated[int, Field(ge=0, le=9)] = 9
    born: date | None = None

class Toy(BaseModel):
    form: Literal["ball", "bone"]
    price: Decimal

class Dog(BaseModel):
    kind: Literal["dog", "puppy"]
    name: str
    age: Annotated[int, Field(ge=0, le=40)] = 1
    lives: str = "one"
    tricks: Annotated[set[str], Field(max_length=3)] = set()
    toys: Annotated[list[Toy], Field(max_length=2)] = []

class Plan(BaseModel):
    number: Literal[1]
    until: AwareDatetime

class Trial(BaseModel):
    number: Literal[2, 3]
    share: float

Pet = Annotated[Cat | Dog, Field(discriminator="kind")]

class Owner(BaseModel):
    __store__: ClassVar = STORE
    id: Annotated[str, Field(pattern="^[a-z]+$")]
    pet: Pet
    second: Pet | None = None
    pets: Annotated[list[Pet], Field(max_length=4)] = []
    by_name: Annotated[dict[str, Pet], Field(max_length=4)] = {}
    plan: Plan | Trial = Field(discriminator="number")

p1 = kw.Get(Owner, eq="id")
p2 = kw.Put(Owner)
p3 = kw.Put(Owner, if_absent=True)
p4 = kw.Delete(Owner)
"""

CHANGES = """
p5 = kw.Update(Owner, sets=["pet", "plan"])
p6 = kw.Update(Owner, sets="second")
p7 = kw.Update(Owner, unset="second")
p8 = kw.Update(Owner, sets="pets")
"""

PARTS = """
p9 = kw.Update(Owner, pushes="pets")
p10 = kw.Increment(Owner, "pet.age")
p11 = kw.Update(Owner, sets="pet.age", where={"pet.kind": "cat"})
"""

READS = """
p12 = kw.Read(Owner, eq="pet.kind", order="pet.age", limit=5)
"""

STORES = {
    "mongodb": (
        'kw.MongoDatabase("zoo")',
        'kw.Collection(store, "owners", id="{id}", indexes=[kw.Index(["pet.kind", "pet.age"]), kw.Index("pets.name")])',
        CHANGES + PARTS + READS + 'p13 = kw.Read(Owner, eq="pets.name", limit=5)\n',
    ),
    "dynamodb": (
        'kw.DynamoTable("zoo", gsis=[kw.Gsi("by_kind", pk="bk", sk="bs")])',
        'kw.Item(store, pk="{id}", sk="O", gsis=[store.gsis[0].key(pk="{pet.kind}", sk="{pet.age:pad(2)}#{id}")])',
        CHANGES.replace('["pet", "plan"]', '"plan"') + PARTS.partition("p10")[0] + READS,
    ),
    "redis hash": ('kw.RedisServer("zoo", role="primary")', 'kw.RedisHash(store, key="o:{id}")', CHANGES),
    "redis json": ('kw.RedisServer("zoo", role="primary")', 'kw.RedisString(store, key="o:{id}")', ""),
}  # fmt: skip


@pytest.mark.parametrize("form", STORES)
def test_values_of_a_union_are_stored_found_and_changed(form: str, start: Start, tmp_path: Path) -> None:
    place, store, patterns = STORES[form]
    source = MODELS.replace("PLACE", place).replace("STORE", store) + patterns
    wrong, served = proved(form.partition(" ")[0], source, start, tmp_path)
    assert wrong == {}
    assert served == source.count("\np")
