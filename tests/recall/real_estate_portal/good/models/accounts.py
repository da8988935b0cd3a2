"""Members and their logins: profiles in DynamoDB, sessions and login limits in Redis."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

MemberId = Annotated[
    str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26), kw.Cardinality(distinct=18_000_000)
]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
Country = Annotated[Literal["at", "de", "es", "fr"], kw.Cardinality(distinct=4)]

members = kw.DynamoTable("members", owner="identity")
sessions = kw.RedisServer(
    "sessions",
    role="sessions",
    owner="identity",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
    settings={"notify-keyspace-events": "Ex", "repl-backlog-size": "256mb"},
)
gate = kw.RedisServer("gate", role="limiter", owner="identity")


class Member(BaseModel):
    """Somebody with an account: a seeker, an owner or an agent."""

    __store__: ClassVar = kw.Item(members, pk="MEMBER#{member_id}", sk="PROFILE", active=0.05)

    member_id: MemberId
    email: Annotated[str, kw.Size(avg=25, max=254), kw.Pii()]
    display_name: Annotated[str, kw.Size(avg=16, max=80), kw.Pii()]
    phone: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    country: Country
    joined_at: datetime


class EmailClaim(BaseModel):
    """The right of one member to an address, under a keyed digest, so that no address stands in a key."""

    __store__: ClassVar = kw.Item(members, pk="EMAIL#{email_digest}", sk="CLAIM", expected=18_000_000, active=0.02)

    email_digest: Digest
    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="fail", max_referrers=1)]


sign_up = kw.Transact([kw.Put(Member, if_absent=True), kw.Put(EmailClaim, if_absent=True)], rate="9k/day", p99_ms=120)
member_profile = kw.Get(Member, eq="member_id", rate="900/s", peak="2.5k/s", p99_ms=15)
claim_of_email = kw.Get(EmailClaim, eq="email_digest", consistency="strong", rate="40/s", p99_ms=25)
change_contact = kw.Update(Member, sets=["display_name", "phone"], rate="4k/day", p99_ms=50)
erase_member = kw.Transact([kw.Delete(Member), kw.Delete(EmailClaim)], rate="300/day", p99_ms=150)


class SavedSearch(BaseModel):
    """A search that a member wants to be told about; at most thirty of them."""

    __store__: ClassVar = kw.Item(
        members, pk="MEMBER#{member_id}", sk="SEARCH#{search_id}", expected=30_000_000, active=0.1
    )

    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="hide", max_referrers=30)]
    search_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    label: Annotated[str, Field(max_length=60)]
    criteria: Annotated[str, kw.Size(avg=220, max=1_500)]
    frequency: Literal["instant", "daily", "weekly"] = "daily"
    created_at: datetime


saved_searches = kw.Read(SavedSearch, eq="member_id", order="search_id", limit=30, rate="400/s", p99_ms=25)
save_search = kw.Put(SavedSearch, if_absent=True, rate="60k/day", p99_ms=50)
change_frequency = kw.Update(SavedSearch, sets="frequency", rate="5k/day", p99_ms=50)
drop_search = kw.Delete(SavedSearch, rate="20k/day", p99_ms=50)


class Session(BaseModel):
    """A login, found by the digest of its cookie; two weeks without a visit end it."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{cookie_digest}", ttl=timedelta(days=14), expected=12_000_000, kind="session"
    )

    cookie_digest: Digest
    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="hide")]
    role: Literal["seeker", "owner", "agent"]
    started_at: datetime
    seen_at: datetime


session = kw.Get(Session, eq="cookie_digest", rate="18k/s", peak="32k/s", p99_ms=5)
start_session = kw.Put(Session, rate="10/s", peak="120/s", p99_ms=10)
touch_session = kw.Update(Session, sets="seen_at", rate="2k/s", peak="5k/s", p99_ms=10)
end_session = kw.Delete(Session, rate="5/s", p99_ms=10)


class LoginAttempt(BaseModel):
    """Attempts to log in to one account: ten in any quarter of an hour, counted exactly."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="login:{account_digest:tag}", limit=10, per=timedelta(minutes=15), window="sliding", expected=60_000
    )

    account_digest: Digest


allow_login = kw.Take(LoginAttempt, rate="150/s", peak="2k/s", p99_ms=5)
