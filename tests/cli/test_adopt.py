"""`keywright adopt` on files, as a new user runs it."""

import json
from pathlib import Path

import pytest

from .conftest import Keywright

SCHEMA = "CREATE KEYSPACE shop WITH replication = {};\nCREATE TABLE shop.users (id uuid PRIMARY KEY, name text);\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("schema.cql").write_text(SCHEMA)


def test_a_schema_file_becomes_a_project(keywright: Keywright) -> None:
    result = keywright("adopt", "schema.cql")
    assert result.out.endswith("1 new entity\n\nnext:\n  keywright check\n")
    assert "class User(BaseModel):" in Path("models/shop.py").read_text()
    assert {path.name for path in Path().iterdir()} >= {"pyproject.toml", "stacks", "models"}
    assert keywright("compile").code == 0


def test_a_second_run_writes_only_what_is_new(keywright: Keywright) -> None:
    keywright("adopt", "schema.cql")
    before = Path("models/shop.py").read_text()
    Path("schema.cql").write_text(f"{SCHEMA}CREATE TABLE shop.orders (id uuid PRIMARY KEY);")
    assert "1 new entity; 1 declared already" in keywright("adopt", "schema.cql").out
    assert Path("models/shop.py").read_text() == before
    added = Path("models/shop_adopted.py").read_text()
    assert "from models.shop import shop\n" in added
    assert "class Order(BaseModel):" in added
    assert "0 new entities; 2 declared already" in keywright("adopt", "schema.cql").out


def dumped(*names: str) -> None:
    """A folder of mongodump with these collections, which have no validators."""
    Path("shop").mkdir(exist_ok=True)
    for name in names:
        metadata = {"indexes": [], "uuid": name, "collectionName": name, "type": "collection"}
        Path(f"shop/{name}.metadata.json").write_text(json.dumps(metadata))


def test_a_second_engine_is_told_the_lines_of_its_stack_file(keywright: Keywright) -> None:
    dumped("orders")
    keywright("adopt", "shop")
    stack = Path("stacks/Pulumi.dev.yaml")
    before = stack.read_text()
    shown = keywright("adopt", "schema.cql").out
    assert stack.read_text() == before
    assert keywright("compile").code == 2
    _, _, lines = shown.partition("add to stacks/Pulumi.dev.yaml, below keywright:environment:\n")
    assert lines.endswith("  keywright check\n")
    stack.write_text(before + lines.removesuffix("  keywright check\n"))
    assert keywright("compile").code == 0
    assert "add to" not in keywright("adopt", "schema.cql").out
    document = json.loads(keywright("adopt", "schema.cql", "--format", "json").out)
    assert document["settings"] == {}


def test_collections_of_one_validation_have_it_from_their_database(keywright: Keywright) -> None:
    dumped("orders", "users")
    keywright("adopt", "shop")
    first = Path("models/shop.py").read_text()
    assert 'shop = kw.MongoDatabase("shop", validation="off")\n' in first
    assert first.count("validation=") == 1
    Path("models/shop.py").write_text(first.replace(', validation="off"', ""))
    dumped("parts")
    keywright("adopt", "shop")
    added = Path("models/shop_adopted.py").read_text()
    assert "from models.shop import shop\n" in added
    assert 'kw.Collection(shop, "parts", validation="off")' in added
    assert keywright("compile").code == 0


def test_a_collection_with_another_validation_than_its_database_declares_it(keywright: Keywright) -> None:
    dumped("orders", "users")
    keywright("adopt", "shop")
    dumped("parts", "tags")
    keywright("adopt", "shop")
    added = Path("models/shop_adopted.py").read_text()
    assert "validation=" not in added  # the database of the project has it


def test_diff_writes_nothing(keywright: Keywright) -> None:
    result = keywright("adopt", "schema.cql", "--diff")
    assert "+class User(BaseModel):" in result.out
    assert [path.name for path in Path().iterdir()] == ["schema.cql"]


def test_nothing_is_written_for_a_file_without_tables(keywright: Keywright) -> None:
    Path("schema.cql").write_text("CREATE TABLE broken (")
    result = keywright("adopt", "schema.cql")
    assert 'not expressed: schema.cql:1: "broken" not read: the statement ends early' in result.out
    assert [path.name for path in Path().iterdir()] == ["schema.cql"]


def test_json_has_the_files(keywright: Keywright) -> None:
    document = json.loads(keywright("adopt", "schema.cql", "--diff", "--format", "json").out)
    assert document["schema"] == "adopt/1"
    assert document["entities"] == ["User"]
    assert list(document["files"]) == ["models/shop.py"]


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("nothing.cql", '"nothing.cql" is not a file, a folder or an address'),
        ("postgres://db/x", 'no engine has addresses that start with "postgres:"'),
        ("redis://127.0.0.1:1", "Redis: could not reach it"),
        ("notes.txt", '"notes.txt" is not a schema of a known kind'),
    ],
)
def test_a_wrong_source_is_named(source: str, problem: str, keywright: Keywright) -> None:
    Path("notes.txt").write_text("hello")
    assert problem in keywright("adopt", source).err


def test_a_huge_file_and_one_of_endless_levels_are_refused(keywright: Keywright) -> None:
    with Path("huge.json").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    said = keywright("adopt", "huge.json").err
    assert '"huge.json" has 67,108,865 bytes, and a schema file of this kind at most 67,108,864' in said
    for name, text in (
        ("deep.json", "[" * 100_000),
        ("deep.yaml", '{"a":' * 100_000),
        ("deep.cql", f"CREATE TABLE a.b (id {'frozen<list<' * 20_000}int"),
    ):
        Path(name).write_text(text)
        result = keywright("adopt", name)
        assert (result.code, f'"{name}" is nested too deeply for a schema' in result.err) == (2, True)
