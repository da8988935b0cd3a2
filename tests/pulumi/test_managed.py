"""Stores that are services: parameter groups from the AWS provider, and what is in them from our own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.projects import a_project
from tests.pulumi.cleaning import emptied
from tests.pulumi.services import files
from tests.pulumi.world import World
from tests.servers import Start

ROOT = Path(__file__).parents[2]

GROUPS = {
    "aws:elasticache/parameterGroup:ParameterGroup",
    "aws:memorydb/parameterGroup:ParameterGroup",
    "aws:docdb/clusterParameterGroup:ClusterParameterGroup",
}


def asked(folder: Path, flavour: str, version: str) -> Any:
    """What the program says to a mock of the engine."""
    a_project(folder, files(flavour, version))
    done = subprocess.run(
        [sys.executable, "-m", "tests.pulumi.recorded", "dev", "stacks/__main__.py"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("flavour", "version", "family"),
    [("elasticache", "8.1", "valkey8"), ("memorydb", "7.1", "memorydb_redis7")],
)
def test_settings_are_parameter_groups_which_others_take(
    flavour: str, version: str, family: str, tmp_path: Path
) -> None:
    result = asked(tmp_path, flavour, version)
    output = {(resource["type"], resource["name"]): resource["object"] for resource in result["resources"]}
    type = f"aws:{flavour}/parameterGroup:ParameterGroup"
    policies = {"parameters-sessions": "allkeys-lru", "parameters-shop-events": "noeviction"}
    assert {key: entry for key, entry in output.items() if key[0] in GROUPS} == {
        ("aws:docdb/clusterParameterGroup:ClusterParameterGroup", "parameters-documentdb"): {
            "family": "docdb5.0",
            "description": "Settings of the cluster that the models need",
            "parameters": [
                {"name": "audit_logs", "value": "enabled", "applyMethod": "immediate"},
                {"name": "ttl_monitor", "value": "enabled", "applyMethod": "immediate"},
            ],
            "tags": {"team": "shop"},
        },
        **{
            (type, name): {
                "family": family,
                "description": f'Settings of server "{name.removeprefix("parameters-")}"',
                "parameters": [{"name": "maxmemory-policy", "value": policy}],
                "tags": {"team": "shop"},
            }
            for name, policy in policies.items()
        },
    }
    assert [name for type, name in output if type == "keywright:redis:Settings"] == ["shop-events"]
    assert "settings" not in output["keywright:redis:Settings", "shop-events"]
    names = result["outputs"]["parameter_groups"]
    assert names.keys() == {"sessions", "shop-events", "documentdb/cluster"}
    taken = output["aws:elasticache/replicationGroup:ReplicationGroup", "sessions"]["parameterGroupName"]
    assert taken == names["sessions"]


def test_a_group_that_is_made_anew_needs_no_name_of_its_own(tmp_path: Path) -> None:
    for resource in asked(tmp_path, "elasticache", "8.1")["resources"]:
        if resource["type"] in GROUPS:
            assert "name" not in resource["object"]
            assert not resource.get("protect")


class Services(World):
    """The project, with servers here in place of the services."""

    def prepare(self) -> None:
        """See `World.prepare`."""
        super().prepare()
        for name in ("models", "migrations"):
            shutil.rmtree(self.root / name)
        for file in (self.root / "stacks").glob("Pulumi.*.yaml"):
            file.unlink()
        a_project(self.root, files("elasticache", "9.1"))


@pytest.fixture(scope="module")
def addresses(start: Start) -> dict[str, str]:
    redis = {
        f"REDIS_{name.upper().replace('-', '_')}": start("redis", name).url for name in ("sessions", "shop-events")
    }
    return {"MONGODB": start("mongodb").url, **redis}


@pytest.fixture
def services(programs: Path, endpoint: str, addresses: dict[str, str], tmp_path: Path) -> Iterator[World]:
    created = Services(tmp_path / "shop", programs, endpoint, addresses)
    created.prepare()
    with emptied(created.dynamodb, addresses):
        yield created


@pytest.mark.live
def test_the_real_command_line_makes_them_and_a_newer_family_replaces_one(services: World) -> None:
    assert services.pulumi("stack", "init", "dev").code == 0
    services.up("dev")
    services.up("dev", "--expect-no-changes")
    names = json.loads(services.pulumi("stack", "output", "--json").text)["parameter_groups"]
    assert names["sessions"].startswith("parameters-sessions-")
    assert names["documentdb/cluster"].startswith("parameters-documentdb-")
    services.edit("stacks/Pulumi.dev.yaml", 'elasticache, version: "9.1"', 'elasticache, version: "8.1"')
    steps = {entry["urn"].split("::")[-1]: entry["op"] for entry in services.preview("dev") if entry["op"] != "delete"}
    assert steps["parameters-sessions"] in ("replace", "create-replacement", "delete-replaced")
    assert steps["sessions"] == "update"
    services.edit("stacks/Pulumi.dev.yaml", 'elasticache, version: "8.1"', 'elasticache, version: "9.1"')
    assert services.pulumi("destroy", "--yes", "-s", "dev").code == 0
