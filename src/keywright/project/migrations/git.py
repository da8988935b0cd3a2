"""What git knows of the folder of migrations: which versions another branch has."""

import subprocess
from pathlib import Path

from keywright.errors import UsageError
from keywright.history import sums

from .settings import Settings

GUESSES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Branches that others build on, in the order in which they are looked for."""


def base_branch(settings: Settings, given: str | None) -> str:
    """The branch that others build on; UsageError if it is not there."""
    for name in (given,) if given else GUESSES:
        if _git(settings.root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") is not None:
            return str(name)
    if given:
        raise UsageError(f'git knows no "{given}"', "name a branch or commit that is here, or run `git fetch`")
    raise UsageError("git has no branch to compare with", "name one with --onto REF")


def files_at(settings: Settings, reference: str) -> dict[str, dict[str, bytes]]:
    """The files of each version at a commit, by folder and path in it; the sum file stands under an empty folder."""
    root = settings.migrations.rstrip("/")
    listed = _git(settings.root, "ls-tree", "-r", "-z", "--name-only", reference, "--", f"{root}/")
    if listed is None:
        raise UsageError(f'git cannot read "{root}" at "{reference}"', "run it in the project's repository")
    found: dict[str, dict[str, bytes]] = {}
    for path in filter(None, listed.decode().split("\0")):
        content = _git(settings.root, "show", f"{reference}:./{path}")
        folder, _, name = path.removeprefix(f"{root}/").partition("/")
        if content is not None and (name or folder == sums.FILE):
            found.setdefault(folder if name else "", {})[name or folder] = content
    return found


def names_at(root: Path, reference: str, folder: str) -> tuple[str, ...]:
    """Names of what is in a folder of a project at a commit; UsageError if git does not know that."""
    listed = _git(root, "ls-tree", "-z", "--name-only", reference, "--", f"{folder.rstrip('/')}/")
    if listed is None:
        raise UsageError(f'git knows no "{reference}" here', "name a branch or commit that is here, or run `git fetch`")
    return tuple(path.rpartition("/")[2] for path in filter(None, listed.decode().split("\0")))


def _git(root: Path, *words: str) -> bytes | None:
    """What git says; None if it refuses."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise UsageError("git is not installed", "install it, or put the folders in order by hand") from None
    return done.stdout if done.returncode == 0 else None
