"""What an environment adds, and what its flavour and version refuse."""

from pathlib import Path
from typing import Any

import pytest
from tests.projects import errors_of

from keywright.engines.environment import ByteSize
from keywright.engines.redis.declare.settings import RedisEnvironment, ServerSettings
from keywright.engines.redis.schema.capabilities import DIRECTIVES, FLAVOURS, default
from keywright.engines.redis.schema.place import localise, place, refuse, unplace
from keywright.engines.redis.schema.target import Placement, ServerTarget, StreamTarget

GB = 2**30
CACHE = (("appendonly", "no"), ("maxmemory-policy", "allkeys-lru"), ("save", ""))


def a_server(**changes: Any) -> ServerTarget:
    return ServerTarget(**{"name": "s", "generation": 1, "settings": CACHE, **changes})


def an_environment(**changes: Any) -> RedisEnvironment:
    return RedisEnvironment(**{"flavour": "redis", "version": "7.0", **changes})


def with_settings(**settings: str) -> ServerTarget:
    named = {name.replace("_", "-"): value for name, value in settings.items()}
    return a_server(settings=tuple(sorted((dict(CACHE) | named).items())))


def refused(server: ServerTarget, **changes: Any) -> list[tuple[str, str]]:
    environment = an_environment(**changes)
    return [(rejection.code, rejection.problem) for rejection in refuse(place(server, environment), environment)]


def test_data_may_take_three_quarters_of_the_memory() -> None:
    assert dict(place(a_server(), an_environment(ram=ByteSize(4 * GB))).settings)["maxmemory"] == str(3 * GB)


