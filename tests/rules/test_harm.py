"""Shapes that do harm by a number only: a sound model without a finding, and one change after which there is one."""

from pathlib import Path

import pytest
from tests.projects import findings_of, with_imports

COUNTED = """
db = kw.MongoDatabase("db")


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(db, "posts", id="{post_id}", expected=1_000)

    post_id: Annotated[str, Field(max_length=26)]


class Reply(BaseModel):
    __store__: ClassVar = kw.Collection(db, "replies", id="{reply_id}", indexes=[kw.Index("post_id")])

    reply_id: Annotated[str, Field(max_length=26)]
    post_id: Annotated[str, Field(max_length=26), kw.Ref(Post, on_missing="ignore", max_referrers=900)]


post = kw.Get(Post, rate="1/s")
replies = kw.Count(Reply, eq="post_id", rate="9/s")
"""

SESSIONS = """
server = kw.RedisServer("server", role="sessions", eviction="noeviction")


class Session(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="s:{token_hash}", ttl=timedelta(days=1), kind="session")

    token_hash: Annotated[str, Field(min_length=64, max_length=64)]
    account: str


session = kw.Get(Session, rate="9/s")
"""

RANKED = """
server = kw.RedisServer("server", role="primary")


class Score(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(
        server, key="top:{team}", member="{player}", score="points", max_length=200, ttl=timedelta(days=9),
        expected=600_000
    )

    team: Annotated[str, Field(max_length=20), kw.Cardinality(distinct=20_000)]
    player: Annotated[str, kw.Size(avg=10, max=20)]
    points: int


top = kw.Read(Score, eq="team", order="-points", limit=9, rate="9/s")
"""

VISITORS = """
server = kw.RedisServer("server", role="primary")


class Visitor(BaseModel):
    __store__: ClassVar = kw.RedisSet(
        server, key="visitors:{day}", member="{person}", ttl=timedelta(days=9), kind="analytics"
    )

    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    person: Annotated[str, Field(max_length=20)]


visit = kw.Put(Visitor, if_absent=True, rate="9/s")
visitors = kw.Count(Visitor, eq="day", rate="1/s")
"""

OFFERS = """
db = kw.MongoDatabase("db")


class Product(BaseModel):
    __store__: ClassVar = kw.Collection(db, "products", id="{sku}", stream=kw.Stream(
        consumers=[kw.Consumer("offers", idempotency=["sku", "version"], on_failure="queue")]))

    sku: Annotated[str, Field(max_length=20)]
    price: Annotated[int, Field(ge=0)]
    version: Annotated[int, Field(ge=0)]


class Offer(BaseModel):
    __store__: ClassVar = kw.Collection(
        db, "offers", id="{offer_id}", indexes=[kw.Index(["shelf", "price"])], expected=1_000
    )

    offer_id: Annotated[str, Field(max_length=20)]
    sku: Annotated[str, Field(max_length=20), kw.Ref(Product, on_missing="hide", max_referrers=3)]
    shelf: Annotated[str, Field(max_length=20)]
    price: Annotated[int, Field(ge=0), kw.CopiedFrom(Product, "price", sync="stream")]


product = kw.Get(Product, rate="1/s")
reprice = kw.Update(Product, sets=["price", "version"], rate="9/s")
offers = kw.Read(Offer, eq="shelf", order="price", limit=9, rate="9/s")
"""

SHOWN = """
db = kw.MongoDatabase("db")
cache = kw.RedisServer("cache", role="cache")


class Article(BaseModel):
    __store__: ClassVar = kw.Collection(db, "articles", id="{article_id}")

    article_id: Annotated[str, Field(max_length=20)]
    is_featured: bool = False


copy = kw.bind(
    Article, kw.RedisCache(cache, key="a:{article_id}", ttl=timedelta(hours=20), source_of_truth=Article, expected=9)
)
article = kw.Get(Article, rate="1/s")
feature = kw.Update(Article, sets="is_featured", rate="9/day")
shown = kw.Get(copy, rate="9/s")
"""

MOMENTARY = """
db = kw.MongoDatabase("db")
cache = kw.RedisServer("cache", role="cache")


class Setting(BaseModel):
    __store__: ClassVar = kw.Collection(db, "settings", id="{tenant}", expected=20)

    tenant: Annotated[str, Field(max_length=20)]
    limit: int


copy = kw.bind(
    Setting, kw.RedisCache(cache, key="s:{tenant}", ttl=timedelta(seconds=4), source_of_truth=Setting, expected=20)
)
setting = kw.Get(Setting, rate="5/s")
change = kw.Update(Setting, sets="limit", rate="1/day")
quick = kw.Get(copy, rate="900/s")
"""

TALLIED = """
db = kw.MongoDatabase("db")


class Topic(BaseModel):
    __store__: ClassVar = kw.Collection(db, "topics", id="{topic_id}", kind="analytics", expected=9_000)

    topic_id: Annotated[str, Field(max_length=26)]
    answers: Annotated[int, Field(ge=0)] = 0


class Answer(BaseModel):
    __store__: ClassVar = kw.Collection(db, "answers", id="{answer_id}")

    answer_id: Annotated[str, Field(max_length=26)]
    topic_id: Annotated[str, Field(max_length=26), kw.Ref(Topic, on_missing="ignore", max_referrers=50)]


topic = kw.Get(Topic, rate="9/s")
reply = kw.Put(Answer, if_absent=True, rate="2k/day")
tally = kw.Increment(Topic, "answers", rate="2k/day")
answer = kw.Get(Answer, rate="9/s")
"""

