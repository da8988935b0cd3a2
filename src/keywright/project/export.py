"""A project as it was where a branch began, in a folder of its own; the repository stays as it is."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from keywright.errors import Unavailable, UsageError

from .settings import FILE, Settings

_QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.sparseCheckout=false")
"""Options under which git runs nothing of the user's, and writes out all files."""

_OF_A_HOOK = ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_INDEX_FILE")
"""Variables that git gives to a hook; relative to its folder, not to ours."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The project as of a commit."""

    tip: str
    """Hash of the commit that the reference names."""
    commit: str
    """Hash of the commit that is exported: the last one that the work tree and the reference have in common."""
    prefix: str
    """The project's folder in the repository, such as `services/shop/`; empty where it is the repository itself."""
    root: Path | None
    """The project's folder as it was; None where there was no project yet."""


@contextmanager
def exported(settings: Settings, reference: str) -> Iterator[Exported]:
    """The project as it was where the work tree left `reference`, a branch, tag or commit; removed afterwards.

    UsageError where git does not know the reference, has no commit in common with it, or this is no repository;
    Unavailable where there is no git.
    """
    root = settings.root
    tip, commit = _commits(root, reference)
    prefix = _git(root, "rev-parse", "--show-prefix").strip()
    folder = Path(tempfile.mkdtemp(prefix="keywright-base-"))
    try:
        top, index = folder / "tree", folder / "index"
        environment = {"GIT_INDEX_FILE": str(index), "GIT_LFS_SKIP_SMUDGE": "1"}
        above = Path(_git(root, "rev-parse", "--show-toplevel").strip())  # else an index is of this folder alone
        _git(above, *_QUIET, "read-tree", commit, more=environment)
        _git(above, *_QUIET, "checkout-index", "--all", "--quiet", f"--prefix={top}{os.sep}", more=environment)
        yield Exported(tip, commit, prefix, _project(top / prefix))
    finally:  # Ctrl-C too
        shutil.rmtree(folder, ignore_errors=True)


def uncommitted(settings: Settings) -> bool:
    """Whether models, versions, stack files or settings differ from the last commit."""
    parts = (*settings.models, settings.migrations, settings.environments, FILE)
    there = [part for part in parts if (settings.root / part).exists()]
    return bool(_git(settings.root, "status", "--porcelain", "--untracked-files=normal", "--", *there).strip())


def _commits(root: Path, reference: str) -> tuple[str, str]:
    """The commit that a reference names, and the last one that the work tree has in common with it."""
    if _said(root, "rev-parse", "--git-dir") is None:
        raise UsageError(f'"{root}" is in no repository of git', "run it in a clone; there is no base to compare with")
    is_shallow = _git(root, "rev-parse", "--is-shallow-repository").strip() == "true"
    fetch = "the clone is shallow: run `git fetch --unshallow`, or check out with fetch-depth: 0"
    tip = _said(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
    if tip is None:
        other = "name a branch or commit that is here, such as origin/main, or run `git fetch`"
        raise UsageError(f'git knows no "{reference}"', fetch if is_shallow else other)
    common = _said(root, "merge-base", "HEAD", tip.strip())
    if common is None:
        problem = f'the work tree has no commit in common with "{reference}"'
        raise UsageError(problem, fetch if is_shallow else "name the branch that this one goes back to")
    return tip.strip(), common.strip()


def _project(folder: Path) -> Path | None:
    file = folder / FILE
    return folder if file.is_file() and b"[tool.keywright" in file.read_bytes() else None


def _git(root: Path, *words: str, more: dict[str, str] | None = None) -> str:
    """What git says; UsageError with its last words if it refuses."""
    done = _run(root, words, more)
    if done.returncode:
        last = (done.stderr.strip() or f"it exits with {done.returncode}").splitlines()[-1]
        raise UsageError(f"git refuses: {last.removeprefix('fatal: ')}", f"see what `git {words[-1]}` says there")
    return done.stdout


def _said(root: Path, *words: str) -> str | None:
    """What git says; None if it refuses."""
    done = _run(root, words)
    return None if done.returncode else done.stdout


def _run(root: Path, words: tuple[str, ...], more: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK} | (more or {})
    try:
        return subprocess.run(
            ["git", "-C", str(root), *words], env=environment, capture_output=True, text=True, encoding="utf-8",
            errors="surrogateescape", check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise Unavailable("git is not installed", "install it: the base is read from the repository") from None
