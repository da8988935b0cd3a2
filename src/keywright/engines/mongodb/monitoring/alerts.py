"""Alerts for the members of a replica set, and alarms for the instances of an Amazon DocumentDB cluster.

Names in Prometheus are those of Percona's mongodb_exporter, without its compatible mode; other exporters have other
names. The names in CloudWatch are in
https://docs.aws.amazon.com/documentdb/latest/developerguide/cloud_watch.html.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.capability import Source
from keywright.engines.contract.resource import StackResource
from keywright.engines.monitoring.alarms import Alarm, of_setting, resource
from keywright.engines.monitoring.alerts import Alert, EngineAlerts, RecordingRule, Series, raised

from ..declare.settings import MongoEnvironment
from ..schema.target import DatabaseTarget

EXPORTER = "percona/mongodb_exporter"
SOURCE = Source("https://github.com/percona/mongodb_exporter/blob/main/exporter/metrics.go", "2026-11-22")

_OPTIME = "mongodb_rs_members_optimeDate"
_READ, _ASKED = "mongodb_ss_wt_cache_pages_read_into_cache", "mongodb_ss_wt_cache_pages_requested_from_the_cache"
_CONNECTIONS = "mongodb_ss_connections"

ALERTS = (
    Alert(
        name="MongoDBLags",
        expression=f'(max by (rs_nm) ({_OPTIME}{{member_state="PRIMARY"}}) - on (rs_nm) group_right ()'
        f' max by (rs_nm, member_idx) ({_OPTIME}{{member_state="SECONDARY"}})) / 1000',
        threshold="lag_seconds",
        minutes=2,
        severity="critical",
        summary="{{ $labels.member_idx }} of {{ $labels.rs_nm }} is more than {threshold} s behind the primary",
        series=(
            Series(_OPTIME, "1000000x60", {"member_state": "PRIMARY", "member_idx": "other:27017"}),
            Series(_OPTIME, "{behind}x60", {"member_state": "SECONDARY"}),
        ),
        by=("rs_nm", "member_idx"),
    ),
    Alert(
        name="MongoDBCacheMisses",
        expression=f"100 - 100 * sum by (instance) (rate({_READ}[5m])) / (sum by (instance) (rate({_ASKED}[5m])) > 1)",
        fires_when="below",
        threshold="cache_hits_percent",
        minutes=10,
        summary="less than {threshold} % of the pages that {{ $labels.instance }} needs are in its cache",
        series=(Series(_READ, "0+{rest}x60"), Series(_ASKED, "0+100x60")),
        window=5,
    ),
    Alert(
        name="MongoDBConnectionsFull",
        expression=f'100 * max by (instance) ({_CONNECTIONS}{{conn_type="current"}})'
        f' / sum by (instance) ({_CONNECTIONS}{{conn_type=~"current|available"}})',
        threshold="connections_percent",
        minutes=5,
        severity="critical",
        summary="{{ $labels.instance }} has more than {threshold} % of its connections open",
        series=(
            Series(_CONNECTIONS, labels={"conn_type": "current"}),
            Series(_CONNECTIONS, "{rest}x60", {"conn_type": "available"}),
        ),
    ),
)
"""Alerts for every member."""

RECORDS = (
    RecordingRule(
        name="instance_legacy_op_type:mongodb_ss_opcounters:rate5m",
        expression="sum by (instance, legacy_op_type) (rate(mongodb_ss_opcounters[5m]))",
        series=(Series("mongodb_ss_opcounters", "0+60x60"),),
        by=("instance", "legacy_op_type"),
        window=5,
    ),
)
"""Operations per second, by kind: they help to explain the alerts."""

OF_INSTANCES = (
    Alarm(
        name="lags", metric="DBInstanceReplicaLag", statistic="Maximum", threshold="lag_seconds", periods=2,
        summary="{what} is more than {threshold} ms behind the primary",
    ),
    Alarm(
        name="cache-misses", metric="BufferCacheHitRatio", statistic="Minimum", fires_when="below",
        threshold="cache_hits_percent", periods=10,
        summary="less than {threshold} % of the reads of {what} are in its cache",
    ),
    Alarm(
        name="connections-full", metric="DatabaseConnections", statistic="Maximum", threshold="connections", periods=5,
        summary="{what} has more than {threshold:connection}",
    ),
)  # fmt: skip
"""Alarms for every instance of a DocumentDB cluster."""

MILLISECONDS = 1_000
"""Milliseconds in a second: DocumentDB reports its lag in ms."""


def watch(
    databases: Mapping[str, DatabaseTarget], environment: MongoEnvironment, planned: Sequence[Any]
) -> EngineAlerts | None:
    """See `Engine.watch`: none for DocumentDB, whose alarms are in CloudWatch."""
    if environment.flavour not in ("mongodb", "atlas") or not databases:
        return None
    return EngineAlerts(
        exporter=EXPORTER, source=SOURCE, alerts=tuple(raised(ALERTS, environment.alerts)), records=RECORDS
    )


def alarms(
    databases: Mapping[str, DatabaseTarget], environment: MongoEnvironment, planned: Sequence[Any]
) -> Iterator[StackResource]:
    """See `Engine.alarms`: for each instance that the environment names."""
    if environment.flavour != "documentdb" or not databases:
        return
    for instance in environment.instances:
        for alarm in OF_INSTANCES:
            threshold = of_setting(alarm, environment.alerts)
            if threshold is not None:
                factor = MILLISECONDS if alarm.metric == "DBInstanceReplicaLag" else 1
                yield resource(
                    alarm, threshold * factor, "AWS/DocDB", {"DBInstanceIdentifier": instance},
                    what=f'instance "{instance}"', called=f"documentdb/{instance}", name=instance,
                    tags=environment.tags,
                )  # fmt: skip
