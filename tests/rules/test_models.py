"""Rules of models: the catalogue, how bad they are where, and what is accepted."""

import inspect
from datetime import date
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from tests.projects import SHORT, SOUND, a_project, findings_of, imported_alone, with_imports

from keywright import api
from keywright.api.judged import judge_models
from keywright.declare.codes import Code
from keywright.rules.models import MODELS
from keywright.rules.options import Options
from keywright.rules.rule import LEVELS, Report, Rule

TODAY = date(2026, 11, 22)

POST = """
    blog = kw.MongoDatabase("blog")


    class Post(BaseModel):
        __store__: ClassVar = kw.Collection(blog, "posts", id="{post_id}"IGNORES)
        post_id: str
        comments: list[str]
"""


def judged(folder: Path, ignores: str, mode: str = "dev") -> Report:
    source = with_imports(POST.replace("IGNORES", ignores))
    folder.mkdir(exist_ok=True)
    with imported_alone(folder):
        files = {"models/case.py": source, "stacks/Pulumi.dev.yaml": SOUND.replace("mode: dev", f"mode: {mode}")}
        if mode == "gated":
            files["stacks/Pulumi.dev.yaml"] += "    history: mongodb/blog\n"
        return judge_models(api.compile(api.load(a_project(folder, files).root), "dev"), TODAY, SHORT)


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
    found = {f"{one.__name__}.{info.name}" for one in folders for info in iter_modules(one.__path__)}
    assert found == {rule.module for rule in MODELS}


def test_a_code_stands_once() -> None:
    codes = [rule.code for rule in MODELS]
    assert sorted(set(codes)) == sorted(codes)


def test_a_finding_stands_at_the_line_of_its_field(tmp_path: Path) -> None:
    (finding,) = judged(tmp_path, "").findings
    assert (finding.code, finding.severity, finding.store, finding.object) == (
        "MDB001", "error", "mongodb", "Post.comments",
    )  # fmt: skip
    line = (tmp_path / "models" / "case.py").read_text().splitlines()[finding.at.line - 1]
    assert line.strip() == "comments: list[str]"
    assert finding.message == '"comments" has no bound, and a document has at most 16 MiB'


def test_what_is_accepted_for_a_reason_is_set_aside_until_its_day(tmp_path: Path) -> None:
    said = ', ignores=[kw.ignore("MDB001", reason="at most ten", until=date(2026, 11, DAY))]'
    report = judged(tmp_path / "a", said.replace("DAY", "22"))
    assert report.findings == ()
    assert [(one.reason, one.until) for one in report.accepted] == [("at most ten", "2026-11-22")]
    late = judged(tmp_path / "b", said.replace("DAY", "21")).findings
    assert {one.code for one in late} == {"MDB001", "SUP002"}
    assert all(one.at.line for one in late)


def test_what_accepts_nothing_is_told(tmp_path: Path) -> None:
    (first, other) = judged(tmp_path, ', ignores=[kw.ignore("MDB003", reason="it is small")]').findings
    assert (first.code, other.code, other.severity) == ("MDB001", "SUP003", "warning")
    assert other.message == '"MDB003" is ignored, and nothing of that kind is found'


def test_what_a_live_store_alone_may_have_is_no_warning(tmp_path: Path) -> None:
    (first, other) = judged(tmp_path, ', ignores=[kw.ignore("MDB010", reason="it is old")]').findings
    assert (first.code, other.code, other.severity) == ("MDB001", "SUP003", "info")
    assert other.message == '"MDB010" is ignored, and nothing of that kind is found in the models'
    assert "--live" in other.help


@pytest.mark.parametrize(
    ("said", "code", "message"),
    [
        ('"MDB0001", reason="ten"', "SUP004", '"MDB0001" is ignored, and no rule has that code'),
        ('"DDB106", reason="ten"', "SUP005", '"DDB106" is ignored, which may not be'),
        ('"MDB001", reason=" "', "SUP001", '"MDB001" is ignored for no reason'),
    ],
)
def test_what_cannot_be_accepted_is_told(tmp_path: Path, said: str, code: str, message: str) -> None:
    found = {one.code: one for one in judged(tmp_path, f", ignores=[kw.ignore({said})]").findings}
    assert set(found) == {"MDB001", code}
    assert (found[code].message, found[code].severity, bool(found[code].help)) == (message, "error", True)


def test_a_field_accepts_what_is_about_itself_alone(tmp_path: Path) -> None:
    accepting = 'comments: Annotated[list[str], kw.ignore("MDB001", reason="ten")]\n        tags: list[str]'
    source = with_imports(POST.replace("IGNORES", "").replace("comments: list[str]", accepting))
    assert [one.object for one in findings_of(tmp_path, source)] == ["Post.tags"]


def test_a_fingerprint_does_not_change_with_lines(tmp_path: Path) -> None:
    (one,) = judged(tmp_path / "a", "").findings
    moved = "\n\n" + POST
    (other,) = findings_of(tmp_path / "b", with_imports(moved.replace("IGNORES", "")))
    assert one.at.line != other.at.line or one.at.file != other.at.file
    assert one.fingerprint == other.fingerprint


def test_where_migrations_are_approved_it_is_worse() -> None:
    by_code = {rule.code: rule for rule in MODELS}

    def severity(code: str, *, follows_models: bool) -> str | None:
        return Options().severity(by_code[code], follows_models=follows_models)

    assert severity("DDB010", follows_models=True) == "warning"
    assert severity("DDB010", follows_models=False) == "error"
    assert severity("MDB001", follows_models=True) == "error"


def test_the_example_is_clean_in_every_environment() -> None:
    project = api.load(".")
    for name in ("dev", "staging", "prod"):
        report = judge_models(api.compile(project, name), TODAY)
        assert report.findings == ()
        assert len(report.accepted) <= 5
