"""`keywright migrate test --live`: cases of transforms on real servers, in each engine, and the example's own."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.test_migrate_documents import held_against
from tests.live.backfill_worlds import WORLDS
from tests.live.daily import Daily
from tests.projects import with_imports

from keywright.api.author.cases import read_cases
from keywright.api.live.connect import StoreSelector
from keywright.api.migrate.live_cases import try_live
from keywright.api.migrate.locks import CommandWatcher
from keywright.local import Running
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import read_settings

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]

STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb, name-prefix: "{prefix}"}}
    mongodb: {{flavour: mongodb, version: "6.0", database-prefix: "{prefix}"}}
    cassandra: {{flavour: cassandra, version: "5.0", datacentres: {{dc1: 1}}, keyspace-prefix: "{prefix}"}}
    redis: {{flavour: redis, version: "7.2"}}
"""

STORES = {
    "Order": 'kw.Item(table, pk="ORDER#{id}", sk="ORDER"',
    "Book": 'kw.Collection(database, "books", id="{id}"',
    "Reading": 'kw.CqlTable(keyspace, "readings", partition="id"',
    "Cart": 'kw.RedisHash(server, key="cart:{id}"',
}
"""Where the items of each entity are, but for further options."""

NAMES = {
    "Order": ["dynamodb", "pk", "ORDER#{}"],
    "Book": ["mongodb/cases", "_id", "{}"],
    "Reading": ["cassandra/cases", "id", "{}"],
    "Cart": ["redis/cases", "key", "cart:{}"],
}
"""Store of each entity, and by what its items are known."""

UPGRADE = (
    ', schema_version=2, upgrades={1: kw.Upgrade(copy={"pages": "length", "short": "name"}, cast={"pages": "int"})}'
)


HOMES = {
    "Order": 'table = kw.DynamoTable("cases")',
    "Book": 'database = kw.MongoDatabase("cases")',
    "Reading": 'keyspace = kw.Keyspace("cases")',
    "Cart": 'server = kw.RedisServer("cases", role="primary")',
}
"""What holds each entity."""

CLASS = """
class {name}(BaseModel):
    __store__: ClassVar = {store})
    id: str
    length: str | None = None
    name: Annotated[str, Field(max_length=80)] | None = None
"""

MORE = """
    pages: int | None = None
    short: Annotated[str, Field(max_length=8)] | None = None
"""


def a_project(root: Path, *entities: str) -> Daily:
    """A project whose second version sends the items of these entities through a transform."""
    homes = "\n".join(HOMES[entity] for entity in entities)

    def models(upgrade: str, more: str) -> str:
        classes = (CLASS.format(name=entity, store=STORES[entity] + upgrade) + more for entity in entities)
        return with_imports(homes, *classes)

    daily = Daily(root, models("", ""), stack=STACK)
    assert daily("diff", "-m", "first").code == 0
    daily.becomes(models(UPGRADE, MORE))
    assert daily("diff", "-m", "pages").code == 0
    return daily


def items(entity: str) -> dict[str, tuple[dict[str, Any], dict[str, Any] | None]]:
    """A case of each kind; `refused` is one that only MongoDB has a validator against."""
    _, key, text = NAMES[entity]

    def item(number: int, **values: Any) -> dict[str, Any]:
        return {key: text.format(number), **({"sk": "ORDER"} if key == "pk" else {}), **values}

    long = {"length": "7", "name": "a long name"}
    return {
        "right": (item(1, length="12", name="Emma"), item(1, length="12", name="Emma", pages=12, short="Emma")),
        "wrong": (item(2, length="12"), item(2, length="12", pages=13)),
        "quarantined": (item(3, length="many"), None),
        "not quarantined": (item(4, length="4"), None),
        "refused": (item(5, **long), item(5, **long, pages=7, short="a long name")),
    }


@pytest.fixture(scope="module")
def servers(start: Callable[..., Running]) -> Iterator[None]:
    """Servers for this module alone; of Redis the command starts its own."""
    with pytest.MonkeyPatch.context() as patch:
        for engine in ("mongodb", "cassandra", "dynamodb"):
            patch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", start(engine, "cases").url)
        yield


def write(project: Daily, entity: str, cases: list[Any]) -> None:
    """The cases of an entity, for its backfill."""
    folder = project.root / "migrations" / "0002_pages"
    steps = yaml.safe_load((folder / "migration.yaml").read_text(encoding="utf-8"))["steps"]
    (step,) = [step["n"] for step in steps if step.get("object") == f"cases/shape/{entity}"]
    text = f"STEP = {step}\nCASES = {cases!r}\n"
    (folder / f"test_{entity.lower()}.py").write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("servers")
