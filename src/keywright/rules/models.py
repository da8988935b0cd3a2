"""Every rule of models: the catalogue on one screen."""

from functools import partial
from typing import Any

from .rule import Rule


def _in(folder: str, code: str, name: str, **more: Any) -> Rule:
    return Rule(code, module=f"{folder}.{name.replace('-', '_')}", **more)


_portable = partial(_in, "keywright.rules.portable")
_mongodb = partial(_in, "keywright.engines.mongodb.rules")
_dynamodb = partial(_in, "keywright.engines.dynamodb.rules")
_cassandra = partial(_in, "keywright.engines.cassandra.rules")
_redis = partial(_in, "keywright.engines.redis.rules")

PORTABLE = (
    _portable("GEN001", "entity-without-pattern", in_dev="warning"),
    _portable(
        "GEN002",
        "pattern-without-rate-or-target",
        severity="warning",
        in_dev="info",
        strict={"required": ("rate", "p99_ms")},
    ),
    _portable("GEN003", "hot-pattern-off-primary-key", severity="warning", confidence="estimated"),
    _portable("GEN004", "unserved-pattern"),
    _portable("GEN005", "join-at-read", severity="warning"),
    _portable("GEN006", "over-denormalised-field", severity="warning", confidence="estimated"),
    _portable("GEN007", "copy-without-source", in_dev="warning"),
    _portable("GEN008", "temporal-without-ttl", in_dev="warning"),
    _portable("GEN009", "stale-read-after-write", in_dev="warning"),
    _portable("GEN010", "consistency-mismatch", in_dev="warning"),
    _portable("GEN011", "size-over-limit", in_dev="warning", confidence="estimated"),
    _portable("GEN012", "engine-misfit", severity="warning", confidence="estimated"),
    _portable("GEN013", "cut-over-out-of-order", in_dev="warning"),
    _portable("GEN016", "split-atomic-change", in_dev="warning"),
    _portable("GEN017", "working-set-over-ram", severity="warning", confidence="estimated"),
    _portable("GEN018", "small-read-of-big-entity", severity="warning", in_dev="info", confidence="estimated"),
    _portable("GEN014", "alert-on-average", in_dev="warning"),
    _portable("GEN015", "alert-on-anomaly-band", severity="warning", in_dev="info"),
    _portable("GEN019", "schema-version-without-reader", in_dev="warning"),
    _portable("GEN020", "relation-shape-mismatch", severity="warning"),
    _portable("GEN021", "unbounded-list-pattern", in_dev="warning"),
    _portable("GEN105", "key-parts-missing-in-update", instead_of=("GEN004",)),
    _portable("GEN107", "money-as-float", in_dev="warning", confidence="inferred", instead_of=("DDB023",)),
)
"""Of every engine."""

MONGODB = (
    _mongodb("MDB001", "unbounded-array"),
    _mongodb("MDB002", "embedded-array-too-long", severity="warning"),
    _mongodb("MDB003", "embedded-but-independent", severity="warning"),
    _mongodb("MDB004", "ids-on-the-one-side", in_dev="warning", instead_of=("MDB001",)),
    _mongodb("MDB005", "two-way-link", severity="warning", confidence="inferred"),
    _mongodb("MDB006", "queried-array-unindexed", in_dev="warning", instead_of=("GEN004",)),
    _mongodb("MDB008", "dangling-reference", severity="warning", confidence="inferred"),
    _mongodb("MDB009", "collection-scan", in_dev="warning", confidence="estimated"),
    _mongodb("MDB010", "index-key-order", severity="warning"),
    _mongodb("MDB012", "query-misses-partial-filter", in_dev="warning", instead_of=("GEN004", "MDB006", "MDB019")),
    _mongodb("MDB015", "series-unbucketed", severity="warning"),
    _mongodb("MDB016", "overflow-unchunked", in_dev="warning"),
    _mongodb("MDB017", "count-by-query", severity="info"),
    _mongodb("MDB018", "weak-concern-for-strong", in_dev="warning"),
    _mongodb("MDB019", "match-too-late", severity="warning", instead_of=("GEN004",)),
    _mongodb("MDB020", "lookup-unindexed", in_dev="warning", instead_of=("GEN004", "GEN005")),
    _mongodb("MDB106", "redundant-prefix-index", severity="warning", instead_of=("GEN001",)),
    _mongodb("MDB110", "json-schema-not-lowered"),
    _mongodb("MDB112", "unique-on-optional", severity="warning"),
    _mongodb("MDB113", "too-many-collections", severity="warning"),
)
"""Of MongoDB and DocumentDB."""

