"""Servers of MongoDB and Redis behind TLS, as docs/connections starts them."""

import shlex
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from tests.live import documented
from tests.live.certificates import Certificates, certificates
from tests.live.documented import with_ports
from tests.servers import Start, redis_server

from keywright.local import RECIPES, FoundServer
from keywright.local.environment import cache_folder, required_engines
from keywright.local.ports import free_ports, is_open

PASSWORD = "s3cret/1"
Secured = Callable[[str], int]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("certificates"))


@contextmanager
def running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """A server in a folder, from when its port is open."""
    with (folder / "log").open("w") as log, subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as process:
        try:
            ends = time.monotonic() + 60
            while not is_open(port):
                if process.poll() is not None or time.monotonic() > ends:
                    pytest.fail(f"did not start: {(folder / 'log').read_text()[-2000:]}")
                time.sleep(0.05)
            yield
        finally:
            process.kill()


@pytest.fixture(scope="module")
def mongodb(start: Start, files: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    """`mongodb("mtls")`: the port of the server of that block, with the users that the page names."""
    start("mongodb")
    server = RECIPES["mongodb"].locate(cache_folder())
    if not isinstance(server, FoundServer):
        pytest.skip("the local server is somebody else's: its program is not known")
    ports: dict[str, int] = {}
    with ExitStack() as stack:

        def started(name: str) -> int:
            if name not in ports:
                (port,) = free_ports((1,))
                folder = tmp_path_factory.mktemp(name)
                (folder / "data").mkdir()
                text = SOCKET if name == "socket" else documented.server("mongodb", name)
                words = shlex.split(with_ports(text, {"27017": port}).replace("\\\n", ""))
                places = {"mongod": str(server.location), "data": str(folder / "data")}
                command = [places.get(word, word) for word in words]
                stack.enter_context(running([*command, "--bind_ip", "127.0.0.1"], files.authority.parent, port))
                if name != "socket":
                    with_users(port, files)
                ports[name] = port
            return ports[name]

        yield started


SOCKET = "mongod --dbpath data --port 27017"
"""A server on a socket in /tmp, as mongod makes it by itself."""


def with_users(port: int, files: Certificates) -> None:
    options = f"tls=true&tlsCAFile={files.authority}&tlsCertificateKeyFile={files.client}"
    with MongoClient[Any](f"mongodb://localhost:{port}/?{options}") as client:
        client.admin.command("createUser", "owner", pwd=PASSWORD, roles=["root"])
    with MongoClient[Any](f"mongodb://owner:s3cret%2F1@localhost:{port}/?{options}") as client:
        client.admin.command("createUser", "reader", pwd=PASSWORD, roles=["readAnyDatabase"])
        client["$external"].command("createUser", "CN=client", roles=[{"role": "readAnyDatabase", "db": "admin"}])


@pytest.fixture(scope="module")
def redis(files: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., int]]:
    """`redis("mtls", folder)`: the port of a server of that block, which runs in a folder."""
    if (program := redis_server()) is None:
        reason = "no redis-server is installed: `make redis-server` gets it"
        pytest.fail(reason) if "redis" in required_engines(RECIPES) else pytest.skip(reason)
    with ExitStack() as stack:

        def started(name: str, folder: Path, certificate: str = "server.crt") -> int:
            (port,) = free_ports((1,))
            text = with_ports(documented.server("redis", name), {"6379": port}).replace("server.crt", certificate)
            (folder / "redis.conf").write_text(f"{text}bind 127.0.0.1\n", encoding="utf-8")
            (users,) = documented.blocks("redis", "conf users.acl")
            (folder / "users.acl").write_text(users.text, encoding="utf-8")
            stack.enter_context(running([program, "redis.conf"], folder, port))
            return port

        yield started
