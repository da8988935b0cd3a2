"""What the policy pack says in a real preview stands in the review of a branch."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.projects import PYPROJECT, SOUND
from tests.pulumi.guarded import Guarded
from tests.pulumi.test_pack import CARELESS, HARD, said
from tests.pulumi.test_pack import warehouse as warehouse
from tests.repository import a_repository, commit

from keywright.api.pulumi.policy_findings import STREAMING

pytestmark = pytest.mark.live


def test_a_branch_whose_preview_a_policy_stops_is_objected_to(warehouse: Guarded, tmp_path: Path) -> None:
    done = said(warehouse, "preview", "prod", {**HARD, **CARELESS}, "--json", **{STREAMING: "1"})
    preview = tmp_path / "preview.json"
    preview.write_text(done.text, encoding="utf-8")
    root = a_repository(tmp_path / "repository")
    commit(root, {"pyproject.toml": PYPROJECT, "stacks/Pulumi.dev.yaml": SOUND, "models/__init__.py": ""})
    words = [sys.executable, "-m", "keywright", "pr", "--base", "main", "--preview", str(preview)]
    process = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (1, "")
    assert "| mandatory | `INF101` | `careless` | pointInTimeRecovery.enabled is not set: " in process.stdout
    assert "`orders`" not in process.stdout
    document = json.loads(
        subprocess.run([*words, "--format", "json"], cwd=root, capture_output=True, check=False).stdout
    )
    assert {policy["resource"] for policy in document["policies"]} == {"careless"}
    assert {"INF101", "INF103", "INF601"} <= {
        policy["policy"] for policy in document["policies"] if policy["level"] == "mandatory"
    }