def test_every_engine_tells_what_becomes_of_right_wrong_and_quarantined_items(tmp_path: Path) -> None:
    project = a_project(tmp_path / "library", *STORES)
    for entity in STORES:
        write(project, entity, list(items(entity).values()))
    said = project("test", "0002", "--live", "--format", "json")
    assert said.code == 1, said
    held_against("migrate-test", json.loads(said.out))
    result: dict[tuple[str, str], Any] = {}
    for load in json.loads(said.out)["cases"]:
        if load.get("live"):
            entity = next(name for name in STORES if load["file"] == f"test_{name.lower()}.py")
            result[entity, [*items(entity)][load["case"] - 1]] = load
    assert len(result) == 4 * 5
    for entity in STORES:
        number = str if entity == "Cart" else int
        cases = items(entity)

        def told(kind: str, entity: str = entity) -> tuple[Any, ...]:
            entry = result[entity, kind]
            item = None if entry["found"] is None else eval(entry["found"])
            return entity, entry["right"], item, entry["reason"]

        assert told("right") == (entity, True, {**cases["right"][0], "pages": number(12), "short": "Emma"}, None)
        assert told("wrong") == (entity, False, {**cases["wrong"][0], "pages": number(12)}, None)
        assert told("quarantined") == (entity, True, None, '"pages" is a str that cannot be read as int')
        assert told("not quarantined") == (entity, False, {**cases["not quarantined"][0], "pages": number(4)}, None)
        if entity == "Book":
            why = "the collection's validator rejects the new document"
            assert told("refused") == (entity, False, None, why)
        else:
            after = {**cases["refused"][0], "pages": number(7), "short": "a long name"}
            assert told("refused") == (entity, True, after, None)


UNFIT = {
    'test_book.py case 1 has no "_id"\n  help: to be stored, each item needs its key: "_id"': [({"length": "1"}, None)],
    "test_book.py case 2 has the key of 0002_pages/test_book.py case 1\n": [({"_id": "1"}, None), ({"_id": "1"}, None)],
    "test_book.py case 1 cannot be stored: ": [({"_id": "1", "length": {"1"}}, None)],
    "test_book.py case 1 is rejected by mongodb/cases: Document failed validation": [({"_id": "1", "length": 1}, None)],
}


@pytest.mark.usefixtures("servers")
def test_an_item_that_cannot_be_stored_is_named(tmp_path: Path) -> None:
    project = a_project(tmp_path / "library", "Book")
    said: dict[str, Any] = {}
    for prefix, (expected, cases) in enumerate(UNFIT.items()):
        stack = STACK.format(prefix=f"{project.prefix}{prefix}_")
        (project.root / "stacks" / "Pulumi.dev.yaml").write_text(stack, encoding="utf-8")
        write(project, "Book", cases)
        said[expected] = project("test", "--live")
    assert {words: said[words].code for words in UNFIT} == dict.fromkeys(UNFIT, 2)
    assert [words for words in UNFIT if f"error: 0002_pages/{words}" not in said[words].err] == []


PYTHON = """\
READS, WRITES = ("name",), ("name",)


def transform(item):
    return {"name": item["name"].title()}
"""


@pytest.mark.usefixtures("servers")
def test_every_version_with_cases_is_tried_also_one_in_python(tmp_path: Path) -> None:
    project = a_project(tmp_path / "library", "Book")
    write(project, "Book", [items("Book")["right"], items("Book")["refused"]])
    assert project("new", "tidy", "--store", "mongodb/cases").code == 0
    folder = project.root / "migrations" / "0003_tidy"
    cases = [
        ({"_id": "1", "name": "emma"}, {"_id": "1", "name": "Emma"}),
        ({"_id": "2", "name": "Persuasion"}, {"_id": "2", "name": "persuasion"}),
        ({"_id": "3"}, None),
    ]
    (folder / "backfill_tidy.py").write_text(PYTHON, encoding="utf-8")
    (folder / "test_tidy.py").write_text(f"CASES = {cases!r}\n", encoding="utf-8")
    assert project("diff", "--amend").code == 0
    said = project("test", "--live")
    *lines, last = said.out.splitlines()
    assert (said.code, last.rpartition(" (")[0]) == (1, "5 cases, 2 failed on real servers")
    assert lines == [
        "failed 0003_tidy/test_tidy.py case 2",
        "  expected {'_id': '2', 'name': 'persuasion'}",
        "  actual   {'_id': '2', 'name': 'Persuasion'}",
        "5 cases, 1 failed",
        "failed 0002_pages/test_book.py case 2 (live)",
        "  expected {'_id': '5', 'length': '7', 'name': 'a long name', 'pages': 7, 'short': 'a long name'}",
        "  actual   quarantine: the collection's validator rejects the new document",
        "failed 0003_tidy/test_tidy.py case 2 (live)",
        "  expected {'_id': '2', 'name': 'persuasion'}",
        "  actual   {'_id': '2', 'name': 'Persuasion'}",
    ]


