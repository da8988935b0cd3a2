"""The scripts of action.yml, run as a runner would: on a branch of a small project, with a stand-in for gh."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.projects import PYPROJECT, SOUND, with_imports
from tests.repository import a_repository, commit

ROOT = Path(__file__).parents[2]
STEPS = {step["name"]: step for step in yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]}

RULES = '\n[tool.keywright.rules]\nselect = ["GEN004", "MDB001"]  # whatever other rules there will be\n'
BLOG = """
    blog = kw.MongoDatabase("blog")

    class Post(BaseModel):
        __store__: ClassVar = kw.Collection(blog, "posts", id="{post_id}")

        post_id: str
"""
GH = f"""#!{sys.executable}
import json, os, pathlib, sys
folder = pathlib.Path(os.environ["GH_FOLDER"])
words = sys.argv[1:]
with (folder / "calls").open("a") as file:
    file.write(json.dumps(words) + "\\n")
if "--jq" in words:
    wanted = 'select(.user.login == env.AUTHOR and (.body | startswith(env.MARKER))) | .id'
    assert wanted in words[words.index("--jq") + 1]
    for one in json.loads((folder / "comments").read_text()):
        if one["login"] == os.environ["AUTHOR"] and one["body"].startswith(os.environ["MARKER"]):
            print(one["id"])
"""


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    """The variables of a runner whose workspace is a branch of a project in `services/blog`."""
    root = a_repository(tmp_path / "workspace")
    files: dict[str, str | None] = {
        "services/blog/pyproject.toml": PYPROJECT + RULES, "services/blog/stacks/Pulumi.dev.yaml": SOUND,
        "services/blog/models/__init__.py": "", "services/blog/models/blog.py": with_imports(BLOG),
    }  # fmt: skip
    commit(root, files)
    commit(root, branch="topic")
    programs = tmp_path / "temporary" / "keywright" / "bin"
    programs.mkdir(parents=True)
    for name, text in {"keywright": f'#!/bin/sh\nexec {sys.executable} -m keywright "$@"\n', "gh": GH}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(stat.S_IRWXU)
    variables = ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")
    for name in variables:
        (tmp_path / name).touch()
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("KEYWRIGHT_", "GITHUB_"))},
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(tmp_path / "temporary"),
        **{name: str(tmp_path / name) for name in variables},
        "KEYWRIGHT_PROJECT": "services/blog", "KEYWRIGHT_ENV": "", "BASE": "main", "PREVIEW": "",
        "ARTEFACTS": "false", "WHOLE": "false",
        "LINKS": "https://host/o/r/blob/1f/", "WORKSPACE": str(root), "GH_FOLDER": str(tmp_path),
    }  # fmt: skip


def run(name: str, variables: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """A step's script, by the options that a runner gives to `shell: bash`."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]],
        cwd=variables["WORKSPACE"], env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip


def outputs(variables: dict[str, str]) -> dict[str, str]:
    text = Path(variables["GITHUB_OUTPUT"]).read_text()
    return dict(line.split("=", 1) for line in text.splitlines())


def change(variables: dict[str, str], text: str) -> None:
    commit(Path(variables["WORKSPACE"]), {"services/blog/models/blog.py": text})


def test_a_branch_that_does_nothing_passes(runner: dict[str, str]) -> None:
    process = run("Check", runner)
    assert process.returncode == 0, process.stdout + process.stderr
    result = outputs(runner)
    assert result["worst"] == "0"
    assert Path(result["report"]).read_text().startswith("<!-- keywright pr services/blog/ dev -->\n")
    assert Path(runner["GITHUB_STEP_SUMMARY"]).read_text() == Path(result["report"]).read_text()
    for name in ("check", "lint"):
        assert json.loads(Path(result["folder"], f"{name}.sarif").read_text())["version"] == "2.1.0"
    assert run("Result", {**runner, "WORST": result["worst"]}).returncode == 0


def test_an_error_is_reported_before_the_run_fails(runner: dict[str, str]) -> None:
    change(runner, with_imports("class Tag(BaseModel):\n    name: str", BLOG + "        tags: list[Tag]\n"))
    assert run("Check", runner).returncode == 0
    result = outputs(runner)
    assert result["worst"] == "1"
    assert (
        "[`MDB001`](https://keywright.dev/codes/MDB001) | [services/blog/models/blog.py:"
        in Path(result["report"]).read_text()
    )
    assert "](https://host/o/r/blob/1f/services/blog/models/blog.py#L" in Path(result["report"]).read_text()
    sarif = json.loads(Path(result["folder"], "check.sarif").read_text())
    place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == "services/blog/models/blog.py"
    assert run("Result", {**runner, "WORST": result["worst"]}).returncode == 1


