"""`python -m benchmarks.adopting`: `keywright adopt` of four stores that plain clients made, one after the other.

50 collections with 150 indexes, 12 DynamoDB tables of which three have five entities each, 30 CQL tables and some 60
families of Redis keys go into one project. Prints for each command the seconds and the largest memory of its process.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pymongo import MongoClient
from redis import Redis
from tests.adopt.stores import fill_cassandra, fill_dynamodb, fill_mongodb
from tests.live.applications_redis import write as fill_redis

from keywright import local
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.local import WantedServer

MOST_SECONDS = 180
"""Goal for all four stores, on two cores."""

STACK = """\
config:
  keywright:environment:
    mode: dev
    cassandra: {flavour: cassandra, version: "5.0", datacentres: {datacenter1: 1}}
    dynamodb: {flavour: dynamodb-local, managed-by: keywright}
    mongodb: {flavour: mongodb, version: "6.0"}
    redis: {flavour: valkey, version: "9.0"}
"""
ENGINES = ("cassandra", "dynamodb", "mongodb", "redis")


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        servers, project = Path(folder, "servers"), Path(folder, "project")
        servers.mkdir()
        project.mkdir()
        wanted = [WantedServer(engine, engine) for engine in ENGINES]
        runnings = local.up(servers, wanted, required=set(ENGINES), tell=lambda event: None)
        try:
            addresses = {running.instance.engine: running.url for running in runnings}
            fill(addresses)
            variables = {f"KEYWRIGHT_STORE_{engine.upper()}": address for engine, address in addresses.items()}
            (project / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["models"]\n')
            (project / "stacks").mkdir()
            (project / "stacks" / "Pulumi.dev.yaml").write_text(STACK)
            total = sum(
                measured(f"adopt, {engine}", project, variables, ["adopt", addresses[engine]]) for engine in ENGINES
            )
            print(f"{'all four stores':44} {total:6.1f} s, goal: at most {MOST_SECONDS}")
            measured("compile", project, variables, ["compile"])
            measured(
                "migrate baseline --from live",
                project,
                variables,
                ["--env", "dev", "migrate", "baseline", "--from", "live"],
            )
            measured("migrate diff, which is empty", project, variables, ["migrate", "diff", "-m", "none"])
        finally:
            local.down(servers, tell=lambda event: None)


def fill(addresses: dict[str, str]) -> None:
    """Make the stores."""
    mongodb: MongoClient[Any] = MongoClient(addresses["mongodb"])
    fill_mongodb(mongodb["shop"])
    mongodb.close()
    fill_dynamodb(dynamodb.connect(addresses["dynamodb"]).observe().client)
    driver = cassandra.connect(addresses["cassandra"])
    fill_cassandra(driver.observe().client)
    driver.close()
    redis: Redis[Any] = Redis.from_url(addresses["redis"])
    fill_redis(redis)
    redis.close()


def measured(what: str, project: Path, variables: dict[str, str], words: Iterable[str]) -> float:
    """The seconds of one command, printed with the memory of its process; RuntimeError if it fails."""
    output, peak = project.with_name("output"), 0
    started = time.perf_counter()
    with output.open("w") as written:
        command = [sys.executable, "-m", "keywright", *words]
        environment = {**os.environ, **variables, "NO_COLOR": "1"}
        process = subprocess.Popen(command, cwd=project, env=environment, stdout=written, stderr=subprocess.STDOUT)
        while process.poll() is None:
            peak = max(peak, _peak(process.pid))
            time.sleep(0.02)
    seconds = time.perf_counter() - started
    if process.returncode:
        raise RuntimeError(f"{what} failed: {output.read_text()}")
    print(f"{what:44} {seconds:6.1f} s, {peak // 1024:4} MB")
    return seconds


def _peak(pid: int) -> int:
    """The largest memory of a process so far, in KB; 0 once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)


if __name__ == "__main__":
    main()
