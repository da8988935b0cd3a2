"""Rules for models: the catalogue, severities by environment, and suppressions."""

import inspect
import re
from datetime import date
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from tests.projects import SHORT, SOUND, a_project, findings_of, imported_alone, with_imports

from keywright import api
from keywright.api.check.evaluate import evaluate_models
from keywright.api.check.options import options_of
from keywright.declare.codes import Code
from keywright.project.settings import read_settings
from keywright.rules.models import MODELS
from keywright.rules.options import RuleOptions
from keywright.rules.rule import LEVELS, Report, Rule

TODAY = date(2026, 11, 22)

POST = """
    blog = kw.MongoDatabase("blog")


    class Post(BaseModel):
        __store__: ClassVar = kw.Collection(blog, "posts", id="{post_id}"IGNORES)
        post_id: str
        comments: list[str]
"""


def report_of(folder: Path, ignores: str, mode: str = "dev") -> Report:
    source = with_imports(POST.replace("IGNORES", ignores))
    folder.mkdir(exist_ok=True)
    with imported_alone(folder):
        files = {"models/case.py": source, "stacks/Pulumi.dev.yaml": SOUND.replace("mode: dev", f"mode: {mode}")}
        if mode == "gated":
            files["stacks/Pulumi.dev.yaml"] += "    history: mongodb/blog\n"
        return evaluate_models(api.compile(api.load(a_project(folder, files).root), "dev"), TODAY, SHORT)


@pytest.mark.parametrize("rule", MODELS, ids=lambda rule: rule.code)
def test_a_rule_is_a_file_of_its_name(rule: Rule) -> None:
    module = import_module(rule.module)
    assert rule.module.rpartition(".")[2] == rule.name.replace("-", "_")
    assert (module.__doc__ or "").startswith(f"{rule.code}: ")
    finders = [finder for level in LEVELS if (finder := rule.finder(level))]
    assert finders
    assert all(inspect.isgeneratorfunction(finder) and finder.__doc__ for finder in finders)
    assert (rule.code in Code.__args__) == rule.is_suppressible  # type: ignore[attr-defined]
    assert len(Path(module.__file__ or "").read_text().splitlines()) <= 120


def test_every_file_of_a_rule_is_registered() -> None:
    folders = {import_module(rule.module.rpartition(".")[0]) for rule in MODELS}
    modules = {f"{folder.__name__}.{info.name}" for folder in folders for info in iter_modules(folder.__path__)}
    assert modules == {rule.module for rule in MODELS}


def test_a_code_is_unique() -> None:
    codes = [rule.code for rule in MODELS]
    assert sorted(set(codes)) == sorted(codes)


def test_a_finding_has_the_line_of_its_field(tmp_path: Path) -> None:
    (finding,) = report_of(tmp_path, "").findings
    assert (finding.code, finding.severity, finding.store, finding.object) == (
        "MDB001", "error", "mongodb", "Post.comments",
    )  # fmt: skip
    line = (tmp_path / "models" / "case.py").read_text().splitlines()[finding.at.line - 1]
    assert line.strip() == "comments: list[str]"
    assert finding.message == '"comments" has no bound, and a document has at most 16 MiB'


def test_a_suppression_applies_until_its_day(tmp_path: Path) -> None:
    option = ', ignores=[kw.ignore("MDB001", reason="at most ten", until=date(2026, 11, DAY))]'
    report = report_of(tmp_path / "a", option.replace("DAY", "22"))
    assert report.findings == ()
    assert [(suppressed.reason, suppressed.until) for suppressed in report.accepted] == [("at most ten", "2026-11-22")]
    late = report_of(tmp_path / "b", option.replace("DAY", "21")).findings
    assert {finding.code for finding in late} == {"MDB001", "SUP002"}
    assert all(finding.at.line for finding in late)


def test_a_suppression_without_a_finding_is_reported(tmp_path: Path) -> None:
    (first, other) = report_of(tmp_path, ', ignores=[kw.ignore("MDB003", reason="it is small")]').findings
    assert (first.code, other.code, other.severity) == ("MDB001", "SUP003", "warning")
    assert other.message == '"MDB003" is ignored, and the rule reports nothing here'


def test_a_suppression_of_a_live_finding_is_not_a_warning(tmp_path: Path) -> None:
    (first, other) = report_of(tmp_path, ', ignores=[kw.ignore("MDB010", reason="it is old")]').findings
    assert (first.code, other.code, other.severity) == ("MDB001", "SUP003", "info")
    assert other.message == '"MDB010" is ignored, and the rule reports nothing in the models'
    assert "--live" in other.help


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ('"MDB0001", reason="ten"', "SUP004", '"MDB0001" is ignored, and no rule has this code'),
        ('"DDB106", reason="ten"', "SUP005", '"DDB106" is ignored, and this rule cannot be suppressed'),
        ('"MDB001", reason=" "', "SUP001", '"MDB001" is ignored without a reason'),
    ],
)
def test_an_invalid_suppression_is_reported(tmp_path: Path, arguments: str, code: str, message: str) -> None:
    findings = {
        finding.code: finding for finding in report_of(tmp_path, f", ignores=[kw.ignore({arguments})]").findings
    }
    assert set(findings) == {"MDB001", code}
    assert (findings[code].message, findings[code].severity, bool(findings[code].help)) == (message, "error", True)


def test_an_unknown_code_is_answered_with_a_few_codes(tmp_path: Path) -> None:
    findings = report_of(tmp_path, ', ignores=[kw.ignore("QQQQQQ", reason="ten")]').findings
    (help,) = (finding.help for finding in findings if finding.code == "SUP004")
    assert re.fullmatch(r'known: (?:"[A-Z0-9]+", ){4}"[A-Z0-9]+", and \d{3} more; `keywright rules` lists all', help)


def test_a_field_accepts_what_is_about_itself_alone(tmp_path: Path) -> None:
    accepting = 'comments: Annotated[list[str], kw.ignore("MDB001", reason="ten")]\n        tags: list[str]'
    source = with_imports(POST.replace("IGNORES", "").replace("comments: list[str]", accepting))
    assert [finding.object for finding in findings_of(tmp_path, source)] == ["Post.tags"]


def test_a_fingerprint_does_not_change_with_lines(tmp_path: Path) -> None:
    (finding,) = report_of(tmp_path / "a", "").findings
    moved = "\n\n" + POST
    (other,) = findings_of(tmp_path / "b", with_imports(moved.replace("IGNORES", "")))
    assert finding.at.line != other.at.line or finding.at.file != other.at.file
    assert finding.fingerprint == other.fingerprint


def test_a_gated_environment_has_higher_severities() -> None:
    by_code = {rule.code: rule for rule in MODELS}

    def severity(code: str, *, follows_models: bool) -> str | None:
        return RuleOptions().severity(by_code[code], follows_models=follows_models)

    assert severity("DDB010", follows_models=True) == "warning"
    assert severity("DDB010", follows_models=False) == "error"
    assert severity("MDB001", follows_models=True) == "error"


def test_the_example_is_clean_in_every_environment() -> None:
    project = api.load(".")
    options = options_of(read_settings(Path()))
    for name in ("dev", "staging", "prod"):
        report = evaluate_models(api.compile(project, name), TODAY, options)
        assert report.findings == ()
        assert len(report.accepted) <= 5
