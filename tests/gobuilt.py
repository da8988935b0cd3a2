"""Programs of others that tests need, built from published Go modules into the cache."""

import hashlib
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from keywright.local.environment import cache_folder
from keywright.local.fetch.cache import Fetching, fill


def folder(name: str, source: Path) -> Path:
    """Where a program is built: another folder for other sources."""
    files = sorted(file for file in source.rglob("*") if file.is_file())
    output = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    return cache_folder() / name / output


def build(target: Path, what: str, minutes: str, make: Callable[[Path], None], instead: str) -> None:
    """Fill the folder of a program; SystemExit says what is missing.

    what: the program in words. minutes: how long that takes. make: builds into a folder. instead: what to install
    where there is no Go.
    """
    if shutil.which("go") is None:
        raise SystemExit(f"error: there is no Go\n  help: install Go 1.26 or later, or {instead}")
    fetching = Fetching(target.parent, lambda kind, text: print(text, file=sys.stderr), threading.Event())

    def made(part: Path) -> str | None:
        try:
            make(part)
        except subprocess.CalledProcessError as error:
            return "\n".join(str(error.stderr).splitlines()[-5:])
        return None

    problem = fill(
        target, target.with_suffix(".lock"), fetching,
        lambda: print(f"building {what}, which takes some {minutes} minutes", file=sys.stderr), made,
    )  # fmt: skip
    if problem:
        raise SystemExit(f"error: {what} could not be built: {problem}")


def go(source: Path, *arguments: str) -> str:
    """What a command of Go prints, in the folder of a module; it is told now and then that it still runs."""
    process = subprocess.Popen(
        ["go", *arguments], cwd=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    started = time.monotonic()
    while True:
        try:
            out, err = process.communicate(timeout=30)
            break
        except subprocess.TimeoutExpired:
            print(f"go {arguments[0]}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args, out, err)
    return out.strip()
