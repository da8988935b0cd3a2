"""Every rule for DynamoDB: the catalogue on one screen."""

from keywright.engines.findings.catalogue import RuleCatalogue, rules_in

_rule = rules_in(f"{__package__}.rules", "dynamodb")
_resource = rules_in(f"{__package__}.infra")

RULES = (
    _rule("DDB001", "item-too-large", in_dev="warning", confidence="estimated", instead_of=("GEN011",)),
    _rule("DDB002", "scan-pattern", instead_of=("GEN004",)),
    _rule("DDB003", "partial-key-query", instead_of=("GEN004", "DDB002")),
    _rule("DDB004", "low-cardinality-partition-key", in_dev="warning", instead_of=("DDB006", "DDB007")),
    _rule("DDB005", "time-as-partition-key", in_dev="warning", instead_of=("DDB006", "DDB007", "DDB010")),
    _rule("DDB006", "hot-partition", in_dev="warning", confidence="estimated", needs=("rate",)),
    _rule("DDB007", "unsharded-hot-write", in_dev="warning", confidence="estimated", needs=("rate",)),
    _rule("DDB008", "sharded-read-without-fan-out"),
    _rule("DDB009", "series-key-without-bucket", in_dev="warning", confidence="estimated"),
    _rule("DDB010", "gsi-hot-key", in_dev="warning"),
    _rule("DDB011", "gsi-write-amplification", in_dev="warning", confidence="estimated"),
    _rule("DDB012", "projection-mismatch", in_dev="warning", confidence="estimated"),
    _rule("DDB013", "gsi-unmapped", in_dev="warning"),
    _rule("DDB014", "key-prefix-missing"),
    _rule("DDB015", "sort-key-without-range", in_dev="warning", instead_of=("GEN004",)),
    _rule("DDB016", "missing-entity-type", severity="warning"),
    _rule("DDB017", "strong-read-on-gsi", instead_of=("GEN004",)),
    _rule("DDB018", "single-table-unstable", severity="info", confidence="inferred"),
    _rule("DDB019", "config-singleton-uncached", severity="warning", needs=("rate",), instead_of=("DDB020",)),
    _rule("DDB020", "hot-read-item", in_dev="warning", confidence="estimated", needs=("rate",)),
    _rule("DDB021", "transaction-too-large", instead_of=("GEN004", "DDB063")),
    _rule("DDB022", "mutable-key-attribute", in_dev="warning", instead_of=("GEN004",)),
    _rule(
        "DDB023",
        "number-as-string-or-float",
        in_dev="warning",
        confidence="inferred",
        instead_of=("GEN033",),
    ),
    _rule("DDB024", "ttl-attribute-invalid", in_dev="warning"),
    _rule("DDB025", "fragile-stream-consumer", in_dev="warning", instead_of=("GEN026",)),
    _rule("DDB026", "capacity-cannot-follow", in_dev="warning"),
    _rule("DDB027", "many-to-many-one-way", severity="warning", instead_of=("GEN004",)),
    _rule("DDB028", "unbounded-collection-with-lsi", in_dev="warning", confidence="estimated", needs=("expected",)),
    _rule("DDB029", "point-in-time-recovery-off"),
    _rule("DDB030", "deletion-protection-off"),
    _rule("DDB031", "sensitive-under-aws-owned-key"),
    _rule("DDB061", "stream-readers-throttled", in_dev="warning"),
    _rule("DDB032", "multi-region-write-conflict", severity="warning"),
    _rule("DDB033", "table-class-mismatch", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("DDB034", "throughput-limit-below-peak", confidence="estimated", needs=("rate",)),
    _rule("DDB035", "launch-without-warm-throughput", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("DDB036", "steady-load-on-demand", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("DDB037", "hot-keys-not-recorded", severity="warning", needs=("rate",)),
    _rule("DDB062", "transaction-on-hot-item", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("DDB063", "transaction-for-bulk-load", severity="warning"),
    _rule("DDB064", "stream-images-too-large", severity="warning", confidence="estimated"),
    _rule("DDB102", "key-too-long"),
    _rule("DDB103", "empty-key-value"),
    _rule("DDB106", "multi-attribute-gap", instead_of=("GEN004",), is_suppressible=False),
    _rule("DDB107", "include-repeats-key", severity="warning"),
    _rule("DDB108", "overloaded-index-not-sparse", severity="warning"),
    _rule("DDB109", "volatile-gsi-key", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("DDB110", "gsi-capacity-below-table", in_dev="warning"),
    _rule("DDB111", "expression-limits"),
    _rule("DDB112", "ttl-too-old", severity="warning", confidence="inferred"),
    _rule("MON001", "dynamodb-alarms-missing", severity="info"),
)
"""Rules for models, live stores and targets."""

RESOURCES = (
    _resource("INF104", "dynamodb-no-backup-plan", severity="warning", in_dev="info"),
    _resource("INF105", "dynamodb-cross-account", in_dev="warning"),
    _resource("INF109", "dynamodb-replica-unhardened", severity="warning", in_dev="info"),
    _resource("INF110", "global-table-legacy", severity="warning"),
    _resource("INF111", "scaling-without-policy", severity="warning", in_dev="info"),
    _resource("INF112", "dynamodb-backup-short", severity="warning", in_dev="info"),
    _resource("INF603", "autoscaled-capacity-managed", in_dev="warning"),
    _resource("INF605", "gsi-legacy-keys", severity="warning"),
    _resource("INF606", "gsi-resource-mixed"),
    _resource("INF607", "replicas-mixed"),
    _resource("INF608", "billing-mode-implicit", severity="warning"),
    _resource("INF609", "update-timeout-short", severity="warning"),
    _resource("INF610", "ttl-block-wrong"),
    _resource("INF611", "sse-flag-misread", severity="warning", in_dev="info"),
)
"""Rules for Pulumi resources."""

CATALOGUE = RuleCatalogue(
    prefix="DDB",
    title="DynamoDB",
    rules=RULES,
    resources=RESOURCES,
    hardening=f"{__package__}.infra.hardening",
    with_data=("aws:dynamodb/table:Table", "aws:dynamodb/globalTable:GlobalTable"),
    replicas=("aws:dynamodb/tableReplica:TableReplica",),
    namespaces=("AWS/DynamoDB", "AWS/DAX"),
    ports={8000: "DynamoDB Local", 8111: "DAX", 9111: "DAX with TLS"},
    iam={"dynamodb": "DynamoDB", "dax": "DAX"},
    resource_policies=("aws:dynamodb/resourcePolicy:ResourcePolicy",),
    full_access=dict.fromkeys(
        ("AmazonDynamoDBFullAccess", "AmazonDynamoDBFullAccess_v2", "AmazonDynamoDBFullAccesswithDataPipeline"),
        "DynamoDB and DAX",
    ),
)
"""The rules, and facts for rules for every engine."""
