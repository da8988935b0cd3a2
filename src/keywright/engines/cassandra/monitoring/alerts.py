"""Alerts on Cassandra's nodes and tables, and alarms on tables in Amazon Keyspaces.

Prometheus metrics have the names of Instaclustr's cassandra-exporter; MCAC and the JMX exporter use other names. The
CloudWatch metrics are in https://docs.aws.amazon.com/keyspaces/latest/devguide/metrics-dimensions.html.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.capability import Source
from keywright.engines.contract.resource import StackResource
from keywright.engines.monitoring.alarms import Alarm, of_setting, resource
from keywright.engines.monitoring.alerts import Alert, EngineAlerts, EnvironmentAlert, Series, raised

from ..access.calls import Select
from ..access.calls_write import DeleteRows, IncrementCounter, Insert, UpdateRow
from ..declare.settings import CassandraEnvironment
from ..schema.target import KeyspaceTarget

EXPORTER = "instaclustr/cassandra-exporter"
SOURCE = Source("https://github.com/instaclustr/cassandra-exporter", "2026-11-22")

_SCANNED = Series("cassandra_table_tombstones_scanned", labels={"quantile": "0.99"})

OF_NODES = (
    Alert(
        name="CassandraCompactionsPending",
        expression="sum by (instance) (cassandra_table_estimated_pending_compactions)",
        threshold="pending_compactions",
        minutes=15,
        summary="{{ $labels.instance }} is more than {threshold:compaction} behind: reads scan more and more files",
        series=(Series("cassandra_table_estimated_pending_compactions", labels={"keyspace": "any", "table": "any"}),),
    ),
    Alert(
        name="CassandraMutationsDropped",
        expression='sum by (instance) (increase(cassandra_dropped_messages_total{message_type=~"MUTATION.*"}[5m]))',
        threshold="dropped_mutations",
        severity="critical",
        summary="{{ $labels.instance }} dropped more than {threshold:write} in 5 minutes: a repair brings them back",
        series=(Series("cassandra_dropped_messages_total", "0+{step}x60", {"message_type": "MUTATION"}),),
        window=5,
    ),
)
"""Alerts on every node."""

_OF_TABLE = 'max by (keyspace, table) (cassandra_table_tombstones_scanned{quantile="0.99"})'
_TABLE = "{{ $labels.keyspace }}.{{ $labels.table }}"

OF_TABLES = (
    Alert(
        name="CassandraTombstones",
        expression=_OF_TABLE,
        threshold="tombstones",
        minutes=15,
        summary=f"one of a hundred reads of {_TABLE} scans more than {{threshold:tombstone}}",
        series=(_SCANNED,),
        by=("keyspace", "table"),
    ),
    Alert(
        name="CassandraTombstonesMany",
        expression=_OF_TABLE,
        threshold="tombstones_critical",
        minutes=5,
        severity="critical",
        summary=f"one of a hundred reads of {_TABLE} scans more than {{threshold:tombstone}}, and soon fails",
        series=(_SCANNED,),
        by=("keyspace", "table"),
    ),
)
"""Alerts on the tables in the keyspaces of the models."""


def slow(operation: str, milliseconds: float) -> Alert:
    """An alert on a p99 latency of reads or writes above the latency targets of the patterns.

    operation: `read` or `write`.
    """
    metric = "cassandra_client_request_latency_seconds"
    return Alert(
        name=f"Cassandra{operation.title()}sSlow",
        expression=f'1000 * max by (instance) ({metric}{{operation="{operation}", quantile="0.99"}})',
        threshold=milliseconds,
        minutes=5,
        severity="critical",
        summary=f"one of a hundred {operation}s that {{{{ $labels.instance }}}} coordinates takes more than"
        " {threshold} ms, the limit of a pattern",
        series=(Series(metric, "{thousandth}x60", {"operation": operation, "quantile": "0.99"}),),
    )


OF_KEYSPACES = tuple(
    Alarm(
        name=f"{side}-throttled", metric=f"{side.title()}ThrottleEvents", threshold="throttled",
        summary=f"Keyspaces throttled more than {{threshold:{side}}} in a minute on {{what}}",
    )
    for side in ("read", "write")
)  # fmt: skip
"""Alarms on the operations on a table in Keyspaces: those that read, and those that write."""

SYSTEM_ERRORS = Alarm(
    name="system-errors", metric="SystemErrors", threshold="system_errors",
    summary="more than {threshold:request} of a minute to {what} failed within Keyspaces",
)  # fmt: skip

SLOW = Alarm(
    name="slow", metric="SuccessfulRequestLatency", statistic="p99", threshold="", periods=5,
    summary="one of a hundred requests to {what} takes more than {threshold} ms, the limit of a pattern",
)  # fmt: skip

_WORDS: dict[type, str] = {
    Select: "SELECT",
    Insert: "INSERT",
    UpdateRow: "UPDATE",
    IncrementCounter: "UPDATE",
    DeleteRows: "DELETE",
}
"""The name of a call's operation in Keyspaces."""


