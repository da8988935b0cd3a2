"""The job of the GitLab template, run as a runner would: against a stand-in for GitLab's notes."""

import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.projects import PYPROJECT, SOUND, with_imports
from tests.repository import a_repository, commit, git
from tests.workflows.test_action import BLOG, RULES

TEMPLATE = Path(__file__).parents[2] / "templates" / "keywright.gitlab-ci.yml"


class Notes(BaseHTTPRequestHandler):
    """Lists two pages of notes, and keeps what is written."""

    pages: list[list[dict[str, Any]]]
    written: list[tuple[str, str, Any]]

    def do_GET(self) -> None:
        if self.path.endswith("/user"):
            return self._answer({"id": 7})
        page = int(self.path.rpartition("page=")[2])
        return self._answer(self.pages[page - 1], str(page + 1) if page < len(self.pages) else "")

    def do_PUT(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.written.append((self.command, self.path, body))
        self._answer({})

    do_POST = do_PUT

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _answer(self, told: object, following: str = "") -> None:
        assert self.headers["PRIVATE-TOKEN"] == "secret"
        self.send_response(200)
        self.send_header("X-Next-Page", following)
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())


@contextmanager
def gitlab(*pages: list[dict[str, Any]]) -> Iterator[tuple[str, list[tuple[str, str, Any]]]]:
    """The address of a server with these notes, and what is written there."""
    written: list[tuple[str, str, Any]] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Here", (Notes,), {"pages": pages, "written": written})) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", written
        server.shutdown()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of a project, on a branch that is ahead of `main`."""
    origin = a_repository(tmp_path / "origin")
    files: dict[str, str | None] = {
        "pyproject.toml": PYPROJECT + RULES, "stacks/Pulumi.dev.yaml": SOUND, "models/__init__.py": "",
        "models/blog.py": with_imports(BLOG),
    }  # fmt: skip
    commit(origin, files)
    git(tmp_path, "clone", "--quiet", str(origin), "clone")
    commit(tmp_path / "clone", {"models/other.py": ""}, branch="topic")
    return tmp_path / "clone"


def run(clone: Path, tmp_path: Path, api: str, token: str) -> "subprocess.CompletedProcess[str]":
    """The job's script, in one shell, as a runner of GitLab gives it."""
    _, job = yaml.safe_load_all(TEMPLATE.read_text(encoding="utf-8"))
    script = "\n".join(job["keywright"]["script"]).replace("$[[ inputs.install ]]", "true")
    assert "$[[" not in script
    program = tmp_path / "programs" / "keywright"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m keywright "$@"\n')
    program.chmod(0o755)
    output = {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "KEYWRIGHT_PROJECT": ".", "KEYWRIGHT_ENV": "",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_PROJECT_URL": "https://host/o/r", "CI_COMMIT_SHA": "1f",
        "CI_API_V4_URL": api, "CI_MERGE_REQUEST_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "4",
        "KEYWRIGHT_NOTE_TOKEN": token, "no_proxy": "127.0.0.1",
    }  # fmt: skip
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], cwd=clone, env={**os.environ, **output}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip


def test_the_note_that_is_there_is_updated(clone: Path, tmp_path: Path) -> None:
    ours = "<!-- keywright pr . dev -->\nbefore"
    others = [{"id": 1, "author": {"id": 2}, "body": ours}, {"id": 2, "author": {"id": 7}, "body": "else"}]
    with gitlab(others, [{"id": 9, "author": {"id": 7}, "body": ours}]) as (address, written):
        process = run(clone, tmp_path, address, "secret")
    assert process.returncode == 0, process.stdout + process.stderr
    assert [(method, path) for method, path, _ in written] == [("PUT", "/projects/3/merge_requests/4/notes/9")]
    assert written[0][2]["body"] == (clone / ".keywright-report" / "report.md").read_text()
    assert json.loads((clone / ".keywright-report" / "codequality.json").read_text()) == []


def test_the_first_note_is_written_and_an_error_ends_the_job_after_it(clone: Path, tmp_path: Path) -> None:
    commit(clone, {"models/broken.py": "import nothing_of_that_name\n"})
    with gitlab([]) as (address, written):
        process = run(clone, tmp_path, address, "secret")
    assert process.returncode == 2, process.stdout + process.stderr
    assert [(method, path) for method, path, _ in written] == [("POST", "/projects/3/merge_requests/4/notes")]
    assert "](https://host/o/r/-/blob/1f/models/broken.py#L1)" in written[0][2]["body"]
    assert json.loads((clone / ".keywright-report" / "codequality.json").read_text())[0]["check_name"]


def test_without_a_token_there_is_no_note(clone: Path, tmp_path: Path) -> None:
    process = run(clone, tmp_path, "http://127.0.0.1:1", "")
    assert process.returncode == 0, process.stdout + process.stderr
    assert (clone / ".keywright-report" / "report.md").read_text().startswith("<!-- keywright pr . dev -->\n")
