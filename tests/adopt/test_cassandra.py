"""Keyspaces as declarations, and CQL files as keyspaces."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law, native
from tests.corpora.modelfile import CORPORA, NEEDED
from tests.projects import imported_alone

from keywright.api.adopt.adopt import schema_files
from keywright.api.adopt.model_files import new_models
from keywright.api.adopt.sources import from_files
from keywright.compiler import load
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.contract.adoption import Adoption, Schema
from keywright.engines.registry import engine_named, part_of
from keywright.project.environments.environment import Environment
from keywright.project.settings import read_settings
from keywright.record import replace

ROOT = Path(__file__).parents[2]
PROJECTS = [ROOT, *sorted((ROOT / "tests" / "recall").glob("*/good"))]
ENGINE = engine_named("cassandra")
ADOPTION = part_of("cassandra", "adoption", "ADOPTION", Adoption)
ENVIRONMENT = CassandraEnvironment(flavour="cassandra", version="5.0", datacentres={"dc1": 3})

FOLDER = CORPORA / "cassandra"
FILES = {
    "killrvideo v3": ["killrvideo/schema-v3.cql"],
    "killrvideo v4": ["killrvideo/schema-v4.cql"],
    "temporal": ["temporal/schema.cql"],
    "temporal, version by version": ["temporal/versioned"],
    "thingsboard": ["thingsboard"],
    "zipkin": ["zipkin/zipkin2-schema.cql", "zipkin/zipkin2-schema-indexes.cql"],
    "jaeger": ["jaeger/v004.cql.tmpl"],
    "manual": ["doc-examples"],
}


def read(text: str) -> Schema:
    schema = ADOPTION.read_schema({"schema.cql": text})
    assert schema is not None
    return schema


def corpus(names: Sequence[str]) -> Schema:
    places = [FOLDER / name for name in names]
    paths = [path for place in places for path in (schema_files(place) if place.is_dir() else [place])]
    paths = [path for path in paths if path.name.endswith(ADOPTION.suffixes)]
    schema = ADOPTION.read_schema({str(path): path.read_text() for path in paths})
    assert schema is not None
    return schema


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: f"{project.parent.name}/{project.name}")
def test_what_keywright_made_is_adopted_without_a_gap(project: Path, tmp_path: Path) -> None:
    with imported_alone(project):
        design = load(read_settings(project)).design.of_engine("cassandra")
    for target in ENGINE.lower(design):
        live = ENGINE.unplace(replace(ENGINE.place(target, ENVIRONMENT), shape=()), ENVIRONMENT)
        adopted = ADOPTION.adopt(live, {}, ENVIRONMENT)
        assert not adopted.not_expressed
        assert_law(ENGINE, live, adopted, ENVIRONMENT)
        assert_is_as_a_person_writes(adopted, tmp_path)


@NEEDED
@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_every_public_schema_is_adopted_or_its_gaps_are_listed(files: Sequence[str], tmp_path: Path) -> None:
    targets = corpus(files).targets
    assert targets
    for target in targets:
        adopted = ADOPTION.adopt(target, {}, ENVIRONMENT)
        assert_law(ENGINE, target, adopted, ENVIRONMENT)
        assert_is_as_a_person_writes(adopted, tmp_path)


@NEEDED
def test_a_folder_of_migrations_is_the_schema_that_they_lead_to() -> None:
    """No version drops `cluster_metadata`, which the final schema does not have."""
    (final,) = corpus(FILES["temporal"]).targets
    (replayed,) = corpus(FILES["temporal, version by version"]).targets
    tables = tuple(table for table in replayed.tables if table.name != "cluster_metadata")
    assert native(ENGINE, replace(replayed, tables=tables)) == native(ENGINE, final)


def test_a_statement_that_is_not_understood_is_listed_with_its_line() -> None:
    default = "CREATE TABLE t (k text PRIMARY KEY, v timestamp DEFAULT now());"
    schema = read(f"{default}\n\nCREATE TABLE u (k int PRIMARY KEY);")
    assert [(part.object, part.reason) for part in schema.not_expressed] == [
        ("schema.cql:1", '"t" not read: "default" after column "v"')
    ]
    assert [table.name for table in schema.targets[0].tables] == ["u"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CREATE TABLE t (k text PRIMARY KEY", '"t" not read: the statement ends early'),
        ("CREATE INDEX ON nowhere (a)", 'statement not read: "nowhere" does not exist here'),
        ("SOMETHING else", 'statement not read: no schema statement begins with "something"'),
        ("CREATE FUNCTION f (x int) RETURNS int", '"function": functions, triggers and roles have no declaration'),
        ("CREATE TABLE t (k text PRIMARY KEY) WITH read_repair_chance = 0.1",
         'table option "read_repair_chance": removed in Cassandra 4.0'),
        ("CREATE TABLE t (k text PRIMARY KEY) WITH default_time_to_live = ${ttl}",
         "table option \"default_time_to_live\" is 'ttl', not a number"),
        ("CREATE TABLE t (k text PRIMARY KEY, n text MASKED WITH mask_inner(now()))",
         '"t" not read: the mask of "n"'),
        ("'", 'statement not read: no schema statement begins with "\'"'),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_reason_and_never_a_crash(text: str, reason: str) -> None:
    assert [part.reason for part in read(text).not_expressed] == [reason]


def test_statements_of_data_and_of_cqlsh_are_passed_over() -> None:
    schema = read(
        "-- a comment; with a semicolon\nUSE shop; CREATE TABLE t (k text PRIMARY KEY); /* ; */\n"
        "INSERT INTO t (k) VALUES ('a;b'); CONSISTENCY QUORUM; SELECT * FROM t; CREATE TABLE u (k text PRIMARY KEY);"
    )
    assert not schema.not_expressed
    (target,) = schema.targets
    assert (target.name, [table.name for table in target.tables]) == ("shop", ["t", "u"])


def test_names_that_no_declaration_has_are_listed_and_others_get_an_alias(tmp_path: Path) -> None:
    schema = read(
        'CREATE TABLE "we\nird; --" (k int PRIMARY KEY);'
        'CREATE TABLE model ("a b" int PRIMARY KEY, "x""y" text, "class" text,'
        ' model_config text, schema text, "é" int);'
    )
    (target,) = schema.targets
    adopted = ADOPTION.adopt(target, {}, ENVIRONMENT)
    assert [part.object for part in adopted.not_expressed] == ["tables/we\nird; --"]
    assert_law(ENGINE, target, adopted, ENVIRONMENT)
    assert "x_y: str | None = Field(default=None, alias='x\"y')" in assert_is_as_a_person_writes(adopted, tmp_path)


def test_names_that_hide_others_are_avoided(tmp_path: Path) -> None:
    schema = read(
        "CREATE TYPE user (name text, bytes int, born date); CREATE TYPE field (x int);"
        'CREATE TABLE users (id int PRIMARY KEY, bytes bigint, avatar blob, list set<text>, "set" list<text>,'
        ' date date, time timestamp, kw text, owner frozen<user>, "User" frozen<user>, "Any" text, f frozen<field>);'
        "CREATE TABLE fields (id int PRIMARY KEY); CREATE TABLE bytes (id int PRIMARY KEY, day date);"
    )
    (target,) = schema.targets
    adopted = ADOPTION.adopt(target, {}, ENVIRONMENT)
    assert_law(ENGINE, target, adopted, ENVIRONMENT)
    text = assert_is_as_a_person_writes(adopted, tmp_path)
    assert [part.object for part in adopted.not_expressed] == ["tables/users/columns/f", "types/field"]
    assert "class User(BaseModel):" in text
    assert "class Users(BaseModel):" in text
    assert "    date: dt.date | None = None\n" in text


def test_tables_columns_and_comments_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    schema = read(
        "CREATE TABLE visits (page text, -- page\n n counter, -- people seen\n bots counter,"
        " PRIMARY KEY (page)); -- no column\nCREATE TABLE pages (title text, -- ask jo@x.org\n"
        "length int // TODO: units\n, url text PRIMARY KEY -- absolute\n);"
    )
    (target,) = schema.targets
    text = assert_is_as_a_person_writes(ADOPTION.adopt(target, schema.samples, ENVIRONMENT), tmp_path)
    assert '        counters=["n", "bots"],\n' in text
    assert "    page: str\n    n: int | None = None  # people seen\n    bots: int | None = None\n" in text
    assert "    url: str  # absolute\n    title: str | None = None\n    length: int | None = None\n" in text


@pytest.mark.parametrize(
    ("path", "name"),
    [("tracing/cql/v1.cql.tmpl", "tracing"), ("db/schema/v1.cql.tmpl", "keyspace"), ("v1.cql.tmpl", "keyspace")],
)
def test_a_keyspace_with_a_placeholder_is_named_after_its_folder(path: str, name: str) -> None:
    text = "CREATE KEYSPACE ${keyspace}; CREATE TABLE ${keyspace}.t (k text PRIMARY KEY);"
    schema = ADOPTION.read_schema({path: text})
    assert schema is not None
    assert [target.name for target in schema.targets] == [name]


def test_statements_that_are_not_read_are_listed_in_the_file(tmp_path: Path) -> None:
    table = "CREATE TABLE {} (k text PRIMARY KEY, v timestamp DEFAULT now());\n"
    text = f"{table.format('t')}CREATE ROLE a;\nCREATE TABLE u (k int PRIMARY KEY);\nCREATE ROLE b;"
    schema = from_files({"schemas/shop.cql": text}, Environment("dev"))
    (file,) = new_models(schema.targets, None, tmp_path, 88).files.values()
    assert file.endswith(
        '\n\n\n# not expressed: shop.cql, line 1: "t" not read: "default" after column "v"\n'
        '# not expressed: shop.cql, lines 2, 4: "role": functions, triggers and roles have no declaration\n'
    )
    assert file.startswith('"""Cassandra keyspace app."""\n')


def test_a_file_of_another_kind_is_not_cql() -> None:
    assert ADOPTION.read_schema({"schema.sql": "CREATE TABLE t (k text PRIMARY KEY);"}) is None


def test_extensions_of_another_product_are_listed_unless_there_are_none() -> None:
    table = "CREATE TABLE shop.t (k text PRIMARY KEY) WITH extensions = {}"
    keyspace = "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
    assert not read(keyspace + table).not_expressed
    (missing,) = read(keyspace + table.replace("{}", "{'cdc': '0x01'}")).not_expressed
    assert missing.reason == 'table option "extensions": only the product that wrote it knows its meaning'
