"""A version that `migrate new` has written, with a transform that adds one: on every engine, by the command line."""

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.live.daily import Daily
from tests.live.test_cases import STACK
from tests.projects import with_imports

from keywright.engines.contract.pages import Pages
from keywright.ir.json import Json
from keywright.local import Running
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import Settings
from keywright.record import replace

COUNT = itertools.count()

pytestmark = pytest.mark.live

STORES = {
    "dynamodb": ('table = kw.DynamoTable("bump")', 'kw.Item(table, pk="READER#{id}", sk="READER")', "dynamodb"),
    "mongodb": ('home = kw.MongoDatabase("bump")', 'kw.Collection(home, "readers", id="{id}")', "mongodb/bump"),
    "cassandra": ('home = kw.Keyspace("bump")', 'kw.CqlTable(home, "readers", partition="id")', "cassandra/bump"),
    "redis": ('home = kw.RedisServer("bump", role="primary")', 'kw.RedisHash(home, key="r:{id}")', "redis/bump"),
    "redis json": ('home = kw.RedisServer("bump", role="primary")', 'kw.RedisString(home, key="r:{id}")', "redis/bump"),
    "redis text": (
        'home = kw.RedisServer("bump", role="primary")', 'kw.RedisString(home, key="r:{id}", ttl=timedelta(hours=1))',
        "redis/bump",
    ),
}  # fmt: skip
"""What holds the readers, how, and the name of the store."""

MODELS = """
    from datetime import timedelta

    {home}

    class Reader(BaseModel):
        __store__: ClassVar = {store}
        id: str
        score: int
        {more}
"""

BUMP = '''"""One more for everybody."""

READS, WRITES = ("score",), ("score",)


def transform(item):
    return {"score": type(item["score"])(int(item["score"]) + 1)}
'''


KEYS = {
    "dynamodb": {"pk": "READER#{}", "sk": "READER", "id": "{}"}, "mongodb": {"_id": "{}"}, "cassandra": {"id": "{}"},
    "redis": {"key": "r:{}"},
}  # fmt: skip
"""What makes up the key of an item."""


class Bump:
    """The project, and the items of its readers."""

    def __init__(self, project: Daily, store: str) -> None:
        self.project, self.store, self.keys = project, store, list[Json]()

    def put(self, *scores: int) -> None:
        """Store readers with these scores, as they are before the version."""
        with self.pages() as pages:
            for number, score in enumerate(scores, start=len(self.keys)):
                named = {name: text.format(number) for name, text in KEYS[self.store.partition("/")[0]].items()}
                self.keys.append(pages.put({**named, "score": score}))

    def scores(self) -> list[int]:
        """The scores that they have, and no sign of a pass."""
        with self.pages() as pages:
            items = pages.find(self.keys)
        assert not any(name.startswith(("_kw_m", "kw_m")) for item in items if item for name in item.values)
        return [int(item.values["score"]) for item in items if item]

    def clear(self) -> None:
        """Remove the readers."""
        with self.pages() as pages:
            for key in self.keys:
                pages.remove(key)

    @contextmanager
    def pages(self) -> Iterator[Pages]:
        with self.project.site(self.store) as site:
            first = read_folder(Settings(self.project.root)).migrations[0]
            ((target, described),) = first.snapshot.stores[site.store].items()
            work = site.engine.work(site.place(target, described), "Reader")
            yield site.driver.pages(replace(work, reads=("score",), writes=("score",)))


def a_bump(kind: str, root: Path, start: Callable[..., Running], patch: pytest.MonkeyPatch, lease: float = 60) -> Bump:
    """A project whose first version is applied, and whose second one adds 1.

    lease: seconds after which a holder of its locks that gives no sign is taken for dead.
    """
    home, store, name = STORES[kind]
    engine = name.partition("/")[0]
    server = start(engine, f"bump{next(COUNT)}" if engine == "redis" else "")  # it is a store as a whole
    patch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", server.url)
    models = MODELS.format(home=home, store=store, more="" if kind == "redis text" else "name: str | None = None")
    daily = Daily(root / "library", with_imports(models), lease, STACK)
    for words in (("diff", "-m", "first"), ("apply", "--local"), ("new", "bump", "--store", name)):
        said = daily(*words)
        assert said.code == 0, said
    (daily.root / "migrations" / "0002_bump" / "backfill_bump.py").write_text(BUMP, encoding="utf-8")
    assert daily("diff", "--amend").code == 0
    return Bump(daily, name)


@pytest.fixture(params=STORES)
def bump(
    request: pytest.FixtureRequest, tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bump]:
    created = a_bump(request.param, tmp_path, start, monkeypatch)
    yield created
    created.clear()


