"""All four servers, started and stopped for real on this machine."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from keywright import local
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.local import Running, ServerEvent, WantedServer, process, required_engines
from keywright.local.instance import exports

pytestmark = pytest.mark.live

INSTANCES = (
    WantedServer("dynamodb", "dynamodb"),
    WantedServer("mongodb", "mongodb"),
    WantedServer("cassandra", "cassandra"),
    WantedServer("redis", "sessions"),
    WantedServer("redis", "leaderboards"),
)
DRIVERS = {"dynamodb": dynamodb, "mongodb": mongodb, "cassandra": cassandra, "redis": redis}

CLIENTS = {
    "dynamodb": "import boto3; boto3.client('dynamodb').list_tables()",
    "mongodb": "import os, pymongo; pymongo.MongoClient(os.environ['MONGODB_URI']).admin.command('ping')",
    "redis": "import os, redis; redis.Redis.from_url(os.environ['REDIS_URL_LEADERBOARDS']).ping()",
    "cassandra": """
import os
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import Cluster
auth = PlainTextAuthProvider(os.environ["CASSANDRA_USERNAME"], os.environ["CASSANDRA_PASSWORD"])
hosts, port = os.environ["CASSANDRA_CONTACT_POINTS"].split(","), int(os.environ["CASSANDRA_PORT"])
with Cluster(hosts, port=port, auth_provider=auth, protocol_version=5) as cluster:
    cluster.connect().execute("SELECT now() FROM system.local")
""",
}
"""A client of each engine as an application would make it, in a shell that has read `keywright local env`."""


def connected(servers: tuple[Running, ...], home: Path) -> dict[str, str]:
    """What the client of each engine wrote to its errors; empty where it found its server."""
    output = {"PATH": os.environ["PATH"], "HOME": str(home), **exports(servers)}
    result: dict[str, str] = {}
    for engine in {server.instance.engine for server in servers}:
        done = subprocess.run([sys.executable, "-c", CLIENTS[engine]], env=output, capture_output=True, text=True)
        result[engine] = "" if done.returncode == 0 else done.stderr
    return result


def is_open_elsewhere(port: int) -> bool:
    """Whether a server answers on an address that is not 127.0.0.1, as one that listens on every interface does."""
    with socket.socket() as asking:
        asking.settimeout(2)
        return asking.connect_ex(("127.0.0.2", port)) == 0


def test_every_server_that_can_be_had_starts_answers_and_stops(tmp_path: Path) -> None:
    folder, events = tmp_path / "local", list[ServerEvent]()
    try:
        answers = local.up(folder, INSTANCES, required=required_engines(local.RECIPES), tell=events.append)
        started = tuple(answer for answer in answers if isinstance(answer, Running))
        ready = {str(running.instance): DRIVERS[running.instance.engine].is_ready(running.url) for running in started}
        clients = connected(started, tmp_path)
        exposed = [running.instance for running in started if running.port and is_open_elsewhere(running.port)]
        again = local.up(folder, INSTANCES, tell=events.append)
    finally:
        local.down(folder, tell=events.append)
    if not started:
        pytest.skip("; ".join(answer.reason for answer in answers if not isinstance(answer, Running)))
    assert ready == {str(running.instance): True for running in started}
    assert clients == {running.instance.engine: "" for running in started}
    assert exposed == []
    assert again == answers
    assert all(running.version for running in started)
    assert [running for running in started if running.pid and process.started_at(running.pid)] == []
    assert local.running(folder) == ()
