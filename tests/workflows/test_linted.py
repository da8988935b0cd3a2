"""Workflows, the action and the hooks, as their linters and their own formats want them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.workflows.actionlint import HINT, found

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FILES = [*WORKFLOWS, ROOT / "action.yml"]
PAGE = ROOT / "docs" / "pull-requests.md"


@pytest.fixture
def shown(tmp_path: Path) -> list[Path]:
    """The workflows that the documentation shows, as files."""
    blocks = re.findall(r"^```yaml\n(name: .*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    files = [folder / f"{number}.yml" for number, _ in enumerate(blocks)]
    for file, block in zip(files, blocks, strict=True):
        file.write_text(block, encoding="utf-8")
    assert len(files) == 2
    return files


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A workflow that writes the name of a branch into a script."""
    file = tmp_path / "wrong.yml"
    script = "echo ${{ github.head_ref }}"
    file.write_text(f"on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: {script}\n")
    return file


def actionlint(*files: Path) -> "subprocess.CompletedProcess[str]":
    program = found()
    if program is None:
        pytest.fail(HINT) if os.environ.get("KEYWRIGHT_REQUIRE_ENGINES") == "all" else pytest.skip(HINT)
    words = [str(program), "-no-color", *map(str, files)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


def zizmor(*files: Path) -> "subprocess.CompletedProcess[str]":
    program = shutil.which("zizmor", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert program, "zizmor belongs to requirements.lock: run `make setup`"
    words = [program, "--offline", "--no-progress", "--quiet", "--format=plain", *map(str, files)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.live
def test_actionlint_has_nothing_to_say(shown: list[Path], wrong: Path) -> None:
    process = actionlint(*WORKFLOWS, *shown)
    assert (process.returncode, process.stdout) == (0, "")
    assert "potentially untrusted" in actionlint(wrong).stdout


def test_zizmor_has_nothing_to_say(shown: list[Path], wrong: Path) -> None:
    process = zizmor(*FILES, *shown)
    assert process.returncode == 0, process.stdout + process.stderr
    assert "template-injection" in zizmor(wrong).stdout


def workflow(file: Path) -> dict[Any, Any]:
    document: dict[Any, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_may_only_read_unless_a_job_says_more(file: Path) -> None:
    output = workflow(file)
    assert output["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in output[True]  # YAML 1.1 takes the word "on" for true


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_others_wrote_is_named_by_its_commit(file: Path) -> None:
    uses = re.findall(r"^\s*(?:- )?uses: (\S+)(.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert uses
    for name, comment in uses:
        assert name == "./" or (re.search(r"@[0-9a-f]{40}$", name) and re.fullmatch(r" # v\d+\.\d+\.\d+", comment)), (
            name
        )


def test_nothing_is_written_to_github_for_a_fork() -> None:
    steps = {step["name"]: step.get("if", "") for step in workflow(ROOT / "action.yml")["runs"]["steps"]}
    writing = [name for name in steps if name.startswith(("Upload", "Comment"))]
    assert len(writing) == 3
    own = "github.event.pull_request.head.repo.full_name == github.repository"  # a fork may have branches of its own
    assert [name for name in writing if own not in steps[name]] == []


def test_no_input_is_written_into_a_script() -> None:
    steps = workflow(ROOT / "action.yml")["runs"]["steps"]
    assert [step["name"] for step in steps if "${{" in step.get("run", "")] == []


def test_every_input_is_told_in_the_documentation() -> None:
    page = PAGE.read_text(encoding="utf-8")
    action = workflow(ROOT / "action.yml")
    assert [name for name in action["inputs"] if f"| `{name}` |" not in page] == []
    assert all(
        entry["description"].endswith(".") for entry in (*action["inputs"].values(), *action["outputs"].values())
    )


def test_the_hooks_name_commands_that_there_are() -> None:
    hooks = workflow(ROOT / ".pre-commit-hooks.yaml")
    assert [hook["entry"] for hook in hooks] == ["keywright check", "keywright compile --check"]
    for hook in hooks:
        process = subprocess.run(
            [sys.executable, "-m", *hook["entry"].split(), "--help"], capture_output=True, check=False
        )
        assert process.returncode == 0
