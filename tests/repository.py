"""Small repositories of git in a temporary folder."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

_QUIET = {
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "PATH": "/usr/local/bin:/usr/bin:/bin",
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "2026-11-22T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-11-22T00:00:00Z",
}  # fmt: skip
"""Nothing of who runs the tests, and the same hashes every time."""


def git(folder: Path, *words: str) -> str:
    """What git says in a folder."""
    return subprocess.run(
        ["git", "-C", str(folder), *words], env=_QUIET, check=True, capture_output=True, text=True
    ).stdout  # fmt: skip


def a_repository(folder: Path) -> Path:
    """An empty one, on branch `main`."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    return folder


def commit(folder: Path, files: Mapping[str, str | None] | None = None, *, branch: str = "") -> str:
    """Write files, or remove those that are None, and commit all there is, on a new branch if one is named."""
    if branch:
        git(folder, "switch", "--quiet", "--create", branch)
    for path, text in (files or {}).items():
        file = folder / path
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dedent(text), encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "a change")
    return git(folder, "rev-parse", "HEAD").strip()
