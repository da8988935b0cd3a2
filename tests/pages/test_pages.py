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
from tests.prose import wrong_numbers
from tests.rules.migrations import case, edited, error_codes
from tests.rules.migrations import codes as codes_found

import keywright
from keywright.api.pulumi.guard import PreviewFinding, evaluate
from keywright.pages.catalogue import ALLOWED, HEADINGS, PARAMETERS, PREVIEW, RULE, codes, page, section
from keywright.pages.catalogue import RESOURCES as RESOURCES_FILE
from keywright.rules import models, run
from keywright.rules.infra.catalogue import INFRA
from keywright.rules.parameters import parameters
from keywright.rules.rule import Rule

SOURCE = Path(keywright.__file__).parent
_CODE = re.compile(r"[A-Z]+[0-9]{3,4}")
RULES = (*models.MODELS, *INFRA)
WITH_PAGE = [rule for rule in RULES if rule.code in codes()]
"""All rules unless a page is missing, which one test reports."""
MIGRATIONS = [code for code in codes() if page(code).is_of_migrations]
PREVIEWS = [code for code in codes() if page(code).is_of_previews]
LIVE = [code for code in codes() if page(code).is_of_live_stores]
MODELS = sorted({
    rule.code for rule in WITH_PAGE if rule in models.MODELS and set(page(rule.code).bad) != {RESOURCES_FILE}
} - {*LIVE})  # fmt: skip
OF_RULES = [code for code in codes() if page(code).is_of_rules]
RESOURCES = [code for code in codes() if page(code).is_of_resources]
_OTHERS = (*MIGRATIONS, *PREVIEWS, *MODELS, *OF_RULES, *RESOURCES, *LIVE)
DECLARATIONS = [code for code in codes() if code not in _OTHERS]
CHAIN = [code for code in MIGRATIONS if code.startswith("NL")]


def is_plain(text: str) -> bool:
    """Whether a message is one line, with numbers that agree with their nouns."""
    return "\n" not in text and not wrong_numbers(text)


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
        assert is_plain(error.problem + error.help)


@pytest.mark.parametrize("code", [code for code in MIGRATIONS if code not in CHAIN])
def test_the_bad_case_of_a_migration_raises_its_code_with_a_help_line(code: str, tmp_path: Path) -> None:
    findings = [finding for finding in case(tmp_path, page(code).bad).report.findings if finding.code == code]
    assert findings
    assert all(
        finding.help and finding.object and is_plain(f"{finding.message}; {finding.help}") for finding in findings
    )


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
    findings = dangers(page(code).bad)
    assert {finding.code for finding in findings} == {code}
    assert all(finding.help and is_plain(f"{finding.problem}; {finding.help}") for finding in findings)
    assert dangers(page(code).good) == []


@pytest.mark.parametrize("code", MODELS)
def test_the_bad_case_of_a_rule_of_models_raises_exactly_its_code_and_the_good_one_nothing(
    code: str, tmp_path: Path
) -> None:
    findings = findings_of(tmp_path / "bad", page(code).bad)
    assert {finding.code for finding in findings} == {code}
    assert all(
        finding.help and finding.object and finding.at.file and is_plain(f"{finding.message}; {finding.help}")
        for finding in findings
    )
    assert [str(finding) for finding in findings_of(tmp_path / "good", page(code).good)] == []


@pytest.mark.parametrize("code", LIVE)
def test_the_bad_case_of_a_live_store_raises_exactly_its_code_and_the_good_one_nothing(
    code: str, tmp_path: Path
) -> None:
    findings = findings_of_live(tmp_path / "bad", page(code).bad)
    assert [finding.code for finding in findings] == [code]
    assert all(
        finding.help and finding.object and finding.at.file and is_plain(f"{finding.message}; {finding.help}")
        for finding in findings
    )
    assert [str(finding) for finding in findings_of_live(tmp_path / "good", page(code).good)] == []


@pytest.mark.parametrize("code", OF_RULES)
def test_the_bad_case_of_a_rule_that_fails_raises_exactly_its_code_and_the_good_one_nothing(code: str) -> None:
    def found(source: str) -> list[str]:
        names: dict[str, Any] = {}
        exec(source, names)  # a page of ours
        return [rule.code for rule, _ in run.run_finder(models.MODELS[0], names["models"], None, {})]

    assert found(page(code).bad[RULE])[-1] == code
    assert code not in found(page(code).good[RULE])


@pytest.mark.parametrize("code", RESOURCES)
def test_the_bad_case_of_resources_raises_exactly_its_code_and_the_good_one_nothing(code: str) -> None:
    result = flaws(page(code).bad[RESOURCES_FILE], code)
    assert {entry for entry, _, _ in result} == {code}, result
    assert all(help and is_plain(f"{problem}; {help}") for _, problem, help in result)
    assert flaws(page(code).good[RESOURCES_FILE], code) == []


@pytest.mark.parametrize("code", codes())
def test_a_page_has_all_headings_in_their_order(code: str) -> None:
    text = page(code).text
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert tuple(heading for heading in headings if heading != PARAMETERS) == HEADINGS
    assert all(section(text, heading) for heading in headings)
    if PARAMETERS in headings:
        assert headings[headings.index(PARAMETERS) - 1] == "Fix"


def test_every_rule_has_a_page() -> None:
    missing = [f"src/keywright/pages/{rule.code}.md" for rule in RULES if rule not in WITH_PAGE]
    assert missing == []


@pytest.mark.parametrize("rule", WITH_PAGE, ids=lambda rule: rule.code)
def test_a_page_names_the_parameters_of_its_rule_with_their_defaults(rule: Rule) -> None:
    findall = re.findall(r"^- `(\w+)` \(`(.+)`\): .+$", section(page(rule.code).text, PARAMETERS), re.MULTILINE)
    assert findall == [
        (parameter.name, json.dumps(parameter.schema["default"])) for parameter in parameters(rule).values()
    ]


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


def dangers(files: Mapping[str, str]) -> list[PreviewFinding]:
    return evaluate(files[PREVIEW], files[ALLOWED].split()) if ALLOWED in files else evaluate(files[PREVIEW])


def _codes_raised() -> set[str]:
    """Text constants of the source that are codes; the codes that a model may ignore are findings, not errors."""
    result: set[str] = set()
    for file in SOURCE.rglob("*.py"):
        if file != SOURCE / "declare" / "codes.py":
            constants = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant))
            result |= {
                str(constant.value)
                for constant in constants
                if isinstance(constant.value, str) and _CODE.fullmatch(constant.value)
            }
    return result
