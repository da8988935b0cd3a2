"""Models that contain themselves up to a depth: what is served is proved on every engine, deeper values are refused."""

from pathlib import Path

import pytest
from tests.live.altering import becomes
from tests.live.conftest import Start
from tests.live.test_every_change import proved
from tests.projects import STACK, a_project, imported_alone, with_imports

from keywright import api
from keywright.compiler import Placed
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.mongodb import driver as mongodb

pytestmark = pytest.mark.live

MODELS = """
store = PLACE

class Comment(BaseModel):
    text: Annotated[str, Field(max_length=20)]
    likes: Annotated[int, Field(ge=0, le=99)] = 0
    replies: Annotated[list["Comment"], Field(max_length=2), kw.Depth(2)] = []

@dataclass
class Node:
    value: int
    left: Annotated["Node | None", kw.Depth(3)] = None
    links: Annotated[dict[str, "Node"], Field(max_length=1), kw.Depth(1)] = dataclass_field(default_factory=dict)

class Chapter(BaseModel):
    title: str
    part: "Part | None" = None

class Part(BaseModel):
    number: int
    chapters: Annotated[list[Chapter], Field(max_length=2), kw.Depth(1)] = []

class Spot(NamedTuple):
    x: int
    y: int = 2

class Post(BaseModel):
    __store__: ClassVar = STORE
    id: Annotated[str, Field(pattern="^[a-z]+$")]
    comments: Annotated[list[Comment], Field(max_length=2)] = []
    pinned: Comment | None = None
    tree: Node
    chapter: Chapter
    spot: Spot

p1 = kw.Get(Post, eq="id")
p2 = kw.Put(Post)
p3 = kw.Put(Post, if_absent=True)
p4 = kw.Delete(Post)
"""

CHANGES = """
p5 = kw.Update(Post, sets="pinned")
p6 = kw.Update(Post, sets="comments")
p7 = kw.Update(Post, sets="tree")
"""

INSIDE = """
p8 = kw.Update(Post, pushes="comments")
p9 = kw.Update(Post, sets="tree.value")
p12 = kw.Update(Post, sets="spot.x")
"""

READS = """
p10 = kw.Read(Post, eq="comments.replies.replies.text", limit=5)
p11 = kw.Read(Post, eq="tree.left.left.value", limit=5)
"""

STORES = {
    "mongodb": (
        'kw.MongoDatabase("blog")',
        'kw.Collection(store, "posts", id="{id}", indexes=[kw.Index("comments.replies.replies.text"), '
        'kw.Index("tree.left.left.value")])',
        CHANGES + INSIDE + READS,
        12,
    ),
    "dynamodb": ('kw.DynamoTable("blog")', 'kw.Item(store, pk="POST#{id}", sk="POST")', CHANGES + INSIDE, 10),
    "cassandra": ('kw.Keyspace("blog")', 'kw.CqlTable(store, "posts", partition="id")', CHANGES, 7),
    "redis": (
        'kw.RedisServer("things", role="primary")',
        'kw.RedisHash(store, key="post:{id}", keep_forever="it is content")',
        CHANGES,
        7,
    ),
}
"""The database, the store of the entity, further patterns and the number of patterns that are served."""


def source_of(engine: str) -> str:
    place, store, more, _ = STORES[engine]
    head = "from dataclasses import dataclass, field as dataclass_field\nfrom typing import NamedTuple\n"
    return head + MODELS.replace("PLACE", place).replace("STORE", store) + more


@pytest.mark.parametrize("engine", STORES)
def test_a_model_in_itself_is_proved(engine: str, start: Start, tmp_path: Path) -> None:
    wrong, served = proved(engine, source_of(engine), start, tmp_path)
    assert wrong == {}
    assert served == STORES[engine][3]


DRIVERS = {"mongodb": mongodb, "cassandra": cassandra}


@pytest.mark.parametrize("engine", DRIVERS)
def test_a_further_level_is_added_to_a_live_store(engine: str, start: Start, tmp_path: Path) -> None:
    before, after = (target_of(engine, depth, tmp_path / str(depth)) for depth in (1, 2))
    driver = DRIVERS[engine].connect(start(engine).url)
    try:
        driver.drop([before.placed.name])
        assert becomes(before.engine, before.placed, after.placed, driver)
    finally:
        driver.drop([before.placed.name])
        driver.close()


def target_of(engine: str, depth: int, folder: Path) -> Placed:
    folder.mkdir()
    _, store, _, _ = STORES[engine]
    source = source_of(engine).partition("\np1 =")[0].replace("kw.Depth(2)", f"kw.Depth({depth})")
    source = source.replace(store, store.partition(", indexes=")[0] + ")" if ", indexes=" in store else store)
    models = with_imports(source.replace('"blog"', '"levels"'))
    with imported_alone(folder):
        a_project(folder, {"models/case.py": models, "stacks/Pulumi.dev.yaml": STACK.replace("dc1", "datacenter1")})
        (target,) = api.compile(api.load(str(folder))).targets
    return target
