"""`keywright check`: everything that is wrong, here or elsewhere, in words or as a document."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from keywright.cli.check_summary import ASKING

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
    assert said.err == "\n2 errors; `keywright explain E0101` explains the first\n"


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
    findings = json.loads(said.out)["findings"]
    assert [(finding["code"], finding["at"]["file"], finding["at"]["line"]) for finding in findings] == [
        (code, file, line)
    ]


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
    assert keywright("check", "--format", "concise").out == 'modles: E0102 file or folder "modles" does not exist\n'


MANY = """
from typing import ClassVar
from pydantic import BaseModel
import keywright as kw

blog = kw.MongoDatabase("blog")

class Post(BaseModel):
    __store__: ClassVar = kw.Collection(blog, "posts", id="{post_id}")
    post_id: str
    a: list[str]
    b: list[str]
    c: list[str]
    d: list[str]
    e: list[str]
    f: list[str]
    g: list[str]
    h: list[str]
    i: list[str]

post = kw.Get(Post, rate="1200/s", p99_ms=20)

class Note(BaseModel):
    __store__: ClassVar = kw.Collection(blog, "notes", id="{note_id}")
    note_id: str
    lines: list[str]

note = kw.Get(Note, rate="5000/s", p99_ms=20)
rare = kw.Get(Note)
"""


LIMIT = """
from datetime import timedelta
from typing import ClassVar

from pydantic import BaseModel

import keywright as kw

limits = kw.RedisServer("limits", role="limiter")


class Call(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        limits, key="calls:{caller_id}", limit=10, per=timedelta(minutes=5), window="fixed"
    )

    caller_id: str


allow_call = kw.Take(Call)
"""


@pytest.fixture
def with_many(project: Path) -> Path:
    """The project with ten lists without a bound."""
    (project / "models" / "library.py").write_text(MANY)
    return project


@pytest.mark.usefixtures("with_many")
def test_a_long_report_ends_with_what_to_begin_with(keywright: Keywright) -> None:
    said = keywright("check", "--select", "MDB001")
    first, *others = said.err.strip().partition(":")[2].splitlines()[1:6]
    assert first.startswith("  MDB001 models/library.py:26 Note.lines at 5000/s: ")
    assert [line.split()[2] for line in others] == ["Post.a", "Post.b", "Post.c", "Post.d"]
    assert "begin with" not in keywright("check", "--select", "MDB001", "models/library.py", "-q").err


@pytest.mark.usefixtures("project")
def test_questions_fail_nothing_and_are_listed_apart(keywright: Keywright, project: Path) -> None:
    (project / "models" / "limits.py").write_text(LIMIT)
    line = ("check", "--select", "RED067", "--select", "RED004")
    said = keywright(*line)
    assert said.code == 0
    assert "question[RED067]: it allows 10 calls per 5 minutes" in said.out
    assert f"\n{ASKING}\n" in said.err
    assert "\n1 question in " in said.err
    assert ASKING not in keywright(*line, "--format", "concise").err
    assert keywright(*line, "--fail-on", "question").code == 1
    assert json.loads(keywright(*line, "--format", "json").out)["summary"]["questions"] == 1
    assert "| question |" in keywright(*line, "--format", "markdown").out
    assert "::notice " in keywright(*line, "--format", "github").out
    (result,) = json.loads(keywright(*line, "--format", "sarif").out)["runs"][0]["results"]
    assert (result["kind"], result["level"]) == ("review", "none")


@pytest.mark.usefixtures("with_many")
def test_undeclared_facts_that_keep_rules_from_judging_are_named(keywright: Keywright) -> None:
    said = keywright("check")
    assert " did not judge 1 access pattern without rate=, such as rare\n" in said.err
    assert " did not judge 2 entities without expected=, such as Post\n" in said.err
    (rate, expected) = json.loads(keywright("check", "--format", "json").out)["summary"]["missing_facts"]
    assert (rate["option"], rate["names"]) == ("rate", ["rare"])
    assert (expected["option"], expected["names"]) == ("expected", ["Post", "Note"])
    assert "MDB017" in rate["codes"]


@pytest.mark.usefixtures("with_many")
def test_the_reason_of_a_code_is_printed_once(keywright: Keywright) -> None:
    said = keywright("check", "--select", "MDB001", "--explain")
    assert said.out.count("\n  why: ") == 1
    assert keywright("check", "--explain", "--format", "json").code == 2


@pytest.mark.usefixtures("with_many")
def test_rules_are_ignored_by_the_path_of_a_file(keywright: Keywright, project: Path) -> None:
    with (project / "pyproject.toml").open("a") as settings:
        settings.write('[tool.keywright.rules.per-file-ignores]\n"models/l*" = ["MDB001"]\n')
    assert "MDB001" not in keywright("check").out


def test_rules_are_ignored_by_the_owner_of_a_store(keywright: Keywright, project: Path) -> None:
    file = project / "models" / "library.py"
    file.write_text(MANY.replace('MongoDatabase("blog"', 'MongoDatabase("blog", owner="books"'))
    assert "MDB001" in keywright("check").out
    with (project / "pyproject.toml").open("a") as settings:
        settings.write('[tool.keywright.rules.per-owner-ignores]\n"books" = ["MDB001", "GEN002"]\n')
    text = keywright("check").out
    assert "MDB001" not in text
    assert "GEN002" not in text


def on_terminal(project: Path, stream: str, *arguments: str) -> str:
    """What a terminal of 60 columns shows of one stream."""
    reader, terminal = pty.openpty()
    with os.fdopen(terminal, "wb", closefd=True) as shown:
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: shown}
        subprocess.run(
            [sys.executable, "-m", "keywright", *arguments], cwd=project, check=False,
            env={**os.environ, "COLUMNS": "60", "NO_COLOR": "1"}, **streams,
        )  # fmt: skip
    with os.fdopen(reader, "rb") as written:
        return written.read1(65536).decode()


def test_lines_fit_the_terminal(with_many: Path) -> None:
    text = on_terminal(with_many, "stdout", "check", "--select", "MDB001")
    assert "MDB001" in text
    assert max(map(len, text.splitlines())) <= 60


@pytest.mark.parametrize(("stream", "command"), [("stdout", "check"), ("stderr", "compile")])
def test_compile_errors_fit_the_terminal(broken: Path, stream: str, command: str) -> None:
    text = on_terminal(broken, stream, command)
    assert text.splitlines()[0].startswith("models/loans.py:1: error[E0101]: ")
    assert max(map(len, text.splitlines())) <= 60
