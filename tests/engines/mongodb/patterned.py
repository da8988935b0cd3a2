"""A model with every kind of index, and patterns for each way in which they serve."""

import sys
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from keywright.access.path import AccessPath, Candidate
from keywright.access.search import Planned, plan, plan_together
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.target import DatabaseTarget
from keywright.frontend.lower import lower
from keywright.ir.design import Design
from keywright.record import replace

AT = datetime(2026, 11, 1, tzinfo=UTC)

patterned = kw.MongoDatabase("patterned")


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    name: str
    amount: Decimal
    since: datetime | None = None


class Row(BaseModel):
    sku: str
    quantity: int
    cost: Decimal


class Place(BaseModel):
    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]


class Thing(BaseModel):
    """Every kind of index."""

    __store__: ClassVar = kw.Collection(
        patterned,
        "things",
        id="{thing_id}",
        computed={"month": "{moment:month}", "tagged": "{colour}-{group}"},
        expected=10_000,
        indexes=[
            kw.Index(["group", "-moment"]),
            kw.Index(["group", "number", "moment"]),
            kw.Index("serial", unique=True),
            kw.Index("tags"),
            kw.Index(["tags", "-number"], name="tags_number"),
            kw.Index("scores"),
            kw.Index("rows.sku"),
            kw.Index("part.name"),
            kw.Index("word", where={"word": kw.Present()}),
            kw.Index("number", where={"flag": True}, name="flagged"),
            kw.Index("moment", where={"colour": kw.OneOf(["red", "blue"])}, name="coloured"),
            kw.Index("amount", where={"number": kw.AtLeast(50)}, name="large"),
            kw.Index("title", collation=kw.Collation(locale="en", strength=2)),
            kw.Index(["month", "-moment"], name="monthly"),
            kw.Index("kept", hidden=True),
            kw.HashedIndex("hashed"),
            kw.TextIndex(["body", "headline"]),
            kw.GeoIndex("place"),
            kw.WildcardIndex("open"),
        ],
    )

    thing_id: int
    group: Annotated[str, kw.Cardinality(distinct=5)]
    moment: datetime
    number: Annotated[int, Field(ge=0, le=1000)]
    serial: str
    tags: list[str]
    scores: Annotated[list[int], Field(max_length=3)]
    rows: list[Row]
    part: Part
    word: str | None
    nick: str | None = "none"
    flag: bool
    colour: Colour
    amount: Decimal
    title: str
    kept: int
    hashed: str
    body: str
    headline: str
    place: Place
    open: Part
    day: date


class Chunk(BaseModel):
    """A composed id, in the order of its parts."""

    __store__: ClassVar = kw.Collection(
        patterned, "chunks", id="{owner}#{number:pad(4)}#{moment:iso}", shard_key=kw.ShardKey(on="owner")
    )

    owner: str
    number: int
    moment: datetime
    text: str
    spare: Part | None = None


class Bucket(BaseModel):
    """A composed id that keeps an hour only."""

    __store__: ClassVar = kw.Collection(patterned, "buckets", id="{owner}_{start:hour}")

    owner: str
    start: datetime
    count: int = 0
    values: Annotated[list[int], Field(max_length=3)] = []


class Writer(BaseModel):
    """Who writes notes."""

    __store__: ClassVar = kw.Collection(patterned, "writers", id="{name}")

    name: str
    born: date
    mood: Colour


class Note(BaseModel):
    """Without a key of its own."""

    __store__: ClassVar = kw.Collection(patterned, "notes", indexes=[kw.Index("author")])

    author: str
    text: str


class Sample(BaseModel):
    """A time series."""

    __store__: ClassVar = kw.TimeSeries(patterned, "samples", time="at", meta="source", granularity="minutes")

    source: str
    at: datetime
    value: float


