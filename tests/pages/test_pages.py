"""Every page: its form, and its two cases."""

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.pages.observed import findings_of_live
from tests.pages.resources import flaws
from tests.projects import a_project, codes_of, errors_of, findings_of
from tests.rules.versions import case, edited, error_codes
from tests.rules.versions import codes as codes_found

import keywright
from keywright.api.guard import Danger, judge
from keywright.pages.catalogue import ALLOWED, HEADINGS, PARAMETERS, PREVIEW, RULE, codes, page, section
from keywright.pages.catalogue import RESOURCES as RESOURCES_FILE
from keywright.rules import asking, models
from keywright.rules.infra.catalogue import INFRA
from keywright.rules.parameters import parameters
from keywright.rules.rule import Rule

SOURCE = Path(keywright.__file__).parent
_CODE = re.compile(r"[A-Z]+[0-9]{3,4}")
MIGRATIONS = [code for code in codes() if page(code).is_of_migrations]
PREVIEWS = [code for code in codes() if page(code).is_of_previews]
LIVE = [code for code in codes() if page(code).is_of_live_stores]
MODELS = sorted({rule.code for rule in models.MODELS if set(page(rule.code).bad) != {RESOURCES_FILE}} - {*LIVE})
OF_RULES = [code for code in codes() if page(code).is_of_rules]
RESOURCES = [code for code in codes() if page(code).is_of_resources]
_OTHERS = (*MIGRATIONS, *PREVIEWS, *MODELS, *OF_RULES, *RESOURCES, *LIVE)
DECLARATIONS = [code for code in codes() if code not in _OTHERS]
CHAIN = [code for code in MIGRATIONS if code.startswith("NL")]


@pytest.mark.parametrize("code", DECLARATIONS)
def test_the_bad_case_of_a_page_raises_exactly_its_code(code: str, tmp_path: Path) -> None:
    assert codes_of(tmp_path, page(code).bad) == [code]


@pytest.mark.parametrize("code", DECLARATIONS)
def test_the_good_case_of_a_page_raises_nothing(code: str, tmp_path: Path) -> None:
    assert [str(error) for error in errors_of(tmp_path, page(code).good)] == []


@pytest.mark.parametrize("code", DECLARATIONS)
def test_every_error_of_a_bad_case_has_a_help_line_and_a_place(code: str, tmp_path: Path) -> None:
    for error in errors_of(tmp_path, page(code).bad):
        assert error.help
        assert error.at.file
        assert "\n" not in error.problem + error.help


@pytest.mark.parametrize("code", [code for code in MIGRATIONS if code not in CHAIN])
def test_the_bad_case_of_a_migration_raises_its_code_with_a_help_line(code: str, tmp_path: Path) -> None:
    found = [one for one in case(tmp_path, page(code).bad).report.findings if one.code == code]
    assert found
    assert all(one.help and one.object and "\n" not in one.message + one.help for one in found)


@pytest.mark.parametrize("code", [code for code in MIGRATIONS if code not in CHAIN])
def test_the_good_case_of_a_migration_raises_no_error_and_not_its_code(code: str, tmp_path: Path) -> None:
    report = case(tmp_path, page(code).good).report
    assert error_codes(report) == []
    assert code not in codes_found(report)


@pytest.mark.parametrize("code", CHAIN)
def test_the_cases_of_the_chain_are_told_of_folders(code: str, tmp_path: Path) -> None:
    assert codes_found(edited(tmp_path / "bad", page(code).bad)) == [code]
    assert codes_found(edited(tmp_path / "good", page(code).good)) == []


@pytest.mark.parametrize("code", PREVIEWS)
def test_the_bad_case_of_a_preview_raises_exactly_its_code_and_the_good_one_nothing(code: str) -> None:
    found = dangers(page(code).bad)
    assert {one.code for one in found} == {code}
    assert all(one.help and "\n" not in one.problem + one.help for one in found)
    assert dangers(page(code).good) == []


