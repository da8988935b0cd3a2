"""`keywright migrate lint`: its forms, its exit codes, and what it takes to run it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.projects import a_project, with_imports
from tests.rules.migrations import case, overlaid, written

from keywright.engines.registry import NAMES
from keywright.migrations.migration import Migration

from .conftest import Keywright
from .test_documents import document

MODEL = """
    shop = kw.DynamoTable("shop")

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")

        order_id: str
"""
COUPON = MODEL + "        coupon: str | None = None\n"
LONG = COUPON + "        the_day_on_which_the_order_was_placed: int | None = None\n"

Versions = Callable[..., None]


@pytest.fixture
def versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Versions:
    """`versions(MODEL, COUPON)`: a project whose versions lead from model to model, in which the test stands."""

    def make(*models: str, ignore: object = None) -> None:
        times = ("before", "after") if len(models) == 2 else ("before", "between", "after")
        created = case(
            tmp_path / "made", {time: with_imports(model) for time, model in zip(times, models, strict=True)}
        )
        result: tuple[Migration, ...] = created.migrations
        if ignore:
            result = (*result[:-1], overlaid(result, {"ignore": ignore}))
        settings = a_project(tmp_path / "project", {})
        written(settings, result)
        monkeypatch.chdir(settings.root)

    return make


def test_what_is_lost_is_told_with_place_and_help_and_exits_1(versions: Versions, keywright: Keywright) -> None:
    versions(COUPON, MODEL)
    said = keywright("migrate", "lint", "--color", "never")
    assert said.code == 1
    assert said.out == (
        "migrations/0002_after/migration.yaml:7 dynamodb shop/Order/coupon: error[DS103]: "
        'field "coupon" of Order is removed: stored values remain, but nothing reads them\n'
        "  help: stop its writers and readers first, then confirm under ignore: since when it is unused\n"
        "0002_after drops or rebuilds:\n"
        '  dynamodb: drop field "coupon" of "Order" of "shop": '
        "code that reads it finds nothing; stored values stay until a purge\n"
    )
    assert said.err == "\n1 error; `keywright explain DS103` explains the first\n"


def test_nothing_to_say_exits_0(versions: Versions, keywright: Keywright) -> None:
    versions(MODEL, COUPON)
    assert keywright("migrate", "lint") == (0, "no findings\n", "")
    assert keywright("migrate", "lint", "-q") == (0, "", "")


def test_a_project_without_versions_has_nothing_to_say(project: Path, keywright: Keywright) -> None:
    assert keywright("migrate", "lint").code == 0


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 1)])
def test_warnings_count_where_they_are_asked_to(
    level: str, code: int, versions: Versions, keywright: Keywright
) -> None:
    versions(COUPON, LONG)
    said = keywright("migrate", "lint", "--fail-on", level)
    assert (said.code, "warning[CO101]" in said.out) == (code, True)


def test_what_is_accepted_is_shown_with_its_reason(versions: Versions, keywright: Keywright) -> None:
    versions(COUPON, MODEL, ignore=[{"code": "DS103", "reason": "no reader since May"}])
    said = keywright("migrate", "lint")
    assert (said.code, said.err) == (0, "")
    assert "suppressed DS103: no reader since May" in said.out


def test_only_the_last_versions_are_judged(versions: Versions, keywright: Keywright) -> None:
    versions(COUPON, MODEL, MODEL + "        note: int | None = None\n")
    assert keywright("migrate", "lint").code == 1
    assert keywright("migrate", "lint", "--latest", "1").code == 0
    assert keywright("migrate", "lint", "--latest", "2").code == 1


@pytest.mark.parametrize("words", [("--latest", "0"), ("--fail-on", "info"), ("--format", "xml"), ("--git-base", "no")])
def test_what_it_does_not_take_exits_2(words: tuple[str, ...], versions: Versions, keywright: Keywright) -> None:
    versions(MODEL, COUPON)
    said = keywright("migrate", "lint", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err


def test_the_document_is_alone_on_stdout(versions: Versions, keywright: Keywright) -> None:
    versions(COUPON, MODEL)
    said = keywright("migrate", "lint", "--format", "json")
    assert (said.code, said.err) == (1, "")
    result = document(said)
    assert result["migrations"] == ["0001_before", "0002_after"]
    assert [finding["code"] for finding in result["findings"]] == ["DS103"]


@pytest.mark.parametrize(
    ("form", "begins"),
    [("sarif", "{"), ("github", "::error file=migrations/0002_after/migration.yaml,line=7"), ("markdown", "## ")],
)
def test_the_other_forms_are_alone_on_stdout_too(
    form: str, begins: str, versions: Versions, keywright: Keywright
) -> None:
    versions(COUPON, MODEL)
    said = keywright("migrate", "lint", "--format", form)
    assert (said.code, said.err) == (1, "")
    assert said.out.startswith(begins)


def test_a_version_that_was_edited_is_a_finding_in_every_form(versions: Versions, keywright: Keywright) -> None:
    versions(MODEL, COUPON)
    with open("migrations/0001_before/migration.yaml", "a") as file:
        file.write("# checked\n")
    assert "migrations/0001_before/migration.yaml:1: error[NL102]" in keywright("migrate", "lint").out
    said = keywright("migrate", "lint", "--format", "json")
    assert (said.code, document(said)["findings"][0]["code"]) == (1, "NL102")


def git(*words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], check=True, capture_output=True)


@pytest.fixture
def branched(versions: Versions) -> None:
    """A repository whose branch `main` has the first version, and whose branch `work` has another one."""
    versions(COUPON, MODEL)
    Path(".gitignore").write_text("0002_after\n")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    git("checkout", "-q", "-b", "work")


@pytest.mark.usefixtures("branched")
def test_against_a_branch_only_versions_that_it_lacks_are_judged(keywright: Keywright) -> None:
    said = keywright("migrate", "lint", "--git-base", "main", "--format", "json")
    assert (said.code, json.loads(said.out)["migrations"]) == (1, ["0002_after"])
    git("add", "-f", ".")
    git("commit", "-q", "-m", "second")
    said = keywright("migrate", "lint", "--git-base", "work", "--format", "json")
    assert (said.code, json.loads(said.out)["migrations"]) == (0, [])


@pytest.mark.usefixtures("branched")
def test_a_version_that_the_branch_has_and_this_one_lacks_is_told(keywright: Keywright) -> None:
    git("checkout", "-q", "main")
    Path("migrations/0002_other").mkdir()
    Path("migrations/0002_other/migration.yaml").write_text("migration: '0002'\n")
    git("add", ".")
    git("commit", "-q", "-m", "other")
    git("checkout", "-q", "work")
    said = keywright("migrate", "lint", "--git-base", "main", "--format", "json")
    assert said.code == 1
    output = [(finding["code"], finding["migration"]) for finding in document(said)["findings"]]
    assert ("NL101", "0002_other") in output
    assert ("NL101", "0002_after") in output


def test_neither_models_nor_drivers_are_imported(versions: Versions) -> None:
    versions(COUPON, MODEL)
    names = (
        "pydantic",
        "boto3",
        "pymongo",
        "cassandra",
        "redis",
        "keywright.frontend.lower",
        *(f"keywright.engines.{engine}.engine" for engine in NAMES),
    )
    code = (
        "import sys; from keywright.cli.main import run; code = run(['migrate', 'lint']); "
        f"print([name for name in {names!r} if name in sys.modules], code)"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert ended.stdout.splitlines()[-1] == "[] 1"