def things(count: int = 400) -> list[Thing]:
    """Things with many equal values; the same in each run."""
    rng = Random(7)
    colours = [Colour.RED, Colour.BLUE]

    def part(at: int) -> Part:
        return Part(name=f"p{at % 13}", amount=Decimal(at % 17) / 4, since=AT if at % 3 else None)

    return [
        Thing(
            thing_id=at, group=f"g{rng.randrange(5)}", moment=AT + timedelta(hours=rng.randrange(1500)),
            number=rng.randrange(100), serial=f"s{at}", tags=rng.sample(["a", "b", "c", "d", "e"], rng.randrange(4)),
            scores=[rng.randrange(10) for _ in range(rng.randrange(4))],
            rows=[Row(sku=f"k{rng.randrange(6)}", quantity=n, cost=Decimal(at) / 8) for n in range(rng.randrange(3))],
            part=part(at), word=None if at % 3 == 0 else f"w{at % 20}", nick=None if at % 5 == 0 else f"n{at % 7}",
            flag=at % 4 == 0, colour=colours[at % 2], amount=Decimal(rng.randrange(1000)) / 100,
            title=f"Title {at % 50}", kept=at % 7, hashed=f"h{at % 11}", body=f"common word{at % 30} text",
            headline=f"head{at % 10}", place=Place(coordinates=[(at * 7) % 170 - 85, (at * 3) % 80 - 40]),
            open=part(at + 5), day=date(2026, 11, 1 + at % 20),
        )
        for at in range(count)
    ]  # fmt: skip


def chunks() -> list[Chunk]:
    return [
        Chunk(owner=owner, number=at % 12, moment=AT + timedelta(minutes=at), text=f"t{at}")
        for owner in ("a", "a#b", "b")
        for at in range(60)
    ]


def samples() -> list[Sample]:
    return [
        Sample(source=f"s{at % 4}", at=AT + timedelta(minutes=at * 7, seconds=at % 3), value=at / 2)
        for at in range(3000)
    ]


def buckets() -> list[Bucket]:
    return [Bucket(owner=owner, start=AT + timedelta(hours=at)) for owner in ("x", "y") for at in range(5)]


def notes() -> list[Note]:
    return [Note(author=f"u{at % 3}", text=f"n{at}") for at in range(20)]


def writers() -> list[Writer]:
    return [Writer(name=f"u{at}", born=date(1980 + at, 1, 2), mood=Colour.BLUE) for at in (0, 1)]


DATA = {"Writer": writers, "Thing": things, "Chunk": chunks, "Sample": samples, "Bucket": buckets, "Note": notes}

