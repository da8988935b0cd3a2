"""Every rule for Redis and Valkey: the catalogue on one screen."""

from keywright.engines.findings.catalogue import RuleCatalogue, rules_in

_rule = rules_in(f"{__package__}.rules", "redis")
_resource = rules_in(f"{__package__}.infra")

RULES = (
    _rule("RED001", "maxmemory-unset", in_dev="warning"),
    _rule("RED002", "eviction-misfit", in_dev="warning"),
    _rule("RED003", "data-over-maxmemory", in_dev="warning", confidence="estimated", needs=("expected",)),
    _rule("RED004", "key-without-ttl", in_dev="warning", instead_of=("GEN008",)),
    _rule("RED005", "undurable-primary", in_dev="warning", instead_of=("RED004", "RED006", "RED015", "RED065")),
    _rule("RED006", "persistence-misfit", in_dev="warning"),
    _rule("RED007", "volatile-without-ttl", in_dev="warning", instead_of=("RED002",)),
    _rule("RED008", "json-string-partly-updated", severity="warning", instead_of=("GEN004",)),
    _rule("RED009", "structure-misfit", severity="warning", instead_of=("GEN004",)),
    _rule("RED010", "stream-untrimmed", in_dev="warning", instead_of=("GEN008",)),
    _rule("RED011", "big-key", in_dev="warning", confidence="estimated", instead_of=("RED004", "RED005", "RED033")),
    _rule("RED012", "unsound-rate-limiter", in_dev="warning"),
    _rule("RED013", "fragmentation-unwatched", severity="warning", in_dev="info"),
    _rule("RED015", "no-failover", in_dev="warning"),
    _rule("RED016", "dead-letters-waiting", severity="warning"),
    _rule("RED017", "unknown-keys", severity="info"),
    _rule("RED018", "maxmemory-near-ram", in_dev="warning"),
    _rule("RED019", "version-past-end-of-life", severity="warning", in_dev="warning"),
    _rule("RED020", "durability-setting-off", in_dev="warning"),
    _rule("RED021", "short-replication-backlog", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("RED022", "unlimited-replica-buffer", in_dev="warning"),
    _rule("RED023", "writes-without-replica", severity="warning"),
    _rule("RED024", "slow-log-off", severity="warning", in_dev="info"),
    _rule("RED025", "all-keyspace-events", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("RED026", "large-compact-encoding", in_dev="warning"),
    _rule("RED027", "cache-beside-records", severity="warning"),
    _rule("RED028", "too-many-io-threads", severity="warning"),
    _rule("RED029", "log-forced-on-every-write", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("RED030", "server-too-large", severity="warning", confidence="estimated"),
    _rule("RED061", "consumer-group-misfit", in_dev="warning"),
    _rule("RED062", "stream-trimmed-early", in_dev="warning", confidence="estimated", needs=("rate",)),
    _rule("RED063", "queue-without-acknowledgement", in_dev="warning"),
    _rule("RED064", "momentary-cache", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("RED065", "money-on-volatile-server", in_dev="warning"),
    _rule("RED066", "billing-by-estimate", in_dev="warning", instead_of=("RED065",)),
    _rule("RED067", "fixed-window-for-strict-limit", severity="warning"),
    _rule("RED068", "items-missing-from-index", in_dev="warning"),
    _rule("RED031", "hot-key", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("RED032", "one-hash-tag", in_dev="warning"),
    _rule("RED033", "untrimmed-collection", in_dev="warning", instead_of=("RED004", "RED005", "GEN008")),
    _rule("RED034", "sparse-bitmap", in_dev="warning", confidence="estimated"),
    _rule(
        "RED035",
        "shared-key-renewed",
        severity="warning",
        confidence="estimated",
        needs=("rate", "expected"),
        instead_of=("RED011",),
    ),
    _rule("RED036", "window-of-many-calls", severity="warning"),
    _rule("RED037", "long-key", severity="warning", confidence="estimated"),
    _rule("RED038", "record-as-many-keys", severity="warning", confidence="inferred"),
    _rule("RED039", "cache-seldom-hit", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("RED040", "large-page", severity="warning"),
    _rule("RED041", "whole-hash-read", severity="warning", confidence="estimated", needs=("rate",)),
    _rule("RED042", "exact-distinct-count", severity="warning", instead_of=("RED011",)),
    _rule("RED043", "lock-without-expiry", in_dev="warning", confidence="inferred", instead_of=("RED004", "GEN008")),
    _rule("RED044", "lock-on-evicting-server", in_dev="warning", confidence="inferred", instead_of=("RED005",)),
    _rule("RED102", "set-clears-ttl", in_dev="warning"),
    _rule("RED103", "cross-slot-keys", instead_of=("GEN004",)),
    _rule("RED106", "database-not-zero", severity="warning"),
    _rule("RED107", "encoding-cliff", severity="info", confidence="estimated"),
    _rule("MON004", "redis-alerts-missing", severity="info"),
)
"""Rules for models, live stores and targets."""

RESOURCES = (
    _resource("INF203", "elasticache-no-auth", in_dev="warning"),
    _resource("INF208", "elasticache-old-engine", severity="warning", in_dev="info"),
    _resource("INF210", "redis-port-open"),
    _resource("INF211", "elasticache-user-open", in_dev="warning"),
    _resource("INF213", "elasticache-single-node", severity="warning", in_dev="info"),
    _resource("INF217", "elasticache-previous-generation", severity="info"),
)
"""Rules for Pulumi resources."""

CATALOGUE = RuleCatalogue(
    prefix="RED",
    title="Redis",
    rules=RULES,
    resources=RESOURCES,
    hardening=f"{__package__}.infra.hardening",
    lifecycles=f"{__package__}.infra.lifecycles",
    with_data=(
        "aws:elasticache/replicationGroup:ReplicationGroup",
        "aws:elasticache/serverlessCache:ServerlessCache",
        "aws:memorydb/cluster:Cluster",
    ),
    replicas=("aws:elasticache/cluster:Cluster",),
    passwords={
        "aws:elasticache/replicationGroup:ReplicationGroup": ("authToken", "auth_token_wo= with auth_token_wo_version"),
        "aws:elasticache/user:User": (
            "passwords",
            "passwords_wo= with passwords_wo_version, or authentication_mode of IAM",
        ),
    },
    nested_passwords={
        "aws:elasticache/user:User": ("authenticationMode.passwords", 'authentication_mode={"type": "iam"}'),
        "aws:memorydb/user:User": ("authenticationMode.passwords", 'authentication_mode={"type": "iam"}'),
    },
    schemes=("redis", "rediss", "valkey", "valkeys"),
    namespaces=("AWS/ElastiCache", "AWS/MemoryDB"),
    ports={26379: "Sentinel", 16379: "the cluster bus"},
    ports_of_rules=(6379,),
    iam={"elasticache": "ElastiCache", "memorydb": "MemoryDB"},
    full_access={"AmazonElastiCacheFullAccess": "ElastiCache", "AmazonMemoryDBFullAccess": "MemoryDB"},
)
"""The rules, and facts for rules for every engine."""
