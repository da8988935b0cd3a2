"""The guests: who they are, how they sign in, and the points that they collect."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

guests_db = kw.MongoDatabase("guests", owner="loyalty")
sessions = kw.RedisServer(
    "hotel-sessions",
    role="sessions",
    owner="identity",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
    settings={"client-output-buffer-limit": "normal 0 0 0 replica 0 0 0 pubsub 33554432 8388608 60"},
)
gate = kw.RedisServer("hotel-gate", role="limiter", owner="identity")

GuestId = Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26), kw.Cardinality(distinct=25_000_000)]
MemberNo = Annotated[str, Field(pattern=r"^[0-9]{10}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=9_000_000)]
Zone = Literal["gate"]
any_case = kw.Collation(locale="en", strength=2)


class Guest(BaseModel):
    """A person who stays with us or books for others."""

    __store__: ClassVar = kw.Collection(
        guests_db,
        "guests",
        id="{guest_id}",
        indexes=[kw.Index("email", unique=True, collation=any_case)],
        stream=kw.Stream(
            images="keys",
            consumers=[kw.Consumer("guest-copies", idempotency=["guest_id", "updated_at"], on_failure="queue")],
        ),
        expected=25_000_000,
        active=0.01,
        keep_forever="a profile stays until the guest asks for its removal or has not come for five years",
    )

    guest_id: GuestId
    email: Annotated[str, Field(max_length=254), kw.Size(avg=24, max=254), kw.Pii()]
    name: Annotated[str, Field(max_length=120), kw.Size(avg=18, max=240), kw.Pii()]
    phone: Annotated[str, Field(max_length=20), kw.Pii()] | None = None
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")]
    pillow: Literal["soft", "firm", "none"] = "none"
    notes: list[Annotated[str, Field(max_length=300), kw.Size(avg=60, max=600), kw.Pii()]] = []
    created_at: datetime
    updated_at: datetime


guest = kw.Get(Guest, eq="guest_id", rate="120/s", peak="500/s", p99_ms=20)
guest_by_email = kw.Get(Guest, eq="email", collation=any_case, rate="20/s", peak="120/s", p99_ms=30)
register_guest = kw.Put(Guest, if_absent=True, rate="20k/day", peak="10/s", p99_ms=100)
change_profile = kw.Update(Guest, sets=["name", "phone", "pillow", "updated_at"], rate="12k/day", p99_ms=100)
save_guest = kw.Put(Guest, rate="25k/day", peak="5/s", p99_ms=100)


class Credential(BaseModel):
    """What a guest signs in with."""

    __store__: ClassVar = kw.Collection(
        guests_db,
        "credentials",
        id="{guest_id}",
        expected=11_000_000,
        active=0.01,
        keep_forever="it is removed together with the guest",
    )

    guest_id: Annotated[GuestId, kw.Ref(Guest, on_missing="hide", max_referrers=1)]
    password: Annotated[str, Field(min_length=10, max_length=128), kw.Size(avg=13, max=256), kw.Pii()]
    changed_at: datetime


credential = kw.Get(Credential, eq="guest_id", consistency="strong", rate="20/s", peak="120/s", p99_ms=30)
set_password = kw.Put(Credential, rate="8k/day", p99_ms=100)
forget_guest = kw.Transact([kw.Delete(Credential), kw.Delete(Guest)], rate="120/day", p99_ms=200)


class LoyaltyAccount(BaseModel):
    """A member's points and tier; every change of the points has an entry of its own."""

    __store__: ClassVar = kw.Collection(
        guests_db,
        "loyalty_accounts",
        id="{member_no}",
        indexes=[kw.Index("guest_id", unique=True, hidden=True)],
        kind="money",
        expected=9_000_000,
        active=0.02,
        keep_forever="points are a liability in the books as long as the membership exists",
    )

    member_no: MemberNo
    guest_id: Annotated[GuestId, kw.Ref(Guest, on_missing="hide", max_referrers=1)]
    tier: Literal["blue", "silver", "gold", "platinum"]
    tier_until: date
    points: Annotated[int, Field(ge=0, le=1_000_000_000)]
    joined_at: datetime


class PointsEntry(BaseModel):
    """Points that a stay has earned, a reward has cost, or the service desk has corrected."""

    __store__: ClassVar = kw.Collection(
        guests_db,
        "points_entries",
        id="{member_no}:{cause}",
        indexes=[kw.Index(["member_no", "-posted_at"])],
        shard_key=kw.ShardKey(on="member_no", hashed=True),
        kind="money",
        expected=150_000_000,
        active=0.005,
        keep_forever="the ledger explains every balance and is audited",
    )

    member_no: Annotated[MemberNo, kw.Ref(LoyaltyAccount, on_missing="ignore", max_referrers=2_000)]
    cause: Annotated[str, Field(pattern=r"^(stay|reward|desk)-[0-9A-Z]{26}$"), kw.Size(avg=31, max=33)]
    points: Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
    posted_at: datetime


account_of_guest = kw.Get(LoyaltyAccount, eq="guest_id", consistency="strong", rate="80/s", peak="300/s", p99_ms=30)
enrol_member = kw.Put(LoyaltyAccount, if_absent=True, rate="6k/day", p99_ms=100)
post_points = kw.Transact(
    [kw.Put(PointsEntry, if_absent=True), kw.Increment(LoyaltyAccount, "points", by=500)],
    rate="43k/day",
    peak="65/s",
    p99_ms=150,
)
points_statement = kw.Read(
    PointsEntry, eq="member_no", order="-posted_at", limit=50, rate="6/s", peak="40/s", p99_ms=60
)


class GuestSession(BaseModel):
    """A signed-in guest on the site or in the app; it ends when the guest signs out."""

    __store__: ClassVar = kw.RedisHash(sessions, key="session:{token}", kind="session", expected=1_500_000)

    token: Annotated[str, kw.Size(avg=43, max=43)]
    guest_id: GuestId
    device: Literal["web", "ios", "android", "kiosk"]
    started_at: datetime
    seen_at: datetime
    basket: Annotated[str, Field(max_length=2_000), kw.Size(avg=300, max=2_000)]


session = kw.Get(GuestSession, eq="token", rate="6k/s", peak="15k/s", p99_ms=5)
start_session = kw.Put(GuestSession, rate="30/s", peak="120/s", p99_ms=10)
touch_session = kw.Update(GuestSession, sets=["seen_at", "basket"], rate="800/s", peak="2500/s", p99_ms=10)
end_session = kw.Delete(GuestSession, rate="6/s", peak="30/s", p99_ms=10)


class SignInAttempt(BaseModel):
    """Attempts to sign in from one network address: ten in a minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate,
        key="{zone:tag}:signin:{address}",
        limit=10,
        per=timedelta(minutes=1),
        window="fixed",
        kind="token",
        expected=9_000,
    )

    zone: Zone = "gate"
    address: Annotated[str, Field(max_length=45), kw.Size(avg=15, max=45), kw.Pii()]


allow_sign_in = kw.Take(SignInAttempt, rate="40/s", peak="400/s", p99_ms=5)
