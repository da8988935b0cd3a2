"""Chains of schemas that others wrote, on a real Cassandra: our steps lead where their files do."""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.corpora.modelfile import CORPORA, NEEDED
from tests.live.altering import done, outcomes

from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import KeyspaceTarget, TableTarget
from keywright.engines.interface import Driver
from keywright.local import Running
from keywright.record import replace

pytestmark = [pytest.mark.live, NEEDED]

TEMPORAL = CORPORA / "cassandra" / "temporal"
KILLRVIDEO = CORPORA / "cassandra" / "killrvideo"
COUNT = itertools.count()


class Cluster:
    """A server, and keyspaces that files or steps make in it."""

    def __init__(self, url: str) -> None:
        self.session = cassandra.client(url)
        self.driver: Driver = cassandra.connect(url)

    def keyspace(self) -> str:
        """The name of a new keyspace."""
        name = f"chain{next(COUNT)}"
        replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
        self.session.execute(f"CREATE KEYSPACE {name} WITH replication = {replication}")
        return name

    def execute(self, name: str, *statements: str) -> None:
        """Run statements in a keyspace."""
        self.session.set_keyspace(name)
        for statement in statements:
            self.session.execute(statement)

    def target(self, name: str) -> KeyspaceTarget:
        """What a keyspace is."""
        described = self.driver.introspect([name])[name]
        assert described is not None
        keyspace = ENGINE.parse(described)
        assert ENGINE.describe(keyspace)["native"] == described["native"]
        return replace(keyspace, name="")

    def migrate(self, name: str, before: KeyspaceTarget, after: KeyspaceTarget) -> list[str]:
        """Run the steps between two targets in a keyspace; what they say."""
        statements = ENGINE.migrate(*(replace(keyspace, name=name) for keyspace in (before, after)))
        assert {entry.outcome for entry in done(statements, self.driver)} <= {"made"}
        assert set(outcomes(statements, self.driver)) <= {"kept"}
        return [statement.summary for statement in statements]


@pytest.fixture(scope="module")
def cluster(start: Callable[..., Running]) -> Iterator[Cluster]:
    result = Cluster(start("cassandra").url)
    yield result
    result.driver.close()
    result.session.cluster.shutdown()


def statements(*files: Path) -> Iterator[str]:
    """Each statement of some files."""
    for file in files:
        text = re.sub(r"(--|//).*", "", file.read_text(encoding="utf-8"))
        yield from (part.strip() for part in text.split(";") if part.strip())


# Temporal: fourteen versions as they were shipped.


def versions() -> Iterator[tuple[str, list[Path]]]:
    """(name, files in their order) of each version, oldest first."""
    folders = (TEMPORAL / "versioned").iterdir()
    for folder in sorted(folders, key=lambda path: int(path.name.partition(".")[2])):
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        yield folder.name, [folder / name for name in manifest["SchemaUpdateCqlFiles"]]


@pytest.fixture(scope="module")
def temporal(cluster: Cluster) -> dict[str, KeyspaceTarget]:
    """What the files of each version lead to."""
    name = cluster.keyspace()
    keyspaces: dict[str, KeyspaceTarget] = {}
    for version, files in versions():
        cluster.execute(name, *statements(*files))
        keyspaces[version] = cluster.target(name)
    return keyspaces


def test_the_chain_leads_where_its_files_do_version_by_version(
    cluster: Cluster, temporal: dict[str, KeyspaceTarget]
) -> None:
    name, chain = cluster.keyspace(), list(temporal)
    files = dict(versions())
    cluster.execute(name, *statements(*files[chain[0]]))
    for old, new in itertools.pairwise(chain):
        summaries = cluster.migrate(name, temporal[old], temporal[new])
        assert len(summaries) == len(list(statements(*files[new])))  # a step for each statement of theirs
        assert cluster.target(name) == temporal[new], new


