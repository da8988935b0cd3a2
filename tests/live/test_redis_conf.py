"""The rendered redis.conf on real servers: hardened defaults, and TLS."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as NoConnection
from tests.live.certificates import Certificates, certificates
from tests.live.conftest import Start
from tests.live.secured import running
from tests.live.test_redis import program as valkey_program
from tests.servers import redis_server

from keywright.engines.environment import ByteSize
from keywright.engines.redis.declare.settings import RedisEnvironment, RedisTls
from keywright.engines.redis.render import render
from keywright.engines.redis.schema.capabilities import DIRECTIVES
from keywright.engines.redis.schema.directive import canonical
from keywright.engines.redis.schema.hardening import HARDENED, hardened
from keywright.engines.redis.schema.place import localise, place
from keywright.engines.redis.schema.target import ServerTarget
from keywright.local.ports import free_ports
from keywright.record import replace

pytestmark = pytest.mark.live

SERVER = ServerTarget("orders", 1, (("appendonly", "no"), ("maxmemory-policy", "noeviction"), ("save", "")))


class Product:
    """A server program with its version."""

    def __init__(self, program: str, version: str) -> None:
        self.program, self.version = program, version

    @property
    def environment(self) -> RedisEnvironment:
        return replace(localise(None, self.version), ram=ByteSize(2**30))


BOTH = pytest.mark.parametrize("product", ["valkey", "redis"], indirect=True)


@pytest.fixture(scope="module")
def product(start: Start, request: pytest.FixtureRequest) -> Product:
    server = start("redis", "versions", product="" if request.param == "valkey" else "redis")
    program = valkey_program(start) if request.param == "valkey" else redis_server()
    assert program is not None
    return Product(program, server.version)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("certificates"))


def file_of(server: ServerTarget, environment: RedisEnvironment) -> str:
    return next(a.text for a in render(server, place(server, environment), environment) if a.path.endswith(".conf"))


@contextmanager
def started(product: Product, folder: Path, server: ServerTarget, environment: RedisEnvironment) -> Iterator[int]:
    """The port of a server that runs on the rendered file, started as its first lines say."""
    (port,) = free_ports((1,))
    if environment.tls is not None:
        environment = replace(environment, tls=replace(environment.tls, port=port))
    (folder / "orders.conf").write_text(file_of(server, environment), encoding="utf-8")
    options = [] if environment.tls else ["--port", str(port)]
    with running([product.program, "orders.conf", *options, "--dir", str(folder)], folder, port):
        yield port


def settings(client: Redis, *names: str) -> dict[str, Any]:
    values: Any = client.config_get(*names)
    return {name: canonical(DIRECTIVES[name], value) if name in DIRECTIVES else value for name, value in values.items()}


@BOTH
def test_a_server_runs_with_the_hardened_defaults(product: Product, tmp_path: Path) -> None:
    expected = {name: canonical(DIRECTIVES[name], text) for name, text in HARDENED.items()}
    with started(product, tmp_path, SERVER, product.environment) as port, _client(port) as client:
        assert settings(client, *expected, "protected-mode", "timeout") == {
            **expected, "protected-mode": "yes", "timeout": "0",
        }  # fmt: skip
        written = dict(hardened(place(SERVER, product.environment), product.environment))
        assert ("lazyfree-lazy-user-del" in written) is not product.version.startswith("valkey")


@BOTH
def test_settings_of_the_model_replace_hardened_defaults(product: Product, tmp_path: Path) -> None:
    own = {"lazyfree-lazy-user-del": "no", "maxmemory-clients": "0", "tcp-keepalive": "300"}
    server = replace(SERVER, settings=tuple(sorted((*SERVER.settings, *own.items()))))
    with started(product, tmp_path, server, product.environment) as port, _client(port) as client:
        assert settings(client, *own) == own


@BOTH
def test_a_client_that_reads_no_answers_is_disconnected(product: Product, tmp_path: Path) -> None:
    with started(product, tmp_path, SERVER, product.environment) as port, _client(port) as client:
        client.rpush("large", *("x" * 1000 for _ in range(1000)))
        idle: Any = _client(port).connection_pool.get_connection()
        with suppress(ConnectionError, NoConnection):  # the disconnection may be noticed on sending
            idle.send_packed_command([b"LRANGE large 0 -1\r\n" * 400])
        ends = time.monotonic() + 20
        while len(client.client_list()) > 1:
            assert time.monotonic() < ends
            time.sleep(0.05)
        idle.disconnect()


@pytest.mark.parametrize("product", ["redis"], indirect=True)  # the wheel of Valkey is built without TLS
def test_clients_connect_by_tls_only(product: Product, files: Certificates, tmp_path: Path) -> None:
    folder = files.authority.parent
    tls = RedisTls(
        certificate=str(folder / "server.crt"),
        key=str(folder / "server.key"),
        authority=str(files.authority),
        client_certificates="unused",
    )
    environment = replace(product.environment, tls=tls)
    with started(product, tmp_path, SERVER, environment) as port:
        secure = f"rediss://localhost:{port}?ssl_ca_certs={files.authority}"
        with Redis.from_url(secure) as client:
            assert client.ping()
        with _client(port) as client, pytest.raises(NoConnection):
            client.ping()
        stranger = f"rediss://localhost:{port}?ssl_ca_certs={files.stranger}"
        with Redis.from_url(stranger) as client, pytest.raises(NoConnection):
            client.ping()
    required = replace(environment, tls=replace(tls, client_certificates="required"))
    with started(product, tmp_path, SERVER, required) as port:
        secure = f"rediss://localhost:{port}?ssl_ca_certs={files.authority}"
        with Redis.from_url(secure) as client, pytest.raises((NoConnection, OSError)):
            client.ping()
        certificate = f"&ssl_certfile={folder / 'client.crt'}&ssl_keyfile={folder / 'client.key'}"
        with Redis.from_url(secure + certificate) as client:
            assert client.ping()


def _client(port: int) -> Redis:
    return Redis(port=port, decode_responses=True)
