"""The newsroom in MongoDB: who writes, what was written, and every state in which it was saved."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

JournalistId = Annotated[str, kw.Size(avg=10, max=24), kw.Cardinality(distinct=1_800)]
ArticleId = Annotated[str, kw.Size(avg=16, max=26), kw.Cardinality(distinct=2_400_000)]
TopicId = Annotated[str, kw.Size(avg=10, max=32), kw.Cardinality(distinct=9_000)]
Section = Annotated[str, Field(max_length=24, pattern=r"^[a-z-]+$"), kw.Cardinality(distinct=45)]

newsroom = kw.MongoDatabase("newsroom", owner="newsroom")


class Journalist(BaseModel):
    """A member of staff or a regular contributor; the name is printed, the private address is not."""

    __store__: ClassVar = kw.Collection(
        newsroom,
        "journalists",
        id="{journalist_id}",
        indexes=[kw.Index(["desk", "byline"])],
        expected=1_800,
    )

    journalist_id: JournalistId
    byline: Annotated[str, Field(max_length=120)]
    desk: Annotated[str, Field(max_length=24), kw.Cardinality(distinct=20)]
    private_email: Annotated[str, kw.Size(avg=26, max=254), kw.Pii()]
    biography: Annotated[str, kw.Size(avg=600, max=4_000)] = ""
    joined_at: datetime


journalist = kw.Get(Journalist, eq="journalist_id", rate="120/s", p99_ms=20)
journalists_of_desk = kw.Read(Journalist, eq="desk", order="byline", limit=100, rate="2/s", p99_ms=50)
bylines = kw.Read(
    Journalist, one_of="journalist_id", fields=["journalist_id", "byline"], limit=6, rate="400/s", p99_ms=20
)
write_journalist = kw.Put(Journalist, rate="40/day", p99_ms=100)


class Article(BaseModel):
    """A piece of journalism; readers only ever meet the published ones."""

    __store__: ClassVar = kw.Collection(
        newsroom,
        "articles",
        id="{article_id}",
        indexes=[
            kw.Index("slug", unique=True, where={"state": "published"}),
            kw.Index(["section", "-publish_at"], where={"state": "published"}),
            kw.Index(["journalist_ids", "-publish_at"], where={"state": "published"}),
            kw.Index(["topic_ids", "-publish_at"], where={"state": "published"}),
            kw.Index(["section", "state", "-changed_at"], where={"state": kw.OneOf(["draft", "review"])}),
            kw.TextIndex(["headline", "standfirst"], weights={"headline": 4}),
        ],
        stream=kw.Stream(
            images="new",
            consumers=[kw.Consumer("article-cards", idempotency=["article_id", "changed_at"], on_failure="queue")],
        ),
        expected=2_400_000,
        active=0.02,
    )

    article_id: ArticleId
    slug: Annotated[str, Field(max_length=140)]
    section: Section
    headline: Annotated[str, kw.Size(avg=70, max=240)]
    standfirst: Annotated[str, kw.Size(avg=180, max=600)]
    body: Annotated[str, kw.Size(avg=7_500, max=120_000)]
    journalist_ids: Annotated[
        list[Annotated[JournalistId, kw.Ref(Journalist, on_missing="ignore", max_referrers=20_000)]],
        Field(min_length=1, max_length=6),
    ]
    topic_ids: Annotated[list[TopicId], Field(max_length=12)] = []
    state: Literal["draft", "review", "published", "withdrawn"] = "draft"
    is_premium: bool = False
    publish_at: datetime
    changed_at: datetime


article = kw.Get(Article, eq="article_id", rate="900/s", p99_ms=30)
article_by_slug = kw.Get(Article, eq="slug", where={"state": "published"}, rate="700/s", p99_ms=30)
section_front = kw.Read(
    Article,
    eq="section",
    where={"state": "published"},
    order="-publish_at",
    limit=40,
    fields=["article_id", "slug", "headline", "standfirst", "is_premium", "publish_at"],
    rate="80/s",
    p99_ms=50,
)
articles_of_journalist = kw.Read(
    Article,
    contains="journalist_ids",
    where={"state": "published"},
    order="-publish_at",
    limit=20,
    fields=["article_id", "slug", "headline", "publish_at"],
    rate="30/s",
    p99_ms=80,
)
articles_of_topic = kw.Read(
    Article,
    contains="topic_ids",
    where={"state": "published"},
    order="-publish_at",
    limit=30,
    fields=["article_id", "slug", "headline", "publish_at"],
    rate="60/s",
    p99_ms=80,
)
drafts_of_section = kw.Read(
    Article, eq="section", where={"state": "draft"}, order="-changed_at", limit=50, rate="5/s", p99_ms=100
)
reviews_of_section = kw.Read(
    Article, eq="section", where={"state": "review"}, order="-changed_at", limit=50, rate="5/s", p99_ms=100
)
search_articles = kw.Read(
    Article,
    search=["headline", "standfirst"],
    limit=20,
    fields=["article_id", "slug", "headline", "publish_at"],
    rate="4/s",
    p99_ms=400,
)
file_article = kw.Put(Article, if_absent=True, rate="1.2k/day", p99_ms=100)
edit_article = kw.Update(
    Article, sets=["headline", "standfirst", "body", "topic_ids", "changed_at"], rate="15k/day", p99_ms=100
)
move_article = kw.Update(Article, sets=["state", "publish_at", "changed_at"], rate="4k/day", p99_ms=100)


class Revision(BaseModel):
    """An article as it stood at one save; two years answer every complaint to the press council."""

    __store__: ClassVar = kw.Collection(
        newsroom,
        "revisions",
        id="{article_id}#{number:pad(5)}",
        indexes=[kw.Index(["article_id", "-number"], unique=True)],
        expected=11_000_000,
        active=0.01,
    )

    article_id: Annotated[ArticleId, kw.Ref(Article, on_missing="ignore", max_referrers=2_000)]
    number: Annotated[int, Field(ge=1, le=99_999)]
    saved_by: Annotated[JournalistId, kw.Ref(Journalist, on_missing="ignore")]
    headline: Annotated[str, kw.Size(avg=70, max=240)]
    body: Annotated[str, kw.Size(avg=7_500, max=120_000)]
    saved_at: Annotated[datetime, kw.Ttl(after=timedelta(days=730))]


revisions_of_article = kw.Read(
    Revision,
    eq="article_id",
    order="-number",
    limit=30,
    fields=["number", "saved_by", "headline", "saved_at"],
    rate="3/s",
    p99_ms=80,
)
revision = kw.Get(Revision, eq=["article_id", "number"], rate="2/s", p99_ms=50)
save_revision = kw.Put(Revision, if_absent=True, rate="15k/day", p99_ms=150)


class PreviewLink(BaseModel):
    """A link by which a source reads a piece before it appears; it works for three days."""

    __store__: ClassVar = kw.Collection(
        newsroom, "preview_links", id="{link_digest}", kind="token", expected=2_000, indexes=[kw.Index("article_id")]
    )

    link_digest: Annotated[str, Field(min_length=64, max_length=64)]
    article_id: Annotated[ArticleId, kw.Ref(Article, on_missing="fail")]
    made_by: Annotated[JournalistId, kw.Ref(Journalist, on_missing="ignore")]
    expires_at: Annotated[datetime, kw.Ttl()]


preview_link = kw.Get(PreviewLink, eq="link_digest", consistency="strong", rate="1/s", p99_ms=50)
links_of_article = kw.Read(PreviewLink, eq="article_id", limit=20, rate="500/day", p99_ms=100)
make_link = kw.Put(PreviewLink, if_absent=True, rate="600/day", p99_ms=100)
revoke_link = kw.Delete(PreviewLink, rate="40/day", p99_ms=100)
