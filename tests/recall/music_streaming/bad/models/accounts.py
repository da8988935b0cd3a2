"""Listeners, their logins and devices, family plans, gift cards, and the licences of tracks on devices."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field, StringConstraints

import keywright as kw

ListenerId = Annotated[
    str, Field(pattern=r"^[0-9A-Za-z]{22}$"), kw.Size(avg=22, max=22), kw.Cardinality(distinct=24_000_000)
]
DeviceId = Annotated[
    str, Field(pattern=r"^[0-9A-Za-z]{22}$"), kw.Size(avg=22, max=22), kw.Cardinality(distinct=50_000_000)
]
PlanId = Annotated[
    str, Field(pattern=r"^[0-9A-Za-z]{22}$"), kw.Size(avg=22, max=22), kw.Cardinality(distinct=1_500_000)
]
Market = Annotated[str, Field(pattern=r"^[A-Z]{2}$"), kw.Size(avg=2, max=2), kw.Cardinality(distinct=60)]

accounts = kw.Keyspace("accounts", owner="identity")
sessions = kw.RedisServer("sessions", role="sessions", owner="identity")
gate = kw.RedisServer("gate", role="limiter", owner="identity")
cache = kw.RedisServer("edge-cache", role="cache", owner="platform")


class Listener(BaseModel):
    """An account with its plan; it can be closed when a paid plan has ended, which sets the tier to free."""

    __store__: ClassVar = kw.CqlTable(
        accounts,
        "listeners",
        partition="listener_id",
        compaction=kw.Unified(scaling="L4"),
        expected=24_000_000,
        keep_forever="an account lasts until its owner closes it",
    )

    listener_id: ListenerId
    email: Annotated[str, Field(max_length=254), kw.Size(avg=26, max=254), kw.Pii()]
    display_name: Annotated[str, Field(max_length=60), kw.Pii()]
    born_on: Annotated[date, kw.Pii()]
    market: Market
    tier: Literal["free", "premium", "family", "student"]
    created_at: datetime


listener = kw.Get(Listener, eq="listener_id", consistency="strong", rate="300/s", peak="900/s", p99_ms=25)
create_listener = kw.Put(Listener, if_absent=True, rate="12k/day", p99_ms=400)
change_tier = kw.Update(Listener, sets="tier", rate="20k/day", p99_ms=400)
close_account = kw.Delete(Listener, where={"tier": "free"}, rate="2k/day", p99_ms=400)

cached_listener = kw.bind(
    Listener,
    kw.RedisCache(
        cache,
        key="listener:{listener_id}",
        ttl=timedelta(days=4),
        source_of_truth=Listener,
        expected=700_000,
        kind="cache",
    ),
)
entitlement = kw.Get(cached_listener, eq="listener_id", rate="4k/s", peak="11k/s", p99_ms=5)
cache_listener = kw.Put(cached_listener, rate="300/s", peak="900/s", p99_ms=10)


class ListenerByEmail(BaseModel):
    """The owner of an address: reserved before the account is created, so that an address has one account."""

    __store__: ClassVar = kw.CqlTable(
        accounts,
        "listeners_by_email",
        partition="email",
        expected=24_000_000,
        keep_forever="lasts as long as the account",
    )

    email: Annotated[
        str,
        StringConstraints(to_lower=True, max_length=254),
        kw.Size(avg=26, max=254),
        kw.Cardinality(distinct=24_000_000),
        kw.Pii(),
    ]
    listener_id: Annotated[ListenerId, kw.Ref(Listener, on_missing="ignore", max_referrers=1)]


listener_by_email = kw.Get(ListenerByEmail, eq="email", consistency="strong", rate="30/s", peak="120/s", p99_ms=40)
reserve_email = kw.Put(ListenerByEmail, if_absent=True, rate="12k/day", p99_ms=400)
release_email = kw.Delete(ListenerByEmail, where={"listener_id": kw.Present()}, rate="2k/day", p99_ms=400)


class Session(BaseModel):
    """A login on one device; it ends a month after its last use."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{token}", ttl=timedelta(days=30), expected=26_000_000, active=0.4, kind="session"
    )

    token: Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{43}$"), kw.Size(avg=43, max=43)]
    listener_id: ListenerId
    device_id: DeviceId
    market: Market
    started_at: datetime
    seen_at: datetime


session = kw.Get(Session, eq="token", rate="6k/s", peak="16k/s", p99_ms=5)
start_session = kw.Put(Session, rate="40/s", peak="200/s", p99_ms=10)
touch_session = kw.Update(Session, sets="seen_at", rate="800/s", peak="2.5k/s", p99_ms=10)
end_session = kw.Delete(Session, rate="15/s", peak="40/s", p99_ms=10)


class PasswordReset(BaseModel):
    """The token in a mail to a listener who forgot the password; used once."""

    __store__: ClassVar = kw.RedisString(
        sessions,
        key="reset:{token}",
        value="listener_id",
        expected=2_000_000,
        kind="token",
    )

    token: Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{43}$"), kw.Size(avg=43, max=43)]
    listener_id: ListenerId


