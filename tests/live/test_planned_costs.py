"""What is predicted of filters, of moments and of small floats, held against real servers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.live.conftest import Start
from tests.projects import STACK, a_project, imported_alone, with_imports

from keywright import api
from keywright.access.cost import Cost
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on, unproved
from keywright.api.prove.scratch import Server

pytestmark = pytest.mark.live


def proved(start: Start, engine: str, folder: Path, source: str, scale: int = 60) -> Mapping[str, Any]:
    """Each pattern's proof by name, after all of them are proved on a real server."""
    running = start(engine)
    stack = STACK.replace("cassandra}", "cassandra, datacentres: {datacenter1: 1}}")
    with imported_alone(folder):
        a_project(folder, {"models/case.py": with_imports(source), "stacks/Pulumi.dev.yaml": stack})
        project = api.load(str(folder))
        compiled = api.compile(project)
        server = Server(instance_of(compiled.targets[0]), running.url, running.version)
        results = prove_on(project, compiled, [server], scale=scale)
    assert [(result.row.pattern.name, result.proof and result.proof.problems) for result in unproved(results)] == []
    return {result.row.pattern.name: result for result in results}


def cost_of(one: Any) -> Cost:
    cost: Cost = one.row.placed.engine.cost(one.row.planned)
    return cost


MOMENTS = """
    from uuid import UUID

    ks = kw.Keyspace("moments")

    class ByTime(BaseModel):
        __store__: ClassVar = kw.CqlTable(ks, "by_time", partition="p", clustering="-t", types={"t": "timeuuid"})
        p: Annotated[str, kw.Cardinality(distinct=3)]
        t: UUID

    class Rising(BaseModel):
        __store__: ClassVar = kw.CqlTable(ks, "rising", partition="p", clustering="t", types={"t": "timeuuid"})
        p: Annotated[str, kw.Cardinality(distinct=3)]
        t: UUID

    class Small(BaseModel):
        __store__: ClassVar = kw.CqlTable(ks, "small", partition="p", types={"f": "float"})
        p: str
        f: float

    by_time = kw.Read(ByTime, eq="p", order="-t", limit=5, rate="1/s")
    turned = kw.Read(ByTime, eq="p", order="t", limit=5, rate="1/s")
    between = kw.Read(Rising, eq="p", range="t", order="t", limit=5, rate="1/s")
    many = kw.Read(Rising, one_of="p", range="t", order="-t", limit=5, rate="1/s")
    count = kw.Count(Rising, eq="p", range="t", rate="1/s")
    put_t = kw.Put(ByTime, rate="1/s")
    small = kw.Get(Small, rate="1/s")
    put_small = kw.Put(Small, rate="1/s")
    set_small = kw.Update(Small, sets="f", rate="1/s")
"""


def test_moments_and_small_floats_are_served_and_proved(start: Start, tmp_path: Path) -> None:
    result = proved(start, "cassandra", tmp_path, MOMENTS)
    assert all(entry.row.planned.is_served for entry in result.values())


DESK = """
    desk = kw.DynamoTable("desk")
    State = Literal["open", "done", "late", "gone", "new"]

    class Visit(BaseModel):
        __store__: ClassVar = kw.Item(desk, pk="VISITS", sk="{visit_id}", expected=400)
        visit_id: Annotated[str, Field(pattern="^[A-Z0-9]{26}$")]
        state: State
        note: Annotated[str, Field(min_length=1500, max_length=1500, pattern="^[a-z]{1500}$")]

    in_state = kw.Read(Visit, eq="state", order="visit_id", limit=20, consistency="strong", rate="1/s")
    all_visits = kw.Read(Visit, order="visit_id", limit=300, rate="1/s")
    large = kw.Read(Visit, order="visit_id", limit=1000, rate="1/s")
    how_many = kw.Count(Visit, rate="1/s")
"""


def test_a_filter_is_charged_for_what_it_examines(start: Start, tmp_path: Path) -> None:
    result = proved(start, "dynamodb", tmp_path, DESK, scale=400)
    cost = cost_of(result["in_state"])
    assert (cost.returned.expected, cost.examined.expected) == (20, 100)
    assert cost.units.expected == 40  # strong, of 100 items of 1,600 bytes
    assert cost_of(result["how_many"]).examined.expected == 400
    assert cost_of(result["all_visits"]).round_trips.high == 1
    assert (cost_of(result["large"]).round_trips.expected, cost_of(result["large"]).round_trips.high) == (2, 2)


