"""Proofs of the patterns of a test's models on generated data, on a real DynamoDB Local."""

from pathlib import Path
from types import ModuleType

from tests.live.conftest import Start
from tests.projects import STACK, a_project, imported_alone

from keywright import api
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server


def proved(models: ModuleType, start: Start, folder: Path) -> dict[str, list[str]]:
    """Problems of the proof of each served pattern of a module of models."""
    source = Path(str(models.__file__)).read_text(encoding="utf-8")
    running = start("dynamodb")
    with imported_alone(folder):
        a_project(folder, {"models/things.py": source, "stacks/Pulumi.dev.yaml": STACK})
        project = api.load(str(folder))
        compiled = api.compile(project)
        instance = instance_of(compiled.targets[0])
        results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=60)
    return {result.row.pattern.name: result.proof.problems for result in results if result.proof is not None}
