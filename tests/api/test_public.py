"""The functions of `keywright` for programs."""

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tests.engines.toy.test_toy import FOLDER as TOY
from tests.engines.toy.test_toy import MODELS as TOY_MODELS
from tests.engines.toy.test_toy import STACK as TOY_STACK
from tests.projects import a_project, with_imports

import keywright
from keywright.errors import DeclarationErrors, UsageError

MODEL = """
from models_helper import TABLE

table = kw.DynamoTable(TABLE)

class Book(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="BOOK#{isbn}", sk="BOOK")
    isbn: str
    title: str

book = kw.Get(Book, rate="1/s")
"""
CHECKS = """
import json, sys, keywright
reports = [keywright.check(folder, environment, profile="strict") for folder, environment in json.loads(sys.argv[1])]
lines = [[f"{finding.code} {finding.object}" for finding in report.findings] for report in reports]
print(json.dumps([[*map(str, report.errors), *found] for report, found in zip(reports, lines)]))
"""
"""Checks projects one after the other; prints the errors and findings of each."""

REPOSITORY = Path(__file__).parents[2]
RECALL = REPOSITORY / "tests/recall"

WITHOUT_PATTERN = MODEL.replace("book = kw.Get(", "").replace('Book, rate="1/s")', "")


def project(folder: Path, table: str, model: str = MODEL) -> Path:
    """A project that has the same module names as each other one of these."""
    a_project(folder, {"models/books.py": with_imports(model), "models_helper.py": f'TABLE = "{table}"\n'})
    return folder


def checked_in_turn(*projects: tuple[Path, str], path: Path = REPOSITORY) -> list[list[str]]:
    """Errors and findings of each project in one new process, which has imported no engine yet."""
    texts = json.dumps([(str(folder), environment) for folder, environment in projects])
    done = subprocess.run(
        [sys.executable, "-c", CHECKS, texts], cwd=path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    reports: list[list[str]] = json.loads(done.stdout)
    return reports


def test_engines_below_the_import_root_are_imported_once() -> None:
    sound, planted = RECALL / "airline_booking/good", RECALL / "iot_fleet/bad"
    (alone,) = checked_in_turn((planted, "prod"))
    root, again, _, first, second = checked_in_turn(
        (REPOSITORY, "prod"), (REPOSITORY, "prod"), (sound, "prod"), (planted, "prod"), (planted, "prod")
    )
    assert (again, first, second) == (root, alone, alone)
    assert not [line for line in (*root, *alone) if line.startswith("RUN001")]


def test_an_engine_of_another_package_below_the_import_root_is_imported_once(tmp_path: Path) -> None:
    shutil.copytree(TOY, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("test_*", "__pycache__"))
    registry = "from keywright.engines.registry import engine_named\n"
    same = 'assert engine_named("toy").check.__globals__["Box"] is Box\n'
    model = TOY_MODELS.replace(", capacity=1000", "") + registry + same
    a_project(tmp_path, {"models/notes.py": model, "stacks/Pulumi.dev.yaml": TOY_STACK})
    first, second = checked_in_turn((tmp_path, "dev"), (tmp_path, "dev"), path=tmp_path)
    assert first == second
    assert [line for line in first if line.startswith("TOY001")] != []


def test_two_projects_with_the_same_names_are_compiled_one_after_the_other(tmp_path: Path) -> None:
    before, path = dict(sys.modules), sys.path[:]
    first = keywright.compile(project(tmp_path / "first", "books"), "dev")
    second = keywright.compile(project(tmp_path / "second", "novels"), "dev")
    assert [compiled.targets[0].declared.name for compiled in (first, second)] == ["books", "novels"]
    assert all(compiled.artefacts for compiled in (first, second))
    assert ({name for name in sys.modules if name.startswith("models")}, sys.path) == (
        {name for name in before if name.startswith("models")},
        path,
    )


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    folder = project(tmp_path, "books")
    assert [row.pattern.name for row in keywright.patterns(folder, "dev").rows] == ["book"]
    file = folder / "models/books.py"
    file.write_text(file.read_text().replace("book = kw", "by_isbn = kw"))
    assert [row.pattern.name for row in keywright.patterns(folder, "dev").rows] == ["by_isbn"]


def test_modules_of_the_program_stay_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = type(sys)("models")
    monkeypatch.setitem(sys.modules, "models", mine)
    keywright.compile(project(tmp_path, "books"), "dev")
    assert sys.modules["models"] is mine


def test_findings_are_typed_and_point_to_their_pages(tmp_path: Path) -> None:
    folder = project(tmp_path, "books", WITHOUT_PATTERN)
    report = keywright.check(folder, "dev", select=["GEN001"])
    assert [(finding.code, finding.url) for finding in report.findings] == [
        ("GEN001", "https://keywright.dev/codes/GEN001")
    ]
    assert report.errors == ()
    assert keywright.check(folder, "dev", select=["GEN001"], paths=[folder / "stacks"]).findings == ()
    assert keywright.check(folder, "dev", ignore=["GEN001"], select=["GEN001"]).findings == ()


def test_another_address_of_the_pages_is_a_setting(tmp_path: Path) -> None:
    folder = project(tmp_path, "books", WITHOUT_PATTERN)
    settings = folder / "pyproject.toml"
    settings.write_text(
        settings.read_text().replace("[tool.keywright]", '[tool.keywright]\ndocumentation = "https://d.example/x"', 1)
    )
    (finding,) = keywright.check(folder, "dev", select=["GEN001"]).findings
    assert finding.url == "https://d.example/x/GEN001"


def test_errors_of_models_are_data_or_raised(tmp_path: Path) -> None:
    folder = project(tmp_path, "books", MODEL.replace("{isbn}", "{ispn}"))
    report = keywright.check(folder, "dev")
    assert ([error.code for error in report.errors], report.findings) == (["E0303"], ())
    with pytest.raises(DeclarationErrors):
        keywright.compile(folder, "dev")
    with pytest.raises(UsageError, match="is not a project"):
        keywright.compile(tmp_path / "elsewhere")


def test_the_difference_from_the_last_migration_is_data(tmp_path: Path) -> None:
    folder = project(tmp_path, "books")
    assert {change.kind for change in keywright.diff(folder, "dev").changes} >= {"AddTable"}


def test_the_functions_have_types(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import keywright
        report = keywright.check("x", "prod", paths=["models"], git_base="main")
        url: str = report.findings[0].url
        texts: list[str] = [artefact.text for artefact in keywright.compile("x").artefacts]
        names: list[str] = [row.pattern.name for row in keywright.patterns("x").rows]
        kinds: list[str] = [change.kind for change in keywright.diff("x").changes]
        keywright.check(profil="strict")
        """)
    )
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(program)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert checked.stdout.count("error:") == 1, checked.stdout
    assert 'program.py:8: error: Unexpected keyword argument "profil" for "check"' in checked.stdout
