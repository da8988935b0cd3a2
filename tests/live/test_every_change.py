"""Whatever an update, an increment or a removal of a field may be, of whatever type: what is served is proved."""

from pathlib import Path

import pytest
from tests.live.conftest import Start
from tests.projects import STACK, a_project, imported_alone, with_imports

from keywright import api
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on, unproved
from keywright.api.prove.scratch import Server
from keywright.local import Running

pytestmark = pytest.mark.live

FIELDS = """
class Colour(Enum):
    RED = "r"
    BLUE = "b"

class Part(BaseModel):
    whole: int
    share: float
    text: str = "x"
    tags: Annotated[list[str], Field(max_length=5)] = []
    until: datetime | None = None

class Fields(BaseModel):
    id: str
    whole: int = 0
    share: float = 0.0
    money: Decimal = Decimal(0)
    part: Part
    spare: Part | None = None
    tags: Annotated[list[str], Field(max_length=50)] = []
    numbers: Annotated[set[int], Field(max_length=50)] = set()
    words: Annotated[set[str], Field(max_length=50)] = set()
    parts: Annotated[list[Part], Field(max_length=50)] = []
    colour: Colour = Colour.RED
    day: date | None = None
    at: datetime | None = None
    lasts: timedelta = timedelta(seconds=3)
    is_on: bool = False
    kind: Literal["a", "b"] = "a"
    counts: dict[str, int] = {}
    raw: bytes = b""
    word: str | None = None
    level: int | None = None
    several: Annotated[list[str] | None, Field(max_length=5)] = None
    anything: Any = None
"""

STORES = {
    "mongodb": ('kw.MongoDatabase("things")', 'kw.Collection(store, "things", id="{id}")'),
    "dynamodb": ('kw.DynamoTable("things")', 'kw.Item(store, pk="THING#{id}", sk="THING")'),
    "cassandra": ('kw.Keyspace("things")', 'kw.CqlTable(store, "things", partition="id", unfrozen="part")'),
    "redis": ('kw.RedisServer("things", role="primary")', 'kw.RedisHash(store, key="thing:{id}")'),
    "redis-stack": ('kw.RedisServer("things", role="primary")', 'kw.RedisJson(store, key="thing:{id}")'),
}
"""The declarations of a store, and of the entity in it, by engine."""

CHANGES = [
    *(f'Increment(Thing, "{field}")' for field in ("whole", "share", "money", "part.whole", "part.share", "level")),
    *(f'Update(Thing, sets="{path}")' for path in ("part.text", "part.until", "part.tags", "spare", "spare.text")),
    *(f'Update(Thing, unset="{path}")' for path in ("part.until", "spare")),
    *(f'Update(Thing, pushes="{path}")' for path in ("tags", "numbers", "words", "parts", "part.tags", "several")),
    'Update(Thing, sets=["colour", "day", "at", "lasts", "is_on", "kind", "counts", "raw", "word"])',
    'Update(Thing, sets=["share", "money", "numbers", "parts", "anything", "level", "several"], unset=["day", "at"])',
    'Update(Thing, sets="whole", where={"kind": "a", "is_on": True})',
    'Update(Thing, sets="whole", where={"whole": kw.AtLeast(0), "word": kw.Present()})',
    'Update(Thing, sets="word", where={"colour": kw.Not("r"), "share": kw.Below(50)})',
    'Delete(Thing, where={"money": kw.AtLeast(Decimal("0.5"))})',
    "Put(Thing, if_absent=True)", "Put(Thing)", "Delete(Thing)", 'Get(Thing, eq="id")',
]  # fmt: skip

SERVED = {"mongodb": 24, "dynamodb": 26, "cassandra": 21, "redis": 14, "redis-stack": 23}
"""How many of them each engine serves, by what it can."""


def start_of(engine: str, start: Start) -> Running:
    """The server of an engine, or of a product of Redis."""
    if engine == "redis-stack":
        return start("redis", "things", product=engine)
    return start(engine, "things" if engine == "redis" else engine)


def proved(engine: str, source: str, start: Start, folder: Path) -> tuple[dict[str, list[str]], int]:
    """(what is wrong with each pattern that is served and not proved, how many are served)."""
    running = start_of(engine, start)
    stack = STACK.replace("cassandra}", "cassandra, datacentres: {datacenter1: 1}}")
    with imported_alone(folder):
        a_project(folder, {"models/case.py": with_imports(source), "stacks/Pulumi.dev.yaml": stack})
        project = api.load(str(folder))
        compiled = api.compile(project)
        server = Server(instance_of(compiled.targets[0]), running.url, running.version)
        results = prove_on(project, compiled, [server], scale=60)
    wrong = {result.row.pattern.name: result.proof.problems for result in unproved(results) if result.proof}
    return wrong, sum(result.row.planned.is_served for result in results)


@pytest.mark.parametrize("engine", STORES)
def test_what_is_served_is_proved(engine: str, start: Start, tmp_path: Path) -> None:
    store, entity = STORES[engine]
    thing = f"store = {store}\n\nclass Thing(Fields):\n    __store__: ClassVar = {entity}\n\n"
    patterns = "\n".join(f"p{at} = kw.{change}" for at, change in enumerate(CHANGES))
    wrong, served = proved(engine, f"{FIELDS}\n{thing}{patterns}", start, tmp_path)
    assert {CHANGES[int(name[1:])]: problems for name, problems in wrong.items()} == {}
    assert served == SERVED[engine]
