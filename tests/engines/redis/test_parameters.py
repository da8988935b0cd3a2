"""Parameter groups of services: what stands in the artefact, for the family of the version."""

import json
from typing import Any

import pytest
from hypothesis import given
from tests.properties.redis import environments, targets

from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.engines.redis.render import render
from keywright.engines.redis.schema.capabilities import FLAVOURS
from keywright.engines.redis.schema.parameter_groups import parameter_groups
from keywright.engines.redis.schema.place import place
from keywright.engines.redis.schema.resources import to_resources
from keywright.engines.redis.schema.target import ServerTarget, StreamTarget

CACHE = ServerTarget("shop-cache", 1, (("appendonly", "no"), ("maxmemory-policy", "allkeys-lru"), ("save", "")))


def groups(environment: RedisEnvironment, *servers: ServerTarget) -> dict[str, Any]:
    return parameter_groups([place(server, environment) for server in servers], environment)


@given(targets(), environments())
def test_a_group_has_what_the_file_for_stock_tools_has(server: ServerTarget, environment: RedisEnvironment) -> None:
    artefacts = {artefact.path: artefact.text for artefact in render(server, place(server, environment), environment)}
    file = json.loads(artefacts.get(f"redis/{server.name}.parameters.json", "[]"))
    result = groups(environment, server)
    parameters = result[server.name].inputs["parameters"] if result else []
    assert [(parameter["name"], parameter["value"]) for parameter in parameters] == [
        (entry["ParameterName"], entry["ParameterValue"]) for entry in file
    ]


def test_a_group_is_told_whole() -> None:
    environment = RedisEnvironment(flavour="elasticache", version="8.1", tags={"team": "shop"})
    (entry,) = groups(environment, CACHE).values()
    assert (entry.type, entry.name) == ("aws:elasticache/parameterGroup:ParameterGroup", "parameters-shop-cache")
    assert entry.inputs == {
        "family": "valkey8",
        "description": 'Settings of server "shop-cache"',
        "parameters": [{"name": "maxmemory-policy", "value": "allkeys-lru"}],
        "tags": {"team": "shop"},
    }


@pytest.mark.parametrize(
    ("flavour", "families"),
    [
        ("elasticache", {"redis6.x": "6.2", "redis7": "7.0 7.1", "valkey7": "7.2", "valkey8": "8.0 8.1 8.2"}),
        ("memorydb", {"memorydb_redis6": "6.2", "memorydb_redis7": "7.0 7.1", "memorydb_valkey7": "7.2 7.3"}),
    ],
)  # fmt: skip
def test_the_family_follows_from_the_version(flavour: Any, families: dict[str, str]) -> None:
    def family(version: str | None) -> Any:
        return groups(RedisEnvironment(flavour=flavour, version=version), CACHE)["shop-cache"].inputs["family"]

    for name, versions in families.items():
        assert {family(version) for version in versions.split()} == {name}
    assert " ".join(families.values()).split() == [*FLAVOURS[flavour].versions]
    assert family(None) == family(FLAVOURS[flavour].latest)
    assert family(f"{FLAVOURS[flavour].versions[0]}.4") == next(iter(families))


def test_a_cluster_says_so_in_its_group_where_the_service_has_both_kinds() -> None:
    settings = {
        flavour: groups(RedisEnvironment(flavour=flavour, cluster=True), CACHE)["shop-cache"].inputs["parameters"]
        for flavour in ("elasticache", "memorydb")
    }
    assert {"name": "cluster-enabled", "value": "yes"} in settings["elasticache"]
    assert [setting["name"] for setting in settings["memorydb"]] == ["maxmemory-policy"]


def test_who_takes_no_parameters_has_no_group() -> None:
    assert groups(RedisEnvironment(flavour="elasticache-serverless"), CACHE) == {}
    assert groups(RedisEnvironment(flavour="valkey"), CACHE) == {}
    assert groups(RedisEnvironment(flavour="memorydb"), ServerTarget("s", 1, (("save", ""),))) == {}


@pytest.mark.parametrize(
    ("server", "called"),
    [("Shop_Cache.2", "parameters-shop-cache-2"), ("1--a-", "parameters-1-a"), ("a", "parameters-a")],
)
def test_a_group_is_called_as_the_service_allows(server: str, called: str) -> None:
    result = groups(RedisEnvironment(flavour="memorydb"), ServerTarget(server, 1, CACHE.settings))
    assert result[server].name == called


def test_a_service_is_asked_for_consumer_groups_alone() -> None:
    environment = RedisEnvironment(flavour="memorydb", version="7.1")
    assert to_resources("shop-cache", place(CACHE, environment)) == ()
    streaming = ServerTarget("shop-cache", 1, CACHE.settings, (StreamTarget("events", ("billing",)),))
    (resource,) = to_resources("shop-cache", place(streaming, environment))
    assert resource.inputs == {
        "name": "shop-cache", "flavour": "memorydb", "replicas": 0, "version": "7.1",
        "streams": [{"name": "events", "groups": ["billing"]}],
    }  # fmt: skip
