"""What a project says of rules: profiles, which are asked, how bad each is, parameters."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.projects import a_project

from keywright.api.choice import options_of
from keywright.engines.flaws.context import Flaw
from keywright.errors import DeclarationError, UsageError
from keywright.rules.asking import judged
from keywright.rules.models import MODELS
from keywright.rules.options import OptionError, Options, read
from keywright.rules.parameters import checked, parameters
from keywright.rules.rule import Rule

BY_CODE = {rule.code: rule for rule in MODELS}
LONG = BY_CODE["MDB002"]


def severity(options: Options, code: str, *, dev: bool = False) -> str | None:
    return options.severity(BY_CODE[code], follows_models=dev)


def test_a_profile_decides_what_counts_how_much() -> None:
    assert [severity(Options(profile=profile), "MDB002") for profile in ("relaxed", "default", "strict")] == [
        None, "warning", "error",
    ]  # fmt: skip
    assert severity(Options(profile="relaxed"), "MDB001") == "error"
    assert severity(Options(profile="relaxed"), "DDB004", dev=True) is None
    guess = Rule("GEN107", confidence="inferred")
    assert Options().severity(guess, follows_models=False) == "warning"
    assert Options(profile="strict").severity(guess, follows_models=False) == "error"
    assert Options(profile="relaxed").severity(guess, follows_models=False) is None


def test_rules_are_chosen_by_codes_beginnings_and_names() -> None:
    assert severity(Options(select=("MDB",)), "MDB001")
    assert severity(Options(select=("MDB",)), "RED001") is None
    assert severity(Options(ignore=("unbounded-array",)), "MDB001") is None
    assert severity(Options(select=("MDB",), ignore=("MDB001",)), "MDB001") is None


def test_a_table_is_read_by_codes_or_names() -> None:
    options = read({"profile": "strict", "embedded-array-too-long": {"embed_max": 50, "severity": "info"}}, MODELS)
    assert options == Options(profile="strict", severities={"MDB002": "info"}, parameters={"MDB002": {"embed_max": 50}})
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
            'it takes "error", "warning", "info", "off"',
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
def test_a_table_that_cannot_be_is_told(table: dict[str, object], problem: str, help: str | None) -> None:
    with pytest.raises(OptionError) as caught:
        read(table, MODELS)
    assert caught.value.problem == problem
    assert help is None or caught.value.help == help


def test_what_pyproject_says_is_told_at_its_line(tmp_path: Path) -> None:
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


def test_a_rule_that_fails_says_so_and_keeps_what_it_had_found() -> None:
    def failing(told: object) -> Iterable[Flaw]:
        yield Flaw(problem="one", help="", subject="Post")
        raise KeyError("name")

    found = [(rule.code, flaw.problem) for rule, flaw in judged(LONG, failing, None, {})]
    assert found[0] == ("MDB002", "one")
    assert found[1][0] == "RUN001"
    assert found[1][1].startswith("the rule MDB002 failed: KeyError: 'name' (test_options.py:")
