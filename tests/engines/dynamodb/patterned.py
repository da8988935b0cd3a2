"""Models with every kind of key and pattern, and instances of them."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

main = kw.Gsi("main", pk="g1pk", sk="g1sk")
sparse = kw.Gsi("sparse", pk="g2pk", sk="g2sk", project=["kind", "rank", "status"])
daily = kw.Gsi("daily", pk="g3pk", sk="g3sk", project="keys")
natural = kw.Gsi("natural", pk=["team", "kind"], sk=["rank", "name"])
owned = kw.Gsi("owned", pk="owner", sk="due")
by_score = kw.Lsi("by_score", sk="score", project="keys")
tasks = kw.DynamoTable("tasks", gsis=[main, sparse, daily, natural, owned], lsis=[by_score])

Kind = Literal["bug", "chore", "idea"]


class Place(BaseModel):
    city: str
    zip: str | None = None


class Task(BaseModel):
    """With every kind of index."""

    __store__: ClassVar = kw.Item(
        tasks,
        pk="TEAM#{team}",
        sk="TASK#{due:iso}#{task_id}",
        gsis=[
            main.key(pk="TASK#{task_id}", sk="TASK"),
            sparse.key(
                pk="OPEN#{kind}#{task_id:shard(4)}",
                sk="{due:iso}",
                where={"status": kw.OneOf(["open", "held"])},
            ),
            daily.key(pk="DAY#{due:date}#{task_id:shard(3)}", sk="{due:iso}"),
        ],
        computed={"month": "{due:month}", "title": "{kind}:{name}"},
    )

    team: Annotated[str, Field(max_length=10)]
    task_id: Annotated[str, Field(min_length=4, max_length=4)]
    due: datetime
    kind: Kind
    status: Literal["open", "held", "done"]
    rank: Annotated[int, Field(ge=0, le=999)]
    name: Annotated[str, Field(max_length=20, alias="n")]
    score: Decimal
    owner: Annotated[str | None, Field(max_length=10)] = None
    tags: set[str] = set()
    notes: Annotated[list[str], Field(max_length=3)] = []
    place: Place
    times: int = 0
    ends: Annotated[datetime | None, kw.Ttl(after=timedelta(days=1000))] = None


task = kw.Get(Task)
task_strong = kw.Get(Task, consistency="strong")
task_if_open = kw.Get(Task, where={"status": "open"})
task_by_id = kw.Get(Task, eq="task_id")
task_name = kw.Get(Task, eq="task_id", fields=["name", "owner", "tags", "place"])
first_of_team = kw.Get(Task, eq="team")
tasks_of_team = kw.Read(Task, eq="team", order="-due", limit=7)
all_of_team = kw.Read(Task, eq="team", order=["due", "task_id"], consistency="strong")
names_of_team = kw.Read(Task, eq="team", order="due", fields=["name", "kind"], limit=5)
tasks_between = kw.Read(Task, eq="team", range="due", limit=6)
tasks_between_backward = kw.Read(Task, eq="team", range="due", order="-due", limit=6)
tasks_after = kw.Read(Task, eq="team", range="due", excludes="first", limit=6)
tasks_before_backward = kw.Read(Task, eq="team", range="due", excludes="last", order="-due", limit=6)
ranks_inside = kw.Read(Task, eq=["team", "kind"], range="rank", excludes="both", order="rank", limit=4)
count_inside = kw.Count(Task, eq=["team", "kind"], range="rank", excludes="both")
scored_above = kw.Read(Task, eq="team", range="score", excludes="first", order="score", limit=6)
filtered_inside = kw.Count(Task, eq="team", range="times", excludes="both")
days_after = kw.Read(Task, range="due", excludes="both", span=timedelta(days=3), order="due", limit=6, fan_out=12)
ids_at = kw.Read(Task, eq=["team", "due"], prefix="task_id", limit=5)
by_ids = kw.Read(Task, eq=["team", "due"], one_of="task_id", order="-task_id", limit=2)
urgent = kw.Read(Task, eq=["team", "kind"], where={"rank": kw.AtLeast(3)}, order="rank", limit=4)
low = kw.Read(Task, eq=["team", "kind"], where={"rank": kw.Below(4)}, order="-rank", limit=4)
middle = kw.Read(Task, eq=["team", "kind"], range="rank", where={"rank": kw.Below(6)}, order="rank", limit=4)
count_middle = kw.Count(Task, eq=["team", "kind"], range="rank", where={"rank": kw.Below(6)})
names_of_rank = kw.Read(Task, eq=["team", "kind", "rank"], prefix="name", order="name", limit=4)
ranked = kw.Read(Task, eq="team", one_of="kind", order=["rank", "name"], limit=5)
ranks_of = kw.Read(Task, eq=["team", "kind"], one_of="rank", order="name", limit=5)
scored = kw.Read(Task, eq="team", order="-score", limit=6)
scored_between = kw.Read(Task, eq="team", range="score", order="score", limit=6, consistency="strong")
scores = kw.Read(Task, eq="team", order="score", fields="score", limit=6)
open_of_kind = kw.Read(Task, eq="kind", where={"status": "open"}, order="due", limit=6, fields=["kind", "rank"])
waiting_of_kind = kw.Read(
    Task, eq="kind", where={"status": kw.OneOf(["open", "held"])}, order="-due", limit=6, fan_out=4
)
count_waiting = kw.Count(Task, eq="kind", where={"status": kw.OneOf(["held", "open"])})
of_days = kw.Read(Task, range="due", span=timedelta(days=3), order="due", limit=6, fan_out=12)
of_days_backward = kw.Read(Task, range="due", span=timedelta(days=3), order="-due", limit=6, fan_out=12)
count_of_days = kw.Count(Task, range="due", span=timedelta(days=3))
newest = kw.Read(Task, order="-due", limit=6, fan_out=4)
of_owner = kw.Read(Task, eq="owner", order="-due", limit=4)
of_owner_since = kw.Read(Task, eq="owner", range="due", order="due", limit=4)
all_filters = kw.Read(
    Task,
    eq=["team", "place.city"],
    where={"status": kw.Not("done"), "owner": kw.Present(), "times": kw.AtLeast(0)},
    contains="tags",
    order="due",
    limit=3,
)
with_tags = kw.Read(Task, eq="team", all_of="tags", limit=3)
exact_tags = kw.Read(Task, eq="team", exactly="tags", limit=3)
exact_notes = kw.Read(Task, eq="team", exactly="notes", limit=3)
noted = kw.Count(Task, eq="team", where={"notes": kw.Present()})
unowned = kw.Count(Task, eq="team", where={"owner": None})
in_zip = kw.Count(Task, eq=["team", "place.zip"])
of_month = kw.Count(Task, eq=["team", "month"])
of_some = kw.Count(Task, eq="team", one_of="status")
count_team = kw.Count(Task, eq="team")

put_task = kw.Put(Task)
put_new = kw.Put(Task, if_absent=True)
set_status = kw.Update(Task, sets="status")
set_status_of = kw.Update(Task, sets=["status", "kind", "name"], where={"status": kw.Not("done")})
set_waiting_status = kw.Update(Task, sets="status", where={"status": kw.OneOf(["open", "held"])})
reopen = kw.Update(Task, sets="status", where={"status": "done"})
rename = kw.Update(Task, sets=["name", "kind", "status"])
set_owner = kw.Update(Task, sets=["owner", "score"])
clear = kw.Update(Task, sets=["tags", "ends"], unset="owner")
note = kw.Update(Task, pushes="notes")
tag = kw.Update(Task, pushes="tags")
set_zip = kw.Update(Task, sets="place.zip")
again = kw.Increment(Task, "times", by=2)
again_if = kw.Increment(Task, "times", where={"status": "open", "times": kw.Below(5)})
raise_rank = kw.Increment(Task, "rank")
drop = kw.Delete(Task)
drop_done = kw.Delete(Task, where={"status": "done"})


class Note(BaseModel):
    """Shares partitions with tasks, in the table and in the index by owner; older items have another discriminator."""

    __store__: ClassVar = kw.Item(
        tasks,
        pk="TEAM#{team}",
        sk="NOTE#{number:pad(4)}",
        gsis=[daily.key(pk="DAY#{team}", sk="{number:pad(4)}")],
        discriminator="note",
        former_discriminators=["Note", "NOTE"],
    )

    team: str
    number: Annotated[int, Field(ge=0, le=9999)]
    owner: str | None = None
    due: datetime


notes_of_team = kw.Read(Note, eq="team", order="-number", limit=3)
notes_between = kw.Read(Note, eq="team", range="number", limit=3)
notes_inside = kw.Read(Note, eq="team", range="number", excludes="both", limit=3)
notes_by_numbers = kw.Read(Note, eq="team", one_of="number", limit=2)
notes_of_owner = kw.Read(Note, eq="owner", order="due", limit=3)
set_note = kw.Update(Note, sets="due")

shards = kw.DynamoTable("shards", discriminator=None, sk=None)


class Stock(BaseModel):
    """In drawn shards."""

    __store__: ClassVar = kw.Item(shards, pk="STOCK#{sku}#{:shard(5)}")

    sku: str
    left: int
    name: str = ""


stock = kw.Read(Stock, eq="sku", limit=5, fan_out=5)
some_stock = kw.Get(Stock, eq="sku")
count_stock = kw.Count(Stock, eq="sku")
take_one = kw.Increment(Stock, "left", by=-1, where={"left": kw.AtLeast(1)})
take_some = kw.Transact([kw.Increment(Stock, "left", by=-1, where={"left": kw.AtLeast(1)}, batch=3)])
drop_stock = kw.Delete(Stock)

copies = kw.DynamoTable("copies", gsis=[kw.Gsi("by_price", pk="price")], lsis=[kw.Lsi("cheap", sk="price")])


class Offer(BaseModel):
    """In three copies."""

    __store__: ClassVar = kw.Item(copies, pk="OFFER#{sku}", sk="{day:date}", read_copies=3)

    sku: str
    day: date
    price: int


offer = kw.Get(Offer)
offers = kw.Read(Offer, eq="sku", order="-day", limit=2)
offers_of_days = kw.Read(Offer, eq="sku", one_of="day", order="day", limit=2)
count_offers = kw.Count(Offer, eq="sku")
cheapest = kw.Read(Offer, eq="sku", order="price", limit=2)
cheap = kw.Read(Offer, eq="sku", range="price", order="-price", limit=2)
offers_inside = kw.Read(Offer, eq="sku", range="day", excludes="both", limit=2)
offers_at = kw.Read(Offer, eq="price", limit=2)
put_offer = kw.Put(Offer, if_absent=True)
reprice = kw.Update(Offer, sets="price")
dearer = kw.Increment(Offer, "price", where={"price": kw.Below(100)})
drop_offer = kw.Delete(Offer)

readings = kw.DynamoTable("readings", pk="sensor", sk="at", discriminator=None)


class Reading(BaseModel):
    """Keyed by native values: a UUID in bytes and a time in numbers."""

    __store__: ClassVar = kw.Item(readings, types={"sensor": "B", "at": "N"})

    sensor: UUID
    at: datetime
    value: float


reading = kw.Get(Reading)
readings_between = kw.Read(Reading, eq="sensor", range="at", order="-at", limit=3)
readings_after = kw.Read(Reading, eq="sensor", range="at", excludes="first", order="at", limit=3)
readings_before = kw.Count(Reading, eq="sensor", range="at")
some_readings = kw.Read(Reading, one_of="sensor", order="at", limit=4, fan_out=3)
readings_at = kw.Read(Reading, one_of=["sensor", "at"], limit=4)

by_month = kw.Gsi("by_month", pk=["month", "size"], sk=["at", "raw"])
events = kw.DynamoTable("events", gsis=[by_month, kw.Gsi("by_raw", pk="label", sk="raw")], sk=None)


class Event(BaseModel):
    """In indexes by computed attributes, by numbers and by bytes."""

    __store__: ClassVar = kw.Item(
        events, pk="E#{number:pad(5)}", computed={"month": "{at:month}", "label": "{kind:upper}:{size}"}
    )

    number: Annotated[int, Field(ge=0, le=99_999)]
    at: datetime
    size: Literal[1, 2, 3]
    kind: str
    raw: bytes
    note: Annotated[str | None, Field(max_length=9)] = None
    again: list[int] | None = [1]


of_month_and_size = kw.Read(Event, eq=["month", "size"], order="at", limit=3)
of_some_months = kw.Read(Event, one_of="month", eq="size", order="-at", limit=3, fan_out=2)
of_time = kw.Read(Event, eq="size", range="at", span=timedelta(days=62), order="-at", limit=3)
of_all_sizes = kw.Read(Event, range="at", span=timedelta(days=31), order="at", limit=3)
of_label = kw.Read(Event, eq="label", range="raw", order="raw", limit=3)
of_parts = kw.Read(Event, eq=["kind", "size"], order="-raw", limit=3)
of_labels = kw.Read(Event, one_of=["kind", "size"], range="raw", order="-raw", limit=4, fan_out=4)
noted_as = kw.Read(Event, eq="label", one_of="note", limit=3)
numbered = kw.Get(Event, eq="number")
several = kw.Read(Event, one_of="number", limit=3)
several_by_label = kw.Read(Event, one_of="number", order=["-label", "at"], limit=3)
several_noted = kw.Read(Event, one_of="number", where={"note": kw.Present()}, limit=3)
relabel = kw.Update(Event, sets=["kind", "size"])
retime = kw.Update(Event, sets="at")


def some_events() -> list[Event]:
    """Events of four months."""
    rng = Random(3)
    return [
        Event(
            number=number,
            at=START + timedelta(hours=rng.randrange(2_800)),
            size=rng.choice([1, 2, 3]),
            kind=rng.choice(["A", "B", "C"]),
            raw=bytes([rng.randrange(4), rng.randrange(256)]),
            note=rng.choice([None, "n", "m"]),
        )
        for number in range(80)
    ]


move = kw.Transact([kw.Put(Task, if_absent=True), kw.Delete(Note), kw.Update(Task, sets=["status", "kind", "name"])])

START = datetime(2026, 3, 1, tzinfo=UTC)
SENSORS = [UUID(int=number) for number in (5, 6, 7)]


def some_tasks(count: int = 120, seed: int = 1) -> list[Task]:
    """Tasks of three teams over ten days, some at the same time."""
    rng = Random(seed)
    return [
        Task(
            team=rng.choice(["red", "blue", "redder"]),
            task_id=f"{number:04d}",
            due=START + timedelta(hours=rng.randrange(240), microseconds=rng.choice([0, 1])),
            kind=rng.choice(["bug", "chore", "idea"]),
            status=rng.choice(["open", "held", "done"]),
            rank=rng.randrange(8),
            n=rng.choice(["ab", "abc", "b", "Ä", "z#"]),
            score=Decimal(rng.randrange(-500, 500)) / 10,
            owner=rng.choice([None, "ann", "bob"]),
            tags=set(rng.sample(["x", "y", "z"], rng.randrange(4))),
            notes=rng.sample(["p", "q", "r"], rng.randrange(3)),
            place=Place(city=rng.choice(["Rom", "Bern"]), zip=rng.choice([None, "1", "2"])),
        )
        for number in range(count)
    ]


def some_notes() -> list[Note]:
    """Notes of the same teams and owners."""
    return [
        Note(team=team, number=number, owner=["ann", "bob", None][number % 3], due=START + timedelta(hours=number))
        for team in ("red", "blue")
        for number in range(12)
    ]


def some_offers() -> list[Offer]:
    """Offers of two products over five days."""
    return [Offer(sku=sku, day=date(2026, 3, day), price=day * 10) for sku in ("a", "b") for day in range(1, 6)]


def some_measurements() -> list[Reading]:
    """Readings of three sensors, a second apart and a little."""
    return [
        Reading(sensor=sensor, at=START + timedelta(seconds=number, microseconds=number), value=number / 4)
        for sensor in SENSORS
        for number in range(9)
    ]
