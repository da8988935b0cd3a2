"""The common options: before a command or after it, from variables, for colour."""

from pathlib import Path

import pytest

from .conftest import Keywright

RED_CODE = "\x1b[31m\x1b[1merror[E0101]\x1b[0m"


@pytest.fixture
def elsewhere(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, while the test stands beside it."""
    monkeypatch.chdir(project.parent)
    return project


@pytest.mark.parametrize(
    "line",
    [
        "--project library check",
        "check --project library",
        "check --project=library",
        "--project nowhere check --project library",
    ],
)
@pytest.mark.usefixtures("elsewhere")
def test_a_project_is_named_before_or_after_the_command(keywright: Keywright, line: str) -> None:
    assert keywright(*line.split()).out == "no errors in 2 entities and 1 access pattern\n"


@pytest.mark.usefixtures("elsewhere")
def test_a_project_is_named_between_two_words_of_a_command(keywright: Keywright) -> None:
    assert keywright("local", "--project", "library", "down") == (0, "no server is running here\n", "")


def test_a_variable_names_the_project(keywright: Keywright, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_PROJECT", str(elsewhere))
    assert keywright("check").code == 0


def test_a_folder_without_settings_is_no_project(keywright: Keywright, tmp_path: Path) -> None:
    said = keywright("check", "--project", str(tmp_path))
    assert said.code == 2
    assert said.err.startswith(f'error: "{tmp_path}" is not a project: it has no pyproject.toml\n')


def test_the_nearest_of_nested_projects_counts(
    keywright: Keywright, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = project / "inner" / "deep"
    inner.mkdir(parents=True)
    (project / "inner" / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["nothing"]\n')
    monkeypatch.chdir(inner)
    assert 'file or folder "nothing" does not exist' in keywright("check").out


@pytest.mark.usefixtures("project")
def test_a_variable_names_the_environment_and_an_option_overrules_it(
    keywright: Keywright, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYWRIGHT_ENV", "prod")
    assert keywright("compile").out.endswith("written in prod, 4 files in all\n")
    assert keywright("compile", "--env", "dev").out.endswith("written in dev, 4 files in all\n")


@pytest.fixture
def broken(project: Path) -> Path:
    """A project of which one file does not import."""
    (project / "models" / "loans.py").write_text("import nothing_of_that_name\n")
    return project


@pytest.mark.parametrize("line", ["--color always check", "check --color always"])
@pytest.mark.usefixtures("broken")
def test_a_report_is_coloured_in_a_pipe_on_demand(keywright: Keywright, line: str) -> None:
    assert RED_CODE in keywright(*line.split()).out


@pytest.mark.parametrize("line", ["--color always compile", "compile --color always"])
@pytest.mark.usefixtures("broken")
def test_errors_are_coloured_in_a_pipe_on_demand(keywright: Keywright, line: str) -> None:
    assert RED_CODE in keywright(*line.split()).err


@pytest.mark.parametrize("line", ["check", "check --color auto", "--color always check --color never"])
@pytest.mark.usefixtures("broken")
def test_a_report_in_a_pipe_is_plain(keywright: Keywright, line: str) -> None:
    assert "\x1b" not in keywright(*line.split()).out


@pytest.mark.usefixtures("broken")
def test_the_option_overrules_the_variable_for_no_colour(keywright: Keywright, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in keywright("check").out
    assert RED_CODE in keywright("check", "--color", "always").out


@pytest.mark.parametrize("line", ["-q check", "check -q", "-v check -q", "check -q -v"])
@pytest.mark.usefixtures("project")
def test_a_quiet_check_without_errors_says_nothing(keywright: Keywright, line: str) -> None:
    assert keywright(*line.split()) == (0, "", "")
