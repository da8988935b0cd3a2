"""An application in three schema versions, each opened on the same store of one engine."""

import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.projects import a_project, imported_alone, with_imports

from keywright import api, runtime
from keywright.access.path import NotServed
from keywright.compiler import localised
from keywright.engines.contract.pages import Work
from keywright.engines.interface import Driver
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.record import Record, replace

COUNT = itertools.count()

STORES = {
    "dynamodb": ('kw.DynamoTable("{name}")', 'kw.Item(home, pk="T#{{k}}", sk="T", {more})'),
    "mongodb": ('kw.MongoDatabase("{name}")', 'kw.Collection(home, "things", id="{{k}}", {more})'),
    "cassandra": ('kw.Keyspace("{name}")', 'kw.CqlTable(home, "things", partition="k", {more})'),
    "redis": ('kw.RedisServer("{name}", role="primary")', 'kw.RedisHash(home, key="t:{{k}}", {more})'),
}
"""By engine: the physical thing and the store."""

SPREAD = {
    "copies": ('kw.DynamoTable("{name}")', 'kw.Item(home, pk="T#{{k}}", sk="T", read_copies=3, {more})'),
    "shards": ('kw.DynamoTable("{name}")', 'kw.Item(home, pk="T#{{k}}#{{:shard(4)}}", sk="T", {more})'),
}
"""Stores of DynamoDB that keep an item several times, or in one of several places."""

UNIQUE = (
    'kw.MongoDatabase("{name}")',
    'kw.Collection(home, "things", id="{{k}}", indexes=[kw.Index("mail", unique=True)], {more})',
    """
label_by_mail = kw.Update(Thing, eq="mail", sets="label")
state_by_mail = kw.Update(Thing, eq="mail", sets="state")
add_by_mail = kw.Increment(Thing, "count", eq="mail")
push_by_mail = kw.Update(Thing, eq="mail", pushes="tags")
""",
)
"""A store of MongoDB whose documents a unique index finds, with writes that go by it."""

UPGRADES = {1: 'kw.Upgrade(map={"state": {"new": "open"}})', 2: 'kw.Upgrade(map={"label": {"a": "b"}})'}
"""How each version becomes the next one."""

MODELS = """
home = {home}

class Thing(BaseModel):
    __store__: ClassVar = {store}
    k: Annotated[str, Field(max_length=20)]
    state: Annotated[str, Field(max_length=20)] = "new"
    label: Annotated[str, Field(max_length=20)] = "a"
    mail: Annotated[str, Field(max_length=30)] = ""
    count: int = 0
    tags: Annotated[list[Annotated[str, Field(max_length=5)]], Field(max_length=30)] = []

get = kw.Get(Thing)
put = kw.Put(Thing)
set_state = kw.Update(Thing, sets="state")
set_label = kw.Update(Thing, sets="label")
set_judged = kw.Update(Thing, sets="label", where={{"state": "new"}})
add = kw.Increment(Thing, "count")
push = kw.Update(Thing, pushes="tags")
both = kw.Transact([kw.Update(Thing, sets="label"), kw.Put(Thing)])
"""


class App(Record):
    """What one version of the application calls."""

    version: int
    models: ModuleType
    db: runtime.Database

    def serves(self, name: str) -> bool:
        return not isinstance(self.db._rows[id(getattr(self.models, name))].planned.path, NotServed)

    def __call__(self, name: str, **values: Any) -> Any:
        return getattr(self.models, name)(self.db, **values)

    def put(self, key: str, **values: Any) -> None:
        self.models.put(self.db, self.models.Thing(k=key, **values))


class Versioned(Record):
    """A store, and the application in each version."""

    engine: str
    name: str
    url: str
    driver: Driver
    client: Any
    apps: dict[int, App]
    own: Work
    """What a pass needs to find the things."""

    @property
    def home(self) -> str:
        """Where the history of the store is kept."""
        return "kw-history" if self.engine == "dynamodb" else self.name

    def work(self, **options: Any) -> Work:
        return replace(self.own, **options)

    def stored(self, key: str) -> dict[str, Any]:
        """What stands under a key, in whatever form the client gives it."""
        return dict(STORED[self.engine](self.client, self.name, key) or {})


STORED: Mapping[str, Callable[[Any, str, str], Any]] = {
    "dynamodb": lambda client, name, key: client.get_item(
        TableName=name, Key={"pk": {"S": f"T#{key}"}, "sk": {"S": "T"}}, ConsistentRead=True
    ).get("Item"),
    "mongodb": lambda client, name, key: client[name]["things"].find_one({"_id": key}),
    "cassandra": lambda client, name, key: next(
        (row._asdict() for row in client.execute(f"SELECT * FROM {name}.things WHERE k = %s", (key,))), None
    ),
    "redis": lambda client, name, key: client.hgetall(f"t:{key}"),
}


def source(engine: str, name: str, version: int, upgrades: Mapping[int, str]) -> str:
    """The model file of a version."""
    home, store, *patterns = {**STORES, **SPREAD, "unique": UNIQUE}[engine]
    ways = ", ".join(f"{entry}: {upgrades[entry]}" for entry in range(1, version) if entry in upgrades)
    more = f"schema_version={version}, upgrades={{{ways}}}"
    return with_imports(MODELS.format(home=home.format(name=name), store=store.format(more=more)), *patterns)


@contextmanager
def versioned(
    engine: str, server: Running, folder: Path, upgrades: Mapping[int, str] | None = None
) -> Iterator[Versioned]:
    """Three versions on one store, which is as the last one declares it.

    engine: also one of SPREAD, or `unique`.
    """
    kind, engine = engine, {**dict.fromkeys(SPREAD, "dynamodb"), "unique": "mongodb"}.get(engine, engine)
    name = f"versioned{next(COUNT)}"
    url = server.url.replace("http://", f"http://{name}@")
    module: Any = import_module(f"keywright.drivers.{engine}.driver")
    driver = module.connect(url)
    client = module.client(url, **({"decode_responses": False} if engine == "redis" else {}))
    apps: dict[int, App] = {}
    try:
        for version in (3, 2, 1):
            root = folder / f"{name}_{version}"
            root.mkdir()
            with imported_alone(root):
                a_project(root, {"models/things.py": source(kind, name, version, upgrades or UPGRADES)})
                if version == 3:
                    project = api.load(str(root))
                    environment = localised(api.compile(project, "dev").environment, {engine: server.version})
                    (target,) = api.compile(project, environment).targets
                    statements = target.engine.create(target.placed)
                    run([statement for statement in statements if statement.object[:1] != ("settings",)], driver)
                sys.path.insert(0, str(root))
                models = import_module("models.things")
                apps[version] = App(version, models, runtime.open(models, environment="dev", **{engine: client}))
        yield Versioned(engine, name, url, driver, client, apps, target.engine.work(target.placed, "Thing"))
    finally:
        driver.close()
        (client.cluster.shutdown if engine == "cassandra" else client.close)()
