"""The four recipes: command lines, addresses, messages, and the table of platforms."""

import importlib
import sys
from pathlib import Path

import pytest

from keywright.engines.registry import NAMES
from keywright.errors import Unavailable
from keywright.local import FoundServer, UnavailableServer, recipes_table
from keywright.local.recipes.table import RECIPES

JARS = FoundServer(Path("/jars"), "cache", Path("/jdk/bin/java"))


def test_every_recipe_has_its_address_scheme_and_a_row_per_platform() -> None:
    assert tuple(RECIPES) == NAMES
    assert all(recipe.engine == engine for engine, recipe in RECIPES.items())
    assert all(len(recipe.platforms) == 4 for recipe in RECIPES.values())


@pytest.mark.parametrize(
    ("engine", "url"),
    [
        ("mongodb", "mongodb://127.0.0.1:20000/?directConnection=true"),
        ("cassandra", "cassandra://cassandra:cassandra@127.0.0.1:20000"),
        ("dynamodb", "http://127.0.0.1:20000"),
        ("redis", "redis://127.0.0.1:20000/0"),
    ],
)
def test_each_engine_has_its_form_of_address(engine: str, url: str) -> None:
    assert RECIPES[engine].url(20000) == url


def test_mongod_is_a_replica_set_on_loopback(tmp_path: Path) -> None:
    server = FoundServer(Path("/bin/mongod"), "PATH")
    assert " ".join(RECIPES["mongodb"].command(server, tmp_path, 20000)) == (
        f"/bin/mongod --dbpath {tmp_path} --port 20000 --bind_ip 127.0.0.1 --nounixsocket"
        " --replSet rs0 --oplogSize 64 --wiredTigerCacheSizeGB 0.25"
        " --setParameter ttlMonitorSleepSecs=1 --setParameter diagnosticDataCollectionEnabled=false"
    )


def test_redis_is_started_with_no_more_than_it_needs(tmp_path: Path) -> None:
    server = FoundServer(Path("/bin/redis-server"), "PATH")
    command = RECIPES["redis"].command(server, tmp_path, 20000)
    assert command == ("/bin/redis-server", str(tmp_path / "server.conf"))
    assert (tmp_path / "server.conf").read_text() == (
        'bind 127.0.0.1\nport 20000\ndir .\ndaemonize no\nsave ""\nappendonly no\n'
    )


def test_dynamodb_local_of_amazons_archive_keeps_everything_in_memory_and_warns(tmp_path: Path) -> None:
    assert "every network interface" in RECIPES["dynamodb"].exposed(JARS)
    assert " ".join(RECIPES["dynamodb"].command(JARS, tmp_path, 20000)) == (
        "/jdk/bin/java -Xms32m -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp /jars/*"
        " software.amazon.dynamodb.services.local.main.ServerRunner -inMemory -disableTelemetry -port 20000"
    )


def test_dynamodb_local_is_started_on_loopback_where_jetty_reads_a_file(tmp_path: Path) -> None:
    (tmp_path / "jetty-xml-12.1.11.jar").touch()
    server = FoundServer(tmp_path, "cache", Path("/jdk/bin/java"))
    command = RECIPES["dynamodb"].command(server, tmp_path, 20000)
    assert command[-2:] == ("org.eclipse.jetty.xml.XmlConfiguration", str(tmp_path / "dynamodb.xml"))
    assert '<Arg>127.0.0.1</Arg>\n      <Arg type="int">20000</Arg>' in (tmp_path / "dynamodb.xml").read_text()
    assert RECIPES["dynamodb"].exposed(server) == ""


def test_cassandra_gets_its_three_ports(tmp_path: Path) -> None:
    jolokia = tmp_path / "lib" / "jolokia-agent-jvm-2.6.0-javaagent.jar"
    jolokia.parent.mkdir()
    jolokia.touch()
    server = FoundServer(jolokia.parent, "cache", Path("/jdk/bin/java"))
    command = RECIPES["cassandra"].command(server, tmp_path, 20000)
    settings = (tmp_path / "cassandra.yaml").read_text()
    assert "native_transport_port: 20000\n" in settings
    assert "storage_port: 20001\n" in settings
    assert f"-javaagent:{jolokia}=host=127.0.0.1,port=20002" in command
    assert "@" not in settings


def test_the_version_of_dynamodb_local_is_in_its_file_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = tmp_path / "java"
    java.write_text("""#!/bin/sh\necho 'openjdk version "17.0.15"' >&2\n""")
    java.chmod(0o755)
    (tmp_path / "DynamoDBLocal-3.3.1.jar").touch()
    monkeypatch.setenv("KEYWRIGHT_JAVA", str(java))
    monkeypatch.setenv("KEYWRIGHT_DYNAMODB_LIB", str(tmp_path))
    located = RECIPES["dynamodb"].locate(tmp_path)
    assert located == FoundServer(tmp_path, "$KEYWRIGHT_DYNAMODB_LIB", java, "3.3.1")


def test_a_missing_server_comes_with_a_container_to_use_in_its_place() -> None:
    answer = RECIPES["cassandra"].missing(UnavailableServer("needs Java 17, found 25", "install a Java 17 runtime"))
    assert answer == UnavailableServer(
        "needs Java 17, found 25",
        "install a Java 17 runtime, or start a container and set its address:\n"
        "  docker run -d -p 127.0.0.1:9042:9042 cassandra:5.0\n"
        "  export KEYWRIGHT_CASSANDRA_URL=cassandra://cassandra:cassandra@127.0.0.1:9042",
    )


def test_only_linux_on_x86_is_called_tested() -> None:
    table = recipes_table()
    assert {row.system for row in table if row.is_tested} == {("Linux", "x86_64")}
    assert [row.engine for row in table if not row.fetched] == ["mongodb", *["redis"] * 3]
    assert "account in good standing" in {row.engine: row.licence for row in table}["dynamodb"]


@pytest.mark.parametrize(
    ("engine", "library"),
    [("mongodb", "pymongo"), ("cassandra", "cassandra"), ("dynamodb", "boto3"), ("redis", "redis")],
)
def test_a_missing_extra_is_reported(monkeypatch: pytest.MonkeyPatch, engine: str, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"keywright.drivers.{engine}.driver", raising=False)
    with pytest.raises(Unavailable) as caught:
        importlib.import_module(f"keywright.drivers.{engine}.driver")
    assert caught.value.problem == f'the extra "{engine}" is not installed'
    assert caught.value.help == f'pip install "keywright[{engine}]"'