@pytest.mark.usefixtures("servers")
def test_cases_are_tried_again_on_servers_of_their_own(tmp_path: Path) -> None:
    project = a_project(tmp_path / "library", "Book")
    write(project, "Book", [items("Book")["right"]])
    assert project("test", "--live").out.splitlines()[1].startswith("1 case, 0 failed on real servers (")
    assert project("test", "--live").out.splitlines()[1].startswith("1 case, 0 failed on real servers (")


@pytest.mark.usefixtures("servers")
def test_the_example_is_right_on_real_servers() -> None:
    where = StoreSelector(read_settings(ROOT), "dev", is_local=True)
    results = try_live(
        where, read_cases(read_folder(where.settings), "0006"), tell=lambda event: None, watcher=CommandWatcher()
    )
    assert [(str(result.case), result.is_right, result.is_live) for result in results] == [
        (f"0006_readers_have_two_names/test_readers.py case {number}", True, True) for number in (1, 2)
    ]


KEYS = {
    "mongodb": {"_id": 7},
    "dynamodb": {"pk": "THING#7", "sk": "THING"},
    "cassandra": {"part": "many", "place": 7},
    "redis": {"key": "{begin}7"},
}


@pytest.mark.parametrize("engine", KEYS)
def test_what_is_put_is_found_and_can_be_removed(engine: str, start: Callable[..., Running]) -> None:
    with WORLDS[engine](start(engine, "cases")) as world:
        begin = dict(world.place.get("keys", ())).get("key", "").partition("{")[0]
        key = {name: entry.format(begin=begin) if type(entry) is str else entry for name, entry in KEYS[engine].items()}
        pages = world.driver.pages(world.work(reads=("status", "note"), writes=()))
        assert pages.keyed_by == tuple(key)
        for item in ({**key, "status": "new", "note": "x"}, {**key, "status": "paid", "note": "y"}):
            created = pages.put(item)
            (stored_item,) = pages.find([created])
            assert stored_item is not None
            kept = {"_kw_type": "Thing"} if engine == "dynamodb" else {}
            assert (stored_item.key, {**key, **stored_item.values}) == (created, {**item, **kept})
        pages.remove(created)
        assert pages.find([created]) == (None,)


NOTHING: dict[str, Any] = {"reads": (), "writes": ()}


def test_what_is_not_held_or_of_another_entity_is_not_put(start: Callable[..., Running]) -> None:
    with WORLDS["redis"](start("redis", "cases")) as world:
        begin = world.place["keys"][0][1].partition("{")[0]
        with pytest.raises(ValueError, match="its key does not match the key template of the entity"):
            world.driver.pages(world.work(**NOTHING)).put({"key": "other:1", "status": "new"})
        with pytest.raises(ValueError, match="a hash cannot contain null"):
            world.driver.pages(world.work(**NOTHING)).put({"key": f"{begin}1", "status": None})
        text = world.driver.pages(world.work(kind="string", **NOTHING))
        created = text.put({"key": f"{begin}1", "status": None, "lines": [1]})
        assert [item and item.values for item in text.find([created])] == [{"status": None, "lines": [1]}]
    with WORLDS["cassandra"](start("cassandra", "cases")) as world:
        pages = world.driver.pages(world.work(**NOTHING))
        with pytest.raises(ValueError, match='a row cannot contain null: omit "status"'):
            pages.put({"part": "p", "place": 1, "status": None})
        with pytest.raises(ValueError, match="Received an argument of invalid type for column"):
            pages.put({"part": "p", "place": [1]})
    with WORLDS["dynamodb"](start("dynamodb", "cases")) as world:
        keys = (("pk", "THING#{id}"), ("sk", "THING"))
        with pytest.raises(ValueError, match="its key or discriminator is of another entity"):
            world.driver.pages(world.work(discriminator=None, keys=keys, **NOTHING)).put(
                {"pk": "ORDER#1", "sk": "ORDER"}
            )