# Reads and counts.
by_id = kw.Get(Thing)
by_ids = kw.Read(Thing, one_of="thing_id", limit=50)
by_ids_sorted = kw.Read(Thing, one_of="thing_id", order="-number", limit=50)
by_ids_in_order = kw.Read(Thing, one_of="thing_id", order="-thing_id", limit=50)
id_range = kw.Read(Thing, range="thing_id", order="thing_id", limit=30)
by_serial = kw.Get(Thing, eq="serial")
by_serials_sorted = kw.Read(Thing, one_of="serial", order="number", limit=10)
of_group = kw.Read(Thing, eq="group", order="-moment", limit=25)
of_group_oldest = kw.Read(Thing, eq="group", order="moment", limit=25)
of_group_range = kw.Read(Thing, eq="group", range="moment", order="-moment", limit=25)
of_groups = kw.Read(Thing, one_of="group", order="-moment", limit=25)
of_group_unsorted = kw.Read(Thing, eq="group", limit=25)
of_group_number = kw.Read(Thing, eq=["number", "group"], order="-moment", limit=25)
of_group_two_orders = kw.Read(Thing, eq="group", order=["number", "moment"], limit=25)
of_group_two_back = kw.Read(Thing, eq="group", order=["-number", "-moment"], limit=25)
of_group_mixed = kw.Read(Thing, eq="group", order=["number", "-moment"], limit=25)
of_group_by_title = kw.Read(Thing, eq="group", order="title", limit=25)
of_group_flagged = kw.Read(Thing, eq=["group", "flag"], order="-moment", limit=10)
of_group_not = kw.Read(Thing, eq="group", where={"colour": kw.Not("red")}, order="-moment", limit=10)
of_group_present = kw.Read(Thing, eq="group", where={"nick": kw.Present()}, order="-moment", limit=10)
tagged_with = kw.Read(Thing, contains="tags", limit=20)
tagged_in_order = kw.Read(Thing, contains="tags", order="-number", limit=20)
tagged_all = kw.Read(Thing, all_of="tags", limit=20)
tagged_exactly = kw.Read(Thing, exactly="tags", limit=20)
scored = kw.Read(Thing, range="scores", limit=20)
scored_order = kw.Read(Thing, range="scores", order="scores", limit=20)
with_sku = kw.Read(Thing, eq="rows.sku", limit=20)
with_quantity = kw.Read(Thing, eq="rows.quantity", limit=20)
with_part = kw.Read(Thing, eq="part.name", limit=20)
with_part_prefix = kw.Read(Thing, prefix="part.name", order="part.name", limit=20)
with_word = kw.Read(Thing, eq="word", limit=20)
with_words = kw.Read(Thing, one_of="word", limit=20)
any_word = kw.Read(Thing, where={"word": kw.Present()}, order="word", limit=20)
with_nick = kw.Read(Thing, eq="nick", limit=20)
flagged = kw.Read(Thing, where={"flag": True}, order="number", limit=20)
flagged_range = kw.Read(Thing, where={"flag": True}, range="number", order="-number", limit=20)
unflagged = kw.Read(Thing, range="number", order="-number", limit=20)
coloured = kw.Read(Thing, where={"colour": "red"}, order="moment", limit=20)
coloured_given = kw.Read(Thing, eq="colour", order="moment", limit=20)
large = kw.Read(Thing, where={"number": kw.AtLeast(80)}, range="amount", limit=20)
small = kw.Read(Thing, where={"number": kw.AtLeast(20)}, range="amount", limit=20)
titled = kw.Read(Thing, eq="title", limit=20)
titled_of_group = kw.Read(Thing, eq=["title", "hashed"], limit=20)
in_month = kw.Read(Thing, eq="month", order="-moment", limit=20)
in_months = kw.Read(Thing, range="moment", span=timedelta(days=70), order="-moment", limit=20)
with_kept = kw.Read(Thing, eq="kept", limit=20)
with_hash = kw.Read(Thing, eq="hashed", limit=20)
with_hash_range = kw.Read(Thing, range="hashed", limit=20)
found = kw.Read(Thing, search=["headline", "body"], limit=10)
found_body = kw.Read(Thing, search="body", limit=10)
nearby = kw.Read(Thing, near="place", limit=15)
open_name = kw.Read(Thing, eq="open.name", limit=20)
open_sorted = kw.Read(Thing, eq="open.name", order="number", limit=20)
open_since = kw.Read(Thing, eq="open.since", limit=20)
everything = kw.Read(Thing, limit=20)
everything_in_order = kw.Read(Thing, order="serial", limit=150)
numbers_of_group = kw.Get(Thing, eq=["group", "number", "moment"], fields=["group", "number"])
parts_of_group = kw.Read(Thing, eq="group", order="-moment", limit=10, fields=["part", "colour", "tags"])
strong_thing = kw.Get(Thing, consistency="strong")
session_things = kw.Read(Thing, eq="group", order="-moment", limit=10, consistency="session")
count_of_group = kw.Count(Thing, eq="group", range="moment")
count_flagged = kw.Count(Thing, where={"flag": True}, range="number")
count_nothing = kw.Count(Thing, eq="kept")
by_day = kw.Aggregate(
    Thing, eq="group", range="moment", group=["{moment:date}", "{colour}", "{rows.sku}"],
    measures={
        "cost": kw.Sum("rows.cost"), "mean": kw.Avg("rows.quantity"), "things": kw.Distinct("thing_id"),
    },
)  # fmt: skip
by_week = kw.Aggregate(Thing, eq="group", group=["{moment:week}", "{moment:hour}"], measures={"n": kw.Sum("number")})
by_case = kw.Aggregate(Thing, eq="group", group=["{title:upper}"], measures={"n": kw.Sum("number")})
things_around = kw.RankAround(Thing, order="number")
rank = kw.Rank(Thing, order="number")

chunk = kw.Get(Chunk)
chunks_of = kw.Read(Chunk, eq="owner", limit=17)
chunks_in_order = kw.Read(Chunk, eq="owner", order=["-number", "-moment"], limit=17)
chunks_range = kw.Read(Chunk, eq="owner", range="number", order="number", limit=7)
chunks_of_number = kw.Read(Chunk, eq=["owner", "number"], range="moment", order="-moment", limit=3)
chunks_by_text = kw.Read(Chunk, eq="owner", order="text", limit=7)
chunk_numbers = kw.Read(Chunk, eq="number", limit=7)

