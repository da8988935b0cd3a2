"""A table whose keys change, declared as its next generation: each gate opens, and the version ends applied."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.test_migrate_keys import NEXT, models
from tests.live.daily import Daily

from keywright.local import Running

pytestmark = pytest.mark.live

STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb, name-prefix: "{prefix}"}}
    mongodb: {{flavour: mongodb, version: "6.0", database-prefix: "{prefix}"}}
    cassandra: {{flavour: cassandra, keyspace-prefix: "{prefix}", datacentres: {{datacenter1: 1}}}}
    redis: {{flavour: redis}}
"""

AFTER = {
    "dynamodb": models("dynamodb", type="int", head=NEXT),
    "mongodb": models("mongodb", ("{customer}#{placed}", "{placed}#{customer}"), store=NEXT),
    "cassandra": models("cassandra", ('clustering="placed"', 'clustering="-placed"'), store=NEXT),
    "redis": models("redis", ("order:{customer}:{placed}", "order:{placed}:{customer}"), head=NEXT),
}


@pytest.fixture
def project(
    request: pytest.FixtureRequest, tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> tuple[str, Daily]:
    engine = request.param
    name = "rebuilt" if engine == "redis" else engine
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", start(engine, name).url)
    return engine, Daily(tmp_path / "it", models(engine), stack=STACK)


@pytest.mark.parametrize("project", AFTER, indirect=True)
def test_a_new_generation_is_applied_gate_by_gate(project: tuple[str, Daily]) -> None:
    engine, daily = project
    assert daily("diff", "-m", "one").code == 0
    said = daily("apply", "--local")
    assert said.code == 0, said
    daily.becomes(AFTER[engine])
    assert daily("diff", "-m", "two").code == 0
    gates = 0
    while (said := daily("apply", "--local", *acknowledging(said))).code == 4:
        gates += 1
        assert gates <= 3, said
    assert said.code == 0, said
    assert gates == 3
    assert daily("status", "--local", "--require", "0002").code == 0
    assert daily.keywright("drift", "--local").code == 0
    assert daily("apply", "--local").out == "nothing to apply\n"


def acknowledging(said: object) -> list[str]:
    """The options that the help line names, where a gate is shut."""
    text = getattr(said, "err", "")
    return ["--ack", text.partition("--ack ")[2].split()[0], "--note", "x"] if "--ack " in text else []
