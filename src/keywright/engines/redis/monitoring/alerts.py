"""Alerts about Redis and Valkey servers, and alarms about services that run them.

Names in Prometheus are those of redis_exporter, read from release 1.45 with Valkey 9.1; those of CloudWatch are in
https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/CacheMetrics.Redis.html, .../CacheMetrics.HostLevel.html,
.../serverless-metrics-events-redis.html and https://docs.aws.amazon.com/memorydb/latest/devguide/metrics.memorydb.html.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.capability import Source
from keywright.engines.contract.resource import StackResource
from keywright.engines.monitoring.alarms import Alarm, of_setting, resource
from keywright.engines.monitoring.alerts import Alert, EngineAlerts, EnvironmentAlert, Series, raised

from ..declare.settings import RedisEnvironment
from ..schema.capabilities import CLIENTS, is_service
from ..schema.target import ServerTarget

EXPORTER = "redis_exporter 1.45"
SOURCE = Source("https://github.com/oliver006/redis_exporter", "2026-11-22")

LABEL = "server"
"""The label with the declared server of an instance, set by the scrape configuration."""

_BY = (LABEL, "instance")
_WHICH = "{{ $labels.server }} ({{ $labels.instance }})"

_HITS, _MISSES = "redis_keyspace_hits_total", "redis_keyspace_misses_total"
_READS = f"(sum by (server, instance) (rate({_HITS}[5m])) + sum by (server, instance) (rate({_MISSES}[5m])))"

EVERYWHERE = (
    Alert(
        name="RedisEvicts",
        expression="sum by (server, instance) (increase(redis_evicted_keys_total[5m]))",
        threshold="evicted",
        summary=f"{_WHICH} dropped more than {{threshold:key}} in 5 minutes because memory was full",
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
        summary=f"{_WHICH} uses more than {{threshold}} % of its maxmemory",
        series=(Series("redis_memory_used_bytes"), Series("redis_memory_max_bytes", "100x60")),
        by=_BY,
    ),
    # A nearly empty server is always fragmented.
    Alert(
        name="RedisFragmented",
        expression="max by (server, instance) (redis_mem_fragmentation_ratio)"
        " and on (server, instance) (max by (server, instance) (redis_memory_used_bytes) > 268435456)",
        threshold="fragmentation",
        minutes=30,
        summary=f"{_WHICH} uses more than {{threshold}} times the memory of its data",
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
        summary=f"{_WHICH} has more than {{threshold}} % of its connections open",
        series=(Series("redis_connected_clients"), Series("redis_config_maxclients", "100x60")),
        by=_BY,
    ),
)
"""Alerts about every server."""

OF_CACHES = (
    # The hit rate of few reads means nothing: the alert needs one read a second.
    Alert(
        name="RedisHitsFew",
        expression=f"100 * sum by (server, instance) (rate({_HITS}[5m])) / ({_READS} > 1)",
        fires_when="below",
        threshold="hits_percent",
        minutes=15,
        summary=f"less than {{threshold}} % of the reads of {_WHICH} are hits",
        series=(Series(_HITS, "0+{value}x60"), Series(_MISSES, "0+{rest}x60")),
        by=_BY,
        window=5,
    ),
)
"""Alerts about caches."""

OF_SNAPSHOTS = Alert(
    name="RedisSnapshotFailed",
    expression="min by (server, instance) (redis_rdb_last_bgsave_status)",
    fires_when="below",
    threshold=1,
    minutes=5,
    severity="critical",
    summary=f"{_WHICH} could not write its last snapshot",
    series=(Series("redis_rdb_last_bgsave_status"),),
    by=_BY,
)
"""Alert about servers that write snapshots."""

OF_LOGS = Alert(
    name="RedisLogFailed",
    expression="min by (server, instance) (redis_aof_last_write_status)",
    fires_when="below",
    threshold=1,
    minutes=5,
    severity="critical",
    summary=f"{_WHICH} could not write its append-only file",
    series=(Series("redis_aof_last_write_status"),),
    by=_BY,
)
"""Alert about servers that log every write."""

_EVICTIONS = Alarm(
    name="evictions", metric="Evictions", threshold="evicted", period=300,
    summary="{what} dropped more than {threshold:key} in 5 minutes because memory was full",
)  # fmt: skip
_HIT_RATE = Alarm(
    name="hits-few", metric="CacheHitRate", statistic="Minimum", fires_when="below", threshold="hits_percent",
    periods=15, summary="less than {threshold} % of the reads of {what} are hits",
)  # fmt: skip
_MEMORY = Alarm(
    name="memory-full", metric="DatabaseMemoryUsagePercentage", statistic="Maximum", threshold="memory_percent",
    periods=5, summary="{what} uses more than {threshold} % of its memory",
)  # fmt: skip
_CPU = Alarm(
    name="cpu-full", metric="EngineCPUUtilization", statistic="Maximum", threshold="engine_cpu_percent", periods=5,
    summary="the command thread of {what} is busy for more than {threshold} % of the time",
)  # fmt: skip
_SWAP = Alarm(
    name="swaps", metric="SwapUsage", statistic="Maximum", threshold="swap", periods=5,
    summary="{what} has swapped out more than {threshold:byte}",
)  # fmt: skip
_CLIENTS = Alarm(
    name="clients-full", metric="CurrConnections", statistic="Maximum", threshold="clients_percent", periods=5,
    summary="{what} has more than {threshold:connection}",
)  # fmt: skip
_THROTTLED = Alarm(
    name="throttled", metric="ThrottledCmds", threshold="throttled",
    summary="{what} throttled more than {threshold:command} in a minute",
)  # fmt: skip

OF_SERVICES = {
    "elasticache": (_EVICTIONS, _MEMORY, _CPU, _SWAP, _CLIENTS),
    "elasticache-serverless": (_EVICTIONS, _THROTTLED),
    "memorydb": (_EVICTIONS, _MEMORY, _CPU, _SWAP, _CLIENTS),
}
"""Alarms about every node, by flavour."""

OF_SERVICE_CACHES = {"elasticache": (_HIT_RATE,), "elasticache-serverless": (_HIT_RATE,)}
"""Alarms about caches, by flavour; MemoryDB has no such metric."""


def watch(
    servers: Mapping[str, ServerTarget], environment: RedisEnvironment, planned: Sequence[Any]
) -> EngineAlerts | None:
    """See `Engine.watch`: None for a service, which has alarms in CloudWatch."""
    if is_service(environment.flavour) or not servers:
        return None
    environment_alerts: list[EnvironmentAlert] = []
    for alerts, names in (
        (EVERYWHERE, [server.name for server in servers.values()]),
        (OF_CACHES, [server.name for server in servers.values() if is_cache(server)]),
        ((OF_SNAPSHOTS,), [server.name for server in servers.values() if dict(server.settings).get("save", "")]),
        ((OF_LOGS,), [server.name for server in servers.values() if dict(server.settings).get("appendonly") == "yes"]),
    ):
        if names:
            environment_alerts += (
                EnvironmentAlert(alert=alert.alert, threshold=alert.threshold, only={LABEL: tuple(sorted(names))})
                for alert in raised(alerts, environment.alerts)
            )
    return EngineAlerts(exporter=EXPORTER, source=SOURCE, alerts=tuple(environment_alerts))


def alarms(
    servers: Mapping[str, ServerTarget], environment: RedisEnvironment, planned: Sequence[Any]
) -> Iterator[StackResource]:
    """See `Engine.alarms`: for each node that the environment names."""
    for server in servers.values():
        flavour_alarms = OF_SERVICES.get(environment.flavour, ())
        flavour_alarms += OF_SERVICE_CACHES.get(environment.flavour, ()) if is_cache(server) else ()
        for node in environment.of_server(server.name).nodes:
            for alarm in flavour_alarms:
                threshold = of_setting(alarm, environment.alerts)
                if threshold is None:
                    continue
                if alarm is _CLIENTS:
                    threshold = threshold * CLIENTS.value / 100
                namespace, dimensions = _dimensions(environment.flavour, node)
                yield resource(
                    alarm, threshold, namespace, dimensions, what=f'"{node}" of server "{server.name}"',
                    called=f"{server.name}/{node}", name=node, tags=environment.tags,
                )  # fmt: skip


def is_cache(server: ServerTarget) -> bool:
    """Whether a server contains copies of other data."""
    return any(structure.source is not None or structure.kind == "cache" for structure in server.structures)


def _dimensions(flavour: str, node: str) -> tuple[str, dict[str, str]]:
    """The namespace and the dimensions of a node's metrics; a node of MemoryDB is `<cluster>-<shard>-<number>`."""
    if flavour == "memorydb":
        return "AWS/MemoryDB", {"ClusterName": node.rsplit("-", 2)[0], "NodeName": node}
    return "AWS/ElastiCache", {"CacheClusterId" if flavour == "elasticache" else "clusterId": node}
