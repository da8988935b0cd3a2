"""Entities in the forms that only one engine has, and all that is asked of them: what is served is proved."""

from pathlib import Path

import pytest
from tests.live.conftest import Start
from tests.live.test_every_change import proved

pytestmark = pytest.mark.live

DYNAMODB = """
by_status = kw.Gsi("by_status", pk="spk", sk="ssk")
by_owner = kw.Gsi("by_owner", pk="owner", sk="due")
sparse = kw.Gsi("sparse", pk="flag", sk="due", project="keys")
store = kw.DynamoTable("things", gsis=[by_status, by_owner, sparse])

class Status(Enum):
    OPEN = "open"
    DONE = "done"

class Part(BaseModel):
    number: int = 0
    text: str | None = None

class Job(BaseModel):
    __store__: ClassVar = kw.Item(store, pk="JOB#{job_id}", sk="JOB", gsis=[
        by_status.key(pk="S#{status}#{job_id:shard(4)}", sk="{due:iso}#{job_id}")])
    job_id: str
    status: Status = Status.OPEN
    due: datetime
    owner: str | None = None
    flag: str | None = None
    tries: int = 0
    part: Part = Part()
    expires: Annotated[datetime | None, kw.Ttl()] = None

class Step(BaseModel):
    __store__: ClassVar = kw.Item(store, pk="JOB#{job_id}", sk="STEP#{number:pad(4)}", gsis=[
        by_status.key(pk="STEPS#{kind}", sk="{job_id}#{number:pad(4)}")])
    job_id: Annotated[str, kw.Ref(Job, on_missing="ignore")]
    number: Annotated[int, Field(ge=0, le=9999)]
    kind: Literal["x", "y"]
    cost: Decimal = 1
    notes: Annotated[list[str], Field(max_length=20)] = []

p1 = kw.Read(Job, eq="status", order="due", range="due", limit=5, fan_out=4)
p2 = kw.Read(Job, eq="owner", order="-due", limit=5)
p3 = kw.Read(Job, eq="flag", order="due", limit=5, fields=["job_id"])
p4 = kw.Update(Job, sets=["status", "due"])
p5 = kw.Update(Job, sets="owner")
p6 = kw.Update(Job, unset=["flag", "expires"])
p7 = kw.Update(Job, sets=["flag", "expires"])
p8 = kw.Increment(Job, "part.number")
p9 = kw.Delete(Job, where={"status": Status.DONE})
p10 = kw.Put(Job)
p11 = kw.Put(Job, if_absent=True)
p12 = kw.Read(Step, eq="job_id", order="number", range="number", limit=5)
p13 = kw.Read(Step, eq=["kind", "job_id"], order="-number", limit=5)
p14 = kw.Update(Step, sets="kind")
p15 = kw.Put(Step, batch=5)
p16 = kw.Transact([kw.Put(Job, if_absent=True), kw.Put(Step)])
p17 = kw.Transact([kw.Update(Job, sets="part"), kw.Increment(Step, "cost"), kw.Delete(Step)])
"""

MONGODB = """
store = kw.MongoDatabase("things")

class Part(BaseModel):
    sku: str
    number: int

class Visit(BaseModel):
    at: datetime
    city: str

class Thing(BaseModel):
    __store__: ClassVar = kw.Collection(store, "things", id="{owner}:{number:pad(5)}", computed={"month": "{at:month}"},
        indexes=[
            kw.Index(["owner", "-at"]), kw.Index("mail", unique=True), kw.Index(["month", "kind"]),
            kw.Index("share", where={"kind": "x"}), kw.Index("parts.sku"), kw.TextIndex("text"),
            kw.Index("at", expire_after=timedelta(days=2), where={"kind": "x"}, name="of x"),
            kw.Index("last.at", expire_after=timedelta(0)), kw.HashedIndex("share", before="owner", after="-at"),
            kw.WildcardIndex("*", only=["last", "money"])])
    owner: str
    number: Annotated[int, Field(ge=0, le=99999)]
    at: datetime
    kind: Literal["x", "y"]
    mail: str
    share: float = 0
    money: Decimal = 0
    text: str
    parts: Annotated[list[Part], Field(max_length=9)] = []
    gone: Annotated[datetime | None, kw.Ttl()] = None
    last: Visit

class Tick(BaseModel):
    __store__: ClassVar = kw.TimeSeries(store, "ticks", time="at", ttl=timedelta(days=900), indexes=[kw.Index("level")])
    at: datetime
    level: int

class Beat(BaseModel):
    __store__: ClassVar = kw.TimeSeries(store, "beats", time="at", meta="host", meta_index=False)
    at: datetime
    host: str

p1 = kw.Read(Thing, eq="owner", order="-at", range="at", limit=5)
p2 = kw.Get(Thing, eq="mail")
p3 = kw.Read(Thing, eq=["month", "kind"], limit=5)
p4 = kw.Read(Thing, where={"kind": "x"}, order="-share", limit=5)
p5 = kw.Read(Thing, eq="parts.sku", limit=5)
p6 = kw.Read(Thing, search="text", limit=5)
p7 = kw.Update(Thing, sets="at")
p8 = kw.Update(Thing, sets="mail")
p9 = kw.Update(Thing, sets="share", eq="mail")
p10 = kw.Increment(Thing, "share")
p11 = kw.Update(Thing, pushes="parts")
p12 = kw.Update(Thing, sets="gone", where={"share": kw.AtLeast(1)})
p13 = kw.Read(Thing, eq="owner", one_of="number", limit=5)
p14 = kw.Aggregate(Thing, eq="owner", group=["{at:month}", "{kind}"], measures={"n": kw.Sum("share")})
p15 = kw.Delete(Thing)
p16 = kw.Read(Thing, eq=["owner", "share"], order="-at", limit=5)
p17 = kw.Read(Thing, eq="last.city", limit=5)
p18 = kw.Read(Thing, range="last.at", order="-last.at", limit=5)
p19 = kw.Read(Thing, range="at", order="at", where={"kind": "x"}, limit=5)
p20 = kw.Update(Thing, sets="last")
p21 = kw.Read(Tick, range="at", limit=5)
p22 = kw.Read(Tick, eq="level", limit=5)
p23 = kw.Put(Tick)
p24 = kw.Read(Beat, eq="host", range="at", limit=5)
p25 = kw.Put(Beat, batch=5)
"""

