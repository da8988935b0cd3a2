"""Secure connect bundles of Astra, which is not here: those that cannot be used, and a service that does not answer."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.live.certificates import certificates

from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.interface import StatementFailed

# The driver makes the context of a bundle by a constant that Python deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:ssl.PROTOCOL_TLS is deprecated")

CONFIG = {"host": "localhost", "port": 1, "username": "u", "password": "p", "keyspace": "k", "localDC": "dc1"}


def refused(bundle: Path) -> str:
    """The words about a bundle, in which the token is not."""
    address = f"cassandra://token:hunter2@astra/?secureConnectBundle={bundle}"
    assert not cassandra.is_ready(address)
    with pytest.raises(StatementFailed) as problem:
        cassandra.connect(address)
    assert "hunter2" not in str(problem.value)
    return str(problem.value)


@pytest.mark.parametrize("config", [None, "{", json.dumps({"host": "localhost"})], ids=["absent", "cut", "short"])
def test_an_archive_without_a_whole_configuration_is_no_bundle(config: str | None, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "bundle.zip", "w") as archive:
        archive.writestr("config.json" if config is not None else "other", config or "")
    assert "is not a secure connect bundle" in refused(tmp_path / "bundle.zip")


def test_a_file_that_is_no_archive_or_not_there_is_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("text", encoding="utf-8")
    assert "is not a secure connect bundle" in refused(tmp_path / "text.zip")
    assert "is not a secure connect bundle" in refused(tmp_path / "none.zip")


def test_a_bundle_leads_to_the_service_that_it_names(tmp_path: Path) -> None:
    files = certificates(tmp_path)
    with ZipFile(tmp_path / "bundle.zip", "w") as archive:
        archive.writestr("config.json", json.dumps(CONFIG))
        archive.write(files.authority, "ca.crt")
        archive.write(tmp_path / "client.crt", "cert")
        archive.write(tmp_path / "client.key", "key")
    assert "https://localhost:1/metadata" in refused(tmp_path / "bundle.zip")
