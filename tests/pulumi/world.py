"""A copy of the example with a state of its own, changed by the real command line."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import boto3
import yaml
from tests.interrupts import is_stopped
from tests.pulumi.standin.server import ENDPOINT, VERSION

from keywright.record import Record, field

ROOT = Path(__file__).parents[2]

COPIED = ("models", "migrations", "stacks", "Pulumi.yaml", "pyproject.toml")


class Said(NamedTuple):
    """What a command came to."""

    code: int
    """Its exit code."""
    text: str
    """What it wrote, to either stream."""


def _as_here(stack: str) -> str:
    """A stack file for servers that are here: one of each, of their flavour and version."""
    document = yaml.safe_load(stack)
    parts = document["config"]["keywright:environment"]
    parts["mongodb"] |= {"flavour": "mongodb", "version": "6.0"}
    parts["cassandra"] |= {"datacentres": {"datacenter1": 1}, "keyspaces": {}}
    parts["redis"] |= {"flavour": "valkey", "version": "9.1", "replicas": 0}
    for server in parts["redis"].get("servers", {}).values():
        server.pop("replicas", None)
    return yaml.safe_dump(document, sort_keys=False)


class World(Record):
    """One project and one cloud."""

    root: Path
    """The project."""
    programs: Path
    """Where the command line is."""
    endpoint: str
    """DynamoDB Local."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """Where the other stores are, by the end of the variable that says so."""

    def prepare(self) -> None:
        """Copy the project, and put the stand-in where the engine looks for the provider."""
        self.root.mkdir()
        for name in COPIED:
            of = ROOT / name
            if of.is_dir():
                shutil.copytree(of, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(of, self.root / name)
        self.edit("pyproject.toml", "[tool.keywright]\n", "[tool.keywright]\nlease-seconds = 12\n")
        (self.root / ".venv").symlink_to(sys.prefix)
        plugin = self._home / "plugins" / f"resource-aws-v{VERSION}" / "pulumi-resource-aws"
        plugin.parent.mkdir(parents=True)
        plugin.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -m tests.pulumi.standin\n")
        plugin.chmod(0o755)
        self._state.mkdir()
        for file in (self.root / "stacks").glob("Pulumi.*.yaml") if self.addresses else ():
            file.write_text(_as_here(file.read_text(encoding="utf-8")), encoding="utf-8")

    @property
    def _home(self) -> Path:
        return self.root.with_name("home")

    @property
    def _state(self) -> Path:
        return self.root.with_name("state")

    def environment(self) -> dict[str, str]:
        """All that the command line is told; nothing of the machine's own settings."""
        return {
            "PATH": os.pathsep.join([str(self.programs), os.environ["PATH"]]),
            "HOME": str(self.root.parent),
            "PULUMI_HOME": str(self._home),
            "PULUMI_BACKEND_URL": self._state.as_uri(),
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_SKIP_UPDATE_CHECK": "1",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "1",
            "PULUMI_CREDENTIAL_STORE": "plaintext",
            "NO_COLOR": "1",
            ENDPOINT: self.endpoint,
            "AWS_ACCESS_KEY_ID": "standin",
            "AWS_SECRET_ACCESS_KEY": "standin",
            **{f"KEYWRIGHT_STORE_{name}": url for name, url in self.addresses.items()},
        }

    def pulumi(self, *arguments: str, **variables: str) -> Said:
        """`pulumi ...` from a bare shell in the project's folder."""
        done = subprocess.run(
            ["pulumi", *arguments, "--non-interactive"], cwd=self.root, env={**self.environment(), **variables},
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return Said(done.returncode, done.stdout + done.stderr)

    def up(self, stack: str, *arguments: str, **variables: str) -> str:
        """`pulumi up`, which must succeed; what it wrote."""
        done = self.pulumi("up", "--yes", "--skip-preview", "-s", stack, *arguments, **variables)
        assert done.code == 0, done.text
        return done.text

    def preview(self, stack: str, *arguments: str, **variables: str) -> list[dict[str, Any]]:
        """The steps that would change something."""
        done = self.pulumi("preview", "--json", "-s", stack, *arguments, **variables)
        assert done.code == 0, done.text
        steps = json.loads(done.text[done.text.index("{") :])["steps"]
        return [step for step in steps if step["op"] not in ("same", "refresh")]

    def kill(self, pulumi: int) -> None:
        """Kill a command line at a moment at which the files of its backend are whole.

        The backend writes the file of attributes that goes with each state in place. Half of one would end every later
        command in "failed to load checkpoint: EOF", whoever wrote the program.
        """
        while True:
            os.kill(pulumi, signal.SIGSTOP)
            while not is_stopped(pulumi):
                time.sleep(0.001)
            if self._is_whole:
                os.kill(pulumi, signal.SIGKILL)
                return
            os.kill(pulumi, signal.SIGCONT)
            time.sleep(0.01)

    @property
    def _is_whole(self) -> bool:
        for file in self._state.rglob("*"):
            if file.suffix in (".json", ".attrs"):
                try:
                    json.loads(file.read_bytes())
                except ValueError:
                    return False
        return True

    def keywright(self, *arguments: str, **variables: str) -> Said:
        """`keywright ...` likewise."""
        done = subprocess.run(
            [sys.executable, "-m", "keywright", *arguments], cwd=self.root, env={**self.environment(), **variables},
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return Said(done.returncode, done.stdout + done.stderr)

    @property
    def dynamodb(self) -> Any:
        """A client of the cloud, as the stand-in has it."""
        return boto3.client(
            "dynamodb", region_name="eu-west-1", endpoint_url=self.endpoint, aws_access_key_id="standin",
            aws_secret_access_key="standin",
        )  # fmt: skip

    def indexes(self, table: str) -> list[str]:
        """The global indexes that a table has."""
        live = self.dynamodb.describe_table(TableName=table)["Table"]
        return sorted(entry["IndexName"] for entry in live.get("GlobalSecondaryIndexes", []))

    def edit(self, file: str, old: str, new: str) -> None:
        """Change a file of the project."""
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert old in text, file
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