DYNAMODB = (
    _dynamodb("DDB001", "item-too-large", in_dev="warning", confidence="estimated", instead_of=("GEN011",)),
    _dynamodb("DDB002", "scan-pattern", instead_of=("GEN004",)),
    _dynamodb("DDB003", "partial-key-query", instead_of=("GEN004", "DDB002")),
    _dynamodb("DDB004", "low-cardinality-partition-key", in_dev="warning", instead_of=("DDB006", "DDB007")),
    _dynamodb("DDB005", "time-as-partition-key", in_dev="warning", instead_of=("DDB006", "DDB007", "DDB010")),
    _dynamodb("DDB006", "hot-partition", in_dev="warning", confidence="estimated"),
    _dynamodb("DDB007", "unsharded-hot-write", in_dev="warning", confidence="estimated"),
    _dynamodb("DDB008", "sharded-read-without-fan-out"),
    _dynamodb("DDB009", "series-key-without-bucket", in_dev="warning", confidence="estimated"),
    _dynamodb("DDB010", "gsi-hot-key", in_dev="warning"),
    _dynamodb("DDB011", "gsi-write-amplification", in_dev="warning", confidence="estimated"),
    _dynamodb("DDB012", "projection-mismatch", in_dev="warning", confidence="estimated"),
    _dynamodb("DDB013", "gsi-unmapped", in_dev="warning"),
    _dynamodb("DDB014", "key-prefix-missing"),
    _dynamodb("DDB015", "sort-key-without-range", in_dev="warning", instead_of=("GEN004",)),
    _dynamodb("DDB016", "missing-entity-type", severity="warning"),
    _dynamodb("DDB017", "strong-read-on-gsi", instead_of=("GEN004",)),
    _dynamodb("DDB018", "single-table-unstable", severity="info", confidence="inferred"),
    _dynamodb("DDB019", "config-singleton-uncached", severity="warning", instead_of=("DDB020",)),
    _dynamodb("DDB020", "hot-read-item", in_dev="warning", confidence="estimated"),
    _dynamodb("DDB021", "transaction-too-large", instead_of=("GEN004",)),
    _dynamodb("DDB022", "mutable-key-attribute", in_dev="warning", instead_of=("GEN004",)),
    _dynamodb("DDB023", "number-as-string-or-float", in_dev="warning", confidence="inferred"),
    _dynamodb("DDB024", "ttl-attribute-invalid", in_dev="warning"),
    _dynamodb("DDB025", "fragile-stream-consumer", in_dev="warning"),
    _dynamodb("DDB026", "capacity-cannot-follow", in_dev="warning"),
    _dynamodb("DDB027", "many-to-many-one-way", severity="warning", instead_of=("GEN004",)),
    _dynamodb("DDB028", "unbounded-collection-with-lsi", in_dev="warning", confidence="estimated"),
    _dynamodb("DDB102", "key-too-long"),
    _dynamodb("DDB103", "empty-key-value"),
    _dynamodb("DDB106", "multi-attribute-gap", instead_of=("GEN004",), is_suppressible=False),
    _dynamodb("DDB107", "include-repeats-key", severity="warning"),
    _dynamodb("DDB108", "overloaded-index-not-sparse", severity="warning"),
    _dynamodb("DDB109", "volatile-gsi-key", severity="warning", confidence="estimated"),
    _dynamodb("DDB110", "gsi-capacity-below-table", in_dev="warning"),
    _dynamodb("DDB111", "expression-limits"),
    _dynamodb("DDB112", "ttl-too-old", severity="warning", confidence="inferred"),
)
"""Of DynamoDB."""