def watch(
    keyspaces: Mapping[str, KeyspaceTarget], environment: CassandraEnvironment, planned: Sequence[Any]
) -> EngineAlerts | None:
    """See `Engine.watch`: none for Keyspaces, which has CloudWatch alarms, or Scylla, whose metrics differ."""
    if environment.flavour != "cassandra" or not keyspaces:
        return None
    names = tuple(sorted(keyspace.name for keyspace in keyspaces.values()))
    alerts = [*raised(OF_NODES, environment.alerts)]
    alerts += (
        EnvironmentAlert(alert=alert.alert, threshold=alert.threshold, only={"keyspace": names})
        for alert in raised(OF_TABLES, environment.alerts)
    )
    if environment.alerts.latency:
        limits: dict[str, float] = {}
        for _, word, milliseconds in _operations(planned):
            if milliseconds:
                limits[_side(word)] = max(limits.get(_side(word), 0), milliseconds)
        alerts += raised((slow(operation, limits[operation]) for operation in sorted(limits)), environment.alerts)
    return EngineAlerts(exporter=EXPORTER, source=SOURCE, alerts=tuple(alerts))


def alarms(
    keyspaces: Mapping[str, KeyspaceTarget], environment: CassandraEnvironment, planned: Sequence[Any]
) -> Iterator[StackResource]:
    """See `Engine.alarms`: on the operations of patterns on tables in Keyspaces."""
    if environment.flavour != "keyspaces":
        return
    tables = {(keyspace.name, table.name) for keyspace in keyspaces.values() for table in keyspace.tables}
    limits: dict[tuple[tuple[str, str], str], float] = {}
    for table, word, milliseconds in _operations(planned):
        if table in tables:
            limits[table, word] = max(limits.get((table, word), 0), milliseconds or 0)
    for ((keyspace, name), word), milliseconds in sorted(limits.items()):
        path, dimensions = f"{keyspace}.{name}", {"Keyspace": keyspace, "TableName": name, "Operation": word}
        throttled = OF_KEYSPACES[0 if _side(word) == "read" else 1]
        for alarm in (throttled, SYSTEM_ERRORS, SLOW):
            threshold = (
                _latency_threshold(milliseconds, environment)
                if alarm is SLOW
                else of_setting(alarm, environment.alerts)
            )
            if threshold is not None:
                yield resource(
                    alarm, threshold, "AWS/Cassandra", dimensions, what=f'{word} on table "{path}"',
                    called=f"{path}/{word.lower()}", name=f"{path}/{word.lower()}", tags=environment.tags,
                )  # fmt: skip


def _latency_threshold(milliseconds: float, environment: CassandraEnvironment) -> float | None:
    return milliseconds if milliseconds and environment.alerts.latency else None


def _side(word: str) -> str:
    return "read" if word == "SELECT" else "write"


def _operations(planned: Sequence[Any]) -> Iterator[tuple[tuple[str, str], str, float | None]]:
    """((keyspace, table), operation, p99 latency target in ms) of each call of a pattern."""
    for plan in planned:
        for part in plan.parts or (plan,):
            call = part.path.call
            table = call.relation if isinstance(call, Select) else call.table
            yield (call.keyspace, table), _WORDS[type(call)], plan.pattern.load.p99_ms
