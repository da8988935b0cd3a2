"""The live site in Redis: rendered parts, sessions, who reads what right now, and the mails on their way out."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

Digest = Annotated[str, Field(min_length=64, max_length=64, pattern=r"^[0-9a-f]{64}$")]
Person = Annotated[
    str, Field(max_length=26, pattern=r"^[0-9A-Z]+$"), kw.Size(avg=26), kw.Cardinality(distinct=4_200_000)
]
Piece = Annotated[str, Field(max_length=26, pattern=r"^[0-9A-Za-z-]+$"), kw.Cardinality(distinct=2_400_000)]
Section = Annotated[str, Field(max_length=24, pattern=r"^[a-z-]+$"), kw.Cardinality(distinct=45)]

edge = kw.RedisServer("edge", role="cache", owner="web")
sessions = kw.RedisServer(
    "sessions",
    role="sessions",
    owner="readers",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
    settings={"hash-max-listpack-entries": 100_000},
)
pulse = kw.RedisServer("pulse", role="primary", owner="web")
dispatch = kw.RedisServer(
    "dispatch",
    role="queue",
    owner="mailing",
    persistence=[kw.Rdb(after={3600: 1, 300: 1_000})],
)
gate = kw.RedisServer("gate", role="limiter", owner="readers")


class Rendered(BaseModel):
    """A whole page as it was rendered, with its styles, scripts and lead pictures inlined."""

    __store__: ClassVar = kw.RedisString(
        edge,
        key="rendered:{page_digest}",
        value="html",
        ttl=timedelta(minutes=2),
        kind="cache",
        expected=4_000,
    )

    page_digest: Digest
    html: Annotated[str, kw.Size(avg=2_300_000, max=6_000_000)]


rendered = kw.Get(Rendered, eq="page_digest", rate="400/s", peak="1.2k/s", p99_ms=20)
keep_rendered = kw.Put(Rendered, rate="20/s", p99_ms=30)


class Entitlement(BaseModel):
    """A reader who may open premium articles, looked up at the pay wall."""

    __store__: ClassVar = kw.RedisSet(
        pulse,
        key="entitled",
        member="{reader_id}",
        keep_forever="readers are taken out when their subscription ends",
        expected=1_600_000,
    )

    reader_id: Person


entitlement = kw.Get(Entitlement, eq="reader_id", rate="8k/s", peak="25k/s", p99_ms=5)
grant_entitlement = kw.Put(Entitlement, rate="150/s", p99_ms=10)
withdraw_entitlement = kw.Delete(Entitlement, rate="2/s", p99_ms=10)


class Session(BaseModel):
    """A browser that is signed in; it ends two weeks after its last use."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{cookie_digest}", ttl=timedelta(days=14), expected=6_000_000, kind="session"
    )

    cookie_digest: Digest
    reader_id: Person
    device: Annotated[str, Field(max_length=60)]
    started_at: datetime
    seen_at: datetime


session = kw.Get(Session, eq="cookie_digest", rate="12k/s", peak="40k/s", p99_ms=5)
start_session = kw.Put(Session, rate="60/s", peak="600/s", p99_ms=10)
touch_session = kw.Update(Session, sets="seen_at", rate="2k/s", p99_ms=10)
end_session = kw.Delete(Session, rate="5/s", p99_ms=10)


class OpenedArticle(BaseModel):
    """An article that a reader opened, newest first, for "go on reading"."""

    __store__: ClassVar = kw.RedisList(
        pulse,
        key="opened:{reader_id}",
        ttl=timedelta(days=60),
        kind="feed",
        expected=900_000,
    )

    reader_id: Person
    article_id: Piece
    opened_at: datetime


open_article = kw.Put(OpenedArticle, rate="3k/s", peak="12k/s", p99_ms=10)
opened_articles = kw.Read(OpenedArticle, eq="reader_id", limit=40, rate="900/s", p99_ms=10)


class PresentReader(BaseModel):
    """A reader seen in a section, with the time of the last page."""

    __store__: ClassVar = kw.RedisSortedSet(
        pulse,
        key="present:{section:tag}",
        member="{reader_id}",
        score="seen_at",
        ttl=timedelta(hours=1),
        kind="session",
        expected=600_000,
    )

    section: Section
    reader_id: Person
    seen_at: datetime


see_reader = kw.Put(PresentReader, rate="2k/s", peak="8k/s", p99_ms=10)
present_readers = kw.Count(PresentReader, eq="section", range="seen_at", rate="20/s", p99_ms=10)


class UniqueReader(BaseModel):
    """Roughly how many different readers an article had on a day, for the editors' screen."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        pulse,
        key="unique:{article_id}:{day:date}",
        member="{reader_id}",
        ttl=timedelta(days=8),
        kind="analytics",
        expected=60_000,
    )

    article_id: Piece
    day: date
    reader_id: Person


meet_reader = kw.Put(UniqueReader, rate="3k/s", peak="12k/s", p99_ms=10)
unique_readers = kw.Count(UniqueReader, eq=["article_id", "day"], rate="40/s", p99_ms=10)


mailers = kw.ConsumerGroup("mailers", idempotency=["letter_id", "reader_id"], claim_after=timedelta(minutes=2))


class OutgoingMail(BaseModel):
    """A newsletter that has to reach one reader."""

    __store__: ClassVar = kw.RedisStream(dispatch, key="mail:letters", keep=3_000_000, groups=[mailers], kind="queue")

    letter_id: Annotated[str, kw.Size(avg=20, max=40)]
    reader_id: Person
    format: Literal["html", "text"]


queue_mail = kw.Put(OutgoingMail, rate="60/s", peak="4k/s", p99_ms=10)
next_mails = kw.Take(OutgoingMail, group=mailers, limit=50, rate="5/s", peak="80/s", p99_ms=20)


class SignInAttempt(BaseModel):
    """Sign-ins to one account: ten in a quarter of an hour, whoever tries."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="signin:{email:tag}", limit=10, per=timedelta(minutes=15), window="sliding", expected=40_000
    )

    email: Annotated[str, Field(max_length=254), kw.Size(avg=25), kw.Pii()]


allow_sign_in = kw.Take(SignInAttempt, rate="40/s", peak="2k/s", p99_ms=5)
