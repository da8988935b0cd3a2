"""The artefacts of the worked example, run unchanged by the stock tools on real servers, make what the models say."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.live import stock_tools

from keywright import api
from keywright.api.live.local_servers import connected
from keywright.api.local.apply import verify
from keywright.compiler import localised
from keywright.local import Running
from keywright.record import replace

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]
Start = Callable[..., Running]


def compiled_for(server: Running, **changes: Any) -> api.Compiled:
    """The worked example as this server holds it, under names that no other test uses."""
    project = api.load(str(ROOT))
    engine = server.instance.engine
    environment = localised(api.compile(project, "dev").environment, {engine: server.version})
    parts = {**environment.engines, engine: replace(environment.engines[engine], **changes)}
    return api.compile(project, replace(environment, engines=parts))


def written(compiled: api.Compiled, engine: str, folder: Path) -> list[Path]:
    """The engine's artefacts as files, sorted by name."""
    files = []
    for artefact in compiled.artefacts:
        if artefact.path.startswith(f"{engine}/"):
            file = folder / artefact.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(artefact.text)
            files.append(file)
    return files


def run(*command: str, **environment: str) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def differences(compiled: api.Compiled, server: Running) -> list[object]:
    targets = [target for target in compiled.targets if target.engine.name == server.instance.engine]
    with connected(server) as driver:
        return [difference for target in targets for difference in verify(target, driver)]


def test_mongosh_runs_the_scripts_twice(start: Start, tmp_path: Path) -> None:
    server = start("mongodb")
    compiled = compiled_for(server, database_prefix="stock_")
    for script in written(compiled, "mongodb", tmp_path):
        for _ in range(2):
            run(*stock_tools.mongosh(), server.url, "--quiet", "--norc", "--file", str(script), HOME=str(tmp_path))
    assert differences(compiled, server) == []


def test_cqlsh_runs_the_files_twice(start: Start, tmp_path: Path) -> None:
    server = start("cassandra")
    compiled = compiled_for(server, keyspace_prefix="stock_")
    login = ("127.0.0.1", str(server.port), "-u", "cassandra", "-p", "cassandra")
    for script in written(compiled, "cassandra", tmp_path):
        for _ in range(2):
            printed = run(
                *stock_tools.cqlsh(), *login, "--request-timeout", "60", "-f", str(script), HOME=str(tmp_path)
            )
            assert "Error" not in printed, printed
    assert differences(compiled, server) == []


def test_the_aws_command_line_takes_the_inputs(start: Start, tmp_path: Path) -> None:
    server = start("dynamodb")
    own = replace(server, url=server.url.replace("http://", "http://stocktools@"))  # tables of this test alone
    compiled = compiled_for(server, name_prefix="stock-")

    login = {"AWS_ACCESS_KEY_ID": "stocktools", "AWS_SECRET_ACCESS_KEY": "local", "AWS_DEFAULT_REGION": "us-east-1"}
    endpoint = ("--endpoint-url", server.url)

    def aws(operation: str, file: Path) -> None:
        given = ("--cli-input-json", f"file://{file}")
        run(*stock_tools.aws(), "dynamodb", operation, *given, *endpoint, **login)

    files = written(compiled, "dynamodb", tmp_path)
    for file in files:
        if not file.name.endswith(".after.json"):
            aws("create-table", file)
    for file in files:
        if file.name.endswith(".after.json"):
            for place, call in enumerate(json.loads(file.read_text())):
                inputs = tmp_path / f"{file.stem}.{place}.json"
                inputs.write_text(json.dumps(call["input"]))
                aws("".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in call["operation"])[1:], inputs)
    assert differences(compiled, own) == []