CASSANDRA = """
store = kw.Keyspace("things")

class Entry(BaseModel):
    __store__: ClassVar = kw.CqlTable(store, "entries", partition=["owner", "month"], clustering=["-at", "number"],
        computed={"month": "{at:month}"}, static="title", ttl=timedelta(days=3000))
    owner: str
    at: datetime
    number: int
    title: str
    body: str
    word: str | None = None

class Hits(BaseModel):
    __store__: ClassVar = kw.CqlTable(store, "hits", partition="owner", clustering="day", counters=["hits"])
    owner: str
    day: date
    hits: int = 0

p1 = kw.Get(Entry, eq=["owner", "at", "number"])
p2 = kw.Read(Entry, eq="owner", order="-at", range="at", limit=5, fan_out=3)
p3 = kw.Update(Entry, sets=["title", "body", "word"])
p4 = kw.Put(Entry)
p5 = kw.Put(Entry, if_absent=True)
p6 = kw.Delete(Entry)
p7 = kw.Increment(Hits, "hits")
p8 = kw.Read(Hits, eq="owner", order="-day", range="day", limit=5)
"""

REDIS = """
store = kw.RedisServer("things", role="primary")

class Line(BaseModel):
    __store__: ClassVar = kw.RedisStream(store, key="log:{owner}", keep=500)
    owner: str
    number: int
    share: float
    at: datetime
    money: Decimal
    word: str | None = None

class Note(BaseModel):
    __store__: ClassVar = kw.RedisString(store, key="note:{owner}:{number:pad(3)}", ttl=timedelta(hours=2))
    owner: str
    number: Annotated[int, Field(ge=0, le=999)]
    at: datetime
    share: float = 0
    words: set[str] = set()
    raw: bytes = b""

class Lease(BaseModel):
    __store__: ClassVar = kw.RedisString(store, key="lease:{name}:{until:iso}", value="holder")
    name: str
    until: Annotated[datetime, kw.Ttl()]
    holder: str

class Hits(BaseModel):
    __store__: ClassVar = kw.RedisCounter(store, key="hits:{owner}:{day:date}", value="hits", ttl=timedelta(days=2))
    owner: str
    day: date
    hits: int = 0

class Export(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        store, key="export:{owner}", limit=100, per=timedelta(hours=1), window="bucket", burst=7
    )
    owner: str

workers = kw.ConsumerGroup("workers", idempotency="number", claim_after=timedelta(minutes=1))

class Job(BaseModel):
    __store__: ClassVar = kw.RedisStream(store, key="jobs", keep=900, groups=[workers], due="run_at")
    number: int
    run_at: datetime
    raw: bytes = b""

class Race(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(store, key="race:{game}", member="{player}", score="points", then="second")
    game: str
    player: str
    points: Annotated[int, Field(gt=-100, lt=100)]
    second: Annotated[int, Field(ge=-3, le=9)]

class Points(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(store, key="board:{game}", member="{player}", score="points", max_length=99)
    game: str
    player: str
    points: float

p1 = kw.Read(Line, eq="owner", limit=5)
p2 = kw.Put(Line)
p3 = kw.Get(Note, eq=["owner", "number"])
p4 = kw.Put(Note, if_absent=True)
p5 = kw.Delete(Note)
p6 = kw.Update(Lease, sets="holder")
p7 = kw.Increment(Hits, "hits")
p8 = kw.Update(Hits, sets="hits")
p9 = kw.Increment(Points, "points")
p10 = kw.Read(Points, eq="game", order="-points", limit=5)
p11 = kw.Rank(Points, order="-points")
p12 = kw.Update(Points, sets="points")
p13 = kw.RankAround(Points, order="points", limit=4)
p14 = kw.RankAround(Points, order="-points", ties="shared")
p15 = kw.Rank(Points, order="points", ties="shared")
p16 = kw.Take(Export, limit=2)
p17 = kw.Put(Job)
p18 = kw.Take(Job, group=workers, limit=3)
p19 = kw.Count(Job)
p20 = kw.Read(Race, eq="game", order=["points", "second"], range="points", limit=5)
p21 = kw.Update(Race, sets=["points", "second"])
"""


@pytest.mark.parametrize(
    ("engine", "source"), [("dynamodb", DYNAMODB), ("mongodb", MONGODB), ("cassandra", CASSANDRA), ("redis", REDIS)]
)
def test_all_that_is_asked_is_proved(engine: str, source: str, start: Start, tmp_path: Path) -> None:
    wrong, served = proved(engine, source, start, tmp_path)
    assert wrong == {}
    assert served == source.count("\np")
