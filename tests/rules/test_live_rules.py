"""What rules say of live stores, told by observations that nobody has to bring about on a server."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from tests.pages.observed import findings_of_live
from tests.projects import imported_alone, with_imports

from keywright import api
from keywright.api.check.evaluate import context_of, evaluate_live, evaluate_models
from keywright.engines.contract.observer import LiveIndex
from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.observation import (
    EXPIRIES,
    ExplainedPattern,
    Items,
    LiveTarget,
    Observation,
    SampleSize,
)
from keywright.pages.catalogue import CASE, OBSERVED
from keywright.record import replace
from keywright.rules.rule import Finding

ROOT = Path(__file__).parents[2]
TODAY = date(2026, 11, 22)

MONGODB = """
    blog = kw.MongoDatabase("blog")

    class Comment(BaseModel):
        text: str

    class Author(BaseModel):
        __store__: ClassVar = kw.Collection(blog, "authors", id="{author_id}")
        author_id: str

    class Post(BaseModel):
        __store__: ClassVar = kw.Collection(
            blog, "posts", id="{post_id}", indexes=[kw.Index(["author_id", "-at"], where={"is_open": True})],
            schema_version=3, upgrades={2: kw.Upgrade(set={"title": ""})},
            ignores=[kw.ignore("GEN019", reason="version 1 is gone")]
        )
        post_id: str
        author_id: Annotated[str, kw.Ref(Author, on_missing="fail")]
        title: str
        at: AwareDatetime
        is_open: bool
        comments: Annotated[list[Comment], Field(max_length=50)] = []

    class Token(BaseModel):
        __store__: ClassVar = kw.Collection(blog, "tokens", id="{token_id}", kind="token")
        token_id: str
        expires_at: Annotated[AwareDatetime, kw.Ttl()]

    author = kw.Get(Author, eq="author_id", rate="1/s")
    open_posts = kw.Read(Post, eq="author_id", where={"is_open": True}, order="-at", limit=20, rate="1/s")
    token = kw.Get(Token, eq="token_id", rate="1/s")
"""

DYNAMODB = """
    lookup = kw.Gsi("lookup", pk="gsi1pk")
    shop = kw.DynamoTable("shop", gsis=[lookup], discriminator=None, ignores=[kw.ignore("DDB016", reason="by keys")])

    class User(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="USER", gsis=[lookup.key(pk="MAIL#{mail}")])
        user_id: str
        mail: Annotated[str, kw.Pii()]

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str

    user = kw.Get(User, eq="user_id", rate="1/s")
    user_by_mail = kw.Read(User, eq="mail", limit=1, rate="1/s")
    order = kw.Get(Order, eq="order_id", rate="1/s")
"""

REDIS = """
    web = kw.RedisServer("web", role="sessions")
    mail = kw.ConsumerGroup("mail", idempotency="name", claim_after=timedelta(minutes=5))

    class Login(BaseModel):
        __store__: ClassVar = kw.RedisHash(web, key="login:{token}", ttl=timedelta(hours=24))
        token: str
        user_id: str

    class Job(BaseModel):
        __store__: ClassVar = kw.RedisStream(web, key="jobs", keep=100, groups=[mail])
        name: str

    login = kw.Get(Login, eq="token", rate="1/s")
    jobs = kw.Take(Job, group=mail, rate="1/s")
"""

CACHE = """
    near = kw.RedisServer("near", role="cache")
    blog = kw.MongoDatabase("blog")

    class Page(BaseModel):
        __store__: ClassVar = kw.Collection(blog, "pages", id="{url}")
        url: Annotated[str, Field(max_length=200)]

    cached = kw.bind(Page, kw.RedisCache(near, key="page:{url}", ttl=timedelta(hours=1), source_of_truth=Page))
    page = kw.Get(Page, eq="url", rate="1/s")
    cached_page = kw.Get(cached, eq="url", rate="9/s")
