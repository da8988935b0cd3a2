"""What the capabilities say of versions, asked of the servers: directives that a version has, and those it lacks."""

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ResponseError
from tests.live.conftest import Start

from keywright.drivers.redis import driver as driver_of
from keywright.engines.redis.schema.capabilities import DIRECTIVES, FLAVOURS
from keywright.engines.redis.schema.place import localise, place, refuse
from keywright.engines.redis.schema.target import ServerTarget

pytestmark = pytest.mark.live


@pytest.fixture(scope="module", params=("valkey", "redis"))
def server(start: Start, request: pytest.FixtureRequest) -> Iterator[tuple[str, Any]]:
    product = request.param
    running = start("redis", "versions", product="" if product == "valkey" else product)
    with Redis.from_url(running.url, decode_responses=True) as client:
        yield running.version, client


def test_a_directive_is_refused_exactly_where_the_server_does_not_have_it(server: tuple[str, Any]) -> None:
    version, client = server
    environment = localise(None, version)
    disagree = []
    for name, directive in DIRECTIVES.items():
        if name in ("maxmemory-policy", "appendonly", "appendfsync", "save", "maxmemory", "io-threads"):
            continue  # they have words of their own
        target = ServerTarget(name="s", generation=1, settings=((name, directive.default),))
        is_rejected = any(rejection.code == "RED105" for rejection in refuse(place(target, environment), environment))
        if is_rejected == bool(client.config_get(name)):
            disagree.append(name)
    assert disagree == []


def test_the_version_of_the_server_is_a_known_one(server: tuple[str, Any]) -> None:
    environment = localise(None, server[0])
    assert environment.version in FLAVOURS[environment.flavour].versions


def test_a_command_that_comes_with_a_later_version_is_unknown_before(server: tuple[str, Any]) -> None:
    """Fields of hashes expire from Redis 7.4 and Valkey 9.0 on, so nothing that is sent may rely on it."""
    version, client = server
    client.hset("h", "f", "v")
    if version.startswith("valkey"):
        assert client.execute_command("HEXPIRE", "h", 10, "FIELDS", 1, "f") == [1]
    else:
        with pytest.raises(ResponseError, match="unknown command 'HEXPIRE'"):
            client.execute_command("HEXPIRE", "h", 10, "FIELDS", 1, "f")
    client.delete("h")


def test_the_driver_tells_the_product_and_its_version(start: Start, server: tuple[str, Any]) -> None:
    version, client = server
    info = client.info("server")
    assert version == (f"valkey {info['valkey_version']}" if "valkey_version" in info else info["redis_version"])
    assert driver_of.version(f"redis://127.0.0.1:{client.connection_pool.connection_kwargs['port']}/0") == version
