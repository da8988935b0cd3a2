"""Reads migrations of other branches from git."""

import subprocess
from pathlib import Path

from keywright.errors import UsageError
from keywright.migrations import checksums

from ..settings import Settings

GUESSES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Names of the main branch, in the order in which they are tried."""


def base_branch(settings: Settings, reference: str | None) -> str:
    """The given branch, else the main branch; UsageError if it does not exist."""
    for name in (reference,) if reference else GUESSES:
        if _git(settings.root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") is not None:
            return str(name)
    if reference:
        raise UsageError(f'git has no commit "{reference}"', "name an existing branch or commit, or run `git fetch`")
    raise UsageError("git has no branch to compare with", "name one with --onto REF")


def files_at(settings: Settings, reference: str) -> dict[str, dict[str, bytes]]:
    """The files of each migration at a commit, by folder and path in it; the checksum file has an empty folder."""
    root = settings.migrations.rstrip("/")
    listed = _git(settings.root, "ls-tree", "-r", "-z", "--name-only", reference, "--", f"{root}/")
    if listed is None:
        raise UsageError(f'git cannot read "{root}" at "{reference}"', "run the command in the project's repository")
    files: dict[str, dict[str, bytes]] = {}
    for path in filter(None, listed.decode().split("\0")):
        content = _git(settings.root, "show", f"{reference}:./{path}")
        folder, _, name = path.removeprefix(f"{root}/").partition("/")
        if content is not None and (name or folder == checksums.FILE):
            files.setdefault(folder if name else "", {})[name or folder] = content
    return files


def sharing_branch(settings: Settings, folder: str) -> str | None:
    """The main branch, if it contains a migration's folder; None without git, and on the main branch itself."""
    if _git(settings.root, "rev-parse", "--git-dir") is None:
        return None
    branch = (_git(settings.root, "rev-parse", "--abbrev-ref", "HEAD") or b"").decode().strip()
    for name in GUESSES:
        if _git(settings.root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") is None:
            continue
        path = f"{settings.migrations.rstrip('/')}/{folder}"
        has_migration = bool(_git(settings.root, "ls-tree", "--name-only", name, "--", path))
        return name if has_migration and name != branch else None
    return None


def names_at(root: Path, reference: str, folder: str) -> tuple[str, ...]:
    """Names of the entries of a project's folder at a commit; UsageError if git does not have the commit."""
    listed = _git(root, "ls-tree", "-z", "--name-only", reference, "--", f"{folder.rstrip('/')}/")
    if listed is None:
        raise UsageError(f'git has no commit "{reference}"', "name an existing branch or commit, or run `git fetch`")
    return tuple(path.rpartition("/")[2] for path in filter(None, listed.decode().split("\0")))


def _git(root: Path, *words: str) -> bytes | None:
    """Output of a git command; None if it fails."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=False)
    except FileNotFoundError:
        if words[:2] == ("rev-parse", "--git-dir"):
            return None
        raise UsageError("git is not installed", "install it, or order the folders by hand") from None
    return done.stdout if done.returncode == 0 else None
