"""What is told of Redis and Valkey servers, and of services that run them.

Names in Prometheus are those of redis_exporter, read from release 1.45 beside Valkey 9.1; those of CloudWatch are in
https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/CacheMetrics.Redis.html, .../CacheMetrics.HostLevel.html,
.../serverless-metrics-events-redis.html and https://docs.aws.amazon.com/memorydb/latest/devguide/metrics.memorydb.html.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.alarms import Alarm, of_setting, resource
from keywright.engines.alerts import Alert, Raised, Series, Watch, raised
from keywright.engines.capability import Source
from keywright.engines.resource import Resource

from .capabilities import CLIENTS, is_service
from .settings import RedisEnvironment
from .target import ServerTarget

EXPORTER = "redis_exporter 1.45"
SOURCE = Source("https://github.com/oliver006/redis_exporter", "2026-11-22")

LABEL = "server"
"""The label by which a scrape configuration says which declared server an instance is."""

_BY = (LABEL, "instance")
_WHICH = "{{ $labels.server }} ({{ $labels.instance }})"

_HITS, _MISSES = "redis_keyspace_hits_total", "redis_keyspace_misses_total"
_READS = f"(sum by (server, instance) (rate({_HITS}[5m])) + sum by (server, instance) (rate({_MISSES}[5m])))"

EVERYWHERE = (
    Alert(
        name="RedisEvicts",
        expression="sum by (server, instance) (increase(redis_evicted_keys_total[5m]))",
        threshold="evicted",
        summary=f"{_WHICH} dropped more than {{threshold}} keys in 5 minutes because memory was full",
        series=(Series("redis_evicted_keys_total", "0+{step}x60"),),
        by=_BY,
        window=5,
    ),
    Alert(
        name="RedisMemoryFull",
        expression="100 * max by (server, instance) (redis_memory_used_bytes)"
        " / (max by (server, instance) (redis_memory_max_bytes) > 0)",
        threshold="memory_percent",
        minutes=5,
        severity="critical",
        summary=f"{_WHICH} takes more than {{threshold}} % of its maxmemory",
        series=(Series("redis_memory_used_bytes"), Series("redis_memory_max_bytes", "100x60")),
        by=_BY,
    ),
    # A server that holds next to nothing is always fragmented.
    Alert(
        name="RedisFragmented",
        expression="max by (server, instance) (redis_mem_fragmentation_ratio)"
        " and on (server, instance) (max by (server, instance) (redis_memory_used_bytes) > 268435456)",
        threshold="fragmentation",
        minutes=30,
        summary=f"{_WHICH} takes more than {{threshold}} times the memory that its data needs",
        series=(Series("redis_mem_fragmentation_ratio"), Series("redis_memory_used_bytes", "1e9x60")),
        by=_BY,
    ),
    Alert(
        name="RedisClientsFull",
        expression="100 * max by (server, instance) (redis_connected_clients)"
        " / max by (server, instance) (redis_config_maxclients)",
        threshold="clients_percent",
        minutes=5,
        severity="critical",
        summary=f"{_WHICH} has more than {{threshold}} % of the connections that it takes",
        series=(Series("redis_connected_clients"), Series("redis_config_maxclients", "100x60")),
        by=_BY,
    ),
)
"""Of every server."""

OF_CACHES = (
    # Few reads say nothing of a cache: they are left out below one a second.
    Alert(
        name="RedisHitsFew",
        expression=f"100 * sum by (server, instance) (rate({_HITS}[5m])) / ({_READS} > 1)",
        tells="below",
        threshold="hits_percent",
        minutes=15,
        summary=f"less than {{threshold}} % of the reads of {_WHICH} find something",
        series=(Series(_HITS, "0+{value}x60"), Series(_MISSES, "0+{rest}x60")),
        by=_BY,
        window=5,
    ),
)
"""Of servers that copy what is elsewhere."""

OF_SNAPSHOTS = Alert(
    name="RedisSnapshotFailed",
    expression="min by (server, instance) (redis_rdb_last_bgsave_status)",
    tells="below",
    threshold=1,
    minutes=5,
    severity="critical",
    summary=f"{_WHICH} could not write its last snapshot",
    series=(Series("redis_rdb_last_bgsave_status"),),
    by=_BY,
)
"""Of servers that write snapshots."""

OF_LOGS = Alert(
    name="RedisLogFailed",
    expression="min by (server, instance) (redis_aof_last_write_status)",
    tells="below",
    threshold=1,
    minutes=5,
    severity="critical",
    summary=f"{_WHICH} could not write its append-only file",
    series=(Series("redis_aof_last_write_status"),),
    by=_BY,
)
"""Of servers that log every write."""

_EVICTIONS = Alarm(
    name="evictions", metric="Evictions", threshold="evicted", period=300,
    summary="{what} dropped more than {threshold} keys in 5 minutes because memory was full",
)  # fmt: skip
_HIT_RATE = Alarm(
    name="hits-few", metric="CacheHitRate", statistic="Minimum", tells="below", threshold="hits_percent", periods=15,
    summary="less than {threshold} % of the reads of {what} find something",
)  # fmt: skip
_MEMORY = Alarm(
    name="memory-full", metric="DatabaseMemoryUsagePercentage", statistic="Maximum", threshold="memory_percent",
    periods=5, summary="{what} takes more than {threshold} % of its memory",
)  # fmt: skip
_CPU = Alarm(
    name="cpu-full", metric="EngineCPUUtilization", statistic="Maximum", threshold="engine_cpu_percent", periods=5,
    summary="the thread of commands of {what} is busy for more than {threshold} % of the time",
)  # fmt: skip
_SWAP = Alarm(
    name="swaps", metric="SwapUsage", statistic="Maximum", threshold="swap", periods=5,
    summary="{what} has swapped out more than {threshold} bytes",
)  # fmt: skip
_CLIENTS = Alarm(
    name="clients-full", metric="CurrConnections", statistic="Maximum", threshold="clients_percent", periods=5,
    summary="{what} has more than {threshold} connections",
)  # fmt: skip
_THROTTLED = Alarm(
    name="throttled", metric="ThrottledCmds", threshold="throttled",
    summary="{what} did not take more than {threshold} commands of a minute",
)  # fmt: skip

OF_SERVICES = {
    "elasticache": (_EVICTIONS, _MEMORY, _CPU, _SWAP, _CLIENTS),
    "elasticache-serverless": (_EVICTIONS, _THROTTLED),
    "memorydb": (_EVICTIONS, _MEMORY, _CPU, _SWAP, _CLIENTS),
}
"""Alarms of every node, by flavour."""

OF_SERVICE_CACHES = {"elasticache": (_HIT_RATE,), "elasticache-serverless": (_HIT_RATE,)}
"""Of nodes that copy what is elsewhere; MemoryDB has no such metric."""


def watch(servers: Mapping[str, ServerTarget], environment: RedisEnvironment, planned: Sequence[Any]) -> Watch | None:
    """See `Engine.watch`: nothing of a service, whose alarms are CloudWatch's."""
    if is_service(environment.flavour) or not servers:
        return None
    found: list[Raised] = []
    for alerts, names in (
        (EVERYWHERE, [one.name for one in servers.values()]),
        (OF_CACHES, [one.name for one in servers.values() if is_cache(one)]),
        ((OF_SNAPSHOTS,), [one.name for one in servers.values() if dict(one.settings).get("save", "")]),
        ((OF_LOGS,), [one.name for one in servers.values() if dict(one.settings).get("appendonly") == "yes"]),
    ):
        if names:
            found += (
                Raised(alert=one.alert, threshold=one.threshold, only={LABEL: tuple(sorted(names))})
                for one in raised(alerts, environment.alerts)
            )
    return Watch(exporter=EXPORTER, source=SOURCE, alerts=tuple(found))


