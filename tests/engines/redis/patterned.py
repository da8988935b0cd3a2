"""Entities of every structure with patterns of every kind, as they are served and as they are not."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

server = kw.RedisServer("patterned", role="primary")

Word = Annotated[str, Field(max_length=20, pattern="^[a-z0-9]+$")]


class Place(BaseModel):
    longitude: float
    latitude: float


class Address(BaseModel):
    city: str
    zip: str | None = None


class User(BaseModel):
    """A hash with all kinds of fields, and a computed one."""

    __store__: ClassVar = kw.RedisHash(
        server,
        key="user:{name}",
        ttl=timedelta(hours=1),
        computed={"sign_up_month": "{joined:month}", "sort": "{first}-{last}"},
    )
    name: Word
    first: str
    last: str
    joined: datetime
    logins: int = 0
    credit: float = 0.0
    debt: Decimal = Decimal(0)
    nick: str | None = None
    born: date | None = None
    is_admin: bool = False
    tags: list[str] = []
    address: Address = Address(city="x")
    level: Literal["low", "high"] = "low"


user = kw.Get(User, eq="name")
user_names = kw.Get(User, eq="name", fields=["first", "nick"])
user_nick = kw.Get(User, eq="name", fields="nick")
user_address = kw.Get(User, eq="name", fields=["address", "level", "name"])
user_if_admin = kw.Get(User, eq="name", where={"is_admin": True})
users = kw.Read(User, one_of="name", limit=10)
users_in_order = kw.Read(User, one_of="name", order=["-logins", "name"], limit=3)
users_by_nick = kw.Read(User, one_of="name", order="nick")
users_who_log_in = kw.Read(User, one_of="name", where={"logins": kw.AtLeast(2)}, limit=2)
count_users = kw.Count(User, one_of="name")
count_admins = kw.Count(User, one_of="name", where={"is_admin": True})
user_by_first = kw.Get(User, eq="first")
users_of_month = kw.Read(User, eq="sign_up_month", limit=10)
users_joined_with = kw.Read(User, one_of="name", joins=[kw.Join(User, on={"name": "nick"}, fields=["first"])])
logins_by_level = kw.Aggregate(User, group=["{level}"], measures={"logins": kw.Sum("logins")})
rank_user = kw.Rank(User, eq="name", order="logins")
users_around = kw.RankAround(User, eq="name", order="logins")
put_user = kw.Put(User)
sign_up = kw.Put(User, if_absent=True)
sign_up_several = kw.Put(User, if_absent=True, batch=2)
rename = kw.Update(User, sets="nick")
forget_nick = kw.Update(User, unset=["nick", "born"])
forget_first = kw.Update(User, unset="first")
retitle = kw.Update(User, sets=["first", "last"])
retitle_half = kw.Update(User, sets="first")
rejoin = kw.Update(User, sets="joined")
move = kw.Update(User, sets="address")
move_city = kw.Update(User, sets="address.city")
rename_key = kw.Update(User, eq="first", sets="name")
tag_user = kw.Update(User, pushes="tags")
promote = kw.Update(User, sets="level", where={"logins": kw.AtLeast(3), "nick": kw.Present()})
promote_low = kw.Update(
    User, sets="level", where={"level": kw.Not("high"), "joined": kw.Below(datetime(2026, 1, 1, tzinfo=UTC))}
)
promote_rich = kw.Update(User, sets="level", where={"debt": kw.Below(1)})
rename_if_first = kw.Update(User, eq=["name", "first"], sets="nick")
log_in = kw.Increment(User, "logins")
log_in_below = kw.Increment(User, "logins", where={"logins": kw.Below(5)})
earn = kw.Increment(User, "credit")
owe = kw.Increment(User, "debt")
drop_user = kw.Delete(User)
drop_low = kw.Delete(User, where={"level": "low"})
drop_user_of_level = kw.Delete(User, eq=["name", "level"])
take_user = kw.Take(User)


class Blank(BaseModel):
    """A hash of which every field may be absent, until a stated moment."""

    __store__: ClassVar = kw.RedisHash(server, key="blank:{name}")
    name: Word
    a: str | None = None
    b: int | None = None
    until: Annotated[datetime | None, kw.Ttl(after=timedelta(seconds=5))] = None


blank = kw.Get(Blank, eq="name", fields="a")
set_blank = kw.Update(Blank, sets=["a", "b"])
clear_blank = kw.Update(Blank, unset=["a", "b"])
extend_blank = kw.Update(Blank, sets="until")
put_blank = kw.Put(Blank)


class Note(BaseModel):
    """A document in a string, keyed by status too."""

    __store__: ClassVar = kw.RedisString(server, key="note:{status}:{note_id}", ttl=timedelta(hours=5))
    status: Literal["new", "old"]
    note_id: Word
    text: str
    words: list[str] = []


note = kw.Get(Note, eq=["status", "note_id"])
note_anyhow = kw.Get(Note, eq="note_id")
notes = kw.Read(Note, eq="status", one_of="note_id", contains="words", limit=5)
put_note = kw.Put(Note)
new_note = kw.Put(Note, if_absent=True)
edit_note = kw.Update(Note, sets="text")


class Switch(BaseModel):
    __store__: ClassVar = kw.RedisString(server, key="switch:{name:tag}", value="on")
    name: Word
    on: bool


class Lease(BaseModel):
    """One value, until a moment that its key states."""

    __store__: ClassVar = kw.RedisString(server, key="lease:{name}:{until:iso}", value="holder")
    name: Word
    until: Annotated[datetime, kw.Ttl()]
    holder: str


put_lease = kw.Put(Lease)
take_over = kw.Update(Lease, sets="holder")

switch = kw.Get(Switch, eq="name")
new_switch = kw.Put(Switch, if_absent=True)
flip = kw.Update(Switch, sets="on")
flip_on = kw.Update(Switch, sets="on", where={"on": False})
drop_switch = kw.Delete(Switch)


class Hits(BaseModel):
    """A counter cut by day, with a shard for each writer."""

    __store__: ClassVar = kw.RedisCounter(server, key="hits:{page}:{day:date}:{:shard(3)}", value="hits")
    page: Word
    day: date
    hits: int


hit = kw.Increment(Hits, "hits")
hit_below = kw.Increment(Hits, "hits", where={"hits": kw.Below(100)})
hits_of_day = kw.Read(Hits, eq=["page", "day"])
hits_of_week = kw.Read(Hits, eq="page", range="day", span=timedelta(days=7), limit=5)
hits_of_range = kw.Read(Hits, eq="page", range="day", limit=5)
drop_hits = kw.Delete(Hits, eq=["page", "day"])
set_hits = kw.Update(Hits, sets="hits")
new_hits = kw.Put(Hits, if_absent=True)


class Event(BaseModel):
    """An event, scored by its time in a key for each hour."""

    __store__: ClassVar = kw.RedisSortedSet(
        server, key="events:{room}:{at:hour}", member="{number:pad(4)}:{what}", score="at", ttl=timedelta(days=1)
    )
    room: Word
    at: datetime
    number: int
    what: Literal["come", "go"]


events_between = kw.Read(Event, eq="room", range="at", span=timedelta(hours=5), order="-at", limit=4, fan_out=8)
events_between_up = kw.Read(
    Event, eq="room", range="at", span=timedelta(hours=5), order=["at", "number"], limit=4, fan_out=8
)
latest_in_room = kw.Read(Event, eq="room", order="-at", limit=3, fan_out=4)
comings = kw.Read(Event, eq="room", range="at", span=timedelta(hours=5), where={"what": "come"}, order="-at", limit=2)
count_events = kw.Count(Event, eq="room", range="at", span=timedelta(hours=5))
count_comings = kw.Count(Event, eq="room", range="at", span=timedelta(hours=5), where={"what": "come"})
event = kw.Get(Event, eq=["room", "at", "number", "what"])
put_event = kw.Put(Event)


class Bid(BaseModel):
    """A bid in one of four shards by its bidder."""

    __store__: ClassVar = kw.RedisSortedSet(
        server, key="bids:{lot:tag}:{bidder:shard(4)}", member="{bidder}", score="amount", max_length=50
    )
    lot: Word
    bidder: Word
    amount: int


best_bids = kw.Read(Bid, eq="lot", order="-amount", limit=3, fan_out=4)
best_bids_by_name = kw.Read(Bid, eq="lot", order=["-amount", "-bidder"], limit=3, fan_out=4)
mixed_bids = kw.Read(Bid, eq="lot", order=["-amount", "bidder"], limit=3, fan_out=4)
bids_by_name = kw.Read(Bid, eq="lot", order="bidder", limit=3, fan_out=4)
bids_between = kw.Read(Bid, eq="lot", range="amount", limit=3, fan_out=4)
bids_from_ten = kw.Read(Bid, eq="lot", where={"amount": kw.AtLeast(10)}, order="amount", limit=3, fan_out=4)
bids_below_ten = kw.Count(Bid, eq="lot", where={"amount": kw.Below(10)})
bids_at = kw.Read(Bid, eq=["lot", "amount"], order="bidder", limit=2)
some_bids = kw.Read(Bid, eq="lot", one_of="bidder", order="-amount", limit=2)
bids_like = kw.Read(Bid, eq="lot", prefix="bidder", limit=2)
bid = kw.Get(Bid, eq=["lot", "bidder"])
bid_rank = kw.Rank(Bid, order="-amount")
bid_rank_up = kw.Rank(Bid, order="amount")
bid_rank_shared = kw.Rank(Bid, order="-amount", ties="shared")
bids_around = kw.RankAround(Bid, order="-amount", limit=5)
bids_around_up = kw.RankAround(Bid, order="amount", ties="shared")
bids_around_some = kw.RankAround(Bid, order="amount", where={"amount": kw.Below(10)})
bid_rank_by_name = kw.Rank(Bid, order="bidder")
put_bid = kw.Put(Bid)
first_bid = kw.Put(Bid, if_absent=True)
raise_bid = kw.Increment(Bid, "amount")
raise_low_bid = kw.Increment(Bid, "amount", where={"amount": kw.Below(10)})
set_bid = kw.Update(Bid, sets="amount")
drop_bid = kw.Delete(Bid)
drop_low_bid = kw.Delete(Bid, where={"amount": kw.Below(10)})
drop_bid_of = kw.Delete(Bid, eq=["lot", "bidder", "amount"])
drop_lot = kw.Delete(Bid, eq="lot")


class Runner(BaseModel):
    """Two numbers in a score: more points first, and of equal points the earlier ones."""

    __store__: ClassVar = kw.RedisSortedSet(server, key="race:{race}", member="{name}", score="points", then="-second")
    race: Word
    name: Word
    points: Annotated[int, Field(ge=-10, le=1_000)]
    second: Annotated[int, Field(ge=0, lt=100_000)]


runners = kw.Read(Runner, eq="race", order=["-points", "second"], limit=3)
runners_by_name = kw.Read(Runner, eq="race", order=["-points", "second", "-name"], limit=3)
runners_up = kw.Read(Runner, eq="race", range="points", order=["points", "-second"], limit=3)
runners_wrong = kw.Read(Runner, eq="race", order=["-points", "-second"], limit=3)
runners_between = kw.Count(Runner, eq="race", range="points", excludes="both")
runners_at = kw.Read(Runner, eq=["race", "points"], order="second", limit=3)
runner = kw.Get(Runner)
runner_rank = kw.Rank(Runner, order="-points")
runner_rank_shared = kw.Rank(Runner, order="-points", ties="shared")
runners_around = kw.RankAround(Runner, order="-points", limit=3)
enter = kw.Put(Runner)
run_on = kw.Update(Runner, sets=["points", "second"])
run_half = kw.Update(Runner, sets="points")
run_if = kw.Update(Runner, sets=["points", "second"], where={"points": kw.Below(9)})
run_more = kw.Increment(Runner, "points")


class Number(BaseModel):
    """A member that is a number, whose text is not in its order."""

    __store__: ClassVar = kw.RedisSortedSet(server, key="numbers", member="{number}", score="weight")
    number: int
    weight: float


numbers = kw.Read(Number, order="weight", limit=3)
numbers_in_order = kw.Read(Number, order=["weight", "number"], limit=3)
numbers_by_number = kw.Read(Number, eq="weight", order="number", limit=3)
numbers_above = kw.Read(Number, where={"number": kw.AtLeast(5)}, limit=3)
all_numbers = kw.Read(Number)
drop_number = kw.Delete(Number)
add_weight = kw.Increment(Number, "weight")
new_number = kw.Put(Number, if_absent=True)


class Friend(BaseModel):
    __store__: ClassVar = kw.RedisSet(server, key="friends:{who}", member="{group}:{name}")
    who: Word
    group: Literal["a", "b"]
    name: Word


friends = kw.Read(Friend, eq="who", limit=10)
all_friends = kw.Read(Friend, eq="who")
friends_of_group = kw.Read(Friend, eq=["who", "group"], limit=3)
friends_in_order = kw.Read(Friend, eq="who", order="name", limit=10)
friends_of_two = kw.Read(Friend, one_of="who", limit=10)
are_friends = kw.Get(Friend, eq=["who", "group", "name"])
which_are_friends = kw.Read(Friend, eq=["who", "group"], one_of="name", order="-name")
count_friends = kw.Count(Friend, eq="who")
count_friends_of_group = kw.Count(Friend, eq=["who", "group"])
befriend = kw.Put(Friend)
befriend_first = kw.Put(Friend, if_absent=True)
part = kw.Delete(Friend)
part_from_all = kw.Delete(Friend, eq="who")
change_friend = kw.Update(Friend, sets="name")
take_friend = kw.Take(Friend, eq="who")


class Step(BaseModel):
    __store__: ClassVar = kw.RedisList(server, key="steps:{run}", max_length=1_000)
    run: Word
    number: int
    text: str = ""


steps = kw.Read(Step, eq="run", limit=4)
steps_in_order = kw.Read(Step, eq="run", order="number", limit=4)
long_steps = kw.Read(Step, eq="run", where={"number": kw.AtLeast(10)}, limit=3)
last_step = kw.Get(Step, eq="run")
count_steps = kw.Count(Step, eq="run")
add_step = kw.Put(Step)
new_step = kw.Put(Step, if_absent=True)
drop_step = kw.Delete(Step, eq=["run", "number", "text"])
drop_step_by_number = kw.Delete(Step, eq=["run", "number"])
next_step = kw.Take(Step, limit=2)

readers = kw.ConsumerGroup("readers", idempotency="number", claim_after=timedelta(milliseconds=20))
writers = kw.ConsumerGroup("writers", idempotency="number", claim_after=timedelta(seconds=5))


class Line(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="lines", keep=1_000, groups=[readers])
    number: int
    text: str | None = None


lines = kw.Read(Line, limit=4)
lines_with = kw.Read(Line, eq="number", limit=4)
count_lines = kw.Count(Line)
add_line = kw.Put(Line)
take_lines = kw.Take(Line, group=readers, limit=3)
take_for_writers = kw.Take(Line, group=writers)
take_for_nobody = kw.Take(Line)
drop_lines = kw.Delete(Line)


workers = kw.ConsumerGroup("workers", idempotency="number", claim_after=timedelta(seconds=2))


class Job(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="jobs", keep=1_000, groups=[workers], due="run_at")
    number: int
    run_at: datetime | None = None
    body: bytes = b""


add_job = kw.Put(Job)
take_jobs = kw.Take(Job, group=workers, limit=3)
jobs = kw.Read(Job, limit=4)
count_jobs = kw.Count(Job)
add_two_jobs = kw.Transact([kw.Put(Job), kw.Put(Job)])


class Trace(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="trace:{:shard(3)}", keep=timedelta(hours=1), groups=[readers])
    number: int


traces = kw.Read(Trace, limit=5, fan_out=3)
take_traces = kw.Take(Trace, group=readers)
add_trace = kw.Put(Trace)


class Seat(BaseModel):
    __store__: ClassVar = kw.RedisBitmap(server, key="seats:{hall}", bit="number")
    hall: Word
    number: Annotated[int, Field(ge=0, le=10_000)]


seat = kw.Get(Seat, eq=["hall", "number"])
seats_of = kw.Read(Seat, eq="hall", one_of="number")
all_seats = kw.Read(Seat, eq="hall")
count_seats = kw.Count(Seat, eq="hall")
count_row = kw.Count(Seat, eq="hall", range="number")
count_front = kw.Count(Seat, eq="hall", where={"number": kw.Below(10)})
sit = kw.Put(Seat)
sit_alone = kw.Put(Seat, if_absent=True)
leave = kw.Delete(Seat)


class Guest(BaseModel):
    __store__: ClassVar = kw.RedisHyperLogLog(server, key="guests:{day:date}", member="{guest}")
    day: date
    guest: Word


guests = kw.Count(Guest, eq="day")
guests_of_days = kw.Count(Guest, one_of="day")
list_guests = kw.Read(Guest, eq="day")
come = kw.Put(Guest)
come_once = kw.Put(Guest, if_absent=True)


class Visit(BaseModel):
    __store__: ClassVar = kw.RedisHyperLogLog(server, key="visits:{site:tag}:{day:date}", member="{guest}")
    site: Word
    day: date
    guest: Word


visitors = kw.Count(Visit, eq="site", one_of="day")
visit = kw.Put(Visit)


class Shop(BaseModel):
    __store__: ClassVar = kw.RedisGeo(server, key="shops:{kind}", member="{name}", place="place")
    kind: Word
    name: Word
    place: Place


shop = kw.Get(Shop, eq=["kind", "name"])
shops_near = kw.Read(Shop, eq="kind", near="place", limit=3)
shops_near_in_order = kw.Read(Shop, eq="kind", near="place", order="name", limit=3)
shops = kw.Read(Shop, eq="kind", limit=3)
count_shops = kw.Count(Shop, eq="kind")
count_shops_near = kw.Count(Shop, eq="kind", near="place")
open_shop = kw.Put(Shop)
open_new_shop = kw.Put(Shop, if_absent=True)
move_shop = kw.Update(Shop, sets="place")
close_shop = kw.Delete(Shop)


class Call(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="call:{user}", limit=5, per=timedelta(seconds=60), window="sliding"
    )
    user: Word


class Try(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="try:{user}", limit=3, per=timedelta(seconds=60), window="fixed"
    )
    user: Word


class Pour(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="pour:{user}", limit=6, per=timedelta(seconds=60), window="bucket", burst=3
    )
    user: Word


pour = kw.Take(Pour)
pour_four = kw.Take(Pour, limit=4)
record_pour = kw.Put(Pour)
allow = kw.Take(Call)
allow_try = kw.Take(Try)
calls = kw.Count(Call, eq="user")
record_call = kw.Put(Call)


class Account(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="account:{owner:tag}")
    owner: Word
    cents: int


class Booking(BaseModel):
    __store__: ClassVar = kw.RedisString(server, key="booking:{owner:tag}:{booking_id}")
    owner: Word
    booking_id: Word
    cents: int


open_account = kw.Put(Account)
account = kw.Get(Account, eq="owner", consistency="strong")
book = kw.Transact(
    [kw.Put(Booking, if_absent=True), kw.Increment(Account, "cents", by=-1, where={"cents": kw.AtLeast(1)})]
)
note_both = kw.Transact([kw.Put(Booking), kw.Put(Account)])
book_and_befriend = kw.Transact([kw.Put(Booking), kw.Put(Friend)])
