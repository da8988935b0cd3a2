"""Wrong certificates, names, logins and ports: a sentence with exit code 3, in a bounded time, without a secret."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.live.certificates import Certificates, front
from tests.live.daily import Daily
from tests.live.documented import project
from tests.live.secured import Secured
from tests.live.secured import files as files
from tests.live.secured import mongodb as mongodb
from tests.live.secured import redis as redis
from tests.servers import Start

from keywright.drivers.mongodb import driver as driver_of_mongodb
from keywright.drivers.mongodb import ledger
from keywright.drivers.redis import driver as driver
from keywright.drivers.redis.iam import IamProvider

pytestmark = pytest.mark.live

SECRET = "s3cret"
SECONDS = 60
"""The longest that a command may take on a machine under load; it takes ten on others."""

UNSIGNED = "its certificate is not valid: no accepted authority has signed it: "
OTHER_HOST = "its certificate is not valid: IP address mismatch, certificate is not valid for '127.0.0.1'\n"
EXPIRED = "its certificate is not valid: certificate has expired\n"
WANTED = "does the server use TLS, and does it require a client certificate"

Refused = Callable[[str, str], None]


@pytest.fixture
def refused(tmp_path: Path, files: Certificates, monkeypatch: pytest.MonkeyPatch) -> Refused:
    """`refused(address, words)`: `migrate status` ends with these words."""
    projects: dict[str, Daily] = {}

    def checked(address: str, words: str) -> None:
        engine = "mongodb" if address.startswith("mongodb") else "redis"
        daily = projects.get(engine) or project(tmp_path / engine, engine, files.authority.parent)
        projects[engine] = daily
        monkeypatch.chdir(daily.root)
        monkeypatch.setenv(f"KEYWRIGHT_STORE_{engine.upper()}", address)
        begun = time.monotonic()
        said = daily("status", "--env", "prod")
        assert (said.code, words in said.err) == (3, True), said
        assert "Traceback" not in said.err
        assert SECRET not in said.out + said.err
        assert time.monotonic() - begun < SECONDS

    return checked


def test_redis(refused: Refused, redis: Any, files: Certificates, tmp_path: Path) -> None:
    folder = tmp_path / "server"
    shutil.copytree(files.authority.parent, folder)
    port = redis("mtls", folder)
    login, ca, own = f"reader:{SECRET}%2F1", "ssl_ca_certs=authority.pem", "ssl_certfile=client.pem"
    own = f"{own}&ssl_keyfile=client.pem"
    refused(f"rediss://{login}@localhost:{port}/0?ssl_ca_certs=stranger.pem&{own}", UNSIGNED)
    refused(f"rediss://{login}@127.0.0.1:{port}/0?{ca}&{own}", OTHER_HOST)
    refused(f"rediss://{login}@localhost:{port}/0?{ca}", WANTED)
    refused(f"rediss://reader:{SECRET}@localhost:{port}/0?{ca}&{own}", "rejects this user and password")
    refused(f"rediss://localhost:{port}/0?{ca}&{own}", "rejects this user and password")
    refused(f"redis://{login}@localhost:{port}/0", WANTED)
    refused(f"rediss://reader@localhost:{port}/0?{ca}&{own}&password={SECRET}", "rejects this user and password")
    refused(f"unix://{login}@{folder}/none.sock", "No such file or directory")
    refused(f"redis://{login}@[::1]:{port}/0", "connecting to ::1")
    refused(f"redis://{login}@nosuchhost.invalid:{port}/0", "connecting to nosuchhost.invalid")


def test_redis_that_has_expired(refused: Refused, redis: Any, files: Certificates, tmp_path: Path) -> None:
    folder = tmp_path / "server"
    shutil.copytree(files.authority.parent, folder)
    port = redis("tls", folder, "expired.crt")
    refused(f"rediss://localhost:{port}/0?ssl_ca_certs=authority.pem", EXPIRED)


def test_redis_in_clear(refused: Refused, start: Start, files: Certificates) -> None:
    port = start("redis", "clear").port
    refused(f"rediss://localhost:{port}/0?ssl_ca_certs=authority.pem&socket_timeout=2", WANTED)
    refused(f"redis://reader:{SECRET}@localhost:{port}/0", "rejects this user and password")


def test_mongodb(refused: Refused, mongodb: Secured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "TIMEOUT_SECONDS", 2)
    port, login, ca, own = mongodb("mtls"), f"reader:{SECRET}%2F1", "tlsCAFile=authority.pem", "client.pem"
    end = f"tlsCertificateKeyFile={own}&serverSelectionTimeoutMS=2000"
    refused(f"mongodb://{login}@localhost:{port}/?tls=true&tlsCAFile=stranger.pem&{end}", UNSIGNED)
    refused(f"mongodb://{login}@127.0.0.1:{port}/?tls=true&{ca}&{end}", OTHER_HOST)
    refused(f"mongodb://{login}@localhost:{port}/?tls=true&{ca}&serverSelectionTimeoutMS=2000", WANTED)
    refused(f"mongodb://{login}@localhost:{port}/?serverSelectionTimeoutMS=2000", WANTED)
    refused(f"mongodb://reader:{SECRET}@localhost:{port}/?tls=true&{ca}&{end}", "Authentication failed")
    refused(f"mongodb://localhost:{port}/?tls=true&{ca}&{end}", "requires authentication")
    refused(f"mongodb://{login}@{quote('/tmp/none.sock', safe='')}/?serverSelectionTimeoutMS=1000", "No such file")
    refused(f"mongodb://{login}@[::1]:{port}/?serverSelectionTimeoutMS=1000", "::1")
    refused(f"mongodb+srv://{login}@nosuchhost.example.invalid/", "its name is unknown")


PATIENT = 3600
"""Seconds for which a client may look for a server: a test that passes has not waited for it."""


def test_mongodb_is_not_waited_for_once_its_certificate_is_refused(
    refused: Refused, mongodb: Secured, files: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_of_mongodb, "TIMEOUT_SECONDS", PATIENT)
    ca, own = "tlsCAFile=authority.pem", "tlsCertificateKeyFile=client.pem"
    port = mongodb("mtls")
    refused(f"mongodb://localhost:{port}/?tls=true&tlsCAFile=stranger.pem&{own}", UNSIGNED)
    refused(f"mongodb://127.0.0.1:{port}/?tls=true&{ca}&{own}", OTHER_HOST)
    with front(files.expired) as expired:  # mongod itself does not start with such a certificate
        refused(f"mongodb://localhost:{expired}/?tls=true&{ca}", EXPIRED)
        refused(f"mongodb://localhost:{expired},127.0.0.1:{expired}/?tls=true&{ca}", "its certificate is not valid")


def test_a_login_by_iam_is_signed_anew_when_a_connection_is_lost(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server with a user of any password stands for a service, which would look at the signature."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    address = start("redis", "clear").url
    signed: list[str] = []

    class Recorded(IamProvider):
        def get_credentials(self) -> tuple[str, str]:
            signed.append(super().get_credentials()[1])
            return "signer", signed[-1]

    with driver.client(address) as owner:
        owner.acl_setuser("signer", enabled=True, nopass=True, keys=["*"], categories=["+@all"])
        with driver.client(address, credential_provider=Recorded("signer", "orders", "eu-west-1")) as client:
            assert client.acl_whoami() == "signer"
            assert client.ping()
            assert len(signed) == 1
            owner.client_kill_filter(user="signer")
            assert client.acl_whoami() == "signer"
    assert len(signed) == 2
    assert all(entry.startswith("orders/?Action=connect&User=signer&") for entry in signed)