def test_one_leap_leads_to_the_final_schema(cluster: Cluster, temporal: dict[str, KeyspaceTarget]) -> None:
    """Their final schema lacks a table that no version drops."""
    first, *_, last = temporal.values()
    name, other = cluster.keyspace(), cluster.keyspace()
    cluster.migrate(name, replace(last, types=(), tables=(), indexes=()), first)
    assert cluster.target(name) == first
    cluster.migrate(name, first, last)
    assert cluster.target(name) == last
    cluster.execute(other, *statements(TEMPORAL / "schema.cql"))
    final = cluster.target(other)
    assert cluster.migrate(name, last, final) == ['drop table "cluster_metadata"']
    assert cluster.target(name) == final


# KillrVideo: one schema for Cassandra 3, another for 4.

REPAIRS = (
    (r"killrvideo\.", ""),  # the keyspace is another one here
    (r" DEFAULT \w+\(\)", ""),  # no server has defaults
    (r"failed_login_attempts counter", "failed_login_attempts int"),  # beside columns that are no counters
)
"""What has to be changed for a server to take the tables of version 4, and by what."""


def killrvideo(version: str) -> Iterator[str]:
    """The tables and indexes of a version as a server takes them."""
    for statement in statements(KILLRVIDEO / f"schema-{version}.cql"):
        if re.match(r"CREATE (TABLE|INDEX)", statement):
            for pattern, text in REPAIRS:
                statement = re.sub(pattern, text, statement)
            yield statement


@pytest.fixture(scope="module")
def videos(cluster: Cluster) -> tuple[KeyspaceTarget, KeyspaceTarget]:
    """Version 3 and version 4."""
    names = {version: cluster.keyspace() for version in ("v3", "v4")}
    for version, name in names.items():
        cluster.execute(name, *killrvideo(version))
    old, new = (cluster.target(name) for name in names.values())
    return old, new


def test_the_server_takes_version_4_only_after_repairs(cluster: Cluster) -> None:
    result = [statement.replace("killrvideo.", "") for statement in statements(KILLRVIDEO / "schema-v4.cql")]
    users, credentials = (
        next(entry for entry in result if f"EXISTS {name} (" in entry) for name in ("users", "user_credentials")
    )
    cluster.session.set_keyspace(cluster.keyspace())
    for statement, words in ((users, "at input 'DEFAULT'"), (credentials, "Cannot mix counter")):
        with pytest.raises(cassandra.FAILURES, match=words):
            cluster.session.execute(statement)


def test_a_table_with_another_key_is_named(videos: tuple[KeyspaceTarget, KeyspaceTarget]) -> None:
    with pytest.raises(ValueError, match="cannot change in place") as refused:
        ENGINE.migrate(*videos)
    assert str(refused.value).partition("place: ")[2] == (
        "native/tables/latest_videos/partition (the primary key of a table is fixed)\n"
        "  help: declare generation= and rebuild=kw.Rebuild(from_generation=...), or undo the change"
    )


def test_all_other_tables_become_those_of_version_4(
    cluster: Cluster, videos: tuple[KeyspaceTarget, KeyspaceTarget]
) -> None:
    before, after = (replace(video, tables=without(video, "latest_videos")) for video in videos)
    name, other = cluster.keyspace(), cluster.keyspace()
    statement = [list(killrvideo(version)) for version in ("v3", "v4")]
    for keyspace, created in zip((name, other), statement, strict=True):
        cluster.execute(keyspace, *(entry for entry in created if "latest_videos" not in entry))
    assert cluster.target(name) == before
    summaries = cluster.migrate(name, before, after)
    assert cluster.target(name) == after == cluster.target(other)
    assert {summary.split(' "')[0] for summary in summaries} == {
        "add column", "create table", "create index", "drop table",
    }  # fmt: skip


def without(keyspace: KeyspaceTarget, name: str) -> tuple[TableTarget, ...]:
    """The tables of a keyspace but for one."""
    return tuple(table for table in keyspace.tables if table.name != name)
