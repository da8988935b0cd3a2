"""Soundness of the planner, by experiment: whatever it calls served answers exactly, on the real server.

Generated models and patterns go the whole way: planned, made on the server, loaded, called, compared with Python's
answer, and judged by the server's own evidence. `make truth` draws many more models.
"""

from pathlib import Path

import pytest
from hypothesis import given
from tests.live.conftest import Start
from tests.live.drawn import drawn
from tests.projects import STACK, a_project, imported_alone
from tests.properties.patterned import STORES, model_file

from keywright import api
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on, unproved
from keywright.api.prove.scratch import Server

pytestmark = pytest.mark.live

MODELS = 8
"""Generated models for each engine."""
PATTERNS = 40
"""Patterns on each of them."""


@pytest.mark.parametrize("engine", STORES)
def test_what_is_called_served_is_proved(
    engine: str, start: Start, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> None:
    running = start(engine, "things" if engine == "redis" else engine)
    counts = {"patterns": 0, "served": 0}

    @drawn(MODELS)
    @given(source=model_file(engine, PATTERNS))
    def check(source: str) -> None:
        folder = tmp_path_factory.mktemp("sound")
        stack = STACK.replace("cassandra}", "cassandra, datacentres: {datacenter1: 1}}")
        with imported_alone(folder):
            a_project(folder, {"models/things.py": source, "stacks/Pulumi.dev.yaml": stack})
            project = api.load(str(folder))
            compiled = api.compile(project)
            instance = instance_of(compiled.targets[0])
            results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=60)
        counts["patterns"] += len(results)
        counts["served"] += sum(result.row.planned.is_served for result in results)
        wrong = [
            result for result in unproved(results) if result.proof is not None and not is_idle(result.proof.problems)
        ]
        if wrong:
            path = Path(pytestconfig.rootpath) / ".keywright" / f"unsound-{engine}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(source, encoding="utf-8")
            output = [
                f"{result.row.pattern.name}: {result.row.planned.path}\n  {result.proof.problems}"
                for result in wrong
                if result.proof
            ]
            pytest.fail(f"kept as {path}\n\n{source}\n" + "\n".join(output))

    check()
    assert counts["patterns"] >= 300
    assert counts["served"] >= counts["patterns"] // 5, counts


def is_idle(problems: list[str]) -> bool:
    """Whether all that is wrong is that no generated item lends a pattern its values."""
    return all("raise --scale" in problem for problem in problems)
