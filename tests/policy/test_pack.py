"""The pack of this project, over the engine's protocol."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.pages.resources import SOUND
from tests.policy.driver import PACK, TABLE, UNKNOWN, Diagnostic, Pack, started

from keywright.pages.catalogue import page
from keywright.rules.infra.catalogue import of_programs

ORDERS: dict[str, Any] = {"name": "orders", **SOUND[TABLE]}


@pytest.fixture(scope="module")
def running() -> Iterator[Pack]:
    with started() as pack:
        yield pack


@pytest.fixture
def pack(running: Pack) -> Pack:
    running.configure({})
    return running


def names(diagnostics: list[Diagnostic]) -> list[str]:
    return sorted(diagnostic.policy for diagnostic in diagnostics)


def test_there_is_a_policy_for_each_rule_under_its_name(pack: Pack) -> None:
    policies = {policy.name: policy for policy in pack.info().policies}
    assert list(policies) == [rule.name for rule in of_programs()]
    for rule in of_programs():
        policy = policies[rule.name]
        assert policy.tags[0] == rule.code
        assert policy.description == f"{rule.code}: {rule.summary}"
        assert policy.remediation_steps
        assert policy.url.startswith("https://"), rule.code
        assert "excludeFor" in dict(policy.configSchema.properties)


def test_a_sound_table_raises_nothing(pack: Pack) -> None:
    assert pack.analyze(TABLE, "orders", ORDERS) == []


def test_a_careless_table_is_reported_with_help(pack: Pack) -> None:
    analyze = pack.analyze(TABLE, "orders", {**ORDERS, "pointInTimeRecovery": {"enabled": False}})
    assert names(analyze) == ["dynamodb-pitr-off"]
    summary, problem, help = analyze[0].message.split("\n")
    assert summary == f"INF101: {page('INF101').summary}"
    assert problem == (
        "pointInTimeRecovery.enabled is false: the table cannot be restored to a point in time of the last weeks"
    )
    assert help.startswith("  help: set point_in_time_recovery=")
    assert analyze[0].level == "mandatory"


def test_protection_is_an_option_of_the_resource(pack: Pack) -> None:
    assert names(pack.analyze(TABLE, "orders", ORDERS, protect=False)) == ["data-resource-unprotected"]


def test_an_unknown_value_is_never_guessed_and_hides_no_other_finding(pack: Pack) -> None:
    inputs = {**ORDERS, "pointInTimeRecovery": {"enabled": UNKNOWN}, "deletionProtectionEnabled": False}
    diagnostics = {diagnostic.policy: diagnostic for diagnostic in pack.analyze(TABLE, "orders", inputs)}
    assert sorted(diagnostics) == ["dynamodb-pitr-off", "dynamodb-unprotected"]
    assert "can't be known during preview" in diagnostics["dynamodb-pitr-off"].message
    assert ".pointInTimeRecovery.enabled" in diagnostics["dynamodb-pitr-off"].message
    assert diagnostics["dynamodb-pitr-off"].level == "advisory"


def test_an_unknown_name_or_key_does_not_matter_to_other_rules(pack: Pack) -> None:
    encryption = {"enabled": True, "kmsKeyArn": UNKNOWN}
    analyze = pack.analyze(
        TABLE, "orders", {**ORDERS, "name": UNKNOWN, "arn": UNKNOWN, "serverSideEncryption": encryption}
    )
    assert names(analyze) == ["dynamodb-no-cmk"], "only the encryption key is unknown"


def test_parameters_and_levels_come_from_the_configuration(pack: Pack) -> None:
    group = "aws:elasticache/replicationGroup:ReplicationGroup"
    inputs = {**SOUND[group], "snapshotRetentionLimit": 7}
    assert pack.analyze(group, "sessions", inputs) == []
    pack.configure({"elasticache-no-backup": {"enforcementLevel": "mandatory", "days": 14}})
    (diagnostic,) = pack.analyze(group, "sessions", inputs)
    assert (diagnostic.policy, diagnostic.level) == ("elasticache-no-backup", "mandatory")
    assert "snapshotRetentionLimit is 7: snapshots are kept for less than 14 days" in diagnostic.message
    pack.configure({"elasticache-no-backup": "disabled"})
    assert pack.analyze(group, "sessions", {**inputs, "snapshotRetentionLimit": 1}) == []


def test_names_are_excluded_by_patterns(pack: Pack) -> None:
    pack.configure({"dynamodb-unprotected": {"excludeFor": ["scratch-*"]}})
    inputs = {**ORDERS, "deletionProtectionEnabled": False}
    assert pack.analyze(TABLE, "scratch-1", inputs) == []
    assert (
        pack.not_applicable(TABLE, "scratch-1", inputs)["dynamodb-unprotected"]
        == '"scratch-1" is excluded by excludeFor'
    )
    assert names(pack.analyze(TABLE, "orders", inputs)) == ["dynamodb-unprotected"]


def test_a_remediation_changes_its_argument_and_leaves_the_rest(pack: Pack) -> None:
    pack.configure({"dynamodb-pitr-off": "remediate", "dynamodb-unprotected": "remediate"})
    inputs = {
        **ORDERS, "pointInTimeRecovery": {"enabled": False, "recoveryPeriodInDays": 3}, "name": UNKNOWN,
        "deletionProtectionEnabled": False,
    }  # fmt: skip
    remediated = pack.remediate(TABLE, "orders", inputs)["dynamodb-unprotected"]
    expected = {"enabled": True, "recoveryPeriodInDays": 3}
    assert remediated == {**inputs, "pointInTimeRecovery": expected, "deletionProtectionEnabled": True}
    assert pack.remediate(TABLE, "orders", ORDERS) == {}


def test_a_remediation_does_not_guess(pack: Pack) -> None:
    pack.configure({"dynamodb-pitr-off": "remediate"})
    remediate = pack.remediate(TABLE, "orders", {**ORDERS, "pointInTimeRecovery": {"enabled": UNKNOWN}})
    assert "can't be known during preview" in remediate["dynamodb-pitr-off"]["!"]


def test_a_parameter_group_is_checked_as_the_server_that_uses_it(pack: Pack) -> None:
    group = {"family": "valkey8", "parameters": [{"name": "maxmemory-policy", "value": "noeviction"}]}
    assert pack.analyze("aws:elasticache/parameterGroup:ParameterGroup", "jobs", group) == []


def test_stores_of_keywrights_own_provider_are_checked_by_the_rules_of_models(pack: Pack) -> None:
    settings = {"name": "jobs", "flavour": "redis", "version": "7.2", "replicas": 1, "settings": {}}
    assert "maxmemory-unset" in names(pack.analyze("keywright:redis:Settings", "jobs", settings))
    keyspace = {"name": "metrics", "replication": {"class": "NetworkTopologyStrategy", "dc1": "1"}}
    stack = pack.stack([("keywright:cassandra:Keyspace", "metrics", keyspace)])
    assert ("replication-not-production", "urn:pulumi:prod::shop::keywright:cassandra:Keyspace::metrics") in {
        (diagnostic.policy, diagnostic.urn) for diagnostic in stack
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{\n  "dynamodb-pitr-of": "mandatory"\n}',
            ["policies/config.prod.json:2: error[E0401]", '"dynamodb-pitr-of"', 'did you mean "dynamodb-pitr-off"?'],
        ),
        ('{"INF101": "mandatory"}', ["E0401", 'write "dynamodb-pitr-off"']),
        ('{"all": "fatal"}', ["E0402", '"all" is "fatal"', '"disabled"']),
        ('{"elasticache-no-backup": {"day": 7}}', ["E0401", 'no-backup.day" is no', 'did you mean "days"?']),
        ('{"elasticache-no-backup": {"days": "7"}}', ["E0402", '"elasticache-no-backup.days" is "7"']),
        ('{"elasticache-no-backup": {"excludeFor": "x"}}', ["E0402", '"elasticache-no-backup.excludeFor" is "x"']),
        ('{"all": "advisory"', ["config.prod.json:1", "E0403", "not valid JSON"]),
    ],
)  # fmt: skip
def test_a_configuration_that_pulumi_would_ignore_ends_the_pack(text: str, words: list[str], tmp_path: Path) -> None:
    shutil.copytree(PACK, tmp_path / "policies", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "policies" / "config.prod.json").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "import pack"], cwd=tmp_path / "policies", capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    for word in (*words, "help: "):
        assert word in done.stderr


def test_the_main_file_of_the_pack_starts_it_and_nothing_else() -> None:
    text = (PACK / "__main__.py").read_text(encoding="utf-8")
    assert len(re.findall(r"^\S", text, re.MULTILINE)) == 4


def test_every_configuration_of_the_pack_is_valid() -> None:
    for file in PACK.glob("config.*.json"):
        assert json.loads(file.read_text(encoding="utf-8"))
