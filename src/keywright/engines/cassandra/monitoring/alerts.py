"""What is told of Cassandra's nodes and tables, and of tables in Amazon Keyspaces.

Names in Prometheus are those of Instaclustr's cassandra-exporter; MCAC and the JMX exporter have others. Those of
CloudWatch are in https://docs.aws.amazon.com/keyspaces/latest/devguide/metrics-dimensions.html.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.alarms import Alarm, of_setting, resource
from keywright.engines.alerts import Alert, Raised, Series, Watch, raised
from keywright.engines.capability import Source
from keywright.engines.resource import Resource

from .access.calls import Select
from .access.calls_write import Delete, Increment, Insert, Update
from .settings import CassandraEnvironment
from .target import KeyspaceTarget

EXPORTER = "instaclustr/cassandra-exporter"
SOURCE = Source("https://github.com/instaclustr/cassandra-exporter", "2026-11-22")

_SCANNED = Series("cassandra_table_tombstones_scanned", labels={"quantile": "0.99"})

OF_NODES = (
    Alert(
        name="CassandraCompactionsPending",
        expression="sum by (instance) (cassandra_table_estimated_pending_compactions)",
        threshold="pending_compactions",
        minutes=15,
        summary="{{ $labels.instance }} is more than {threshold} compactions behind: reads go over more and more files",
        series=(Series("cassandra_table_estimated_pending_compactions", labels={"keyspace": "any", "table": "any"}),),
    ),
    Alert(
        name="CassandraMutationsDropped",
        expression='sum by (instance) (increase(cassandra_dropped_messages_total{message_type=~"MUTATION.*"}[5m]))',
        threshold="dropped_mutations",
        severity="critical",
        summary="{{ $labels.instance }} dropped more than {threshold} writes in 5 minutes: a repair brings them back",
        series=(Series("cassandra_dropped_messages_total", "0+{step}x60", {"message_type": "MUTATION"}),),
        window=5,
    ),
)
"""Of every node, whatever is on it."""

_OF_TABLE = 'max by (keyspace, table) (cassandra_table_tombstones_scanned{quantile="0.99"})'
_TABLE = "{{ $labels.keyspace }}.{{ $labels.table }}"

OF_TABLES = (
    Alert(
        name="CassandraTombstones",
        expression=_OF_TABLE,
        threshold="tombstones",
        minutes=15,
        summary=f"one of a hundred reads of {_TABLE} goes over more than {{threshold}} tombstones",
        series=(_SCANNED,),
        by=("keyspace", "table"),
    ),
    Alert(
        name="CassandraTombstonesMany",
        expression=_OF_TABLE,
        threshold="tombstones_critical",
        minutes=5,
        severity="critical",
        summary=f"one of a hundred reads of {_TABLE} goes over more than {{threshold}} tombstones, and soon fails",
        series=(_SCANNED,),
        by=("keyspace", "table"),
    ),
)
"""Of the tables of the models' keyspaces."""


def slow(operation: str, milliseconds: float) -> Alert:
    """That one of a hundred reads, or writes, takes longer than the patterns say.

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
        " {threshold} ms, the most that a pattern allows",
        series=(Series(metric, "{thousandth}x60", {"operation": operation, "quantile": "0.99"}),),
    )


OF_KEYSPACES = tuple(
    Alarm(
        name=f"{side}-throttled", metric=f"{side.title()}ThrottleEvents", threshold="throttled",
        summary=f"Keyspaces did not take more than {{threshold}} {side}s of a minute of {{what}}",
    )
    for side in ("read", "write")
)  # fmt: skip
"""Of each operation on a table in Keyspaces, by whether it reads."""

SYSTEM_ERRORS = Alarm(
    name="system-errors", metric="SystemErrors", threshold="system_errors",
    summary="more than {threshold} requests of a minute to {what} failed within Keyspaces",
)  # fmt: skip

SLOW = Alarm(
    name="slow", metric="SuccessfulRequestLatency", statistic="p99", threshold="", periods=5,
    summary="one of a hundred requests to {what} takes more than {threshold} ms, the most that a pattern allows",
)  # fmt: skip

_WORDS = {Select: "SELECT", Insert: "INSERT", Update: "UPDATE", Increment: "UPDATE", Delete: "DELETE"}
"""What Keyspaces calls the operation of a call."""


def watch(
    keyspaces: Mapping[str, KeyspaceTarget], environment: CassandraEnvironment, planned: Sequence[Any]
) -> Watch | None:
    """See `Engine.watch`: nothing of Keyspaces, whose alarms are CloudWatch's, nor of Scylla, which has other names."""
    if environment.flavour != "cassandra" or not keyspaces:
        return None
    names = tuple(sorted(one.name for one in keyspaces.values()))
    found = [*raised(OF_NODES, environment.alerts)]
    found += (
        Raised(alert=one.alert, threshold=one.threshold, only={"keyspace": names})
        for one in raised(OF_TABLES, environment.alerts)
    )
    if environment.alerts.latency:
        limits: dict[str, float] = {}
        for _, word, milliseconds in _asked(planned):
            if milliseconds:
                limits[_side(word)] = max(limits.get(_side(word), 0), milliseconds)
        found += raised((slow(operation, limits[operation]) for operation in sorted(limits)), environment.alerts)
    return Watch(exporter=EXPORTER, source=SOURCE, alerts=tuple(found))


def alarms(
    keyspaces: Mapping[str, KeyspaceTarget], environment: CassandraEnvironment, planned: Sequence[Any]
) -> Iterator[Resource]:
    """See `Engine.alarms`: of the operations on tables in Keyspaces that patterns carry out."""
    if environment.flavour != "keyspaces":
        return
    known = {(keyspace.name, table.name) for keyspace in keyspaces.values() for table in keyspace.tables}
    limits: dict[tuple[tuple[str, str], str], float] = {}
    for table, word, milliseconds in _asked(planned):
        if table in known:
            limits[table, word] = max(limits.get((table, word), 0), milliseconds or 0)
    for ((keyspace, name), word), milliseconds in sorted(limits.items()):
        path, dimensions = f"{keyspace}.{name}", {"Keyspace": keyspace, "TableName": name, "Operation": word}
        throttled = OF_KEYSPACES[0 if _side(word) == "read" else 1]
        for alarm in (throttled, SYSTEM_ERRORS, SLOW):
            threshold = _slow(milliseconds, environment) if alarm is SLOW else of_setting(alarm, environment.alerts)
            if threshold is not None:
                yield resource(
                    alarm, threshold, "AWS/Cassandra", dimensions, what=f'{word} on table "{path}"',
                    called=f"{path}/{word.lower()}", name=f"{path}/{word.lower()}", tags=environment.tags,
                )  # fmt: skip


def _slow(milliseconds: float, environment: CassandraEnvironment) -> float | None:
    return milliseconds if milliseconds and environment.alerts.latency else None


def _side(word: str) -> str:
    return "read" if word == "SELECT" else "write"


def _asked(planned: Sequence[Any]) -> Iterator[tuple[tuple[str, str], str, float | None]]:
    """((keyspace, table), operation, ms that 99 of 100 calls may take) of each call that a pattern makes."""
    for one in planned:
        for part in one.parts or (one,):
            call = part.path.call
            table = call.relation if isinstance(call, Select) else call.table
            yield (call.keyspace, table), _WORDS[type(call)], one.pattern.load.p99_ms