def alarms(
    servers: Mapping[str, ServerTarget], environment: RedisEnvironment, planned: Sequence[Any]
) -> Iterator[Resource]:
    """See `Engine.alarms`: of each node that the environment names."""
    for server in servers.values():
        own = OF_SERVICES.get(environment.flavour, ())
        own += OF_SERVICE_CACHES.get(environment.flavour, ()) if is_cache(server) else ()
        for node in environment.of_server(server.name).nodes:
            for alarm in own:
                threshold = of_setting(alarm, environment.alerts)
                if threshold is None:
                    continue
                if alarm is _CLIENTS:
                    threshold = threshold * CLIENTS.value / 100
                namespace, dimensions = _where(environment.flavour, node)
                yield resource(
                    alarm, threshold, namespace, dimensions, what=f'"{node}" of server "{server.name}"',
                    called=f"{server.name}/{node}", name=node, tags=environment.tags,
                )  # fmt: skip


def is_cache(server: ServerTarget) -> bool:
    """Whether what is on a server is a copy of something."""
    return any(one.source is not None or one.kind == "cache" for one in server.structures)


def _where(flavour: str, node: str) -> tuple[str, dict[str, str]]:
    """The namespace and the dimensions of a node's metrics; a node of MemoryDB is `<cluster>-<shard>-<number>`."""
    if flavour == "memorydb":
        return "AWS/MemoryDB", {"ClusterName": node.rsplit("-", 2)[0], "NodeName": node}
    return "AWS/ElastiCache", {"CacheClusterId" if flavour == "elasticache" else "clusterId": node}
