"""Options of rules: profiles, selection, severities and parameters."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.projects import a_project, without_crashes

from keywright.api.check.options import options_of
from keywright.engines.findings.context import FindingDraft
from keywright.errors import DeclarationError, UsageError
from keywright.rules.models import MODELS
from keywright.rules.options import OptionError, RuleOptions, read
from keywright.rules.parameters import checked, parameters
from keywright.rules.rule import Finding, Rule
from keywright.rules.run import CRASHED, run_finder

BY_CODE = {rule.code: rule for rule in MODELS}
LONG = BY_CODE["MDB002"]


def severity(options: RuleOptions, code: str, *, dev: bool = False) -> str | None:
    return options.severity(BY_CODE[code], follows_models=dev)


def test_a_profile_decides_what_counts_how_much() -> None:
    assert [severity(RuleOptions(profile=profile), "MDB002") for profile in ("relaxed", "default", "strict")] == [
        None, "warning", "error",
    ]  # fmt: skip
    assert severity(RuleOptions(profile="relaxed"), "MDB001") == "error"
    assert severity(RuleOptions(profile="relaxed"), "DDB004", dev=True) is None
    guess = Rule("GEN107", confidence="inferred")
    assert RuleOptions().severity(guess, follows_models=False) == "warning"
    assert RuleOptions(profile="strict").severity(guess, follows_models=False) == "error"
    assert RuleOptions(profile="relaxed").severity(guess, follows_models=False) is None


def test_rules_are_chosen_by_codes_beginnings_and_names() -> None:
    assert severity(RuleOptions(select=("MDB",)), "MDB001")
    assert severity(RuleOptions(select=("MDB",)), "RED001") is None
    assert severity(RuleOptions(ignore=("unbounded-array",)), "MDB001") is None
    assert severity(RuleOptions(select=("MDB",), ignore=("MDB001",)), "MDB001") is None


def test_a_table_is_read_by_codes_or_names() -> None:
    options = read({"profile": "strict", "embedded-array-too-long": {"embed_max": 50, "severity": "info"}}, MODELS)
    assert options == RuleOptions(
        profile="strict", severities={"MDB002": "info"}, parameters={"MDB002": {"embed_max": 50}}
    )
    assert severity(read({"MDB002": {"severity": "off"}}, MODELS), "MDB002") is None


@pytest.mark.parametrize(
    ("table", "problem", "help"),
    [
        ({"MDB0002": {}}, 'there is no rule "MDB0002"', 'did you mean "MDB002"?'),
        ({"profile": "hard"}, "\"profile\" is 'hard'", 'it takes "relaxed", "default", "strict"'),
        ({"MDB002": 5}, '"MDB002" is 5, it takes a table', 'such as MDB002 = {severity = "warning"}'),
        (
            {"MDB002": {"severity": "bad"}},
            "\"severity of MDB002\" is 'bad'",
            'it takes "error", "warning", "info", "question", "off"',
        ),
        ({"MDB002": {"embed": 5}}, 'MDB002 has no parameter "embed"', 'did you mean "embed_max"?'),
        ({"MDB002": {"embed_max": "5"}}, "\"embed_max\" of MDB002 is '5', it takes a whole number", "by default 100"),
        ({"MDB002": {"embed_max": 5.5}}, '"embed_max" of MDB002 is 5.5, it takes a whole number', "by default 100"),
        ({"MDB002": {"embed_max": True}}, '"embed_max" of MDB002 is True, it takes a whole number', "by default 100"),
        ({"MDB001": {"most": 5}}, 'MDB001 has no parameter "most"', "it has none"),
        ({"select": "MDB"}, "\"select\" is 'MDB', it takes a list of codes", 'such as select = ["MDB002"]'),
        ({"ignore": ["XYZ"]}, 'there is no rule "XYZ"', None),
    ],
)
def test_a_mistake_in_a_table_is_reported(table: dict[str, object], problem: str, help: str | None) -> None:
    with pytest.raises(OptionError) as caught:
        read(table, MODELS)
    assert caught.value.problem == problem
    assert help is None or caught.value.help == help


def test_a_mistake_in_pyproject_is_reported_at_its_line(tmp_path: Path) -> None:
    rules = '[tool.keywright.rules]\nprofile = "default"\n\n[tool.keywright.rules.MDB002]\nembed_max = "x"\n'
    settings = a_project(tmp_path, {"pyproject.toml": f"[tool.keywright]\n\n{rules}"})
    with pytest.raises(DeclarationError) as caught:
        options_of(settings)
    assert (caught.value.code, caught.value.at.line) == ("E0402", 7)


def test_a_command_line_comes_on_top(tmp_path: Path) -> None:
    settings = a_project(
        tmp_path, {"pyproject.toml": '[tool.keywright]\nrules = {select = ["GEN"], ignore = ["GEN004"]}\n'}
    )
    assert options_of(settings).select == ("GEN",)
    options = options_of(settings, ["MDB"], ["MDB001"], "strict")
    assert (options.select, options.ignore, options.profile) == (("MDB",), ("GEN004", "MDB001"), "strict")
    with pytest.raises(UsageError, match='there is no rule "MDBB"'):
        options_of(settings, ["MDBB"])


def test_a_number_from_pulumi_is_whole() -> None:
    assert checked(LONG, "embed_max", 50.0) == 50
    assert parameters(LONG)["embed_max"].schema == {"type": "integer", "default": 100}


def test_a_crashed_rule_is_a_finding_beside_its_other_findings() -> None:
    def failing(subject: object) -> Iterable[FindingDraft]:
        yield FindingDraft(problem="one", help="", subject="Post")
        raise KeyError("name")

    findings = [(rule.code, draft.problem) for rule, draft in run_finder(LONG, failing, None, {})]
    assert findings[0] == ("MDB002", "one")
    assert findings[1][0] == "RUN001"
    assert findings[1][1].startswith("the rule MDB002 failed: KeyError: 'name' (test_options.py:")


def test_a_crash_fails_a_test_of_a_rule_with_its_message() -> None:
    crash = Finding(rule=CRASHED, severity="error", message="the rule MDB002 failed: KeyError", help="")
    with pytest.raises(AssertionError, match="the rule MDB002 failed: KeyError"):
        without_crashes((crash,))


def test_rules_are_ignored_in_some_files() -> None:
    options = read({"per-file-ignores": {"models/legacy/*": ["MDB", "unbounded-list-pattern"]}}, MODELS)
    assert options.ignores(BY_CODE["MDB001"], "models/legacy/old/orders.py", "")
    assert options.ignores(BY_CODE["GEN021"], "models/legacy/orders.py", "")
    assert not options.ignores(BY_CODE["GEN018"], "models/legacy/orders.py", "")
    assert not options.ignores(BY_CODE["MDB001"], "models/orders.py", "")


def test_rules_are_ignored_in_the_stores_of_an_owner() -> None:
    options = read(
        {"per-owner-ignores": {"search-*": ["MDB"]}, "per-file-ignores": {"models/a.py": ["GEN018"]}}, MODELS
    )
    assert options.ignores(BY_CODE["MDB001"], "models/orders.py", "search-team")
    assert options.ignores(BY_CODE["GEN018"], "models/a.py", "shop")
    assert not options.ignores(BY_CODE["MDB001"], "models/orders.py", "shop")
    assert not options.ignores(BY_CODE["MDB001"], "search-team", "")


def test_a_wrong_table_of_owners_names_its_key() -> None:
    with pytest.raises(OptionError, match=r'such as per-owner-ignores = \{"search-team"') as raised:
        read({"per-owner-ignores": ["MDB001"]}, MODELS)
    assert raised.value.path == ("per-owner-ignores",)


WRONG_FILE_IGNORES = {
    "no table": (["MDB001"], "it takes a table", ("per-file-ignores",)),
    "no list": ({"models/*": "MDB001"}, "it takes a list of codes", ("per-file-ignores", "models/*")),
    "no rule": ({"models/*": ["MDB999"]}, 'there is no rule "MDB999"', ("per-file-ignores", "models/*")),
}


@pytest.mark.parametrize("case", WRONG_FILE_IGNORES)
def test_a_wrong_table_of_files_names_its_key(case: str) -> None:
    table, problem, path = WRONG_FILE_IGNORES[case]
    with pytest.raises(OptionError) as raised:
        read({"per-file-ignores": table}, MODELS)
    assert problem in raised.value.problem
    assert raised.value.path == path
