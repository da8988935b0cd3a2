"""What an environment adds to a keyspace, and what it cannot have there."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.engines.cassandra.designs import PRODUCTION, a_keyspace, a_table

import keywright as kw
from keywright.engines.cassandra.declare.settings import CassandraEnvironment, KeyspaceSettings
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import Placement
from keywright.record import replace

KEYSPACES = CassandraEnvironment(flavour="keyspaces")
SCYLLA = CassandraEnvironment(flavour="scylla", datacentres={"dc1": 3})
OLDER = replace(PRODUCTION, version="4.1")


def strategy(environment: CassandraEnvironment, **options: Any) -> dict[str, str]:
    """The strategy of the only table."""
    placed = ENGINE.place(a_keyspace(a_table(**options)), environment)
    return dict(dict(placed.tables[0].options)["compaction"])  # type: ignore[arg-type]  # always a map


def refused(environment: CassandraEnvironment, **options: Any) -> list[tuple[str, str, str]]:
    """(code, problem, help) of all that the environment lacks."""
    declared = a_keyspace(a_table(fields={"at": datetime, "note": str}, **options))
    rejections = ENGINE.refuse(ENGINE.place(declared, environment), environment)
    return [(rejection.code, rejection.problem, rejection.help) for rejection in rejections]


def test_a_keyspace_gets_prefix_and_replication() -> None:
    environment = replace(PRODUCTION, keyspace_prefix="dev_", datacentres={"dc2": 2, "dc1": 3}, durable_writes=False)
    placed = ENGINE.place(a_keyspace(a_table()), environment)
    assert placed.name == "dev_metrics"
    assert placed.placement == Placement(
        (("class", "NetworkTopologyStrategy"), ("dc1", "3"), ("dc2", "2")), False, ("readings",)
    )


def test_settings_of_one_keyspace_win() -> None:
    own = {"metrics": KeyspaceSettings(datacentres={"dc9": 1}, durable_writes=False)}
    placed = ENGINE.place(a_keyspace(a_table()), replace(PRODUCTION, keyspaces=own))
    assert placed.placement == Placement((("class", "NetworkTopologyStrategy"), ("dc9", "1")), False, ("readings",))


def test_a_later_generation_has_a_suffix_on_the_table_its_indexes_and_views() -> None:
    options: dict[str, Any] = {"generation": 2, "rebuild": kw.Rebuild(from_generation=1)}
    table = a_table(
        fields={"note": str}, indexes=[kw.CqlIndex("note")],
        views=[kw.View("by_note", partition="note", clustering="sensor")], **options,
    )  # fmt: skip
    placed = ENGINE.place(a_keyspace(table), PRODUCTION)
    assert [table_target.name for table_target in placed.tables] == ["readings_k2"]
    assert [(index.name, index.table) for index in placed.indexes] == [("readings_note_idx_k2", "readings_k2")]
    assert [(view.name, view.table) for view in placed.views] == [("by_note_k2", "readings_k2")]


def test_rows_are_loaded_into_the_table_of_their_generation() -> None:
    first, second = a_table(), a_table(generation=2, rebuild=kw.Rebuild(from_generation=1))
    placed = ENGINE.place(a_keyspace(first), replace(PRODUCTION, keyspace_prefix="dev_"))
    assert ENGINE.object_of(placed, first) == "dev_metrics.readings"
    assert ENGINE.object_of(placed, second) == "dev_metrics.readings_k2"


def test_an_undeclared_strategy_follows_the_expiry() -> None:
    assert strategy(PRODUCTION, ttl=timedelta(days=30)) == {
        "class": "TimeWindowCompactionStrategy", "compaction_window_size": "1", "compaction_window_unit": "DAYS",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        (PRODUCTION, "UnifiedCompactionStrategy"),
        (OLDER, "SizeTieredCompactionStrategy"),
        (SCYLLA, "SizeTieredCompactionStrategy"),
    ],
)
def test_an_undeclared_strategy_is_what_the_version_advises(environment: CassandraEnvironment, name: str) -> None:
    assert strategy(environment)["class"] == name


def test_a_declared_strategy_stays() -> None:
    declared = a_keyspace(a_table(ttl=timedelta(days=30), compaction=kw.Leveled()))
    placed = ENGINE.place(declared, PRODUCTION)
    assert placed.tables[0].options == declared.tables[0].options
    assert placed.placement is not None
    assert placed.placement.chosen == ()


def test_amazon_keyspaces_gets_no_option_that_the_service_sees_to() -> None:
    placed = ENGINE.place(a_keyspace(a_table(ttl=timedelta(days=1))), KEYSPACES)
    assert placed.tables[0].options == (("default_time_to_live", 86400),)
    assert placed.placement == Placement((("class", "SingleRegionStrategy"),))


def test_a_local_server_is_one_node_of_its_minor_version() -> None:
    own = {"metrics": KeyspaceSettings(datacentres={"dc1": 3}, durable_writes=False)}
    local = ENGINE.localise(replace(SCYLLA, keyspace_prefix="dev_", keyspaces=own), "5.0.9")
    assert local == CassandraEnvironment(
        flavour="cassandra", version="5.0", datacentres={"datacenter1": 1}, keyspace_prefix="dev_",
        keyspaces={"metrics": KeyspaceSettings(durable_writes=False)},
    )  # fmt: skip
    assert ENGINE.localise(None, "").version == "5.0"


INDEX = {"indexes": [kw.CqlIndex("note")]}
LEGACY = {"indexes": [kw.CqlIndex("note", using="legacy")]}
VIEW = {"views": [kw.View("by_note", partition="note", clustering="sensor")]}


@pytest.mark.parametrize(
    ("environment", "options", "code", "problem"),
    [
        (OLDER, {"compaction": kw.Unified()}, "GEN106",
         'table "readings" declares UnifiedCompactionStrategy, which Cassandra has from 5.0 on'),
        (SCYLLA, {"compaction": kw.Unified()}, "CAS113",
         'table "readings" declares UnifiedCompactionStrategy, which ScyllaDB does not have'),
        (OLDER, INDEX, "GEN106", '"readings_note_idx" is a storage-attached index, which Cassandra has from 5.0 on'),
        (SCYLLA, INDEX, "CAS113", '"readings_note_idx" is a storage-attached index, which ScyllaDB does not have'),
        (KEYSPACES, INDEX, "CAS113", '"readings_note_idx" is a secondary index, which Amazon Keyspaces does not have'),
        (KEYSPACES, LEGACY, "CAS113", '"readings_note_idx" is a secondary index, which Amazon Keyspaces does not have'),
        (KEYSPACES, VIEW, "CAS113", '"by_note" is a materialized view, which Amazon Keyspaces does not have'),
        (KEYSPACES, {"compaction": kw.Leveled()}, "CAS113",
         'table "readings" declares "compaction", which Amazon Keyspaces does not have'),
        (KEYSPACES, {"gc_grace": timedelta(days=1)}, "CAS113",
         'table "readings" declares "gc_grace", which Amazon Keyspaces does not have'),
        (KEYSPACES, {"compression": "Zstd"}, "CAS113",
         'table "readings" declares "compression", which Amazon Keyspaces does not have'),
        (KEYSPACES, {"settings": {"bloom_filter_fp_chance": 0.5}}, "CAS113",
         'table "readings" declares "bloom_filter_fp_chance", which Amazon Keyspaces does not have'),
        (OLDER, {"settings": {"incremental_backups": False}}, "CAS111",
         'table "readings" declares "incremental_backups", which Cassandra has from 5.0 on'),
        (SCYLLA, {"settings": {"read_repair": "NONE"}}, "CAS111",
         'table "readings" declares "read_repair", which ScyllaDB does not have'),
        (CassandraEnvironment(flavour="cassandra"), {}, "E0405",
         'keyspace "metrics" has no data centre in this environment'),
        (replace(PRODUCTION, datacentres={"dc1": 0}), {}, "E0402",
         'keyspace "metrics" has 0 copies in data centre "dc1", it takes at least 1'),
        (replace(PRODUCTION, version="3.11"), {}, "E0402",
         'Cassandra "3.11" is older than "4.1", the oldest known version'),
        (replace(KEYSPACES, durable_writes=False), {}, "CAS113",
         'keyspace "metrics" has durable-writes: false, which Amazon Keyspaces does not have'),
        (replace(PRODUCTION, keyspace_prefix="dev-"), {}, "CAS112",
         'the keyspace name "dev-metrics" contains a character that Cassandra does not allow'),
        (replace(PRODUCTION, keyspace_prefix="p" * 42), {}, "CAS112",
         f'the keyspace name "{"p" * 42}metrics" has 49 characters, Cassandra allows 48'),
    ],
)  # fmt: skip
def test_an_environment_refuses_what_it_lacks(
    environment: CassandraEnvironment, options: dict[str, Any], code: str, problem: str
) -> None:
    assert [(result, said) for result, said, _ in refused(environment, **options)] == [(code, problem)]


@pytest.mark.parametrize(
    ("environment", "options"),
    [(PRODUCTION, INDEX | VIEW | {"compaction": kw.Unified()}), (OLDER, LEGACY | VIEW), (SCYLLA, LEGACY | VIEW),
     (KEYSPACES, {"ttl": timedelta(days=1), "settings": {"comment": "x"}})],
)  # fmt: skip
def test_an_environment_takes_what_it_has(environment: CassandraEnvironment, options: dict[str, Any]) -> None:
    assert refused(environment, **options) == []
