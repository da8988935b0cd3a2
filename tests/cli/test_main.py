"""The edge of the program: what becomes of bugs, of an unwilling file system, and of Ctrl-C."""

from pathlib import Path

import pytest

from keywright import api
from keywright.errors import Blocked, NeedsDecision, Unavailable

from .conftest import Keywright


def raises(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def load(project: str | None = None) -> None:
        raise error

    monkeypatch.setattr(api, "load", load)


def test_a_bug_is_one_line_and_a_log_in_the_project(
    keywright: Keywright, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raises(monkeypatch, AssertionError("two\nlines"))
    inner = project / "models"
    monkeypatch.chdir(inner)
    assert keywright("compile") == (
        70,
        "",
        "bug in keywright: AssertionError: two lines; the traceback is in ../.keywright/crash.log\n",
    )
    log = (project / ".keywright" / "crash.log").read_text()
    assert log.startswith("keywright compile\nTraceback (most recent call last):\n")
    assert not (inner / ".keywright").exists()


def test_a_bug_outside_any_project_is_logged_where_it_happened(
    keywright: Keywright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raises(monkeypatch, ValueError())
    monkeypatch.chdir(tmp_path)
    assert keywright("compile").err == "bug in keywright: ValueError; the traceback is in .keywright/crash.log\n"


def test_a_bug_in_the_project_that_is_named_is_logged_there(
    keywright: Keywright, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raises(monkeypatch, ValueError("no"))
    monkeypatch.chdir(project.parent)
    said = keywright("compile", "--project", "library")
    assert said.err == "bug in keywright: ValueError: no; the traceback is in library/.keywright/crash.log\n"


def test_a_log_that_cannot_be_written_does_not_hide_the_bug(
    keywright: Keywright, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raises(monkeypatch, ValueError("no"))
    (project / ".keywright").touch()
    assert keywright("compile") == (
        70,
        "",
        "bug in keywright: ValueError: no; the traceback could not be written to .keywright/crash.log\n",
    )


@pytest.mark.usefixtures("project")
def test_what_the_file_system_refuses_is_no_bug(keywright: Keywright, monkeypatch: pytest.MonkeyPatch) -> None:
    raises(monkeypatch, PermissionError(13, "Permission denied", "/models"))
    assert keywright("compile") == (
        2,
        "",
        'error: cannot use "/models": permission denied\n  help: free disk space, or give this user permission\n',
    )


@pytest.mark.usefixtures("project")
def test_ctrl_c_is_told(keywright: Keywright, monkeypatch: pytest.MonkeyPatch) -> None:
    raises(monkeypatch, KeyboardInterrupt())
    assert keywright("compile") == (130, "", "interrupted\n")


CODES = {Unavailable: 3, Blocked: 4, NeedsDecision: 5}


@pytest.mark.parametrize("kind", CODES)
@pytest.mark.usefixtures("project")
def test_each_kind_of_error_has_its_exit_code(
    keywright: Keywright, monkeypatch: pytest.MonkeyPatch, kind: type[Unavailable]
) -> None:
    raises(monkeypatch, kind("it cannot be", "try again"))
    assert keywright("compile") == (CODES[kind], "", "error: it cannot be\n  help: try again\n")


def test_a_broken_project_still_shows_and_stops_what_runs(keywright: Keywright, project: Path) -> None:
    (project / "stacks" / "Pulumi.dev.yaml").write_text("config: [")
    assert keywright("local", "down") == (0, "no server is running here\n", "")


@pytest.mark.parametrize("line", ["apply --local", "sample --load --local", "inspect --local"])
@pytest.mark.usefixtures("project")
def test_without_servers_a_command_says_how_to_start_them(keywright: Keywright, line: str) -> None:
    assert keywright(*line.split()) == (
        3, "", "error: no local server is running\n  help: start them with `keywright local up`\n",
    )  # fmt: skip


@pytest.mark.parametrize("line", ["apply --local", "sample --load --local"])
def test_models_that_store_nothing_need_no_server(keywright: Keywright, project: Path, line: str) -> None:
    (project / "models" / "library.py").unlink()
    assert keywright("-q", *line.split()) == (0, "", "")
    assert keywright("local", "up") == (0, "", "the models have no stores: no server is needed\n")


@pytest.mark.parametrize("place", [".keywright", ".keywright/local"])
def test_a_file_in_place_of_the_servers_folder_is_named(keywright: Keywright, project: Path, place: str) -> None:
    (project / place).parent.mkdir(exist_ok=True)
    (project / place).touch()
    said = keywright("local", "up", "redis")
    assert said.code == 2
    assert said.err.startswith(f'error: cannot use "{project}/.keywright/local": ')


BAD_ADDRESSES = {
    "redis://127.0.0.1:abc": "is not an address: its host or port cannot be read",
    "redis://127.0.0.1:99999": "is not an address: its host or port cannot be read",
    "mongodb://127.0.0.1": "is not the address of a redis server",
}


@pytest.mark.parametrize("url", BAD_ADDRESSES)
@pytest.mark.usefixtures("project")
def test_a_wrong_address_in_a_variable_is_told(keywright: Keywright, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("KEYWRIGHT_REDIS_URL", url)
    said = keywright("apply", "--local")
    assert said.code == 2
    assert said.err.splitlines()[0] == f'error: "KEYWRIGHT_REDIS_URL" {BAD_ADDRESSES[url]}'