def test_an_error_that_the_base_has_too_fails_where_all_is_to_count(runner: dict[str, str]) -> None:
    root = Path(runner["WORKSPACE"])
    unbounded = with_imports("class Tag(BaseModel):\n    name: str", BLOG + "        tags: list[Tag]\n")
    commit(root, {"services/blog/models/blog.py": unbounded})
    worst = []
    for more in ({"BASE": "HEAD"}, {"BASE": "HEAD", "WHOLE": "true"}, {"BASE": ""}):
        assert run("Check", {**runner, **more}).returncode == 0
        worst.append(outputs(runner)["worst"])
    assert worst == ["0", "1", "1"]


def test_models_that_do_not_compile_are_reported_too(runner: dict[str, str]) -> None:
    change(runner, "import nothing_of_that_name\n")
    assert run("Check", runner).returncode == 0
    assert outputs(runner)["worst"] == "2"
    assert "**The models do not compile**" in Path(runner["GITHUB_STEP_SUMMARY"]).read_text()


def test_what_cannot_run_fails_at_once(runner: dict[str, str]) -> None:
    for wrong in ({"BASE": "nowhere"}, {"KEYWRIGHT_PROJECT": "services"}, {"KEYWRIGHT_ENV": "qa"}):
        process = run("Check", {**runner, **wrong})
        assert process.returncode == 2
        assert "::error title=keywright" in process.stdout
        assert outputs(runner) == {}


def test_words_of_an_input_are_no_words_of_the_shell(runner: dict[str, str], tmp_path: Path) -> None:
    process = run("Check", {**runner, "BASE": f"main; touch {tmp_path}/a $(touch {tmp_path}/b)"})
    assert process.returncode == 2
    assert not (tmp_path / "a").exists()
    assert not (tmp_path / "b").exists()


def comment(runner: dict[str, str], tmp_path: Path, *comments: tuple[int, str, str]) -> list[list[str]]:
    """What gh is called with, where these comments are there: number, author, first line."""
    report = tmp_path / "report.md"
    report.write_text("<!-- keywright pr . dev -->\n## keywright\n")
    output = [{"id": id, "login": login, "body": f"{line}\nbefore"} for id, login, line in comments]
    (tmp_path / "comments").write_text(json.dumps(output))
    more = {"REPORT": str(report), "AUTHOR": "github-actions[bot]", "ISSUE": "7", "GITHUB_REPOSITORY": "o/r"}
    process = run("Comment", {**runner, **more, "GH_TOKEN": "secret"})
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in (tmp_path / "calls").read_text().splitlines()]


def test_the_first_comment_is_written(runner: dict[str, str], tmp_path: Path) -> None:
    listed, created = comment(
        runner, tmp_path, (1, "somebody", "<!-- keywright pr . dev -->"), (2, "github-actions[bot]", "<!-- else -->")
    )
    assert listed[:3] == ["api", "--paginate", "repos/o/r/issues/7/comments"]
    assert created == [
        "api", "--silent", "--method", "POST", "repos/o/r/issues/7/comments", "--field", f"body=@{tmp_path}/report.md",
    ]  # fmt: skip


def test_the_comment_that_is_there_is_updated(runner: dict[str, str], tmp_path: Path) -> None:
    ours = "github-actions[bot]", "<!-- keywright pr . dev -->"
    _, created = comment(runner, tmp_path, (1, "somebody", ours[1]), (5, *ours), (9, *ours))
    assert created[2:5] == ["--method", "PATCH", "repos/o/r/issues/comments/5"]


@pytest.mark.live
def test_what_is_installed_by_hashes_runs(runner: dict[str, str], tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "temporary" / "keywright")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python").symlink_to(sys.executable)
    bare = {name: value for name, value in runner.items() if name != "PYTHONPATH"}
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    process = run("Install keywright", {**bare, "PATH": path, "GITHUB_ACTION_PATH": str(ROOT), "REQUIREMENTS": ""})
    assert process.returncode == 0, process.stderr
    process = run("Check", {**bare, "PATH": os.environ["PATH"]})
    assert process.returncode == 0, process.stdout + process.stderr
    assert outputs(runner)["worst"] == "0"
