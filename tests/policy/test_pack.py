"""The pack of this project, over the protocol by which the engine asks it."""

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
from tests.policy.driver import PACK, TABLE, UNKNOWN, Pack, Told, started

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


def names(told: list[Told]) -> list[str]:
    return sorted(one.policy for one in told)


def test_there_is_a_policy_for_each_rule_under_its_name(pack: Pack) -> None:
    told = {one.name: one for one in pack.info().policies}
    assert list(told) == [rule.name for rule in of_programs()]
    for rule in of_programs():
        one = told[rule.name]
        assert one.tags[0] == rule.code
        assert one.description == f"{rule.code}: {rule.summary}"
        assert one.remediation_steps
        assert one.url.startswith("https://"), rule.code
        assert "excludeFor" in dict(one.configSchema.properties)


def test_a_sound_table_raises_nothing(pack: Pack) -> None:
    assert pack.analyze(TABLE, "orders", ORDERS) == []


def test_a_careless_table_is_told_with_what_to_do(pack: Pack) -> None:
    told = pack.analyze(TABLE, "orders", {**ORDERS, "pointInTimeRecovery": {"enabled": False}})
    assert names(told) == ["dynamodb-pitr-off"]
    summary, problem, help = told[0].message.split("\n")
    assert summary == f"INF101: {page('INF101').summary}"
    assert problem == "pointInTimeRecovery.enabled is false: the table cannot be restored to a moment of the last weeks"
    assert help.startswith("  help: say point_in_time_recovery=")
    assert told[0].level == "mandatory"


def test_protection_is_an_option_of_the_resource(pack: Pack) -> None:
    assert names(pack.analyze(TABLE, "orders", ORDERS, protect=False)) == ["data-resource-unprotected"]


def test_what_is_not_known_is_never_guessed_and_hides_nothing_else(pack: Pack) -> None:
    inputs = {**ORDERS, "pointInTimeRecovery": {"enabled": UNKNOWN}, "deletionProtectionEnabled": False}
    told = {one.policy: one for one in pack.analyze(TABLE, "orders", inputs)}
    assert sorted(told) == ["dynamodb-pitr-off", "dynamodb-unprotected"]
    assert "can't be known during preview" in told["dynamodb-pitr-off"].message
    assert ".pointInTimeRecovery.enabled" in told["dynamodb-pitr-off"].message
    assert told["dynamodb-pitr-off"].level == "advisory"


def test_an_unknown_name_or_key_is_in_nobodys_way(pack: Pack) -> None:
    encryption = {"enabled": True, "kmsKeyArn": UNKNOWN}
    told = pack.analyze(
        TABLE, "orders", {**ORDERS, "name": UNKNOWN, "arn": UNKNOWN, "serverSideEncryption": encryption}
    )
    assert names(told) == ["dynamodb-no-cmk"], "whether there is a key is the only thing that nobody can say"


def test_parameters_and_levels_come_from_the_configuration(pack: Pack) -> None:
    group = "aws:elasticache/replicationGroup:ReplicationGroup"
    inputs = {**SOUND[group], "snapshotRetentionLimit": 7}
    assert pack.analyze(group, "sessions", inputs) == []
    pack.configure({"elasticache-no-backup": {"enforcementLevel": "mandatory", "days": 14}})
    (told,) = pack.analyze(group, "sessions", inputs)
    assert (told.policy, told.level) == ("elasticache-no-backup", "mandatory")
    assert "snapshotRetentionLimit is 7: snapshots are kept for less than 14 days" in told.message
    pack.configure({"elasticache-no-backup": "disabled"})
    assert pack.analyze(group, "sessions", {**inputs, "snapshotRetentionLimit": 1}) == []


def test_names_are_left_out_by_patterns(pack: Pack) -> None:
    pack.configure({"dynamodb-unprotected": {"excludeFor": ["scratch-*"]}})
    inputs = {**ORDERS, "deletionProtectionEnabled": False}
    assert pack.analyze(TABLE, "scratch-1", inputs) == []
    assert (
        pack.not_applicable(TABLE, "scratch-1", inputs)["dynamodb-unprotected"]
        == '"scratch-1" is left out by excludeFor'
    )
    assert names(pack.analyze(TABLE, "orders", inputs)) == ["dynamodb-unprotected"]


def test_a_remediation_changes_its_argument_and_leaves_the_rest(pack: Pack) -> None:
    pack.configure({"dynamodb-pitr-off": "remediate", "dynamodb-unprotected": "remediate"})
    inputs = {
        **ORDERS, "pointInTimeRecovery": {"enabled": False, "recoveryPeriodInDays": 3}, "name": UNKNOWN,
        "deletionProtectionEnabled": False,
    }  # fmt: skip
    made = pack.remediate(TABLE, "orders", inputs)["dynamodb-unprotected"]
    wanted = {"enabled": True, "recoveryPeriodInDays": 3}
    assert made == {**inputs, "pointInTimeRecovery": wanted, "deletionProtectionEnabled": True}
    assert pack.remediate(TABLE, "orders", ORDERS) == {}


def test_a_remediation_guesses_nothing(pack: Pack) -> None:
    pack.configure({"dynamodb-pitr-off": "remediate"})
    made = pack.remediate(TABLE, "orders", {**ORDERS, "pointInTimeRecovery": {"enabled": UNKNOWN}})
    assert "can't be known during preview" in made["dynamodb-pitr-off"]["!"]


def test_a_parameter_group_is_judged_as_the_server_that_takes_it(pack: Pack) -> None:
    group = {"family": "valkey8", "parameters": [{"name": "maxmemory-policy", "value": "noeviction"}]}
    assert pack.analyze("aws:elasticache/parameterGroup:ParameterGroup", "jobs", group) == []


def test_stores_of_keywrights_own_provider_are_judged_by_the_rules_of_models(pack: Pack) -> None:
    settings = {"name": "jobs", "flavour": "redis", "version": "7.2", "replicas": 1, "settings": {}}
    assert "maxmemory-unset" in names(pack.analyze("keywright:redis:Settings", "jobs", settings))
    keyspace = {"name": "metrics", "replication": {"class": "NetworkTopologyStrategy", "dc1": "1"}}
    told = pack.stack([("keywright:cassandra:Keyspace", "metrics", keyspace)])
    assert ("replication-not-production", "urn:pulumi:prod::shop::keywright:cassandra:Keyspace::metrics") in {
        (one.policy, one.urn) for one in told
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
def test_a_configuration_that_pulumi_would_pass_over_ends_the_pack(text: str, words: list[str], tmp_path: Path) -> None:
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


def test_every_configuration_of_the_pack_is_sound() -> None:
    for file in PACK.glob("config.*.json"):
        assert json.loads(file.read_text(encoding="utf-8"))
