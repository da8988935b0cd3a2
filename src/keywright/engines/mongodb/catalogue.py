"""Every rule for MongoDB and DocumentDB: the catalogue on one screen."""

from keywright.engines.findings.catalogue import RuleCatalogue, rules_in

_rule = rules_in(f"{__package__}.rules", "mongodb")
_resource = rules_in(f"{__package__}.infra")

RULES = (
    _rule("MDB001", "unbounded-array", instead_of=("GEN011", "MDB016")),
    _rule("MDB002", "embedded-array-too-long", severity="warning", instead_of=("GEN011",)),
    _rule("MDB003", "embedded-but-independent", severity="warning"),
    _rule("MDB004", "ids-on-the-one-side", in_dev="warning", instead_of=("GEN011", "MDB001", "MDB008")),
    _rule("MDB005", "two-way-link", severity="warning", confidence="inferred"),
    _rule("MDB006", "queried-array-unindexed", in_dev="warning", instead_of=("GEN004",)),
    _rule("MDB008", "dangling-reference", severity="warning", confidence="inferred"),
    _rule("MDB009", "collection-scan", in_dev="warning", confidence="estimated", needs=("rate", "expected")),
    _rule("MDB010", "index-key-order", severity="warning"),
    _rule("MDB012", "query-misses-partial-filter", in_dev="warning", instead_of=("GEN004", "MDB006", "MDB019")),
    _rule("MDB015", "series-unbucketed", severity="warning"),
    _rule("MDB016", "overflow-unchunked", in_dev="warning"),
    _rule("MDB017", "count-by-query", severity="info", needs=("rate",)),
    _rule("MDB018", "weak-concern-for-strong", in_dev="warning", instead_of=("GEN010", "MDB025")),
    _rule("MDB019", "match-too-late", severity="warning", instead_of=("GEN004",)),
    _rule("MDB020", "lookup-unindexed", in_dev="warning", instead_of=("GEN004", "GEN005")),
    _rule("MDB021", "large-transaction", in_dev="warning"),
    _rule("MDB022", "index-of-few-values", severity="warning", confidence="estimated", needs=("expected",)),
    _rule("MDB023", "huge-collection-unsharded", in_dev="warning", confidence="estimated", needs=("expected",)),
    _rule("MDB024", "validation-off", severity="warning", in_dev="info"),
    _rule("MDB025", "weak-write-of-record", in_dev="warning"),
    _rule("MDB026", "partly-unique", severity="warning", confidence="inferred"),
    _rule("MDB027", "whole-documents-read", severity="warning", confidence="estimated", needs=("rate",)),
    _rule(
        "MDB028",
        "temporary-documents-kept",
        severity="warning",
        confidence="inferred",
        needs=("rate",),
        instead_of=("GEN008",),
    ),
    _rule("MDB029", "series-meta-too-fine", severity="warning", confidence="estimated", needs=("expected",)),
    _rule("MDB030", "shard-key-of-few-values", in_dev="warning"),
    _rule("MDB031", "rising-shard-key", in_dev="warning"),
    _rule("MDB032", "dominant-shard-key-value", in_dev="warning", needs=("expected",)),
    _rule("MDB033", "scattered-read", severity="warning", needs=("rate",)),
    _rule("MDB034", "index-over-long-array", severity="warning"),
    _rule("MDB035", "uniqueness-not-enforced", severity="warning"),
    _rule("MDB036", "series-not-by-meta", severity="warning", needs=("rate",), instead_of=("GEN004",)),
    _rule("MDB037", "series-granularity-mismatch", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("MDB038", "series-written-singly", severity="warning", needs=("rate",)),
    _rule("MDB039", "series-without-expiry", in_dev="warning"),
    _rule(
        "MDB040",
        "count-of-many",
        severity="warning",
        confidence="estimated",
        needs=("rate", "expected"),
        instead_of=("MDB017",),
    ),
    _rule("MDB041", "transaction-on-hot-document", in_dev="warning", needs=("rate",)),
    _rule("MDB061", "images-of-busy-collection", severity="warning", confidence="estimated", needs=("rate",)),
    _rule(
        "MDB062", "change-event-too-large", in_dev="warning", confidence="estimated", instead_of=("GEN011", "MDB049")
    ),
    _rule("MDB063", "many-change-streams", severity="warning"),
    _rule("MDB042", "release-past-support", severity="warning"),
    _rule("MDB043", "alert-threshold-too-lax", severity="warning", in_dev="info"),
    _rule("MDB044", "wildcard-for-known-fields", severity="warning"),
    _rule("MDB045", "text-index-of-long-texts", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("MDB046", "many-indexes-for-writes", severity="warning", needs=("rate",)),
    _rule("MDB047", "same-documents-apart", severity="warning"),
    _rule("MDB048", "related-writes-apart", severity="warning", confidence="inferred", needs=("rate",)),
    _rule("MDB049", "file-in-document", severity="warning", instead_of=("GEN011",)),
    _rule(
        "MDB050",
        "negation-as-filter",
        severity="warning",
        confidence="estimated",
        needs=("rate", "expected"),
        instead_of=("GEN022",),
    ),
    _rule("MDB106", "redundant-prefix-index", severity="warning", instead_of=("GEN001",)),
    _rule("MDB110", "json-schema-not-lowered"),
    _rule("MDB112", "unique-on-optional", severity="warning"),
    _rule("MDB113", "too-many-collections", severity="warning"),
    _rule("MON003", "mongodb-alerts-missing", severity="info"),
)
"""Rules for models, live stores and targets."""

RESOURCES = (
    _resource("INF306", "docdb-single-az", severity="warning", in_dev="info"),
    _resource("INF308", "docdb-no-tls", severity="warning", in_dev="info"),
    _resource("INF309", "docdb-parameters", severity="warning", in_dev="info"),
    _resource("INF310", "docdb-global-unhardened", in_dev="warning"),
    _resource("INF511", "atlas-user-admin", severity="warning", in_dev="info"),
    _resource("INF512", "atlas-no-alerts", severity="info"),
    _resource("INF513", "atlas-network-overlap"),
    _resource("INF514", "atlas-backup-short", severity="warning", in_dev="info"),
    _resource("INF613", "docdb-no-final-snapshot", in_dev="info"),
    _resource("INF616", "atlas-legacy-resource", severity="warning"),
)
"""Rules for Pulumi resources."""

CATALOGUE = RuleCatalogue(
    prefix="MDB",
    title="MongoDB",
    rules=RULES,
    resources=RESOURCES,
    hardening=f"{__package__}.infra.hardening",
    lifecycles=f"{__package__}.infra.lifecycles",
    with_data=(
        "aws:docdb/cluster:Cluster",
        "aws:docdb/elasticCluster:ElasticCluster",
        "mongodbatlas:index/advancedCluster:AdvancedCluster",
        "mongodbatlas:index/cluster:Cluster",
        "keywright:mongodb:Collection",
    ),
    passwords={
        "aws:docdb/cluster:Cluster": ("masterPassword", "manage_master_user_password=True"),
        "mongodbatlas:index/databaseUser:DatabaseUser": ("password", 'aws_iam_type="ROLE", which needs none'),
    },
    schemes=("mongodb", "mongodb+srv"),
    namespaces=("AWS/DocDB",),
    ports={27017: "MongoDB"},
    iam={"docdb-elastic": "DocumentDB elastic clusters"},
    full_access=dict.fromkeys(
        ("AmazonDocDBFullAccess", "AmazonDocDBConsoleFullAccess", "AmazonDocDB-ElasticFullAccess"), "DocumentDB"
    ),
)
"""The rules, and facts for rules for every engine."""