sampled = kw.Read(Sample, eq="source", range="at", order="-at", limit=40)
sampled_ever = kw.Read(Sample, eq="source", order="-at", limit=40)
sampled_rising = kw.Read(Sample, eq="source", range="at", order="at", limit=40)
sampled_all = kw.Read(Sample, range="at", order="at", limit=40)
sampled_values = kw.Read(Sample, range="value", limit=40)

noted = kw.Read(Note, eq="author", limit=3, joins=[kw.Join(Writer, on={"author": "name"}, fields=["born", "mood"])])
noted_by_mood = kw.Read(Note, eq="author", limit=3, joins=[kw.Join(Writer, on={"text": "mood"}, fields="name")])

# Writes.
put_thing = kw.Put(Thing)
put_once = kw.Put(Thing, if_absent=True)
put_chunk = kw.Put(Chunk, consistency="eventual")
put_note = kw.Put(Note)
put_note_once = kw.Put(Note, if_absent=True)
put_sample = kw.Put(Sample, batch=10)
set_number = kw.Update(Thing, sets=["number", "word", "nick"], where={"flag": True})
set_by_serial = kw.Update(Thing, eq="serial", sets=["part"], unset="nick")
set_of_group = kw.Update(Thing, eq="group", sets="number")
set_quantity = kw.Update(Thing, sets="rows.quantity")
set_amount = kw.Update(Thing, sets="part.amount")
set_spare = kw.Update(Chunk, sets="spare.amount")
set_moment = kw.Update(Thing, sets="moment")
set_colour = kw.Update(Thing, sets="colour")
set_colours = kw.Update(Thing, sets=["colour", "group"])
set_key = kw.Update(Thing, sets="thing_id")
unset_body = kw.Update(Thing, unset="body")
unset_word = kw.Update(Thing, unset="word")
push_tag = kw.Update(Thing, pushes="tags")
push_score = kw.Update(Thing, pushes="scores")
push_row = kw.Update(Thing, pushes="rows")
add_number = kw.Increment(Thing, "number", by=2)
add_amount = kw.Increment(Thing, "amount", where={"flag": True})
drop_thing = kw.Delete(Thing)
drop_flagged = kw.Delete(Thing, where={"flag": True})
drop_group = kw.Delete(Thing, eq="group")
drop_body = kw.Delete(Thing, eq="body")
drop_notes = kw.Delete(Note, eq="author")
drop_note = kw.Delete(Note)
drop_samples = kw.Delete(Sample, eq="source")
set_sample = kw.Update(Sample, eq=["source", "at"], sets="value")
fill_bucket = kw.Update(Bucket, pushes="values", sets="count")
both = kw.Transact([kw.Put(Thing, if_absent=True), kw.Increment(Bucket, "count", where={"count": kw.Below(5)})])
take_thing = kw.Take(Thing)


@lru_cache
def design() -> Design:
    """This module, lowered."""
    return lower([sys.modules[__name__]])


@lru_cache
def target(prefix: str = "") -> DatabaseTarget:
    """The database of this module, placed on a local server."""
    (declared,) = ENGINE.lower(design())
    environment = ENGINE.localise(None, "6.0")
    return ENGINE.place(declared, replace(environment, database_prefix=prefix))


def planned(name: str, database: DatabaseTarget | None = None) -> Planned[DatabaseTarget]:
    """A pattern of this module against its database, or another one."""
    against = database or target()
    (pattern,) = (pattern for pattern in design().patterns if pattern.name == name)
    bindings = {binding.name: binding for binding in design().bindings}
    if pattern.kind != "transact":
        return plan(ENGINE, against, bindings[pattern.binding], pattern)
    parts = tuple(plan(ENGINE, against, bindings[part.binding], part) for part in pattern.parts)
    return plan_together(ENGINE, against, pattern, parts)


def verdict(one: Planned[Any] | Candidate) -> str:
    """`index a_1 index tags all of :tags`: by what, order, residual; or the reason why nothing serves."""
    path = one.path if isinstance(one, Planned) else one
    if not isinstance(path, AccessPath):
        return path.reason
    return " ".join(filter(None, (str(path.by), "" if path.order == "none" else path.order, *map(str, path.residual))))
