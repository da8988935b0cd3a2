"""`keywright check`: everything that is wrong, here or elsewhere, in words or as a document."""

import json
from pathlib import Path

import pytest

from .conftest import Keywright


@pytest.fixture
def broken(project: Path) -> Path:
    """The project with two files that do not import."""
    for name in ("loans.py", "members.py"):
        (project / "models" / name).write_text("import nothing_of_that_name\n")
    return project


@pytest.mark.usefixtures("broken")
def test_every_error_stands_with_its_place(keywright: Keywright) -> None:
    said = keywright("check", "--format", "concise")
    assert said.code == 2
    assert [line.partition(": ")[0] for line in said.out.splitlines()] == ["models/loans.py:1", "models/members.py:1"]
    assert said.err == "\n2 errors; `keywright explain E0101` tells more about the first\n"


@pytest.mark.usefixtures("broken")
def test_a_path_limits_the_report_and_the_rest_is_counted(keywright: Keywright) -> None:
    said = keywright("check", "models/loans.py", "--format", "concise")
    assert (said.code, len(said.out.splitlines())) == (2, 1)
    assert said.err == "1 error here, 1 error elsewhere in the project; `keywright check` shows all\n"


@pytest.mark.usefixtures("broken")
def test_a_path_without_errors_does_not_hide_that_the_models_do_not_compile(keywright: Keywright) -> None:
    assert keywright("check", "models/library.py") == (
        2, "", "no errors here, 2 errors elsewhere in the project; `keywright check` shows all\n",
    )  # fmt: skip


def test_a_folder_limits_the_report_to_what_is_below_it(keywright: Keywright, broken: Path) -> None:
    assert len(keywright("check", "models", "--format", "concise").out.splitlines()) == 2
    assert len(keywright("check", str(broken / "stacks"), "--format", "concise").out.splitlines()) == 0


BROKEN_SETTINGS = {
    "stacks/Pulumi.dev.yaml": ("config: [", "E0403", 1),
    "pyproject.toml": ("[tool.keywright]\nmodels = \n", "E0403", 2),
}


@pytest.mark.parametrize("file", BROKEN_SETTINGS)
def test_settings_that_cannot_be_read_are_a_finding(keywright: Keywright, project: Path, file: str) -> None:
    text, code, line = BROKEN_SETTINGS[file]
    (project / file).write_text(text)
    said = keywright("check", "--format", "json")
    assert (said.code, said.err) == (2, "")
    found = json.loads(said.out)["findings"]
    assert [(one["code"], one["at"]["file"], one["at"]["line"]) for one in found] == [(code, file, line)]


def test_an_environment_without_a_stack_file_says_which_to_create(keywright: Keywright, project: Path) -> None:
    for file in (project / "stacks").iterdir():
        file.unlink()
    (project / "stacks" / "Pulumi.dev.yaml").mkdir()  # no file of that name
    assert keywright("check") == (
        2,
        "",
        'error: there is no environment "dev": no stacks/Pulumi.dev.yaml\n  help: create stacks/Pulumi.dev.yaml\n',
    )


def test_an_empty_folder_of_models_is_no_error(keywright: Keywright, project: Path) -> None:
    (project / "models" / "library.py").unlink()
    assert keywright("check") == (0, "no errors in 0 entities and 0 access patterns\n", "")


@pytest.mark.usefixtures("project")
def test_a_folder_of_models_that_is_not_there_is_an_error(keywright: Keywright, project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["modles"]\n')
    assert keywright("check", "--format", "concise").out == 'modles: E0102 there is no file or folder "modles"\n'
