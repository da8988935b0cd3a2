"""A keyspace that plain clients made, adopted from a real server and from its CQL file."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cassandra import InvalidRequest
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law, native
from tests.adopt.stores import CQL, fill_cassandra

from keywright.drivers.cassandra.driver import connect
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.contract.adoption import Adoption
from keywright.engines.registry import engine_named, part_of
from keywright.local import Running
from keywright.record import replace

pytestmark = pytest.mark.live

ENGINE = engine_named("cassandra")
ADOPTION = part_of("cassandra", "adoption", "ADOPTION", Adoption)
ENVIRONMENT = CassandraEnvironment(flavour="cassandra", version="5.0", datacentres={"datacenter1": 1})


@pytest.fixture(scope="module")
def address(start: Callable[..., Running]) -> Iterator[str]:
    running = start("cassandra")
    driver = connect(running.url)
    session: Any = driver.observe().client
    fill_cassandra(session)
    yield running.url
    driver.drop(["kinds", "kw_meta"])  # the history too, which other tests of the server would find
    driver.close()


def live_target(address: str) -> Any:
    driver = connect(address)
    try:
        return ENGINE.unplace(ENGINE.parse(driver.introspect(["kinds"])["kinds"] or {}), ENVIRONMENT)
    finally:
        driver.close()


def keywright(folder: Path, address: str, *words: str) -> str:
    environment = {**os.environ, "KEYWRIGHT_STORE_CASSANDRA": address, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "keywright", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_cql_file_is_read_as_the_server_reports_it(address: str) -> None:
    schema = ADOPTION.read_schema({"kinds.cql": CQL})
    assert schema is not None
    assert not schema.not_expressed
    (read,), live = schema.targets, live_target(address)
    assert native(ENGINE, replace(read, views=())) == native(ENGINE, replace(live, views=()))
    assert [replace(view, where=bool(view.where)) for view in read.views] == [
        replace(view, where=bool(view.where)) for view in live.views
    ]


def test_a_live_keyspace_is_adopted_or_its_gaps_are_listed(address: str, tmp_path: Path) -> None:
    live = live_target(address)
    adopted = ADOPTION.adopt(live, {}, ENVIRONMENT)
    assert_law(ENGINE, live, adopted, ENVIRONMENT)
    assert_is_as_a_person_writes(adopted, tmp_path)
    assert {part.object for part in adopted.not_expressed} == {
        "tables/odd_type/columns/odd",
        "types/Odd Name",
        "views/large_orders",
    }


def test_a_view_has_conditions_on_the_key_of_its_table_only(address: str) -> None:
    """The reason why views have no word for conditions: a read by the key needs none."""
    driver = connect(address)
    session: Any = driver.observe().client
    view = "CREATE MATERIALIZED VIEW kinds.{} AS SELECT * FROM kinds.orders WHERE {} "
    view += "PRIMARY KEY (status, customer, placed, id)"
    for_all = "customer IS NOT NULL AND placed IS NOT NULL"
    with pytest.raises(InvalidRequest, match="Non-primary key columns can only be restricted with 'IS NOT NULL'"):
        session.execute(view.format("paid", f"status = 1 AND {for_all} AND id IS NOT NULL"))
    session.execute(view.format("late", f"status IS NOT NULL AND {for_all} AND id > 5"))
    try:
        missing = {
            part.object: part.reason for part in ADOPTION.adopt(live_target(address), {}, ENVIRONMENT).not_expressed
        }
    finally:
        session.execute("DROP MATERIALIZED VIEW kinds.late")
        driver.close()
    reason = "it has a condition on the table's key, for which there is no word"
    assert missing["views/late"] == reason


def test_the_first_migration_of_an_adopted_keyspace_is_empty(address: str, tmp_path: Path) -> None:
    said = keywright(tmp_path, address, "adopt", address)
    assert "not expressed: cassandra/kinds/views/large_orders" in said
    assert "keywright --env dev migrate baseline --from live" in said
    stack = (tmp_path / "stacks" / "Pulumi.dev.yaml").read_text()
    assert 'cassandra: {flavour: cassandra, version: "5.0", datacentres: {datacenter1: 1}}' in stack
    models = (tmp_path / "models" / "kinds.py").read_text()
    assert address not in models
    assert "127.0.0.1" not in models
    assert 'codes_near_around = kw.Read(Code, near="around", limit=20)  # from index "codes_around"' in models
    keywright(tmp_path, address, "check")
    keywright(tmp_path, address, "--env", "dev", "migrate", "baseline", "--from", "live")
    assert "no difference" in keywright(tmp_path, address, "migrate", "diff", "-m", "next")
    assert "every store matches" in keywright(tmp_path, address, "--env", "dev", "drift")
    before = sorted(tmp_path.rglob("*.py"))
    assert "0 new entities" in keywright(tmp_path, address, "adopt", address)
    assert sorted(tmp_path.rglob("*.py")) == before
