"""The policy pack under the real command line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.policy.driver import TABLE
from tests.pulumi.cleaning import emptied
from tests.pulumi.guarded import Guarded
from tests.pulumi.world import Said

from keywright.api.pulumi.policy_findings import STREAMING, PackFinding, policed

pytestmark = pytest.mark.live

CARELESS: dict[str, Any] = {"careless": {"stream_enabled": True, "stream_view_type": "KEYS_ONLY"}}
HARD: dict[str, Any] = {"orders": {"hard": True}}


@pytest.fixture
def warehouse(programs: Path, endpoint: str, tmp_path: Path) -> Iterator[Guarded]:
    guarded = Guarded(tmp_path / "warehouse", programs, endpoint)
    guarded.prepare()
    with emptied(guarded.dynamodb, {}):
        yield guarded


def said(world: Guarded, command: str, environment: str, tables: dict[str, Any], *arguments: str, **more: str) -> Said:
    """`pulumi preview` or `up` under the pack, of a program with these tables."""
    world.pulumi("stack", "init", environment)
    return world.pulumi(
        command, "-s", environment, "--policy-pack", "policies", "--policy-pack-config",
        f"policies/config.{environment}.json", *arguments, TABLES=json.dumps(tables), **more,
    )  # fmt: skip


def found(world: Guarded, environment: str, tables: dict[str, Any]) -> tuple[int, dict[str, PackFinding]]:
    """The exit code of a preview, and what the pack found, by the codes of the rules."""
    done = said(world, "preview", environment, tables, "--json", **{STREAMING: "1"})
    return done.code, {finding.code: finding for finding in policed(done.text)}


def configured(world: Guarded, environment: str, **said: Any) -> None:
    """Say something else in the configuration of an environment."""
    file = world.root / "policies" / f"config.{environment}.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(
        json.dumps({**document, **{key.replace("_", "-"): entry for key, entry in said.items()}}), encoding="utf-8"
    )


@pytest.mark.parametrize("environment", ["dev", "staging", "prod"])
def test_a_hardened_table_raises_nothing_anywhere(environment: str, warehouse: Guarded) -> None:
    assert found(warehouse, environment, HARD) == (0, {})


def test_development_is_advised_and_stopped_by_nothing(warehouse: Guarded) -> None:
    configured(warehouse, "dev", dynamodb_pitr_off="advisory")
    code, findings = found(warehouse, "dev", CARELESS)
    assert (code, sorted(findings)) == (0, ["INF101"])
    assert findings["INF101"].enforcement == "advisory"
    assert findings["INF101"].severity == "error"
    assert findings["INF101"].resource == "careless"
    assert findings["INF101"].message.startswith("pointInTimeRecovery.enabled is not set: ")
    assert findings["INF101"].help.startswith("set point_in_time_recovery=")
    done = said(warehouse, "up", "dev", CARELESS, "--yes")
    assert done.code == 0, done.text
    assert "[advisory] [severity: high]  dynamodb-pitr-off  (aws:dynamodb:Table: careless)" in done.text
    assert warehouse.dynamodb.list_tables()["TableNames"] == ["dev-careless"]


def test_production_is_stopped_and_nothing_is_made(warehouse: Guarded) -> None:
    code, findings = found(warehouse, "prod", {**HARD, **CARELESS})
    assert code == 1
    assert {"INF101", "INF103", "INF601"} <= {
        finding.code for finding in findings.values() if finding.enforcement == "mandatory"
    }
    assert {finding.resource for finding in findings.values()} == {"careless"}
    for arguments in (("--yes",), ("--yes", "--skip-preview")):
        done = said(warehouse, "up", "prod", CARELESS, *arguments)
        assert done.code == 1
        assert "[mandatory]" in done.text
        assert warehouse.dynamodb.list_tables()["TableNames"] == []


def test_staging_is_put_right_where_that_is_pure_hardening(warehouse: Guarded) -> None:
    configured(warehouse, "staging", data_resource_unprotected="advisory")
    done = said(warehouse, "up", "staging", CARELESS, "--yes", "--skip-preview")
    assert done.code == 0, done.text
    table = warehouse.dynamodb.describe_table(TableName="staging-careless")["Table"]
    assert table["DeletionProtectionEnabled"]
    state = json.loads(warehouse.pulumi("stack", "export", "-s", "staging").text)
    inputs = next(resource["inputs"] for resource in state["deployment"]["resources"] if resource["type"] == TABLE)
    assert inputs["pointInTimeRecovery"] == {"enabled": True}
    assert inputs["deletionProtectionEnabled"] is True


def test_what_is_computed_only_when_the_stack_is_up_is_told_and_stops_nothing(warehouse: Guarded) -> None:
    configured(warehouse, "prod", dynamodb_no_cmk="mandatory")
    code, findings = found(warehouse, "prod", {**HARD, "users": {"hard": True, "after": True}})
    assert (code, sorted(findings)) == (0, ["INF102"])
    assert (findings["INF102"].resource, findings["INF102"].is_known, findings["INF102"].enforcement) == (
        "users",
        False,
        "advisory",
    )


def test_what_a_configuration_misspells_ends_the_preview_with_its_line(warehouse: Guarded) -> None:
    configured(warehouse, "prod", dynamodb_pitr_of="mandatory")
    done = said(warehouse, "preview", "prod", HARD)
    assert done.code != 0
    assert "error[E0401]" in done.text
    assert 'did you mean "dynamodb-pitr-off"?' in done.text
