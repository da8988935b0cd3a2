"""`policies/config.<environment>.json`: what it says of rules, and what is wrong with it."""

import json
from pathlib import Path
from typing import Any

import pytest

from keywright.errors import DeclarationErrors, gathering
from keywright.project.environments.policies import check_folder, configuration_of, rules
from keywright.rules.configuration import PackConfiguration, parse, schema
from keywright.rules.models import MODELS
from keywright.rules.options import RuleOptions
from keywright.rules.parameters import parameters
from keywright.rules.rule import Severity

RULES = rules()
BY_CODE = {rule.code: rule for rule in RULES}


def read(document: Any) -> PackConfiguration:
    return parse(document if isinstance(document, str) else json.dumps(document), "config.prod.json", RULES)


def mistakes(text: str) -> list[tuple[str, int, str]]:
    with gathering() as errors:
        read(text)
    return [(error.code, error.at.line, error.problem) for error in errors]


def test_what_is_said_of_one_rule_wins_over_what_is_said_of_all_whatever_comes_first() -> None:
    for document in (
        {"all": "advisory", "dynamodb-pitr-off": "mandatory"},
        {"dynamodb-pitr-off": "mandatory", "all": "advisory"},
    ):
        enforcements = read(document).enforcements
        assert enforcements["INF101"] == "mandatory"
        assert {level for code, level in enforcements.items() if code != "INF101"} == {"advisory"}
        assert set(enforcements) == {rule.code for rule in RULES}


def test_parameters_and_names_are_told_apart() -> None:
    pack_configuration = read(
        {"elasticache-no-backup": {"enforcementLevel": "mandatory", "days": 14, "excludeFor": ["scratch-*"]}}
    )
    assert pack_configuration == PackConfiguration(
        {"INF205": "mandatory"}, {"INF205": {"days": 14}}, {"INF205": ("scratch-*",)}
    )


@pytest.mark.parametrize(
    ("enforcement", "code", "follows_models", "severity"),
    [
        ("mandatory", "MDB002", True, "error"),
        ("advisory", "MDB002", False, "warning"),
        ("advisory", "MDB001", False, "warning"),
        ("disabled", "MDB001", False, None),
        ("remediate", "MDB001", False, "error"),
        ("advisory", "MDB017", True, "info"),
    ],
)
def test_check_takes_the_same_file_for_how_bad_a_finding_is(
    enforcement: str, code: str, follows_models: bool, severity: Severity | None
) -> None:
    pack_configuration = read({BY_CODE[code].name: enforcement})
    options = pack_configuration.options(RuleOptions(), MODELS, follows_models=follows_models)
    assert options.severity(BY_CODE[code], follows_models=follows_models) == severity


def test_parameters_of_the_file_are_added_to_those_of_the_project() -> None:
    pack_configuration = read({"embedded-array-too-long": {"embed_max": 7}})
    options = pack_configuration.options(
        RuleOptions(parameters={"MDB002": {"embed_max": 9}, "GEN021": {}}), MODELS, follows_models=False
    )
    assert options.parameters == {"MDB002": {"embed_max": 7}, "GEN021": {}}


def test_the_schema_of_a_rule_has_its_parameters_and_the_names_that_are_left_out() -> None:
    for rule in RULES:
        assert list(schema(rule)) == ["excludeFor", *parameters(rule)]


def test_each_mistake_has_its_line() -> None:
    text = '{\n "all": "never",\n "dynamodb-pitr-of": "advisory",\n "docdb-no-cmk": {"days": 7}\n}'
    assert mistakes(text) == [
        ("E0402", 2, '"all" is "never"'),
        ("E0401", 3, 'there is no rule "dynamodb-pitr-of"'),
        ("E0401", 4, '"docdb-no-cmk.days" is not a setting'),
    ]
    assert mistakes('{"all": "advisory",\n "all": "mandatory"}') == [("E0404", 1, 'the key "all" occurs twice')]
    assert mistakes('{"all": {"days": 7}}') == [("E0401", 1, '"all.days" is not a setting')]
    assert mistakes("[]") == [("E0402", 1, "the file contains no object")]
    ((code, line, problem),) = mistakes('{\n"all" "advisory"}')
    assert (code, line) == ("E0403", 2)
    assert "not valid JSON" in problem


def test_a_project_without_a_pack_says_nothing(tmp_path: Path) -> None:
    assert configuration_of(tmp_path, "prod") == PackConfiguration()


def test_all_files_of_a_folder_are_looked_at_at_once(tmp_path: Path) -> None:
    (tmp_path / "config.dev.json").write_text('{"none": "advisory"}', encoding="utf-8")
    (tmp_path / "config.prod.json").write_text('{"nothing": "advisory"}', encoding="utf-8")
    with pytest.raises(DeclarationErrors) as caught:
        check_folder(tmp_path)
    assert [error.at.file for error in caught.value.exceptions] == [
        str(tmp_path / name) for name in ("config.dev.json", "config.prod.json")
    ]