LICENCES = """
db = kw.MongoDatabase("db")


class Licence(BaseModel):
    __store__: ClassVar = kw.Collection(db, "licences", id="{licence_id}")

    licence_id: Annotated[str, Field(max_length=26)]
    valid_until: datetime


issue = kw.Put(Licence, if_absent=True, rate="9k/day")
licence = kw.Get(Licence, rate="9/s")
"""

WAITING = """
server = kw.RedisServer("server", role="primary")


class Waiting(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(
        server, key="wait:{event}:{stand}", member="{guest}", score="since", max_length=500, ttl=timedelta(hours=8),
        expected=40_000
    )

    event: Annotated[int, kw.Cardinality(distinct=30_000)]
    stand: Annotated[int, kw.Cardinality(distinct=9_000)]
    guest: Annotated[str, kw.Size(avg=26, max=26)]
    since: datetime


place = kw.Rank(Waiting, eq=["event", "stand", "guest"], order="since", rate="9/s")
"""

REFILLS = """
server = kw.RedisServer("server", role="queue")
runners = kw.ConsumerGroup("runners", idempotency="task", claim_after=timedelta(minutes=5))


class Refill(BaseModel):
    __store__: ClassVar = kw.RedisStream(
        server, key="refills:{hall}", keep=1_000, groups=[runners], kind="queue"
    )

    hall: Annotated[str, Field(pattern="^[a-z]+$", max_length=9), kw.Size(avg=5, max=9), kw.Cardinality(distinct=900)]
    task: Annotated[str, Field(max_length=26)]


ask = kw.Put(Refill, rate="9/s")
"""

DRAFTS = """
db = kw.MongoDatabase("db")


class Person(BaseModel):
    __store__: ClassVar = kw.Collection(db, "people", id="{person_id}")

    person_id: Annotated[str, Field(max_length=26)]


class Draft(BaseModel):
    __store__: ClassVar = kw.Collection(db, "drafts", id="{person_id}:{slot}")

    person_id: Annotated[str, Field(max_length=26, pattern="^[0-9A-Z]+$")]
    slot: Annotated[str, Field(max_length=9, pattern="^[a-z]+$")]
    text: Annotated[str, Field(max_length=900)]
    saved_at: Annotated[datetime, kw.Ttl(after=timedelta(days=30))]


person = kw.Get(Person, rate="1/s")
erase = kw.Delete(Person, rate="1/day")
draft = kw.Get(Draft, rate="1/s")
save = kw.Put(Draft, consistency="eventual", rate="1/s")
"""

CASES = {
    "a key in documents that soon expire": (DRAFTS, "days=30", "days=900", "MDB008"),
    "a draft that expires and is put again": (
        DRAFTS,
        "Annotated[datetime, kw.Ttl(after=timedelta(days=30))]",
        "datetime",
        "MDB025",
    ),
    "many possible keys of few members": (WAITING, "expected=40_000", "expected=400_000_000", "RED003"),
    "a stream of each hall": (REFILLS, 'rate="9/s"', 'rate="9/s", hot_key="3/s"', "RED062"),
    "few documents that a count is over": (COUNTED, "max_referrers=900", "max_referrers=90_000", "MDB017"),
    "sessions that are never evicted": (SESSIONS, '"noeviction"', '"allkeys-random"', "RED002"),
    "sets that are usually compact": (RANKED, "expected=600_000", "expected=3_900_000", "RED107"),
    "sets by which callers learn who is new": (VISITORS, "if_absent=True, ", "", "RED042"),
    "a copy by which items are ordered": (OFFERS, 'order="price", ', "", "GEN006"),
    "a flag that is only shown": (SHOWN, "is_featured", "is_locked", "GEN032"),
    "a short cache of few items": (MOMENTARY, "expected=20)", "expected=20_000)", "RED064"),
    "figures beside what they count": (TALLIED, 'kind="analytics", ', "", "MDB048"),
}
"""Title: a sound model, a text in it and what replaces it, and the rule that then reports it."""


@pytest.mark.parametrize("title", CASES)
def test_one_number_or_word_decides(title: str, tmp_path: Path) -> None:
    source, old, new, code = CASES[title]
    changed = source.replace(old, new)
    assert changed != source
    assert code not in {finding.code for finding in findings_of(tmp_path / "sound", with_imports(source))}
    assert code in {finding.code for finding in findings_of(tmp_path / "not", with_imports(changed))}


def test_an_end_of_what_may_be_a_record_is_a_question(tmp_path: Path) -> None:
    named = LICENCES.replace("valid_until", "expires_at")
    asked, told = (
        findings_of(tmp_path / str(number), with_imports(text)) for number, text in enumerate((LICENCES, named))
    )
    assert [finding.severity for finding in asked if finding.code == "MDB028"] == ["question"]
    assert [finding.severity for finding in told if finding.code == "MDB028"] != ["question"]
    kept = LICENCES.replace('id="{licence_id}"', 'id="{licence_id}", keep_forever="proof of what was paid for"')
    assert "MDB028" not in {finding.code for finding in findings_of(tmp_path / "kept", with_imports(kept))}
