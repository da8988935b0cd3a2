"""Reading in Cassandra: what was read by whom, what interests a reader, and what moderators have to look at."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.accounts import Reader, ReaderId
from models.articles import Article, ArticleId, Section, TopicId

engagement = kw.Keyspace("engagement", owner="product")


class ArticleCard(BaseModel):
    """What a teaser shows of an article."""

    __store__: ClassVar = kw.CqlTable(
        engagement,
        "article_cards",
        partition="article_id",
        compaction=kw.Leveled(),
        expected=2_400_000,
        active=0.02,
    )

    article_id: ArticleId
    headline: Annotated[str, kw.Size(avg=70, max=240), kw.CopiedFrom(Article, "headline", sync="stream")]
    section: Section
    picture: Annotated[str, kw.Size(avg=60, max=160)] = ""


article_card = kw.Get(ArticleCard, eq="article_id", rate="5k/s", peak="20k/s", p99_ms=15)
write_card = kw.Put(ArticleCard, rate="16k/day", p99_ms=50)


class ReadArticle(BaseModel):
    """An article that a reader opened, newest first; a month of a reader is a partition."""

    __store__: ClassVar = kw.CqlTable(
        engagement,
        "read_articles",
        partition=["reader_id", "month"],
        clustering=["-read_at", "article_id"],
        computed={"month": "{read_at:month}"},
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="event",
    )

    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="ignore")]
    read_at: datetime
    article_id: Annotated[ArticleId, kw.Ref(Article, on_missing="ignore")]
    seconds: Annotated[int, Field(ge=0, le=86_400)]


record_read = kw.Put(ReadArticle, rate="3k/s", peak="12k/s", p99_ms=30)
reads_of_month = kw.Read(
    ReadArticle,
    eq=["reader_id", "month"],
    order="-read_at",
    limit=50,
    joins=[kw.Join(ArticleCard, on={"article_id": "article_id"}, fields=["headline", "section"])],
    rate="700/s",
    peak="2k/s",
    p99_ms=30,
)
latest_reads = kw.Read(
    ReadArticle,
    eq="reader_id",
    range="read_at",
    span=timedelta(days=14),
    order="-read_at",
    limit=50,
    fan_out=2,
    rate="1.5k/s",
    peak="5k/s",
    p99_ms=40,
)


class ReaderInterests(BaseModel):
    """The topics that a reader follows."""

    __store__: ClassVar = kw.CqlTable(
        engagement, "reader_interests", partition="reader_id", expected=1_300_000, active=0.2
    )

    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="ignore")]
    topics: list[TopicId] = []
    changed_at: datetime


interests = kw.Get(ReaderInterests, eq="reader_id", consistency="strong", rate="2k/s", peak="6k/s", p99_ms=20)
write_interests = kw.Put(ReaderInterests, rate="20/s", p99_ms=50)
follow_topic = kw.Update(ReaderInterests, pushes="topics", sets="changed_at", rate="35/s", p99_ms=60)


class ModerationCase(BaseModel):
    """A comment that somebody reported; a day of a desk is a partition, its open cases stand together."""

    __store__: ClassVar = kw.CqlTable(
        engagement,
        "moderation_cases",
        partition=["desk", "day"],
        clustering=["status", "-reported_at", "comment_id"],
        computed={"day": "{reported_at:date}"},
        ttl=timedelta(days=60),
        compaction=kw.Unified(),
    )

    desk: Annotated[str, Field(max_length=24), kw.Cardinality(distinct=20)]
    reported_at: datetime
    comment_id: Annotated[str, kw.Size(avg=26, max=26)]
    status: Literal["open", "taken", "kept", "removed"]
    reason: Annotated[str, kw.Size(avg=60, max=400)]


report_comment = kw.Put(ModerationCase, rate="2/s", peak="40/s", p99_ms=50)
cases_of_day = kw.Read(
    ModerationCase, eq=["desk", "day", "status"], order="-reported_at", limit=100, rate="4/s", p99_ms=50
)
decide_case = kw.Put(ModerationCase, rate="3/s", peak="20/s", p99_ms=100)
leave_status = kw.Delete(ModerationCase, rate="3/s", peak="20/s", p99_ms=100)
