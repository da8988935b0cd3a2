"""Which Java a server is run with."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from keywright.local.fetch import java
from keywright.local.fetch.cache import Fetching
from keywright.local.fetch.java import JavaVersions
from keywright.local.server_program import FoundServer, UnavailableServer

Script = Callable[[str, str], Path]
SEVENTEEN, NEWER = JavaVersions(17, 17), JavaVersions(17)


def says(version: str) -> str:
    """A program that answers as `java -version` does."""
    return f"""echo 'openjdk version "{version}" 2025-04-15' >&2"""


@pytest.fixture(autouse=True)
def _empty_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(java, "WHEELS", {})


def test_the_java_of_the_path_is_taken(script: Script, tmp_path: Path) -> None:
    path = script("java", says("17.0.15"))
    assert java.locate(SEVENTEEN, tmp_path) == FoundServer(path, "PATH")


def test_a_named_java_goes_before_the_path(script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script("java", says("17.0.15"))
    mine = script("mine", says("17.0.9"))
    monkeypatch.setenv("KEYWRIGHT_JAVA", str(mine))
    assert java.locate(SEVENTEEN, tmp_path) == FoundServer(mine, "$KEYWRIGHT_JAVA")


def test_a_java_of_another_version_is_passed_over(
    script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script("java", says("17.0.15"))
    newer = script("newer", says("25"))
    monkeypatch.setenv("KEYWRIGHT_JAVA", str(newer))
    assert java.locate(SEVENTEEN, tmp_path) == FoundServer(path, "PATH")
    assert java.locate(NEWER, tmp_path) == FoundServer(newer, "$KEYWRIGHT_JAVA")


def test_a_missing_java_is_told_with_what_was_found(script: Script, tmp_path: Path) -> None:
    assert java.locate(SEVENTEEN, tmp_path) == UnavailableServer("needs Java 17, found none", java.HELP)
    script("java", says("25"))
    assert java.locate(SEVENTEEN, tmp_path) == UnavailableServer("needs Java 17, found 25", java.HELP)


def test_a_java_that_does_not_run_counts_as_none(script: Script, tmp_path: Path) -> None:
    script("java", "echo 'No Java runtime present' >&2; exit 1")
    assert java.locate(NEWER, tmp_path) == UnavailableServer("needs Java 17 or newer, found none", java.HELP)


def test_where_no_java_can_be_fetched_the_reason_says_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    fetching = Fetching(tmp_path, lambda phase, text: None, threading.Event())
    reason = "needs Java 17, found none; nothing to fetch for Linux arm64"
    assert java.fetch(SEVENTEEN, fetching) == UnavailableServer(reason, java.HELP)
