"""Real servers for tests, each started when the first test asks for it and stopped at the end of the run."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from keywright import local
from keywright.errors import Unavailable
from keywright.local import Instance, Running

Start = Callable[..., Running]


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """`start("mongodb")`, `start("redis", "sessions")`: a running server; the same one for the same words.

    A server that cannot be had skips the test with the reason, or fails it where KEYWRIGHT_REQUIRE_ENGINES names it.
    """
    folder = tmp_path_factory.mktemp("servers")
    known: dict[Instance, Running] = {}

    def started(engine: str, name: str = "") -> Running:
        instance = Instance(engine, name or engine)
        if instance not in known:
            known[instance] = _start(folder, instance)
        return known[instance]

    yield started
    local.down(folder, tell=lambda event: None)


def _start(folder: Path, instance: Instance) -> Running:
    required = local.required_engines(local.RECIPES) & {instance.engine}
    try:
        (answer,) = local.up(folder, [instance], required=required, tell=lambda event: None)
    except Unavailable as error:
        pytest.fail(str(error)) if required else pytest.skip(str(error))
    if not isinstance(answer, Running):
        pytest.skip(f"{instance}: {answer.reason}")
    return answer