PEOPLE = """
    people = kw.MongoDatabase("people")
    Name = Annotated[str, Field(pattern="^[aAbB]{1,2}$"), kw.Cardinality(distinct=12)]

    class Person(BaseModel):
        __store__: ClassVar = kw.Collection(
            people, "people", id="{person_id}",
            indexes=[
                kw.Index("name", collation=kw.Collation(locale="en", strength=2)), kw.Index(["name", "person_id"]),
            ],
        )
        person_id: Annotated[str, Field(max_length=10)]
        name: Name

    named = kw.Read(Person, eq="name", limit=50, rate="1/s")
    count = kw.Count(Person, eq="name", rate="1/s")
    in_order = kw.Read(Person, order="name", limit=20, rate="1/s")
"""


def test_an_index_with_rules_of_language_does_not_change_what_a_pattern_finds(start: Start, tmp_path: Path) -> None:
    result = proved(start, "mongodb", tmp_path, PEOPLE)
    assert {entry.row.planned.path.by.name for entry in result.values()} == {"name_1__id_1"}


FEED = """
    feed = kw.DynamoTable("feed")

    class Post(BaseModel):
        __store__: ClassVar = kw.Item(feed, pk="M#{at:month}", sk="{at:iso}#{post_id}")
        post_id: Annotated[str, Field(min_length=1, max_length=10)]
        at: datetime

    newest = kw.Read(Post, order="-at", limit=10, fan_out=1, rate="1/s")
    older = kw.Read(Post, order="-at", limit=10, fan_out=12, rate="1/s")
    between = kw.Read(
        Post, range="at", order="-at", limit=10, fan_out=1, span=timedelta(days=20), rate="1/s"
    )
    counted = kw.Count(Post, range="at", span=timedelta(days=20), rate="1/s")
"""


def test_one_bucket_is_read_where_the_pattern_says_so(start: Start, tmp_path: Path) -> None:
    result = proved(start, "dynamodb", tmp_path, FEED)
    assert cost_of(result["newest"]).partitions == 1
    assert cost_of(result["newest"]).round_trips.high == 1
    # A range of twenty days may lie in two months: both are read, whatever the pattern says.
    assert cost_of(result["between"]).partitions == cost_of(result["counted"]).partitions == 2
    assert cost_of(result["between"]).round_trips.high == 2
    (note,) = result["between"].row.planned.path.notes
    assert note == "the range is in up to 2 buckets, all of which are read; the pattern has fan_out=1"


ROOMS = """
    desk = kw.DynamoTable("desk")

    class Visit(BaseModel):
        __store__: ClassVar = kw.Item(desk, pk="VISITS#{room}", sk="{visit_id}", expected=300)
        room: Annotated[str, Field(pattern="^[a-z]$"), kw.Cardinality(distinct=1)]
        visit_id: Annotated[str, Field(pattern="^[a-z0-9]{8}$")]
        state: Annotated[str, Field(pattern="^[a-z]{6}$"), kw.Cardinality(distinct=300)]
        is_open: bool
        note: Annotated[str, Field(pattern="^[a-z]{6}$")]

    rare = kw.Read(Visit, eq=["room", "state"], order="visit_id", limit=5, rate="1/s")
    half = kw.Read(Visit, eq=["room", "is_open"], order="visit_id", limit=10, rate="1/s")
    first = kw.Read(Visit, eq=["room", "is_open"], order="-visit_id", limit=1, rate="1/s")
    noted = kw.Read(Visit, eq=["room", "note"], order="visit_id", limit=5, rate="1/s")
"""


def test_a_request_with_a_filter_looks_at_as_many_as_hold_what_is_wanted(start: Start, tmp_path: Path) -> None:
    result = proved(start, "dynamodb", tmp_path, ROOMS, scale=300)
    assert (cost_of(result["rare"]).examined.expected, cost_of(result["rare"]).round_trips.expected) == (300, 1)
    assert (cost_of(result["half"]).examined.expected, cost_of(result["half"]).round_trips.expected) == (20, 1)
    assert cost_of(result["first"]).examined.expected == 2
    assert cost_of(result["noted"]).round_trips.expected == 3  # nobody knows: a hundred at once
