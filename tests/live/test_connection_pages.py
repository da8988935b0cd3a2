"""The commands of docs/connections on real servers: TLS, mutual TLS, logins, addresses in files, sockets."""

from pathlib import Path
from typing import Any

import pytest
from tests.live import documented
from tests.live.certificates import Certificates
from tests.live.documented import Block, clients, project, shows_a_pending_migration, with_ports
from tests.live.secured import Secured
from tests.live.secured import files as files
from tests.live.secured import mongodb as mongodb
from tests.live.secured import redis as redis
from tests.servers import Start

pytestmark = pytest.mark.live

MONGODB, REDIS = clients("mongodb"), clients("redis")


def with_secret(root: Path, engine: str, port: dict[str, int]) -> None:
    """The file with an address, as the page shows it, and with the line break that editors leave at its end."""
    page = (documented.PAGES / f"{engine}.md").read_text(encoding="utf-8")
    address = next(iter(documented.ADDRESS.findall(page)), "")
    (root / "secrets").mkdir()
    (root / "secrets" / engine).write_text(f"{with_ports(address, port)}\n", encoding="utf-8")


def named(block: Block) -> str:
    return block.words.replace(" ", "-")


@pytest.mark.parametrize("block", MONGODB, ids=named)
def test_commands_of_the_page_on_mongodb(block: Block, mongodb: Secured, files: Certificates, tmp_path: Path) -> None:
    port = {"27017": mongodb(block.words.split()[-1])}
    daily = project(tmp_path / "project", "mongodb", files.authority.parent)
    with_secret(daily.root, "mongodb", port)
    said = documented.run(daily.root, with_ports(block.text, port))
    assert shows_a_pending_migration(said), said


@pytest.mark.parametrize("block", REDIS, ids=named)
def test_commands_of_the_page_on_redis(block: Block, redis: Any, files: Certificates, tmp_path: Path) -> None:
    daily = project(tmp_path / "project", "redis", files.authority.parent)
    port = {"6379": redis(block.words.split()[-1], daily.root)}
    with_secret(daily.root, "redis", port)
    said = documented.run(daily.root, with_ports(block.text, port))
    assert shows_a_pending_migration(said), said


def test_commands_of_the_page_on_dynamodb(start: Start, tmp_path: Path) -> None:
    server = start("dynamodb")
    assert server.port is not None
    (tmp_path / "none").mkdir()
    daily = project(tmp_path / "project", "dynamodb", tmp_path / "none")
    (block,) = clients("dynamodb")
    said = documented.run(daily.root, with_ports(block.text, {"8000": server.port}))
    assert shows_a_pending_migration(said), said


def test_a_service_alone_is_not_run() -> None:
    """Every block of a shell is a server's, a client's, or under a heading that says so."""
    for page in documented.PAGES.glob("*.md"):
        for part in page.read_text(encoding="utf-8").split("\n## ")[1:]:
            assert ("```sh\n" in part) == part.partition("\n")[0].endswith("*not run*"), part.partition("\n")[0]


def test_every_login_is_tried() -> None:
    assert (len(MONGODB), len(REDIS)) == (5, 4)
