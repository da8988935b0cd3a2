"""Cataloguing: titles, the people who made them, scanned rarities, and what readers suggest."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.lending import BranchId, TitleId
from models.membership import PatronId

catalogue = kw.MongoDatabase("catalogue", owner="cataloguing")
discovery = kw.Keyspace("discovery", owner="web")
title_cache = kw.RedisServer("title-cache", role="cache", owner="web")
insight = kw.RedisServer("insight", role="primary", owner="web")

ROOT_LETTERS = kw.Collation(locale="en", strength=2)
ContributorId = Annotated[UUID, kw.Cardinality(distinct=2_500_000)]


class Contributor(BaseModel):
    """An author, translator, illustrator or narrator under the authorised form of the name."""

    __store__: ClassVar = kw.Collection(
        catalogue,
        "contributors",
        id="{contributor_id}",
        indexes=[kw.Index("name", collation=ROOT_LETTERS)],
        active=0.05,
    )

    contributor_id: ContributorId
    name: Annotated[str, kw.Size(avg=22, max=200)]
    dates: Annotated[str, Field(max_length=20)] = ""
    aliases: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=30)] = []


contributor = kw.Get(Contributor, eq="contributor_id", rate="60/s", p99_ms=20)
contributors_named = kw.Read(Contributor, eq="name", collation=ROOT_LETTERS, limit=20, rate="25/s", p99_ms=40)
write_contributor = kw.Put(Contributor, rate="2k/day", p99_ms=100)


class Title(BaseModel):
    """An edition as the catalogue shows it; copies and loans refer to it."""

    __store__: ClassVar = kw.Collection(
        catalogue,
        "titles",
        id="{title_id}",
        indexes=[
            kw.Index("isbns"),
            kw.Index(["contributor_ids", "-published_on"]),
            kw.Index(["subject", "language", "-published_on"]),
            kw.TextIndex(["name", "subtitle"], weights={"name": 4}),
        ],
        expected=6_000_000,
        active=0.04,
    )

    title_id: TitleId
    name: Annotated[str, kw.Size(avg=45, max=300)]
    subtitle: Annotated[str, kw.Size(avg=40, max=300)] = ""
    isbns: Annotated[list[Annotated[str, Field(max_length=13)]], Field(max_length=8)] = []
    contributor_ids: Annotated[
        list[Annotated[ContributorId, kw.Ref(Contributor, on_missing="hide", max_referrers=4_000)]],
        Field(max_length=30),
    ] = []
    subject: Annotated[str, Field(max_length=24), kw.Cardinality(distinct=9_000)]
    language: Annotated[str, Field(max_length=3), kw.Cardinality(distinct=140)]
    published_on: date
    summary: Annotated[str, kw.Size(avg=900, max=6_000)] = ""
    media: Literal["book", "audio", "film", "game", "score", "map"]


cached_title = kw.bind(
    Title, kw.RedisCache(title_cache, key="title:{title_id}", ttl=timedelta(minutes=30), source_of_truth=Title)
)

title = kw.Get(Title, eq="title_id", rate="250/s", peak="900/s", p99_ms=20)
title_page = kw.Get(cached_title, eq="title_id", rate="3k/s", peak="11k/s", p99_ms=5)
title_of_isbn = kw.Read(Title, contains="isbns", limit=5, rate="40/s", p99_ms=30)
titles_of_contributor = kw.Read(
    Title, contains="contributor_ids", order="-published_on", limit=30, rate="50/s", p99_ms=50
)
new_in_subject = kw.Read(
    Title, eq=["subject", "language"], order="-published_on", limit=30, rate="60/s", peak="200/s", p99_ms=50
)
find_titles = kw.Read(Title, search=["name", "subtitle"], limit=20, rate="30/s", peak="120/s", p99_ms=300)
write_title = kw.Put(Title, rate="6k/day", p99_ms=150)


class Suggestion(BaseModel):
    """A wish for the collection, answered by the branch that would buy it."""

    __store__: ClassVar = kw.Collection(
        catalogue,
        "suggestions",
        id="{suggestion_id}",
        indexes=[kw.Index(["branch_id", "-made_at"], where={"is_open": True})],
        expected=900_000,
    )

    suggestion_id: UUID
    branch_id: BranchId
    patron_id: PatronId
    wish: Annotated[str, kw.Size(avg=80, max=500)]
    is_open: bool = True
    made_at: datetime
    forgotten_at: Annotated[datetime, kw.Ttl()]


open_suggestions = kw.Read(
    Suggestion, eq="branch_id", where={"is_open": True}, order="-made_at", limit=50, rate="3/s", p99_ms=60
)
suggest = kw.Put(Suggestion, if_absent=True, rate="3k/day", p99_ms=100)
answer_suggestion = kw.Update(Suggestion, sets="is_open", where={"is_open": True}, rate="3k/day", p99_ms=100)


class DigitisedItem(BaseModel):
    """A scanned rarity; the images lie in the object store, and here is where."""

    __store__: ClassVar = kw.Collection(
        catalogue,
        "digitised_items",
        id="{item_id}",
        indexes=[kw.Index(["collection_code", "shelfmark"])],
        expected=700_000,
        active=0.03,
    )

    item_id: UUID
    collection_code: Annotated[str, Field(max_length=12), kw.Cardinality(distinct=400)]
    shelfmark: Annotated[str, Field(max_length=60)]
    caption: Annotated[str, kw.Size(avg=140, max=1_000)]
    scan_key: Annotated[str, kw.Size(avg=70, max=200)]
    scan_bytes: Annotated[int, Field(ge=0)]
    scan_sha256: Annotated[str, Field(min_length=64, max_length=64)]


digitised_item = kw.Get(DigitisedItem, eq="item_id", rate="40/s", p99_ms=30)
items_of_collection = kw.Read(
    DigitisedItem,
    eq="collection_code",
    order="shelfmark",
    limit=40,
    fields=["item_id", "shelfmark", "caption"],
    rate="8/s",
    p99_ms=60,
)
write_item = kw.Put(DigitisedItem, rate="2k/day", p99_ms=150)


class BorrowedTogether(BaseModel):
    """Titles that readers of a title also took, the best first; a nightly job replaces each row."""

    __store__: ClassVar = kw.CqlTable(
        discovery,
        "borrowed_together",
        partition="title_id",
        frozen="related",
        ttl=timedelta(days=60),
        compaction=kw.Leveled(),
        kind="analytics",
        expected=1_800_000,
    )

    title_id: TitleId
    related: Annotated[list[UUID], Field(max_length=40)]
    computed_at: datetime


borrowed_together = kw.Get(BorrowedTogether, eq="title_id", rate="2.5k/s", peak="9k/s", p99_ms=20)
replace_related = kw.Put(BorrowedTogether, rate="1.8M/day", peak="300/s", p99_ms=100)


class TitleVisitor(BaseModel):
    """Somebody who opened a title's page on a day; the weekly list of the front page is made of these."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        insight,
        key="visitors:{title_id}:{day:date}",
        member="{visitor}",
        ttl=timedelta(days=7),
        kind="analytics",
        expected=3_000_000,
    )

    title_id: TitleId
    day: date
    visitor: Annotated[str, kw.Size(avg=22, max=22)]


see_title = kw.Put(TitleVisitor, rate="2.5k/s", peak="9k/s", p99_ms=5)
visitors_of_title = kw.Count(TitleVisitor, eq=["title_id", "day"], rate="20/s", p99_ms=10)
