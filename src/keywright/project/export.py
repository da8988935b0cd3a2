"""Exports a project as of the merge base with a branch into a temporary folder; the repository is not changed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from keywright.errors import Unavailable, UsageError
from keywright.record import Record

from .settings import FILE, Settings

_QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.sparseCheckout=false")
"""Options under which git runs no hooks of the user, and writes all files."""

_HOOK_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_INDEX_FILE")
"""Variables that git sets for a hook, with paths relative to the hook's folder."""


class Exported(Record):
    """The project as of a commit."""

    tip: str
    """Hash of the commit that the reference names."""
    commit: str
    """Hash of the exported commit: the merge base of the work tree and the reference."""
    prefix: str
    """The project's folder in the repository, such as `services/shop/`; empty for the repository's top."""
    root: Path | None
    """The exported project's folder; None if the commit has no project yet."""


@contextmanager
def exported(settings: Settings, reference: str) -> Iterator[Exported]:
    """Export the project as of the merge base with `reference`, a branch, tag or commit; removed afterwards.

    Raises UsageError if git does not have the reference, there is no common commit, or the folder is not in a
    repository; Unavailable if git is not installed.
    """
    root = settings.root
    tip, commit = _commits(root, reference)
    prefix = _git(root, "rev-parse", "--show-prefix").strip()
    folder = Path(tempfile.mkdtemp(prefix="keywright-base-"))
    try:
        top, index = folder / "tree", folder / "index"
        environment = {"GIT_INDEX_FILE": str(index), "GIT_LFS_SKIP_SMUDGE": "1"}
        # In a folder below the top, git would read only that folder into the index.
        above = Path(_git(root, "rev-parse", "--show-toplevel").strip())
        _git(above, *_QUIET, "read-tree", commit, more=environment)
        _git(above, *_QUIET, "checkout-index", "--all", "--quiet", f"--prefix={top}{os.sep}", more=environment)
        yield Exported(tip, commit, prefix, _project(top / prefix))
    finally:  # Ctrl-C too
        shutil.rmtree(folder, ignore_errors=True)


def uncommitted(settings: Settings) -> bool:
    """Whether models, migrations, stack files or settings differ from the last commit."""
    parts = (*settings.models, settings.migrations, settings.environments, FILE)
    existing = [part for part in parts if (settings.root / part).exists()]
    return bool(_git(settings.root, "status", "--porcelain", "--untracked-files=normal", "--", *existing).strip())


def _commits(root: Path, reference: str) -> tuple[str, str]:
    """The commit that a reference names, and its merge base with the work tree."""
    if _output(root, "rev-parse", "--git-dir") is None:
        raise UsageError(
            f'"{root}" is not in a git repository', "run the command in a clone: it compares with a commit"
        )
    is_shallow = _git(root, "rev-parse", "--is-shallow-repository").strip() == "true"
    fetch = "the clone is shallow: run `git fetch --unshallow`, or check out with fetch-depth: 0"
    tip = _output(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
    if tip is None:
        other = "name an existing branch or commit, such as origin/main, or run `git fetch`"
        raise UsageError(f'git has no commit "{reference}"', fetch if is_shallow else other)
    common = _output(root, "merge-base", "HEAD", tip.strip())
    if common is None:
        problem = f'the work tree has no commit in common with "{reference}"'
        raise UsageError(problem, fetch if is_shallow else "name the branch from which this one was created")
    return tip.strip(), common.strip()


def _project(folder: Path) -> Path | None:
    file = folder / FILE
    return folder if file.is_file() and b"[tool.keywright" in file.read_bytes() else None


def _git(root: Path, *words: str, more: dict[str, str] | None = None) -> str:
    """Output of a git command; UsageError with the last line of its error if it fails."""
    done = _run(root, words, more)
    if done.returncode:
        last = (done.stderr.strip() or f"it exits with {done.returncode}").splitlines()[-1]
        raise UsageError(
            f"git failed: {last.removeprefix('fatal: ')}",
            f"run `git {words[0]}` in the project's folder to see the cause",
        )
    return done.stdout


def _output(root: Path, *words: str) -> str | None:
    """Output of a git command; None if it fails."""
    done = _run(root, words)
    return None if done.returncode else done.stdout


def _run(root: Path, words: tuple[str, ...], more: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name not in _HOOK_VARIABLES} | (more or {})
    try:
        return subprocess.run(
            ["git", "-C", str(root), *words], env=environment, capture_output=True, text=True, encoding="utf-8",
            errors="surrogateescape", check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise Unavailable("git is not installed", "install it: the merge base is read from the repository") from None
