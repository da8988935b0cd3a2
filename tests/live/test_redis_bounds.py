"""Increments in transactions on real servers: a number that Redis cannot hold leaves all of the transaction undone."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from redis import Redis
from tests.live.conftest import Start
from tests.projects import a_project, imported_alone, with_imports

from keywright import runtime
from keywright.errors import UsageError
from keywright.record import Record

pytestmark = pytest.mark.live

MODELS = """
server = kw.RedisServer("bounds", role="primary")

Id = Annotated[str, Field(pattern="^[a-z]{1,9}$")]

class Log(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="log:{log_id}", keep_forever="all")
    log_id: Id
    text: str

class Total(BaseModel):
    __store__: ClassVar = kw.RedisCounter(server, key="total:{name}", value="count", keep_forever="all")
    name: Id
    count: int = 0

class Account(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="account:{name}", keep_forever="all")
    name: Id
    cents: int = 0
    share: float = 0.0

class Rank(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(
        server, key="ranks:{team}", member="{name}", score="points", max_length=50, keep_forever="all"
    )
    team: Id
    name: Id
    points: int

class Weight(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(
        server, key="weights:{team}", member="{name}", score="grams", max_length=50, keep_forever="all"
    )
    team: Id
    name: Id
    grams: float

put_account = kw.Put(Account)
put_rank = kw.Put(Rank)
put_weight = kw.Put(Weight)
count = kw.Increment(Total, "count")
total = kw.Get(Total)
count_and_log = kw.Transact([kw.Put(Log), kw.Increment(Total, "count")])
pay_and_log = kw.Transact([kw.Put(Log), kw.Increment(Account, "cents")])
share_and_log = kw.Transact([kw.Put(Log), kw.Increment(Account, "share")])
score_and_log = kw.Transact([kw.Put(Log), kw.Increment(Rank, "points")])
weigh_and_log = kw.Transact([kw.Put(Log), kw.Increment(Weight, "grams")])
share = kw.Increment(Account, "share")
weigh = kw.Increment(Weight, "grams")
account = kw.Get(Account)
count_twice = kw.Transact([kw.Increment(Total, "count"), kw.Increment(Total, "count")])
score_twice = kw.Transact([kw.Increment(Rank, "points"), kw.Increment(Rank, "points")])
open_and_pay = kw.Transact([kw.Put(Account), kw.Increment(Account, "cents")])
pay_twice = kw.Transact([kw.Put(Log), kw.Increment(Account, "cents"), kw.Increment(Account, "cents")])
transfer = kw.Transact([kw.Increment(Account, "cents"), kw.Increment(Account, "cents")])
"""
PRODUCTS = ("valkey", "redis")


class Opened(Record):
    """A database that is open, and its models."""

    models: ModuleType
    db: runtime.Database
    client: Any

    def everything(self) -> dict[bytes, bytes]:
        """Every key with all of its value."""
        return {key: self.client.dump(key) for key in self.client.scan_iter()}


@pytest.fixture(params=PRODUCTS)
def opened(start: Start, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    running = start("redis", "bounds", product="" if request.param == "valkey" else request.param)
    client = Redis.from_url(running.url)
    client.flushall()
    with imported_alone(tmp_path):
        product, _, version = running.version.rpartition(" ")
        output = f'{{flavour: {product or "redis"}, version: "{".".join(version.split(".")[:2])}"}}'
        stack = f"config:\n  keywright:environment:\n    mode: dev\n    redis: {output}\n"
        a_project(tmp_path, {"models/bounds.py": with_imports(MODELS), "stacks/Pulumi.dev.yaml": stack})
        sys.path.insert(0, str(tmp_path))
        models = import_module("models.bounds")
        yield Opened(models, runtime.open(models, environment="dev", redis=client), client)
    client.flushall()
    client.close()


MOST = 2**63 - 1

WRONG: list[tuple[str, Any, dict[str, Any], Any]] = [
    ("count_and_log", None, {"name": "n"}, 1),
    ("pay_and_log", ("put_account", "Account", {"name": "n", "cents": MOST}), {"name": "n"}, 1),
    ("pay_and_log", ("put_account", "Account", {"name": "n", "cents": -MOST}), {"name": "n"}, -2),
    ("share_and_log", ("put_account", "Account", {"name": "n", "share": 1.7e308}), {"name": "n"}, 1.7e308),
    ("share_and_log", ("put_account", "Account", {"name": "n", "share": -1.7e308}), {"name": "n"}, -1.7e308),
    ("score_and_log", ("put_rank", "Rank", {"team": "t", "name": "n", "points": 2**53 - 1}),
     {"team": "t", "name": "n"}, 1),
    ("weigh_and_log", ("put_weight", "Weight", {"team": "t", "name": "n", "grams": 1.7e308}),
     {"team": "t", "name": "n"}, 1.7e308),
]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "before", "key", "by"), WRONG, ids=[f"{entry[0]}{at}" for at, entry in enumerate(WRONG)]
)
def test_a_number_that_is_too_large_undoes_what_stands_beside_it(
    opened: Opened, call: str, before: Any, key: dict[str, Any], by: Any
) -> None:
    models, db = opened.models, opened.db
    if before is None:
        models.count(db, **key, by=MOST)
    else:
        put, model, values = before
        getattr(models, put)(db, getattr(models, model)(**values))
    stored = opened.everything()
    with pytest.raises(runtime.ConditionFailed):
        getattr(models, call)(db, models.Log(log_id="l", text="x"), {**key, "by": by})
    assert opened.everything() == stored


@pytest.mark.parametrize("by", [(1, 1), (2**62, 2**62), (-1, 2)])
def test_two_increments_of_one_number_leave_nothing_half_done(opened: Opened, by: tuple[int, int]) -> None:
    models, db = opened.models, opened.db
    models.put_account(db, models.Account(name="n", cents=MOST - 1))
    stored = opened.everything()
    steps = [{"name": "n", "by": step} for step in by]
    with pytest.raises(UsageError, match="written twice in one transaction"):
        models.pay_twice(db, models.Log(log_id="l", text="x"), *steps)
    with pytest.raises(UsageError, match="written twice in one transaction"):
        models.count_twice(db, *steps)
    with pytest.raises(UsageError, match="written twice in one transaction"):
        models.score_twice(db, *({"team": "t", "name": "n", "by": entry} for entry in (1, 2)))
    with pytest.raises(UsageError, match="written twice in one transaction"):
        models.open_and_pay(db, models.Account(name="n", cents=MOST), {"name": "n", "by": 1})
    assert opened.everything() == stored


def test_increments_of_several_numbers_are_one_transaction(opened: Opened) -> None:
    models, db = opened.models, opened.db
    models.put_account(db, models.Account(name="a", cents=5))
    models.put_account(db, models.Account(name="b", cents=5))
    models.transfer(db, {"name": "a", "by": -3}, {"name": "b", "by": 3})
    models.score_twice(db, {"team": "t", "name": "a", "by": 1}, {"team": "t", "name": "b", "by": 2})
    assert [models.account(db, name=name).cents for name in "ab"] == [2, 8]
    assert opened.client.zrange("ranks:t", 0, -1, withscores=True) == [(b"a", 1.0), (b"b", 2.0)]


@pytest.mark.parametrize("by", [1.7e308, -1.7e308])
def test_a_float_never_leaves_what_a_float_holds(opened: Opened, by: float) -> None:
    models, db = opened.models, opened.db
    models.put_account(db, models.Account(name="n"))
    models.share(db, name="n", by=by)
    models.weigh(db, team="t", name="n", by=by)
    stored = opened.everything()
    for step in (by, by / 2):
        with pytest.raises(runtime.ConditionFailed):
            models.share(db, name="n", by=step)
        with pytest.raises(runtime.ConditionFailed):
            models.weigh(db, team="t", name="n", by=step)
    assert opened.everything() == stored
    models.share(db, name="n", by=-by)
    assert models.account(db, name="n").share == 0


@pytest.mark.parametrize("stored", ["nan", "inf", "-inf"])
def test_a_number_that_is_none_undoes_what_stands_beside_it(opened: Opened, stored: str) -> None:
    models, db = opened.models, opened.db
    opened.client.hset("account:n", mapping={"name": "n", "cents": 1, "share": stored})
    before = opened.everything()
    with pytest.raises(runtime.ConditionFailed):
        models.share_and_log(db, models.Log(log_id="l", text="x"), {"name": "n", "by": 1.5})
    assert opened.everything() == before


def test_an_infinite_score_stays_infinite(opened: Opened) -> None:
    models, db = opened.models, opened.db
    models.put_weight(db, models.Weight(team="t", name="n", grams=float("inf")))
    models.weigh_and_log(db, models.Log(log_id="l", text="x"), {"team": "t", "name": "n", "by": -2.5})
    assert opened.client.zscore("weights:t", "n") == float("inf")
