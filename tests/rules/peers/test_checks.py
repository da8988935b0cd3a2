"""What other tools report about databases in programs is reported here too, or a reason says why not."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.pages.resources import SOUND
from tests.rules.test_infra import a

from keywright.pages.catalogue import RESOURCES, page
from keywright.record import replace
from keywright.rules.infra.catalogue import of_programs
from keywright.rules.infra.run import on_stack

CHECKS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "checks.toml").read_text(encoding="utf-8"))[
    "check"
]
OURS = [check for check in CHECKS if "codes" in check]
RULES = {rule.code: rule for rule in of_programs()}


def name(check: dict[str, Any]) -> str:
    return f"{check['tool']}-{check['id']}"


def test_a_check_is_listed_once_and_has_a_rule_or_a_reason() -> None:
    names = [name(check) for check in CHECKS]
    assert names == list(dict.fromkeys(names))
    assert all(("codes" in check) != ("reason" in check) for check in CHECKS)
    assert all(check["subject"] and check["date"] for check in CHECKS)


@pytest.mark.parametrize("check", OURS, ids=name)
def test_the_bad_case_of_the_rule_is_about_the_same_type_of_resource(check: dict[str, Any]) -> None:
    types = {resource["type"] for code in check["codes"] for resource in yaml.safe_load(page(code).bad[RESOURCES])}
    assert check["type"] in types


@pytest.mark.parametrize("check", OURS, ids=name)
def test_the_rule_reports_what_fails_the_check(check: dict[str, Any]) -> None:
    careless = replace(a(check["type"], **check["careless"]), is_protected=False)
    assert any(list(on_stack(RULES[code], [careless], {}, {})) for code in check["codes"])


@pytest.mark.parametrize("type", sorted({check["type"] for check in OURS if check["type"] in SOUND}))
def test_a_hardened_resource_raises_nothing(type: str) -> None:
    codes = {code for check in OURS for code in check["codes"]}
    assert [code for code in sorted(codes) if list(on_stack(RULES[code], [a(type)], {}, {}))] == []
