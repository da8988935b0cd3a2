"""`keywright pr`: its exit codes, and what it takes to compare."""

from pathlib import Path

import pytest
from tests.projects import PYPROJECT
from tests.repository import a_repository, commit

from .conftest import Keywright
from .test_documents import document

PREVIEW = """\
{"sequence":1,"resourcePreEvent":{"metadata":{"op":"same","urn":"urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"}}}
{"sequence":2,"policyEvent":{"resourceUrn":"urn:pulumi:dev::shop::aws:iam/rolePolicy:RolePolicy::reader",\
"message":"Nothing scans.\\n  it may scan\\n  help: name the tables","policyName":"no-scan","policyPackName":"ours",\
"enforcementLevel":"LEVEL"}}
"""


@pytest.fixture
def branch(project: Path) -> Path:
    """The project on a branch that has changed nothing yet."""
    rules = '\n[tool.keywright.rules]\nselect = ["GEN004", "MDB001"]  # whatever other rules there will be\n'
    (project / "pyproject.toml").write_text(PYPROJECT + rules)
    a_repository(project)
    commit(project)
    commit(project, branch="topic")
    return project


def changed(project: Path, old: str, new: str) -> None:
    file = project / "models" / "library.py"
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.mark.usefixtures("branch")
def test_a_branch_that_does_nothing_exits_0(keywright: Keywright) -> None:
    said = keywright("pr", "--base", "main")
    assert (said.code, said.err) == (0, "")
    assert "- **Findings**: none added\n- **Access patterns**: 1 of 1 served, 1 of 1 before\n" in said.out


def test_an_error_that_the_branch_adds_exits_1(keywright: Keywright, branch: Path) -> None:
    changed(branch, 'kw.Get(Book, eq="isbn"', 'kw.Read(Book, eq="title", order="-isbn"')
    changed(branch, ', indexes=[kw.Index("title")]', "")
    result = document(said := keywright("pr", "--base", "main", "--format", "json"))
    assert said.code == 1
    assert result["uncommitted"] is True
    assert result["coverage"]["after"] == {"served": 0, "unserved": 0, "not served": 1}
    assert [pattern["became"] for pattern in result["patterns"]] == ["unserved"]
    assert [(change["class"], change["change"]) for change in result["changes"]] == [
        ("K", 'drop index "title_1" of "books" of "catalogue"')
    ]


def test_models_that_do_not_compile_exit_2_and_are_told(keywright: Keywright, branch: Path) -> None:
    changed(branch, 'id="{isbn}"', 'id="{isbm}"')
    said = keywright("pr", "--base", "main")
    assert (said.code, said.err) == (2, "")
    assert "- **The models do not compile**; store changes and access patterns are unknown until they do.\n" in said.out
    assert "| error | [`E0303`](" in said.out
    assert "/E0303) | [models/library.py:12](models/library.py#L12)<br>`Book` |" in said.out
    assert document(keywright("pr", "--base", "main", "--format", "json"))["changes"] is None


def test_a_base_that_does_not_compile_is_healed(keywright: Keywright, branch: Path) -> None:
    good = (branch / "models" / "library.py").read_text()
    changed(branch, 'id="{isbn}"', 'id="{isbm}"')
    commit(branch)
    commit(branch, {"models/library.py": good}, branch="healed")
    said = keywright("pr", "--base", "topic")
    assert said.code == 0
    assert "- **The base cannot be compared**: the models of the base do not compile (1 error)." in said.out
    assert "- **Findings**: none added, 1 fixed\n" in said.out


def test_a_project_that_begins_is_new_as_a_whole(keywright: Keywright, project: Path) -> None:
    a_repository(project)
    (project / ".gitignore").write_text("*\n!.gitignore\n")
    commit(project)
    (project / ".gitignore").unlink()
    commit(project, branch="topic")
    result = document(keywright("pr", "--base", "main", "--format", "json"))
    assert result["base"]["new"] is True
    assert [pattern["became"] for pattern in result["patterns"]] == ["added"]
    assert "AddTable" not in str(result["changes"])
    assert 'add database "catalogue"' in [change["change"] for change in result["changes"]]


def test_a_finding_that_is_accepted_now_is_told_with_its_reason(keywright: Keywright, branch: Path) -> None:
    changed(branch, "max_length=80)]\n", "max_length=80)]\n    notes: list[str] = []\n")
    changed(branch, 'id="{isbn}"', 'id="{isbn}", ignores=[kw.ignore("MDB001", reason="a librarian | writes few")]')
    said = keywright("pr", "--base", "main")
    assert said.code == 0
    assert "- **Findings**: none added, 1 suppressed\n" in said.out
    assert "| a librarian &#124; writes few |\n" in said.out


@pytest.mark.parametrize(("level", "code"), [("mandatory", 1), ("advisory", 0)])
def test_what_policies_say_of_a_preview_belongs_to_it(
    keywright: Keywright, branch: Path, level: str, code: int
) -> None:
    (branch / "preview.json").write_text(PREVIEW.replace("LEVEL", level))
    result = document(said := keywright("pr", "--base", "main", "--preview", "preview.json", "--format", "json"))
    assert said.code == code
    assert result["policies"] == [
        {
            "policy": "ours/no-scan", "level": level, "resource": "reader", "message": "it may scan",
            "urn": "urn:pulumi:dev::shop::aws:iam/rolePolicy:RolePolicy::reader", "help": "name the tables",
        }
    ]  # fmt: skip


@pytest.mark.usefixtures("branch")
def test_what_is_no_preview_is_refused(keywright: Keywright) -> None:
    Path("empty.json").write_text("{}")
    said = keywright("pr", "--base", "main", "--preview", "empty.json")
    assert (said.code, said.out) == (2, "")
    assert "error: the file is not a stream of preview events" in said.err
    assert 'error: cannot read "nowhere"' in keywright("pr", "--base", "main", "--preview", "nowhere").err


@pytest.mark.usefixtures("branch")
def test_a_base_that_is_not_there_is_refused(keywright: Keywright) -> None:
    said = keywright("pr", "--base", "nowhere")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith('error: git has no commit "nowhere"\n  help: name an existing branch or commit')
    assert keywright("pr", "--base", "main", "--env", "qa").err.startswith('error: there is no environment "qa"')
    assert keywright("pr").err.startswith('error: "--base" is missing')