send_reset = kw.Put(PasswordReset, rate="1/s", peak="10/s", p99_ms=10)
reset_of_token = kw.Get(PasswordReset, eq="token", rate="1/s", peak="10/s", p99_ms=10)
use_reset = kw.Delete(PasswordReset, rate="1/s", peak="10/s", p99_ms=10)


class ApiCall(BaseModel):
    """The calls of one listener: three hundred in a calendar minute, counted cheaply."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate,
        key="api:{listener_id:tag}",
        limit=300,
        per=timedelta(minutes=1),
        window="fixed",
        expected=900_000,
    )

    listener_id: ListenerId


allow_call = kw.Take(ApiCall, rate="6k/s", peak="16k/s", p99_ms=5)


class FamilyMember(BaseModel):
    """A member of a family plan in one of its six places; what is true of the plan stands once in its partition."""

    __store__: ClassVar = kw.CqlTable(
        accounts,
        "family_members",
        partition="plan_id",
        clustering="place",
        static=["owner_id", "renews_on"],
        compaction=kw.Unified(),
        expected=5_000_000,
        keep_forever="lasts as long as the plan",
    )

    plan_id: PlanId
    owner_id: ListenerId
    renews_on: date
    place: Annotated[int, Field(ge=1, le=6)]
    listener_id: Annotated[ListenerId, kw.Ref(Listener, on_missing="hide", max_referrers=1)]
    role: Literal["owner", "adult", "child"]
    joined_at: datetime


members_of_plan = kw.Read(
    FamilyMember, eq="plan_id", order="place", limit=6, consistency="strong", rate="140/s", peak="400/s", p99_ms=25
)
join_family = kw.Put(FamilyMember, if_absent=True, rate="4k/day", p99_ms=400)
leave_family = kw.Delete(FamilyMember, where={"role": kw.OneOf(["adult", "child"])}, rate="1.5k/day", p99_ms=400)


class GiftCard(BaseModel):
    """A prepaid card; its whole value is credited to the listener who redeems it, exactly once."""

    __store__: ClassVar = kw.RedisHash(
        sessions,
        key="giftcard:{code}",
        expected=6_000_000,
        active=0.005,
        kind="money",
        keep_forever="sold cards are part of the books",
    )

    code: Annotated[str, Field(pattern=r"^[0-9A-Z]{16}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=6_000_000)]
    amount: Annotated[Decimal, Field(gt=0, max_digits=8, decimal_places=2)]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3)]
    status: Literal["sold", "redeemed", "refunded"]
    redeemed_by: ListenerId | None = None
    sold_at: datetime


sell_gift_card = kw.Put(GiftCard, if_absent=True, rate="4k/day", peak="10/s", p99_ms=10)
redeem_gift_card = kw.Update(
    GiftCard,
    sets=["status", "redeemed_by"],
    where={"status": "sold"},
    rate="4k/day",
    peak="5/s",
    p99_ms=10,
)


class Device(BaseModel):
    """A phone, speaker or browser of a listener, written anew with each login; forgotten a year after its last use."""

    __store__: ClassVar = kw.CqlTable(
        accounts,
        "devices",
        partition="listener_id",
        clustering="device_id",
        compaction=kw.Unified(),
        indexes=[kw.CqlIndex("last_used_on", using="legacy")],
        expected=50_000_000,
        ttl=timedelta(days=400),
    )

    listener_id: ListenerId
    device_id: DeviceId
    name: Annotated[str, Field(max_length=60), kw.Pii()]
    form: Literal["phone", "tablet", "desktop", "speaker", "car", "tv", "browser"]
    app_version: Annotated[str, Field(max_length=20)]
    may_download: bool
    last_used_on: date


devices_of_listener = kw.Read(Device, eq="listener_id", limit=30, rate="120/s", peak="300/s", p99_ms=25)
devices_used_on = kw.Read(Device, eq="last_used_on", limit=500, rate="200/day", p99_ms=500)
note_device = kw.Put(Device, rate="460/s", peak="1.2k/s", p99_ms=40)


class OfflineLicence(BaseModel):
    """The right of a device to play a downloaded track; renewed every month, and gone at its end if it is not."""

    __store__: ClassVar = kw.CqlTable(
        accounts,
        "offline_licences",
        partition="device_id",
        clustering="track_id",
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        expected=1_200_000_000,
        active=0.04,
        kind="token",
    )

    device_id: DeviceId
    track_id: Annotated[
        str, Field(pattern=r"^[0-9A-Za-z]{22}$"), kw.Size(avg=22, max=22), kw.Cardinality(distinct=40_000_000)
    ]
    listener_id: ListenerId
    issued_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


licences_of_device = kw.Read(
    OfflineLicence, eq="device_id", limit=500, consistency="strong", rate="50/s", peak="150/s", p99_ms=60
)
issue_licence = kw.Put(OfflineLicence, batch=20, rate="30/s", peak="90/s", p99_ms=60)
return_licence = kw.Delete(OfflineLicence, rate="40/s", peak="100/s", p99_ms=40)
