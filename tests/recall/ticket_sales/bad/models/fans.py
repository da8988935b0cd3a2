"""Fans: accounts, logins, codes that prove an address, followed events and the desk's short reservations."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.catalogue import EventId

FanId = Annotated[str, Field(pattern=r"^fan[a-z0-9]{11}$", max_length=14), kw.Cardinality(distinct=20_000_000)]
FOLDED = kw.Collation(locale="en", strength=2)

# A write counts once a replica is in touch; with two replicas, one may be down for maintenance.
GUARDED: dict[str, str | int] = {"min-replicas-to-write": 1, "min-replicas-max-lag": 10, "repl-backlog-size": "512mb"}

identity = kw.MongoDatabase("identity", owner="accounts")
logins = kw.RedisServer(
    "logins",
    role="sessions",
    owner="accounts",
    persistence=[kw.Aof(fsync="always"), kw.Rdb()],
)
profiles = kw.RedisServer("profile-cache", role="cache", owner="accounts")
fan_lists = kw.RedisServer("fan-lists", role="primary", owner="accounts")
desk = kw.RedisServer("desk", role="primary", owner="box-office", settings=GUARDED)


class Fan(BaseModel):
    """An account. It is erased on request; orders keep the number of the account only."""

    __store__: ClassVar = kw.Collection(
        identity,
        "fans",
        id="{fan_id}",
        indexes=[kw.Index("email", unique=True, collation=FOLDED)],
        expected=20_000_000,
        active=0.15,
        keep_forever="an account lasts until its owner closes it, then it is erased",
    )

    fan_id: FanId
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    full_name: Annotated[str, Field(max_length=120), kw.Size(avg=16, max=240), kw.Pii()]
    phone: Annotated[str | None, Field(pattern=r"^\+[0-9]{6,15}$", max_length=16), kw.Pii()] = None
    born_on: Annotated[date | None, kw.Pii()] = None
    home_city: Annotated[str | None, Field(max_length=60), kw.Pii()] = None
    language: Annotated[str, Field(max_length=5)]
    marketing: bool = False
    created_at: AwareDatetime


fan = kw.Get(Fan, eq="fan_id", rate="150/s", peak="1k/s", p99_ms=20)
fan_by_email = kw.Get(Fan, eq="email", collation=FOLDED, rate="60/s", peak="900/s", p99_ms=30)
fans_of_phone = kw.Read(Fan, eq="phone", limit=5, rate="12/s", peak="90/s", p99_ms=40)
register_fan = kw.Put(Fan, if_absent=True, rate="20k/day", peak="60/s", p99_ms=100)
change_contact = kw.Update(Fan, sets=["full_name", "phone", "home_city"], rate="30k/day", p99_ms=100)
erase_fan = kw.Delete(Fan, rate="400/day", p99_ms=200)

profile = kw.bind(
    Fan,
    kw.RedisCache(profiles, key="fan:{fan_id}", ttl=timedelta(days=21), source_of_truth=Fan, expected=600_000),
)

show_profile = kw.Get(profile, eq="fan_id", rate="4k/s", peak="20k/s", p99_ms=5)
keep_profile = kw.Put(profile, rate="150/s", peak="1k/s", p99_ms=10)
drop_profile = kw.Delete(profile, rate="32k/day", p99_ms=10)


class Login(BaseModel):
    """A login in a browser or the app; it ends twelve hours after the last sign of life."""

    __store__: ClassVar = kw.RedisHash(
        logins, key="login:{token}", ttl=timedelta(hours=12), expected=6_000_000, kind="session"
    )

    token: Annotated[str, Field(min_length=43, max_length=43)]
    fan_id: FanId
    device: Annotated[str, Field(max_length=40)]
    begun_at: AwareDatetime
    seen_at: AwareDatetime


login = kw.Get(Login, eq="token", rate="20k/s", peak="80k/s", p99_ms=5)
begin_login = kw.Put(Login, rate="120/s", peak="2k/s", p99_ms=10)
touch_login = kw.Update(Login, sets="seen_at", rate="8k/s", peak="35k/s", p99_ms=10)
end_login = kw.Delete(Login, rate="40/s", p99_ms=10)


class AddressCode(BaseModel):
    """A code, as a hash, that proves that an address belongs to a fan."""

    __store__: ClassVar = kw.Collection(
        identity,
        "address_codes",
        id="{code_id}",
        kind="token",
        expected=200_000,
    )

    code_id: Annotated[str, Field(min_length=26, max_length=26)]
    fan_id: Annotated[FanId, kw.Ref(Fan, on_missing="ignore", max_referrers=20)]
    digest: Annotated[str, Field(min_length=64, max_length=64)]
    tries: Annotated[int, Field(ge=0, le=5)] = 0
    sent_at: AwareDatetime
    valid_until: AwareDatetime


address_code = kw.Get(AddressCode, eq="code_id", consistency="strong", rate="20/s", peak="300/s", p99_ms=30)
send_code = kw.Put(AddressCode, if_absent=True, rate="20/s", peak="300/s", p99_ms=100)
count_try = kw.Increment(AddressCode, "tries", where={"tries": kw.Below(5)}, rate="20/s", peak="300/s", p99_ms=100)


class Follow(BaseModel):
    """An event that a fan wants to hear of."""

    __store__: ClassVar = kw.RedisSet(
        fan_lists, key="follows:{fan_id}", member="{event_id}", ttl=timedelta(days=400), expected=30_000_000
    )

    fan_id: FanId
    event_id: EventId


follow = kw.Put(Follow, rate="60k/day", peak="600/s", p99_ms=10)
unfollow = kw.Delete(Follow, rate="20k/day", p99_ms=10)
followed_events = kw.Read(Follow, eq="fan_id", limit=100, rate="100/s", peak="500/s", p99_ms=10)


class DeskBooking(BaseModel):
    """Seats that a clerk has put aside at the venue's counter; half an hour later they are somebody else's."""

    __store__: ClassVar = kw.RedisHash(
        desk, key="desk:{event_id:tag}:{booking_id}", ttl=timedelta(minutes=30), expected=5_000, kind="token"
    )

    event_id: EventId
    booking_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{10}$", max_length=10)]
    clerk_id: Annotated[str, Field(max_length=20)]
    seats: Annotated[str, Field(max_length=120)]
    state: Literal["put_aside", "collected", "returned"] = "put_aside"


desk_booking = kw.Get(
    DeskBooking, eq=["event_id", "booking_id"], consistency="strong", rate="90k/day", peak="500/s", p99_ms=10
)
put_aside = kw.Put(DeskBooking, if_absent=True, rate="30k/day", peak="200/s", p99_ms=20)
hand_over = kw.Update(DeskBooking, sets="state", where={"state": "put_aside"}, rate="30k/day", peak="200/s", p99_ms=20)
