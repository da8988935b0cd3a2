"""The short answer "up to date": given when nothing has changed, and never when anything has."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from keywright.cli import fast_path
from keywright.project import build_cache

from .conftest import Keywright

HELPERS = {
    "names.py": 'TITLE = "title"\n',
    "shared/lengths.py": "LONGEST = 80\n",
    "models/loans.py": "from names import TITLE\nfrom shared.lengths import LONGEST\n",
}
"""Modules outside the folder of models, one of them in a folder without __init__.py, and a file that imports them."""


@pytest.fixture
def compiled(project: Path, keywright: Keywright) -> Path:
    """A project whose last compile is remembered."""
    for name, text in HELPERS.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    compile_until_remembered(keywright)
    return project


def compile_until_remembered(keywright: Keywright) -> None:
    """Compile again while the files are so young that nothing is remembered: within the clock's grain."""
    for _ in range(100):
        keywright("compile")
        if short_answer() is not None:
            return


def short_answer(*arguments: str) -> str | None:
    """What is said without looking at the models."""
    return fast_path.answer([*(arguments or ("compile", "--check"))])


def edit(file: Path, before: str, after: str) -> None:
    """Change a file and give it back its time; texts of one length leave its size too."""
    state = file.stat()
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))


def write(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("")


CHANGES: dict[str, Callable[[Path], None]] = {
    "a model, with its size and time": lambda root: edit(root / "models/library.py", '"books"', '"tomes"'),
    "a module outside the models": lambda root: edit(root / "names.py", '"title"', '"other"'),
    "a module in a folder without __init__": lambda root: edit(root / "shared/lengths.py", "80", "90"),
    "a new model file": lambda root: write(root / "models/members.py"),
    "a new model file in a new folder": lambda root: write(root / "models/archive/members.py"),
    "a model file that is gone": lambda root: (root / "models/loans.py").unlink(),
    "a module outside the models that is gone": lambda root: (root / "names.py").unlink(),
    "a package in place of a module": lambda root: write(root / "names/__init__.py"),
    "a package in place of a module further down": lambda root: write(root / "shared/lengths/__init__.py"),
    "a package in place of a model": lambda root: write(root / "models/library/__init__.py"),
    "a module in place of a library": lambda root: write(root / "pydantic.py"),
    "the settings": lambda root: edit(root / "pyproject.toml", '["models"]', '["modles"]'),
    "a stack file": lambda root: edit(root / "stacks/Pulumi.dev.yaml", "mode: dev", "mode: dov"),
    "a stack file that is gone": lambda root: (root / "stacks/Pulumi.dev.yaml").unlink(),
    "an artefact": lambda root: edit(root / "build/dev/mongodb/catalogue.js", "books", "tomes"),
    "an artefact that is gone": lambda root: (root / "build/dev/redis/sessions.conf").unlink(),
    "the description that is gone": lambda root: (root / "build/dev/ir.json").unlink(),
    "an artefact of nothing": lambda root: write(root / "build/dev/redis/old.conf"),
    "an artefact of an engine that is not used": lambda root: write(root / "build/dev/cassandra/old.cql"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(compiled: Path, change: str) -> None:
    CHANGES[change](compiled)
    assert short_answer() is None


def test_without_a_change_the_short_answer_stays(compiled: Path) -> None:
    os.utime(compiled / "models" / "library.py")
    assert short_answer() == "up to date"
    assert short_answer("compile") == "up to date"


def test_an_edit_that_keeps_size_and_time_changes_the_artefacts(compiled: Path, keywright: Keywright) -> None:
    CHANGES["a model, with its size and time"](compiled)
    assert keywright("compile", "--check").out == (
        "changed  access.json\nchanged  mongodb/catalogue.js\n2 files would change in dev, 4 files in all\n"
    )


def test_an_edit_within_the_second_is_not_hidden_by_bytecode(
    program: Keywright, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    assert program("compile").code == 0
    CHANGES["a model, with its size and time"](project)
    assert program("compile", "--check").code == 1


def test_another_version_of_the_tool_looks_anew(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_path, "__version__", "99.0")
    assert short_answer() is None


def test_another_python_looks_anew(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version", "4.0")
    assert short_answer() is None


def test_another_search_path_looks_anew(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_cache, "SEARCHED", [str(compiled), *build_cache.SEARCHED])
    assert short_answer() is None


def test_each_environment_is_remembered_on_its_own(
    compiled: Path, keywright: Keywright, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYWRIGHT_ENV", "prod")
    assert short_answer() is None
    assert short_answer("--env", "dev", "compile") is None
    compile_until_remembered(keywright)
    assert short_answer() == "up to date"
    assert short_answer("--env", "default", "compile") is None


def test_an_environment_of_the_name_default_is_not_the_default_one(compiled: Path, keywright: Keywright) -> None:
    stack = compiled / "stacks" / "Pulumi.dev.yaml"
    stack.with_name("Pulumi.default.yaml").write_text(stack.read_text())
    assert keywright("compile", "--check", "--env", "default").code == 1


PLAIN = ["compile", "compile --check", "--project . compile", "compile --project=. --check"]
OTHERS = ["compile --out x", "compile --engine redis", "compile -v", "check", "compile --env", "--format json compile"]


@pytest.mark.parametrize("line", PLAIN)
@pytest.mark.usefixtures("compiled")
def test_a_plain_compile_gets_the_short_answer(line: str) -> None:
    assert short_answer(*line.split()) == "up to date"


@pytest.mark.parametrize("line", OTHERS)
@pytest.mark.usefixtures("compiled")
def test_every_other_line_goes_the_long_way(line: str) -> None:
    assert short_answer(*line.split()) is None


def test_a_variable_that_names_a_project_counts_unless_an_option_does(
    compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert short_answer() is None
    monkeypatch.setenv("KEYWRIGHT_PROJECT", str(compiled))
    assert short_answer() == "up to date"
    assert short_answer("compile", "--project", str(tmp_path)) is None


@pytest.fixture
def checked(project: Path, keywright: Keywright) -> Path:
    """A project without findings, whose last check is remembered."""
    text = (project / "pyproject.toml").read_text()
    (project / "pyproject.toml").write_text(f'{text}\n[tool.keywright.rules]\nselect = ["MDB001"]\n')
    for _ in range(100):
        keywright("check")
        if short_answer("check") is not None:
            break
    return project


@pytest.mark.usefixtures("checked")
def test_a_check_that_found_nothing_says_the_same_again(keywright: Keywright) -> None:
    assert short_answer("check") == keywright("check").out.rstrip("\n") != ""
    assert short_answer("check", "--format", "json") is None
    assert short_answer("check", "--env", "prod") is None


@pytest.mark.parametrize("file", ["baseline.json", "policies/config.dev.json", "policies/config.prod.json"])
def test_what_a_check_depends_on_beside_the_models_is_noticed(checked: Path, file: str) -> None:
    (checked / file).parent.mkdir(exist_ok=True)
    (checked / file).write_text("{}")
    assert short_answer("check") is None


@pytest.mark.usefixtures("checked")
def test_a_check_counts_for_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keywright.project.build_cache.today", lambda: "2099-01-01")
    assert short_answer("check") is None


def test_a_check_with_findings_is_not_remembered(checked: Path, keywright: Keywright) -> None:
    model = checked / "models" / "library.py"
    model.write_text(
        model.read_text().replace("title: Annotated[str, Field(max_length=80)]", "title: str\n    tags: list[str]")
    )
    assert keywright("check").code == 1
    assert short_answer("check") is None
