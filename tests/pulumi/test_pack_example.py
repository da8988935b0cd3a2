"""The example itself under its policy pack, in each environment, as its stack files say it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.pulumi.world import ROOT, World

from keywright.api.pulumi.policy_findings import STREAMING, policed

pytestmark = pytest.mark.live


@pytest.fixture
def example(programs: Path, endpoint: str, tmp_path: Path) -> Iterator[World]:
    """The example with its pack, and with no store that could be asked."""
    world = World(tmp_path / "shop", programs, endpoint)
    world.prepare()
    shutil.copytree(ROOT / "policies", world.root / "policies", ignore=shutil.ignore_patterns("__pycache__"))
    return world


@pytest.mark.parametrize(("environment", "position"), [("dev", ""), ("staging", "0011/end"), ("prod", "0011/end")])
def test_the_example_is_clean(environment: str, position: str, example: World) -> None:
    assert example.pulumi("stack", "init", environment).code == 0
    output = {"KEYWRIGHT_POSITION": position} if position else {}
    done = example.pulumi(
        "preview", "--json", "-s", environment, "--policy-pack", "policies", "--policy-pack-config",
        f"policies/config.{environment}.json", **output, **{STREAMING: "1"},
    )  # fmt: skip
    result = [(finding.enforcement, finding.code, finding.resource, finding.message) for finding in policed(done.text)]
    assert result == []
    assert done.code == 0, done.text