@pytest.mark.parametrize("code", MODELS)
def test_the_bad_case_of_a_rule_of_models_raises_exactly_its_code_and_the_good_one_nothing(
    code: str, tmp_path: Path
) -> None:
    found = findings_of(tmp_path / "bad", page(code).bad)
    assert {one.code for one in found} == {code}
    assert all(one.help and one.object and one.at.file and "\n" not in one.message + one.help for one in found)
    assert [str(one) for one in findings_of(tmp_path / "good", page(code).good)] == []


@pytest.mark.parametrize("code", LIVE)
def test_the_bad_case_of_a_live_store_raises_exactly_its_code_and_the_good_one_nothing(
    code: str, tmp_path: Path
) -> None:
    found = findings_of_live(tmp_path / "bad", page(code).bad)
    assert [one.code for one in found] == [code]
    assert all(one.help and one.object and one.at.file and "\n" not in one.message + one.help for one in found)
    assert [str(one) for one in findings_of_live(tmp_path / "good", page(code).good)] == []


@pytest.mark.parametrize("code", OF_RULES)
def test_the_bad_case_of_a_rule_that_fails_raises_exactly_its_code_and_the_good_one_nothing(code: str) -> None:
    def found(source: str) -> list[str]:
        names: dict[str, Any] = {}
        exec(source, names)  # a page of ours
        return [rule.code for rule, _ in asking.judged(models.MODELS[0], names["models"], None, {})]

    assert found(page(code).bad[RULE])[-1] == code
    assert code not in found(page(code).good[RULE])


@pytest.mark.parametrize("code", RESOURCES)
def test_the_bad_case_of_resources_raises_exactly_its_code_and_the_good_one_nothing(code: str) -> None:
    found = flaws(page(code).bad[RESOURCES_FILE], code)
    assert {one for one, _, _ in found} == {code}, found
    assert all(help and "\n" not in problem + help for _, problem, help in found)
    assert flaws(page(code).good[RESOURCES_FILE], code) == []


@pytest.mark.parametrize("code", codes())
def test_a_page_has_all_headings_in_their_order(code: str) -> None:
    text = page(code).text
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert tuple(one for one in headings if one != PARAMETERS) == HEADINGS
    assert all(section(text, heading) for heading in headings)
    if PARAMETERS in headings:
        assert headings[headings.index(PARAMETERS) - 1] == "Fix"


@pytest.mark.parametrize("rule", [*models.MODELS, *INFRA], ids=lambda rule: rule.code)
def test_a_page_names_the_parameters_of_its_rule_with_their_defaults(rule: Rule) -> None:
    said = re.findall(r"^- `(\w+)` \(`(.+)`\): .+$", section(page(rule.code).text, PARAMETERS), re.MULTILINE)
    assert said == [(one.name, json.dumps(one.schema["default"])) for one in parameters(rule).values()]


@pytest.mark.parametrize("code", codes())
def test_a_page_is_called_by_its_code(code: str) -> None:
    assert page(code).code == code


def test_the_names_of_pages_differ() -> None:
    names = [page(code).name for code in codes()]
    assert sorted(set(names)) == sorted(names)


def test_every_code_that_is_raised_has_a_page_and_every_page_is_raised() -> None:
    assert sorted(_codes_raised()) == list(codes())


def test_an_unknown_code_has_no_page() -> None:
    with pytest.raises(KeyError):
        page("E9999")


def test_a_case_may_hold_several_files(tmp_path: Path) -> None:
    files = page("E0104").bad
    assert sorted(files) == ["models/case.py", "models/orders.py"]
    assert a_project(tmp_path, files).root == tmp_path


def dangers(files: Mapping[str, str]) -> list[Danger]:
    return judge(files[PREVIEW], files[ALLOWED].split()) if ALLOWED in files else judge(files[PREVIEW])


def _codes_raised() -> set[str]:
    """Text constants of the source that are codes; the codes that a model may ignore are findings, not errors."""
    found: set[str] = set()
    for file in SOURCE.rglob("*.py"):
        if file != SOURCE / "declare" / "codes.py":
            constants = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant))
            found |= {str(one.value) for one in constants if isinstance(one.value, str) and _CODE.fullmatch(one.value)}
    return found