def test_a_stated_limit_wins_and_a_server_wins_over_the_rest() -> None:
    servers = {"s": ServerSettings(ram=ByteSize(8 * GB), replicas=1, cluster=True, io_threads=4)}
    environment = an_environment(ram=ByteSize(GB), maxmemory=ByteSize(GB // 2), servers=servers)
    added = set(place(a_server(), environment).settings) - set(CACHE)
    assert added == {("maxmemory", str(6 * GB)), ("cluster-enabled", "yes"), ("io-threads", "4")}
    assert place(a_server(), environment).placement == Placement("redis", "7.0", 1)
    other = place(a_server(name="t"), environment)
    assert set(other.settings) - set(CACHE) == {("maxmemory", str(GB // 2))}


def test_a_generation_stands_before_every_key() -> None:
    server = a_server(generation=2, streams=(StreamTarget("events", ("g",)),))
    assert place(server, an_environment()).streams == (StreamTarget("k2:events", ("g",)),)


def test_a_live_server_tells_its_generation_by_its_keys() -> None:
    live = a_server(streams=(StreamTarget("k3:events", ("g",)),))
    assert unplace(live, an_environment()) == a_server(generation=3, streams=(StreamTarget("events", ("g",)),))


@pytest.mark.parametrize(
    ("reported", "flavour", "version"),
    [("7.0.15", "redis", "7.0"), ("valkey 9.1.2", "valkey", "9.1"), ("8.10.0", "redis", "8.10")],
)
def test_a_local_server_is_what_it_says_that_it_is(reported: str, flavour: str, version: str) -> None:
    servers = {"s": ServerSettings(ram=ByteSize(GB), replicas=2, cluster=True, io_threads=8)}
    redis_environment = an_environment(flavour="memorydb", replicas=1, cluster=True, io_threads=2, servers=servers)
    assert localise(redis_environment, reported) == RedisEnvironment(
        flavour=flavour,  # type: ignore[arg-type]  # one of the literals
        version=version,
        servers={"s": ServerSettings(ram=ByteSize(GB))},
    )
    assert localise(None, reported).version == version


REFUSED = [
    ({"hash_max_listpack_entries": "1"}, {"version": "6.2"}, "RED105",
     'server "s" sets "hash-max-listpack-entries", which Redis 6.2 does not have: it was added in 7.0'),
    ({"set_max_listpack_entries": "1"}, {"version": "7.0"}, "RED105",
     'server "s" sets "set-max-listpack-entries", which Redis 7.0 does not have: it was added in 7.2'),
    ({"dual_channel_replication_enabled": "yes"}, {"version": "8.6"}, "RED105",
     'server "s" sets "dual-channel-replication-enabled", which Redis 8.6 does not have: it never had it'),
    ({"dynamic_hz": "no"}, {"flavour": "valkey", "version": "9.1"}, "RED105",
     'server "s" sets "dynamic-hz", which Valkey 9.1 does not have: it was removed in 9.1'),
    ({"hash_max_ziplist_entries": "1"}, {"flavour": "elasticache"}, "RED105",
     'server "s" sets "hash-max-ziplist-entries", which ElastiCache 7.0 knows only as "hash-max-listpack-entries"'),
    ({"maxmemory_policy": "volatile-lrm"}, {"version": "8.4"}, "RED105",
     'server "s" evicts by "volatile-lrm", which Redis has from 8.6 on'),
    ({"maxmemory_policy": "allkeys-lrm"}, {"flavour": "valkey", "version": "9.1"}, "RED105",
     'server "s" evicts by "allkeys-lrm", which Valkey does not have'),
    ({"appendonly": "yes"}, {"flavour": "elasticache"}, "RED104",
     'server "s" needs "appendonly", which ElastiCache does not allow to set'),
    ({"save": "60 1"}, {"flavour": "elasticache"}, "RED104",
     'server "s" needs "save", which ElastiCache does not allow to set'),
    ({"dynamic_hz": "yes"}, {"flavour": "memorydb"}, "RED104",
     'server "s" sets "dynamic-hz", which MemoryDB does not allow to set'),
    ({}, {"flavour": "memorydb", "maxmemory": ByteSize(GB)}, "RED104",
     'server "s" sets maxmemory, which MemoryDB derives from the node type'),
    ({}, {"flavour": "elasticache-serverless", "version": None}, "RED104",
     'server "s" evicts by "allkeys-lru", ElastiCache Serverless always by "volatile-lru"'),
    ({"search_timeout": "500"}, {"flavour": "valkey", "version": "9.1"}, "RED014",
     'server "s" sets "search-timeout" of the search module, which Valkey does not have'),
    ({}, {"version": "5.0"}, "E0402", 'Redis "5.0" is older than "6.2", the oldest known version'),
    ({}, {"ram": ByteSize(1), "maxmemory": ByteSize(2)}, "E0402",
     'server "s" is given maxmemory 2 bytes, its ram is 1'),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "environment", "code", "problem"), REFUSED)
def test_an_environment_refuses(settings: dict[str, str], environment: dict[str, Any], code: str, problem: str) -> None:
    assert refused(with_settings(**settings), **environment) == [(code, problem)]


ACCEPTED: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({}, {}),
    ({"hash_max_ziplist_entries": "1"}, {"version": "6.2"}),
    ({"hash_max_ziplist_entries": "1"}, {"version": "8.6"}),
    ({"maxmemory_policy": "volatile-lrm"}, {"version": "8.6"}),
    ({"maxmemory_policy": "volatile-lru"}, {"flavour": "elasticache-serverless", "version": None}),
    ({"appendonly": "yes", "appendfsync": "everysec", "save": "60 1"}, {"flavour": "memorydb"}),
    ({"latency_tracking": "yes"}, {"flavour": "memorydb", "ram": ByteSize(GB)}),
    ({"search_timeout": "500"}, {"version": "8.0"}),
    ({"dual_channel_replication_enabled": "yes"}, {"flavour": "valkey", "version": "8.0"}),
    ({}, {"version": "9.9"}),
]


@pytest.mark.parametrize(("settings", "environment"), ACCEPTED)
def test_an_environment_takes(settings: dict[str, str], environment: dict[str, Any]) -> None:
    assert refused(with_settings(**settings), **environment) == []


def test_defaults_follow_flavour_and_version() -> None:
    backlog, lazy = DIRECTIVES["repl-backlog-size"], DIRECTIVES["lazyfree-lazy-expire"]
    assert [default(backlog, "redis", "7.0"), default(backlog, "valkey", "8.1")] == ["1048576", "10485760"]
    assert [default(lazy, "valkey", "7.2"), default(lazy, "valkey", None)] == ["no", "yes"]
    assert default(DIRECTIVES["acl-pubsub-default"], "redis", "6.2") == "allchannels"


def test_every_feature_of_a_flavour_has_a_dated_source() -> None:
    sources = [support.source for flavour in FLAVOURS.values() for support in flavour.features.values()]
    assert all(source.url.startswith("https://") and source.as_of >= "2026-11-21" for source in sources)


@pytest.mark.parametrize(
    ("changes", "problem", "setting"),
    [
        ({"replicas": -1}, '"redis.replicas" is -1, Redis takes 0 or more', ("replicas",)),
        ({"replicas": 6, "flavour": "memorydb"}, '"redis.replicas" is 6, MemoryDB takes 0 to 5', ("replicas",)),
        ({"io_threads": 0}, '"redis.io-threads" is 0, Redis takes 1 to 128', ("io-threads",)),
        ({"servers": {"s": ServerSettings(io_threads=999)}},
         '"redis.servers.s.io-threads" is 999, Redis takes 1 to 128', ("servers", "s", "io-threads")),
        ({"io_threads": 257, "flavour": "valkey", "version": "9.1"},
         '"redis.io-threads" is 257, Valkey takes 1 to 256', ("io-threads",)),
        ({"ram": ByteSize(0)}, '"redis.ram" is 0, Redis takes 1 or more', ("ram",)),
        ({"version": "99.9"}, 'there is no Redis "99.9": the newest known version is "8.6"', ("version",)),
        ({"version": "7.3"}, 'there was never a Redis "7.3"', ("version",)),
    ],
)  # fmt: skip
def test_a_number_that_no_server_takes_is_refused_at_its_setting(
    changes: dict[str, Any], problem: str, setting: tuple[str, ...]
) -> None:
    environment, server = an_environment(**changes), a_server(settings=())
    refusals = [rejection for rejection in refuse(place(server, environment), environment) if rejection.code == "E0402"]
    assert [(refusal.problem, refusal.setting) for refusal in refusals] == [(problem, setting)]


@pytest.mark.parametrize("version", ["6.2", "7.0.15", "7", "8.6", "8.8", "9.0", "9"])
def test_a_version_that_is_or_may_come_is_taken(version: str) -> None:
    assert FLAVOURS["redis"].wrong_version(version) is None


def test_all_wrong_settings_are_reported_at_once(tmp_path: Path) -> None:
    stack = """\
        config:
          keywright:environment:
            mode: dev
            redis:
              flavour: redis
              version: "99.9"
              replicas: -1
              servers:
                app: {io-threads: 999}
                web: {io-threads: 129}
        """
    servers = "".join(
        f'{entry} = kw.RedisServer("{entry}", role="cache", eviction="allkeys-lru")\n' for entry in ("app", "web")
    )
    errors = errors_of(
        tmp_path, {"models/case.py": f"import keywright as kw\n{servers}", "stacks/Pulumi.dev.yaml": stack}
    )
    assert [(error.code, error.at.line) for error in errors] == [("E0402", line) for line in (6, 7, 9, 10)]


def test_wrong_values_of_several_servers_are_reported_at_once(tmp_path: Path) -> None:
    stack = """\
        config:
          keywright:environment:
            mode: dev
            redis:
              flavour: redis
              servers:
                app: {io-threads: many, ram: lots}
                web: {replicas: none}
        """
    errors = errors_of(tmp_path, {"models/case.py": "", "stacks/Pulumi.dev.yaml": stack})
    assert [(error.code, error.at.line) for error in errors] == [("E0402", line) for line in (7, 7, 8)]