"""

INDEX = "ways: [{table: dev_blog.posts, name: author_id_1_at_-1, uses: 9}]\nplaces: {dev_blog.posts: [Post]}\n"
"""The index of posts, in use."""

CASES = {
    "reads that are slow": (
        MONGODB.replace('rate="1/s")', 'rate="1/s", p99_ms=20)'),
        f"target: blog\n{INDEX}tables: {{dev_blog.posts: {{reads: 20000, read_p99_ms: 65}}}}",
        {"GEN002 Post"},
    ),
    "few reads that are slow": (
        MONGODB.replace('rate="1/s")', 'rate="1/s", p99_ms=20)'),
        f"target: blog\n{INDEX}tables: {{dev_blog.posts: {{reads: 900, read_p99_ms: 65}}}}",
        set(),
    ),
    "an index that nobody uses": (
        MONGODB,
        "target: blog\nplaces: {dev_blog.posts: [Post]}\n"
        "ways: [{table: dev_blog.posts, name: author_id_1_at_-1, uses: 0, days: 30}]",
        {"GEN001 Post.author_id_1_at_-1"},
    ),
    "an index that the server has counted for a day": (
        MONGODB,
        "target: blog\nplaces: {dev_blog.posts: [Post]}\n"
        "ways: [{table: dev_blog.posts, name: author_id_1_at_-1, uses: 0, days: 1}]",
        set(),
    ),
    "an index that is not there": (MONGODB, "target: blog\nplaces: {dev_blog.posts: [Post]}", {"GEN004 open_posts"}),
    "a scan": (MONGODB, f"target: blog\n{INDEX}asked: {{open_posts: {{stages: [COLLSCAN]}}}}", {"MDB009 open_posts"}),
    "a scan for each document that is joined": (
        MONGODB,
        f"target: blog\n{INDEX}asked: "
        "{open_posts: {stages: [$lookup COLLSCAN, IXSCAN], indexes: [author_id_1_at_-1]}}",
        {"MDB020 open_posts"},
    ),
    "a sort": (
        MONGODB,
        f"target: blog\n{INDEX}asked: {{open_posts: {{stages: [SORT, FETCH, IXSCAN], indexes: [author_id_1_at_-1]}}}}",
        {"MDB010 open_posts"},
    ),
    "a partial index that is not asked": (
        MONGODB,
        f"target: blog\n{INDEX}asked: {{open_posts: {{stages: [FETCH]}}}}",
        {"MDB012 open_posts"},
    ),
    "a scan of little": (
        MONGODB,
        f"target: blog\n{INDEX}tables: {{dev_blog.posts: {{scans: 12, scanned_most: 900}}}}",
        set(),
    ),
    "what the profiler has kept": (
        MONGODB,
        f"target: blog\n{INDEX}tables: {{dev_blog.posts: {{scans: 12, scanned_most: 50000}}}}",
        {"MDB009 Post"},
    ),
    "versions without a reader, though models say that none is left": (
        MONGODB,
        f"target: blog\n{INDEX}items: {{Post: {{of: [9, 9, document], versions: {{1: 2, 3: 7}}}}}}",
        set(),
    ),
    "versions that are to come": (
        MONGODB.replace('ignores=[kw.ignore("GEN019", reason="version 1 is gone")]', ""),
        f"target: blog\n{INDEX}items: {{Post: {{of: [9, 9, document], versions: {{2: 2, 4: 7}}}}}}",
        {"GEN019 Post"},
    ),
    "what the model does not take": (
        MONGODB,
        f"target: blog\n{INDEX}items: {{Author: {{of: [9, 9, document], misfits: {{'\"name\": missing': 3}}}}}}",
        {"GEN019 Author"},
    ),
    "lists beyond their bound": (
        MONGODB,
        f"target: blog\n{INDEX}items: {{Post: {{of: [9, 9, document], lists: {{comments: [3, 70, 60]}}}}}}",
        {"MDB001 Post.comments"},
    ),
    "lists beyond their bound that the model rejects": (
        MONGODB,
        f"target: blog\n{INDEX}items: {{Post: {{of: [9, 9, document], lists: {{comments: [3, 70]}}, "
        "misfits: {'\"comments\": too long': 1}}}",
        {"MDB001 Post.comments"},
    ),
    "lists beyond their bound and other misfits": (
        MONGODB.replace('ignores=[kw.ignore("GEN019", reason="version 1 is gone")]', "")
        .replace("version=3", "version=2")
        .replace("upgrades={2", "upgrades={1"),
        f"target: blog\n{INDEX}items: {{Post: {{of: [9, 9, document], lists: {{comments: [3, 70]}}, "
        "misfits: {'\"comments\": too long': 1, '\"title\": missing': 2}}}",
        {"MDB001 Post.comments", "GEN019 Post"},
    ),
    "an item of a table with a list beyond its bound": (
        DYNAMODB.replace(
            "order_id: str", "order_id: str\n        tags: Annotated[list[str], Field(max_length=5)] = []"
        ),
        "target: shop\nitems: {Order: {of: [9, 9, item], lists: {tags: [3, 7]}, "
        "misfits: {'\"tags\": too long': 1, '\"order_id\": missing': 1}}}",
        {"GEN019 Order.tags", "GEN019 Order"},
    ),
    "an unused index that the server created for a time series": (
        """
        lab = kw.MongoDatabase("lab")

        class Reading(BaseModel):
            __store__: ClassVar = kw.TimeSeries(lab, "readings", time="at", meta="probe", ttl=timedelta(days=2))
            at: AwareDatetime
            probe: str

        record = kw.Put(Reading, rate="1/s")
        """,
        "target: lab\nways: [{table: dev_lab.readings, name: probe_1_at_1, uses: 0, days: 30}]\n"
        "places: {dev_lab.readings: [Reading]}",
        set(),
    ),
    "a list that is much too long": (
        MONGODB,
        f"target: blog\n{INDEX}items: {{Post: {{of: [9, 9, document], lists: {{comments: [3, 700]}}}}}}",
        {"MDB001 Post.comments", "MDB002 Post.comments"},
    ),
    "a large document": (
        MONGODB,
        f"target: blog\n{INDEX}items: {{Post: {{of: [2, 9, document], bytes: [900, 9000000]}}}}",
        {"GEN011 Post"},
    ),
    "references that lead nowhere": (
        MONGODB,
        f"target: blog\n{INDEX}items: {{Post: {{of: [9, 9, document], orphans: {{author_id: [2, 5]}}}}}}",
        {"MDB008 Post.author_id"},
    ),
    "references that nobody minds": (
        MONGODB.replace('"fail"', '"ignore"'),
        f"target: blog\n{INDEX}items: {{Post: {{of: [9, 9, document], orphans: {{author_id: [2, 5]}}}}}}",
        set(),
    ),
    "times that are none": (
        MONGODB,
        f"target: blog\n{INDEX}items: {{Token: {{of: [9, 9, document], expiries: {{time: 5, text: 1, missing: 3}}}}}}",
        {"GEN008 Token.expires_at"},
    ),
    "a database that is not well": (
        MONGODB,
        f"target: blog\n{INDEX}figures: {{lag_seconds: 60, connections: 900, connections_most: 1000}}",
        {"MON005 blog"},
    ),
    "an empty index": (
        DYNAMODB,
        "target: shop\nways: [{table: dev-shop, name: lookup, items: 0}]\nplaces: {dev-shop: [User, Order]}\n"
        "items: {User: {of: [100, 100]}}",
        {"DDB013 User.lookup"},
    ),
    "an empty index of a table with little in it": (
        DYNAMODB,
        "target: shop\nways: [{table: dev-shop, name: lookup, items: 0}]\nplaces: {dev-shop: [User, Order]}\n"
        "items: {User: {of: [99, 99]}}",
        set(),
    ),
    "keys that are nobody's": (
        DYNAMODB,
        "target: shop\nways: [{table: dev-shop, name: lookup, items: 1}]\nplaces: {dev-shop: [User, Order]}\n"
        "unknown_items: {dev-shop: [3, 100]}",
        {"DDB014 shop"},
    ),
    "a table that cannot be read": (
        DYNAMODB,
        "target: shop\ntables: {dev-shop: {status: INACCESSIBLE_ENCRYPTION_CREDENTIALS}}",
        {"MON005 shop"},
    ),
    "memory that is nearly used up": (
        REDIS,
        "target: web\nfigures: {used_memory: 950, maxmemory: 1000, evicted_keys: 7}",
        {"RED003 web"},
    ),
    "evicted sessions": (
        REDIS,
        "target: web\nfigures: {used_memory: 800, maxmemory: 1000, evicted_keys: 7}",
        {"RED003 web"},
    ),
    "a cache that is full, as caches are": (
        CACHE,
        "target: near\nfigures: {used_memory: 1000, maxmemory: 1000, evicted_keys: 7, keyspace_hits: 90000,\n"
        "keyspace_misses: 900, maxmemory_policy: allkeys-lru}",
        set(),
    ),
    "a cache that has not what is asked": (
        CACHE,
        "target: near\nfigures: {keyspace_hits: 9000, keyspace_misses: 9000, maxmemory_policy: allkeys-lru}",
        {"MON005 near"},
    ),
    "no bound, and another policy": (
        REDIS,
        "target: web\nfigures: {used_memory: 950, maxmemory: 0, maxmemory_policy: allkeys-lru}",
        {"RED001 web", "RED002 web"},
    ),
    "another policy that fits": (REDIS, "target: web\nfigures: {maxmemory_policy: volatile-lru}", set()),
    "keys that stay": (
        REDIS,
        "target: web\nfigures: {keys: 9, keys_expiring: 0, maxmemory_policy: volatile-ttl}\n"
        "items: {Login: {of: [9, 9, key], expiries: {missing: 9}, types: {hash: 9}}}",
        {"RED004 Login", "RED007 web"},
    ),
    "another type": (
        REDIS,
        "target: web\nitems: {Login: {of: [9, 9, key], types: {hash: 8, string: 1}}}",
        {"RED009 Login"},
    ),
    "a stream beyond its bound": (
        REDIS,
        "target: web\nitems: {Job: {of: [1, 1, key], types: {stream: 1}, lengths: [900]}}",
        {"RED010 Job"},
    ),
    "a stream that has a node more": (
        REDIS,
        "target: web\nitems: {Job: {of: [1, 1, key], types: {stream: 1}, lengths: [180]}}",
        set(),
    ),
    "a group that does not acknowledge": (
        REDIS,
        "target: web\nitems: {Job: {of: [1, 1, key], types: {stream: 1}, lengths: [100], pending: [3, 20000]}}",
        {"RED010 Job"},
    ),
    "a large value": (
        REDIS,
        "target: web\nitems: {Login: {of: [1, 9, key], types: {hash: 1}, bytes: [5000000]}}",
        {"RED011 Login"},
    ),
    "a snapshot that failed": (REDIS, "target: web\nfigures: {rdb_last_bgsave_status: err}", {"RED006 web"}),
    "a primary that is lost": (REDIS, "target: web\nfigures: {master_link_status: down}", {"MON005 web"}),
}


@pytest.mark.parametrize("case", CASES)
def test_an_observation_has_its_findings(case: str, tmp_path: Path) -> None:
    models, observed, codes = CASES[case]
    findings = findings_of_live(tmp_path, {CASE: with_imports(models), OBSERVED: observed})
    assert {f"{finding.code} {finding.object}" for finding in findings} == codes


def test_a_finding_contains_the_sample_size(tmp_path: Path) -> None:
    observed = "target: web\nitems: {Login: {of: [1000, 52000, key], types: {hash: 1000}, expiries: {missing: 3}}}"
    (finding,) = findings_of_live(tmp_path, {CASE: with_imports(REDIS), OBSERVED: observed})
    assert finding.message == "3 of 1,000 keys sampled (of about 52,000) never expire, and all should"


def test_findings_of_models_are_not_repeated_for_live_stores(tmp_path: Path) -> None:
    models = MONGODB.replace("Annotated[list[Comment], Field(max_length=50)]", "list[Comment]")
    observed = f"target: blog\n{INDEX}figures: {{lag_seconds: 60, connections: 900, connections_most: 1000}}\n"
    observed += "items: {Post: {of: [9, 9, document], lists: {comments: [700]}}}"
    findings = findings_of_live(tmp_path, {CASE: with_imports(models), OBSERVED: observed})
    counts = Counter(finding.code for finding in findings)
    assert (counts["MDB001"], counts["MDB002"], counts["MON005"]) == (1, 1, 2)


def test_no_observation_crashes_a_rule(prod: api.Compiled) -> None:
    context = context_of(prod)
    for many in (0, 1, 10**9):
        report = evaluate_live(prod, _everything(context, many), TODAY)
        assert [finding.message for finding in report.findings if finding.code == "RUN001"] == []


def test_stores_as_the_models_have_them_add_no_finding(prod: api.Compiled) -> None:
    context = context_of(prod)
    live_targets = [
        LiveTarget(context=context, target=target, observation=Observation(), live=target) for target in context.targets
    ]
    assert _codes(evaluate_live(prod, live_targets, TODAY).findings) == _codes(evaluate_models(prod, TODAY).findings)


def test_rules_for_models_check_unmanaged_objects_too(prod: api.Compiled) -> None:
    context = context_of(prod)
    target = next(
        target_in_environment
        for target_in_environment in context.of("mongodb")
        if target_in_environment.declared.name == "content"
    )
    posts = next(collection for collection in target.placed.collections if collection.name == "posts")
    index = next(index for index in posts.indexes if len(index.keys) > 1)
    shorter = replace(index, name="by_hand", keys=index.keys[:1])
    more = tuple(
        replace(collection, indexes=(*collection.indexes, shorter)) if collection is posts else collection
        for collection in target.placed.collections
    )
    live = replace(target, declared=replace(target.declared, collections=more))
    live_targets = [LiveTarget(context=context, target=target, observation=Observation(), live=live)]
    before, after = evaluate_models(prod, TODAY).findings, evaluate_live(prod, live_targets, TODAY).findings
    (finding,) = [finding for finding in after if finding not in before]
    assert (finding.code, finding.object) == ("MDB106", "Post.by_hand")
    assert finding.message.startswith("on the live server, ")
    assert finding.fix is None


def test_a_rule_that_needs_a_live_store_may_be_ignored_without_one(tmp_path: Path) -> None:
    models = REDIS.replace('role="sessions")', 'role="sessions", ignores=[kw.ignore("RED013", reason="it is known")])')
    files = {CASE: with_imports(models), OBSERVED: "target: web\nfigures: {used_memory: 1}"}
    assert [finding.code for finding in findings_of_live(tmp_path, files)] == ["SUP003"]
    with imported_alone(tmp_path):
        assert evaluate_models(api.compile(api.load(str(tmp_path)), "dev"), TODAY).findings == ()


def _codes(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return sorted((finding.code, finding.object) for finding in findings)


_SCANNED = ExplainedPattern(calls=1, stages=("COLLSCAN", "SORT"))


def _everything(context: RuleContext, many: int) -> Iterator[LiveTarget]:
    """Every target with every possible observation, in this number."""
    items = Items(
        sample=SampleSize(many, many, "item"),
        bytes=(many,),
        lists={"comments": (many,), "nothing": (many,)},
        misfits={"what": many},
        versions={0: many, 1: many, 99: many},
        expiries=dict.fromkeys(EXPIRIES, many),
        wrong={"nothing": many},
        orphans={"author_id": (many, many)},
        types={"string": many, "": many},
        lengths=(many,),
        pending=(many,),
    )
    names = (
        "maxmemory", "used_memory", "keys", "keys_expiring", "mem_fragmentation_ratio", "mem_fragmentation_bytes",
        "schemas", "hints_seconds", "compactions_pending", "lag_seconds", "connections", "connections_most",
    )  # fmt: skip
    words = {"maxmemory_policy": "volatile-lru", "rdb_last_bgsave_status": "err", "status": "GONE"}
    figures = {**dict.fromkeys(names, many), **words}
    for target_in_environment in context.targets:
        entities = [
            binding.name
            for binding in context.bindings(target_in_environment.engine)
            if binding.physical.name == target_in_environment.declared.name
        ]
        tables = dict.fromkeys(
            ("bytes", "index_bytes", "scans", "partition_mb_most", "tombstones_p99", "tombstones_most"), many
        )
        observation = Observation(
            items=dict.fromkeys(entities, items),
            places={"place": tuple(entities)},
            unknown_items={"place": (many, SampleSize(many))},
            indexes=(LiveIndex(table="place", name="way", uses=many, days=many, items=many),),
            explained=dict.fromkeys((pattern.name for pattern in context.design.patterns), _SCANNED),
            tables={"place": tables},
            figures=figures,
            unseen=("something: no",) * min(many, 2),
        )
        yield LiveTarget(
            context=context, target=target_in_environment, observation=observation, live=target_in_environment
        )