def test_one_is_added_once(bump: Bump) -> None:
    bump.put(100, 200, 300)
    assert bump.project("apply", "--local").code == 4
    for _ in range(2):
        project = bump.project("apply", "--local", "--ack", "0002/10")
        assert project.code == 0, project
    assert bump.scores() == [101, 201, 301]
    project = bump.project.keywright("drift", "--local")
    assert project.code == 0, project


def test_marks_are_neither_drift_nor_in_the_way_of_others(bump: Bump) -> None:
    """A pass that was broken off leaves marks, and what they need, until it is finished."""
    bump.put(100, 200)
    folder = bump.project.root / "migrations" / "0002_bump"
    text = BUMP.replace("    return", "    if int(item['score']) == 200:\n        raise ValueError(item)\n    return")
    (folder / "backfill_bump.py").write_text(text, encoding="utf-8")
    assert bump.project("diff", "--amend").code == 0
    project = bump.project("apply", "--local", "--ack", "0002/10")
    assert (project.code, "200" in project.out + project.err) == (5, False), project
    project = bump.project.keywright("drift", "--local")
    assert project.code == 0, project
    assert bump.project.keywright("inspect", "--local").code == 0
    bump.keys.pop()
    bump.put(250)
    project = bump.project("backfill", "0002/20", "--local", "--retry-quarantine")
    assert project.code == 0, project
    project = bump.project("apply", "--local")
    assert project.code == 0, project
    assert bump.scores() == [101, 251]


SECRET = 987_654_321
"""A score that nobody is told of."""

RETURNED = {
    "raised": "raise ValueError(f\"{item} {item['score']}\")",
    "as no value": 'return {"score": [item, object()]}',
}


@pytest.mark.parametrize("how", RETURNED)
def test_nothing_of_an_item_is_told_or_kept_in_the_history(bump: Bump, how: str) -> None:
    bump.put(SECRET)
    folder = bump.project.root / "migrations" / "0002_bump"
    text = BUMP.partition("    return")[0] + f"    {RETURNED[how]}\n"
    (folder / "backfill_bump.py").write_text(text, encoding="utf-8")
    assert bump.project("diff", "--amend").code == 0
    words = [("apply", "--local", "--ack", "0002/10"), ("status", "--local"), ("backfill", "0002/20", "--local")]
    projects = [bump.project(*word, *form) for word in words for form in ((), ("--format", "json"))]
    assert [entry for entry in projects if str(SECRET) in entry.out + entry.err] == []
    assert {entry.code for entry in projects} <= {0, 1, 2, 4, 5}
    with bump.project.site(bump.store) as site:
        assert str(SECRET) not in json.dumps(site.ledger.rows(""))


def test_a_transform_that_items_cannot_go_through_is_mended_on_the_way(bump: Bump) -> None:
    bump.put(100, 200)
    folder = bump.project.root / "migrations" / "0002_bump"
    text = BUMP.replace("    return", "    if int(item['score']) == 200:\n        raise ValueError\n    return")
    (folder / "backfill_bump.py").write_text(text, encoding="utf-8")
    assert bump.project("diff", "--amend").code == 0
    project = bump.project("apply", "--local", "--ack", "0002/10")
    assert (project.code, "resolve 0002 --as amended --reason TEXT" in project.err) == (5, True), project
    resolve = ("resolve", "0002", "--as", "amended", "--reason", "it met 200", "--local")
    assert bump.project(*resolve).code == 2, "nothing is edited yet"
    (folder / "backfill_bump.py").write_text(BUMP, encoding="utf-8")
    assert bump.project("diff", "--amend").code == 0
    project = bump.project("apply", "--local")
    assert (project.code, "resolve 0002 --as amended --reason TEXT" in project.err) == (4, True), project
    assert bump.project(*resolve).code == 0
    project = bump.project("apply", "--local")
    assert (project.code, "`keywright migrate backfill 0002/20 --restart`" in project.err) == (5, True), project
    assert bump.project("backfill", "0002/20", "--local", "--restart").code == 0
    assert bump.project("apply", "--local").code == 0
    assert bump.scores() == [101, 201], "each went through one of the two, once"
    with bump.project.site(bump.store) as site:
        (amended,) = site.ledger.rows("0002/amended/").values()
    assert amended["before"] != amended["after"]
    assert amended["reason"] == "it met 200"
    project = bump.project("backfill", "0002/20", "--local", "--restart")
    assert (project.code, "0002/20 is done" in project.err) == (4, True), project
    (folder / "backfill_bump.py").write_text(text, encoding="utf-8")
    assert bump.project("diff", "--amend").code == 0
    project = bump.project(*resolve)
    assert (project.code, "and an applied migration never changes" in project.err) == (4, True), project
