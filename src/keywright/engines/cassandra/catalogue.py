"""Every rule for Cassandra, Scylla and Keyspaces: the catalogue on one screen."""

from keywright.engines.findings.catalogue import RuleCatalogue, rules_in

_rule = rules_in(f"{__package__}.rules", "cassandra")
_resource = rules_in(f"{__package__}.infra")

RULES = (
    _rule("CAS001", "partition-key-unrestricted", instead_of=("GEN003", "GEN004")),
    _rule(
        "CAS002",
        "wide-partition",
        in_dev="warning",
        confidence="estimated",
        needs=("rate",),
        instead_of=("CAS003",),
    ),
    _rule("CAS003", "series-without-bucket", in_dev="warning", confidence="inferred"),
    _rule("CAS004", "range-over-many-buckets", severity="warning"),
    _rule("CAS005", "delete-as-expiry", in_dev="warning"),
    _rule("CAS006", "twcs-ttl-mismatch", in_dev="warning", instead_of=("GEN008",)),
    _rule(
        "CAS008",
        "compaction-misfit",
        severity="warning",
        in_dev="info",
        confidence="estimated",
        needs=("rate",),
        instead_of=("CAS006",),
    ),
    _rule("CAS009", "too-many-windows", severity="warning"),
    _rule("CAS010", "tombstone-scan", in_dev="warning", confidence="estimated", needs=("rate",)),
    _rule("CAS011", "gc-grace-below-repair", in_dev="warning"),
    _rule(
        "CAS012",
        "queue-in-partition",
        in_dev="warning",
        confidence="estimated",
        needs=("rate",),
        instead_of=("CAS029",),
    ),
    _rule("CAS013", "clustering-order-mismatch", severity="warning"),
    _rule("CAS014", "too-many-secondary-indexes", severity="warning"),
    _rule("CAS015", "replication-not-production", in_dev="warning"),
    _rule("CAS016", "quorum-overlap-missing", in_dev="warning"),
    _rule("CAS017", "quorum-survives-nothing", in_dev="warning"),
    _rule("CAS018", "no-repair-schedule", in_dev="warning"),
    _rule("CAS019", "durable-writes-off", in_dev="warning"),
    _rule("CAS020", "keyspace-in-one-data-centre", severity="warning"),
    _rule("CAS021", "alert-threshold-too-high", severity="warning"),
    _rule("CAS022", "read-repair-off", in_dev="warning"),
    _rule("CAS023", "checksums-not-checked", in_dev="warning"),
    _rule("CAS024", "bloom-filter-too-coarse", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("CAS025", "row-cache-misfit", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("CAS026", "text-not-compressed", severity="warning", confidence="estimated"),
    _rule("CAS027", "speculative-retry-off", severity="warning"),
    _rule("CAS028", "time-windows-misfit", severity="warning"),
    _rule(
        "CAS029",
        "too-few-partitions",
        in_dev="warning",
        confidence="estimated",
        needs=("rate",),
        instead_of=("CAS002", "CAS003"),
    ),
    _rule("CAS030", "key-without-id", in_dev="warning", confidence="estimated"),
    _rule(
        "CAS031",
        "changing-clustering-column",
        in_dev="warning",
        confidence="estimated",
        needs=("rate",),
        instead_of=("CAS012",),
    ),
    _rule("CAS032", "static-column-rewritten", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("CAS033", "large-collection", in_dev="warning"),
    _rule("CAS034", "large-value", in_dev="warning", confidence="estimated"),
    _rule("CAS035", "unsuitable-index", severity="warning", confidence="estimated"),
    _rule("CAS036", "too-many-indexed-conditions", severity="warning"),
    _rule("CAS037", "materialized-view", in_dev="warning"),
    _rule("CAS038", "count-of-many-rows", severity="warning", confidence="estimated", needs=("expected",)),
    _rule("CAS039", "conditional-write-load", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("CAS040", "stale-read-before-condition", severity="warning", instead_of=("GEN010",)),
    _rule("CAS041", "put-replaces-row", severity="warning", confidence="inferred"),
    _rule("CAS061", "list-appended", in_dev="warning", instead_of=("CAS033",)),
    _rule("CAS062", "change-log-unread", severity="warning"),
    _rule("CAS063", "money-in-counter", in_dev="warning"),
    _rule("CAS064", "counter-reused", in_dev="warning"),
    _rule("CAS065", "update-outlives-row", in_dev="warning"),
    _rule("CAS042", "endless-growth", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("CAS108", "partial-compaction-map"),
    _rule("CAS114", "oversized-batch", severity="warning", confidence="estimated"),
    _rule("CAS115", "unsafe-twcs-expiry", in_dev="warning"),
    _rule("MON002", "cassandra-alerts-missing", severity="info"),
)
"""Rules for models, live stores and targets."""

RESOURCES = (
    _resource("INF403", "keyspaces-timestamps-off"),
    _resource("INF404", "keyspaces-capacity-fixed", severity="warning", in_dev="info"),
)
"""Rules for Pulumi resources."""

CATALOGUE = RuleCatalogue(
    prefix="CAS",
    title="Cassandra",
    rules=RULES,
    resources=RESOURCES,
    hardening=f"{__package__}.infra.hardening",
    with_data=(
        "aws:keyspaces/keyspace:Keyspace",
        "aws:keyspaces/table:Table",
        "keywright:cassandra:Keyspace",
        "keywright:cassandra:Table",
    ),
    schemes=("cassandra",),
    namespaces=("AWS/Cassandra",),
    ports={9042: "CQL", 9142: "CQL with TLS", 7000: "messages between nodes"},
    iam={"cassandra": "Keyspaces"},
    full_access={"AmazonKeyspacesFullAccess": "Keyspaces"},
)
"""The rules, and facts for rules for every engine."""
