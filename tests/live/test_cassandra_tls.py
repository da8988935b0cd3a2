"""Cassandra behind TLS that wants certificates of its clients: who is let in, and what the others are told."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.live import documented
from tests.live.certificates import Certificates, certificates, front
from tests.servers import Start

from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.interface import StatementFailed
from keywright.local import RECIPES, FoundServer, process
from keywright.local.environment import cache_folder
from keywright.local.ports import free_ports
from keywright.local.start import start as begin
from keywright.record import replace

pytestmark = pytest.mark.live

Url = Callable[..., str]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def url(start: Start, files: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Url]:
    """`url("localhost", ca=...)`: the address of a server of its own."""
    recipe = RECIPES["cassandra"]
    server = recipe.locate(cache_folder())
    if not isinstance(server, FoundServer):
        start("cassandra")  # fetches it, or skips with the reason
        server = recipe.locate(cache_folder())
        assert isinstance(server, FoundServer)
    (port,) = free_ports((recipe.ports,))

    def address(host: str = "localhost", ca: Path | None = files.authority, own: Path | None = files.client) -> str:
        options = [f"tlsCAFile={ca}"] * bool(ca) + [f"tlsCertificateKeyFile={own}"] * bool(own)
        return f"cassandra://cassandra:cassandra@{host}:{port}/?tls=true&{'&'.join(options)}"

    def command(found_server: FoundServer, data: Path, port: int) -> tuple[str, ...]:
        words = recipe.command(found_server, data, port)
        with (data / "cassandra.yaml").open("a", encoding="utf-8") as file:
            text = documented.server("cassandra", "mtls")
            file.write(text.replace("server.pem", str(files.server)).replace("authority.pem", str(files.authority)))
        return words

    secured = replace(recipe, command=command, url=lambda port: address())
    folder = tmp_path_factory.mktemp("secured")
    record = begin(secured, "cassandra", server, folder, port, threading.Event())
    yield address
    process.end(record.pid, record.started_at, 0)


def test_a_client_with_its_certificate_is_let_in(url: Url) -> None:
    driver = cassandra.connect(url())
    assert driver.names() is not None
    driver.close()


@pytest.mark.parametrize("block", documented.clients("cassandra"), ids=lambda block: block.words.replace(" ", "-"))
def test_commands_of_the_page(block: documented.Block, url: Url, files: Certificates, tmp_path: Path) -> None:
    (dead,) = free_ports((1,))
    daily = documented.project(tmp_path / "project", "cassandra", files.authority.parent)
    ports = {"9142": urlsplit(url()).port or 0, "9143": dead}
    (daily.root / "secrets").mkdir()
    (daily.root / "secrets" / "cassandra").write_text(f"{url()}\n", encoding="utf-8")
    said = documented.run(daily.root, documented.with_ports(block.text, ports))
    assert documented.shows_a_pending_migration(said), said


def test_a_contact_point_that_is_down_is_passed_over(url: Url) -> None:
    (dead,) = free_ports((1,))
    driver = cassandra.connect(url().replace("@localhost", f"@localhost:{dead},localhost"))
    driver.close()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"host": "127.0.0.1"},
            "its certificate is not valid: IP address mismatch, certificate is not valid for '127.0.0.1'$",
        ),
        ({"own": None}, "certificate required|closed|reset|eof|broken pipe|shutdown"),
    ],
)
def test_who_is_refused_is_told_why(url: Url, changes: dict[str, str | None], words: str) -> None:
    with pytest.raises(StatementFailed, match=f"(?i){words}"):
        cassandra.connect(url(**changes))


def test_a_server_of_another_authority_is_not_believed(url: Url, files: Certificates) -> None:
    with pytest.raises(StatementFailed, match="its certificate is not valid: no accepted authority"):
        cassandra.connect(url(ca=files.stranger))


def test_a_certificate_that_has_expired_is_named(files: Certificates) -> None:
    with front(files.expired) as port, pytest.raises(StatementFailed, match="is not valid: certificate has expired"):
        cassandra.connect(f"cassandra://localhost:{port}/?tlsCAFile={files.authority}")


def test_a_client_without_tls_gets_no_answer(url: Url) -> None:
    with pytest.raises(StatementFailed, match="could not reach"):
        cassandra.connect(url().partition("/?")[0])