CASSANDRA = (
    _cassandra("CAS001", "partition-key-unrestricted", instead_of=("GEN004",)),
    _cassandra("CAS002", "wide-partition", in_dev="warning", confidence="estimated"),
    _cassandra("CAS003", "series-without-bucket", in_dev="warning", confidence="inferred"),
    _cassandra("CAS004", "range-over-many-buckets", severity="warning"),
    _cassandra("CAS005", "delete-as-expiry", in_dev="warning"),
    _cassandra("CAS006", "twcs-ttl-mismatch", in_dev="warning"),
    _cassandra("CAS008", "compaction-misfit", severity="warning", in_dev="info", confidence="estimated"),
    _cassandra("CAS009", "too-many-windows", severity="warning"),
    _cassandra("CAS010", "tombstone-scan", in_dev="warning", confidence="estimated"),
    _cassandra("CAS011", "gc-grace-below-repair", in_dev="warning"),
    _cassandra("CAS012", "queue-in-partition", in_dev="warning", confidence="estimated"),
    _cassandra("CAS013", "clustering-order-mismatch", severity="warning"),
    _cassandra("CAS014", "too-many-secondary-indexes", severity="warning"),
    _cassandra("CAS015", "replication-not-production", in_dev="warning"),
    _cassandra("CAS016", "quorum-overlap-missing", in_dev="warning"),
    _cassandra("CAS017", "quorum-survives-nothing", in_dev="warning"),
    _cassandra("CAS018", "no-repair-schedule", in_dev="warning"),
    _cassandra("CAS108", "partial-compaction-map"),
    _cassandra("CAS114", "oversized-batch", severity="warning", confidence="estimated"),
    _cassandra("CAS115", "unsafe-twcs-expiry", in_dev="warning"),
)
"""Of Cassandra, Scylla and Keyspaces."""

REDIS = (
    _redis("RED001", "maxmemory-unset", in_dev="warning"),
    _redis("RED002", "eviction-misfit", in_dev="warning"),
    _redis("RED003", "data-over-maxmemory", in_dev="warning", confidence="estimated"),
    _redis("RED004", "key-without-ttl", in_dev="warning", instead_of=("GEN008",)),
    _redis("RED005", "undurable-primary", in_dev="warning"),
    _redis("RED006", "persistence-misfit", in_dev="warning"),
    _redis("RED007", "volatile-without-ttl", in_dev="warning"),
    _redis("RED008", "json-string-partly-updated", severity="warning", instead_of=("GEN004",)),
    _redis("RED009", "structure-misfit", severity="warning", instead_of=("GEN004",)),
    _redis("RED010", "stream-untrimmed", in_dev="warning"),
    _redis("RED011", "big-key", in_dev="warning", confidence="estimated"),
    _redis("RED012", "unsound-rate-limiter", in_dev="warning"),
    _redis("RED013", "fragmentation-unwatched", severity="warning", in_dev="info"),
    _redis("RED015", "no-failover", in_dev="warning"),
    _redis("RED102", "set-clears-ttl", in_dev="warning"),
    _redis("RED103", "cross-slot-keys", instead_of=("GEN004",)),
    _redis("RED106", "database-not-zero", severity="warning"),
    _redis("RED107", "encoding-cliff", severity="info", confidence="estimated"),
)
"""Of Redis and Valkey."""

MONITORING = (
    _dynamodb("MON001", "dynamodb-alarms-missing", in_dev="warning"),
    _cassandra("MON002", "cassandra-alerts-missing", in_dev="warning"),
    _mongodb("MON003", "mongodb-alerts-missing", in_dev="warning"),
    _redis("MON004", "redis-alerts-missing", in_dev="warning"),
    _portable("MON005", "health-commands-missing", severity="info"),
)
"""Of who is told when something is wrong."""

MODELS = (*PORTABLE, *MONGODB, *DYNAMODB, *CASSANDRA, *REDIS, *MONITORING)
"""What compiles, and hurts in production."""
