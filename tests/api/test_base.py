"""The merge base of a branch: exported, evaluated by a separate process, and removed."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from tests.interrupts import unmeasured
from tests.projects import PYPROJECT, SOUND, with_imports
from tests.repository import a_repository, commit, git

from keywright.api.check.merge_base import added, base_of, fingerprints
from keywright.errors import Unavailable, UsageError
from keywright.project.export import exported, uncommitted
from keywright.project.settings import Settings, read_settings

TODAY = date(2026, 11, 22)
POSTS = """
    blog = kw.MongoDatabase("blog")

    class Post(BaseModel):
        __store__: ClassVar = kw.Collection(blog, "posts", id="{post_id}")

        post_id: str
        tags: list[str]
"""
FILES = {
    "pyproject.toml": PYPROJECT, "stacks/Pulumi.dev.yaml": SOUND, "models/__init__.py": "",
    "models/blog.py": with_imports(POSTS),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A temporary folder in which leftovers are visible."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)


def left(tmp_path: Path) -> list[str]:
    return os.listdir(tmp_path / "temporary")


def a_branch(tmp_path: Path, files: dict[str, str | None], prefix: str = "") -> Settings:
    """A repository whose branch changes these files."""
    root = a_repository(tmp_path / "repository")
    commit(root, {prefix + path: text for path, text in FILES.items()})
    commit(root, {prefix + path: text for path, text in files.items()}, branch="topic")
    return read_settings(root / prefix)


def test_the_base_is_what_was_there_and_nothing_is_left(tmp_path: Path) -> None:
    settings = a_branch(tmp_path, {"models/blog.py": with_imports(POSTS, "x = 1")})
    with exported(settings, "main") as export:
        assert export.root is not None
        assert (export.root / "models/blog.py").read_text() == FILES["models/blog.py"]
        assert not (export.root / ".git").exists()
    assert left(tmp_path) == []
    assert git(settings.root, "status", "--porcelain") == ""
    assert git(settings.root, "worktree", "list").count("\n") == 1


def test_what_others_did_meanwhile_is_not_of_the_branch(tmp_path: Path) -> None:
    settings = a_branch(tmp_path, {"models/other.py": ""})
    fork = git(settings.root, "rev-parse", "main").strip()
    git(settings.root, "switch", "--quiet", "main")
    tip = commit(settings.root, {"models/blog.py": None})
    git(settings.root, "switch", "--quiet", "topic")
    with exported(settings, "main") as export:
        assert (export.tip, export.commit) == (tip, fork)


def test_a_project_below_the_repository_keeps_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = a_branch(tmp_path, {"models/other.py": ""}, prefix="services/shop/")
    monkeypatch.setenv("GIT_DIR", ".git")  # as in a hook
    base = base_of(settings, "main", "dev", TODAY)
    assert base.exported.prefix == "services/shop/"
    assert base.revision.is_compiled


def test_files_that_an_archive_would_leave_out_are_exported(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "repository")
    commit(root, {**FILES, ".gitattributes": "models export-ignore\n"})
    assert base_of(read_settings(root), "main", "dev", TODAY).revision.is_compiled


def test_fingerprints_of_the_base_are_subtracted_as_often_as_they_are_there(tmp_path: Path) -> None:
    broken = with_imports(POSTS.replace("{post_id}", "{post}"))
    root = a_repository(tmp_path / "repository")
    commit(root, {**FILES, "models/blog.py": broken})
    before = fingerprints(read_settings(root), "main", "dev", TODAY)
    assert list(before.values()) == [1]
    (fingerprint,) = before
    assert list(added([(fingerprint, "first"), (fingerprint, "second"), ("x", "third")], before)) == ["second", "third"]
    assert before == Counter({fingerprint: 1})


def test_models_that_do_not_compile_are_findings_of_the_base(tmp_path: Path) -> None:
    settings = a_branch(tmp_path, {})
    (settings.root / "models/blog.py").write_text("import nothing_of_that_name\n")
    commit(settings.root)
    commit(settings.root, {"models/blog.py": FILES["models/blog.py"]})
    base = base_of(settings, "HEAD~1", "dev", TODAY)
    assert [finding["code"] for finding in base.revision.findings] == ["E0101"]
    assert base.revision.findings[0]["at"]["file"] == "models/blog.py"
    assert not base.revision.is_compiled


def test_models_that_print_or_end_the_process_do_no_harm(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "repository")
    commit(root, {**FILES, "models/loud.py": "print('{}')\n"})
    commit(root, {"models/loud.py": "import os\nos._exit(3)\n"})
    commit(root, {"models/loud.py": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"})
    loud, exits, dies = (base_of(read_settings(root), f"HEAD~{n}", "dev", TODAY).revision for n in (2, 1, 0))
    assert loud.is_compiled
    assert [(finding["code"], finding["at"]["file"]) for finding in exits.findings] == [("E0101", "models/loud.py")]
    assert dies.problem == "the models could not be read: Python exited with code -9"


def test_before_a_project_began_there_is_nothing(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "repository")
    commit(root, {"README": "", "pyproject.toml": "[project]\n"})
    commit(root, FILES, branch="topic")
    base = base_of(read_settings(root), "main", "dev", TODAY)
    assert (base.exported.root, base.revision.findings, base.revision.is_compiled) == (None, (), True)


def test_an_environment_that_the_base_lacks_is_its_problem(tmp_path: Path) -> None:
    settings = a_branch(tmp_path, {"stacks/Pulumi.prod.yaml": SOUND})
    problem = base_of(settings, "main", "prod", TODAY).revision.problem
    assert problem == 'there is no environment "prod": no stacks/Pulumi.prod.yaml'


def test_a_reference_that_is_not_there_is_named(tmp_path: Path) -> None:
    settings = a_branch(tmp_path, {})
    for name in ("nowhere", "--help", "HEAD:models"):
        with pytest.raises(UsageError) as error:
            base_of(settings, name, "dev", TODAY)
        assert error.value.problem == f'git has no commit "{name}"'
    assert left(tmp_path) == []


def test_a_shallow_clone_is_told_to_fetch(tmp_path: Path) -> None:
    settings = a_branch(tmp_path, {"models/other.py": ""})
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{settings.root}", str(shallow))
    git(shallow, "fetch", "--quiet", "--depth=1", "origin", "main:refs/remotes/origin/main")
    for name, problem in {
        "origin/main": 'the work tree has no commit in common with "origin/main"', "v1": 'git has no commit "v1"'
    }.items():  # fmt: skip
        with pytest.raises(UsageError) as error:
            base_of(read_settings(shallow), name, "dev", TODAY)
        assert error.value.problem == problem
        assert error.value.help == "the clone is shallow: run `git fetch --unshallow`, or check out with fetch-depth: 0"


def test_a_folder_without_git_is_no_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    settings = read_settings(tmp_path)
    with pytest.raises(UsageError, match="is not in a git repository"):
        base_of(settings, "main", "dev", TODAY)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="git is not installed"):
        base_of(settings, "main", "dev", TODAY)


def test_a_tree_with_changes_that_are_not_committed_is_seen(tmp_path: Path) -> None:
    settings = a_branch(tmp_path, {})
    (settings.root / "notes.txt").write_text("")
    assert not uncommitted(settings)
    (settings.root / "models/new.py").write_text("")
    assert uncommitted(settings)


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    settings = a_branch(tmp_path, {})
    program = f"""
        import time
        from pathlib import Path
        from keywright.project.export import exported
        from keywright.project.settings import read_settings
        with exported(read_settings({str(settings.root)!r}), "main"):
            print("there", flush=True)
            time.sleep(60)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=-1, stderr=-1, text=True, env=unmeasured()
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n"
    assert len(left(tmp_path)) == 1
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert left(tmp_path) == []
