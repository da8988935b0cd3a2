"""Limits, options and features of Cassandra, ScyllaDB and Amazon Keyspaces, as data."""

from collections.abc import Mapping
from typing import Literal

from keywright.engines.capability import Flavour, Limit, Source, Support
from keywright.record import Record

_READ_ON = "2026-11-21"
_DDL = Source("https://cassandra.apache.org/doc/latest/cassandra/developing/cql/ddl.html", _READ_ON)
_YAML = Source(
    "https://cassandra.apache.org/doc/latest/cassandra/managing/configuration/cass_yaml_file.html", "2026-11-22"
)
_REFINING = Source(
    "https://cassandra.apache.org/doc/latest/cassandra/developing/data-modeling/data-modeling_refining.html",
    "2026-11-22",
)
_WORDS = Source(
    "https://github.com/apache/cassandra/blob/cassandra-5.0.1/src/resources/org/apache/cassandra/cql3/reserved_keywords.txt",
    _READ_ON,
)
_NEWS = Source("https://github.com/apache/cassandra/blob/cassandra-5.0.1/NEWS.txt", _READ_ON)
_KEYSPACES = Source("https://docs.aws.amazon.com/keyspaces/latest/devguide/functional-differences.html", _READ_ON)
_KEYSPACES_APIS = Source("https://docs.aws.amazon.com/keyspaces/latest/devguide/cassandra-apis.html", _READ_ON)
_SCYLLA = Source("https://docs.scylladb.com/manual/stable/cql/ddl.html", _READ_ON)
_CQL_TYPES = Source("https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html", _READ_ON)

NAME_LENGTH = Limit(48, _DDL)
"""Most characters in the name of a keyspace, table, view or index."""

NAME_PATTERN = r"[a-zA-Z0-9_]+"
"""Pattern of such names. Source: as NAME_LENGTH."""

TTL_SECONDS = Limit(630_720_000, _DDL)
"""Longest time to live of a row in seconds: twenty years of 365 days."""

GRACE_SECONDS = Limit(2**31 - 1, _CQL_TYPES)
"""Longest gc_grace of a table in seconds: the largest value of the type int."""

_UNSIGNED_SHORT = (
    "https://github.com/apache/cassandra/blob/cassandra-4.1/src/java/org/apache/cassandra/utils/FBUtilities.java"
)

KEY_BYTES = Limit(65_535, Source(_UNSIGNED_SHORT, "2026-11-22"))
"""Most bytes of a partition key, all its parts together, and of a clustering column."""

PARTITION_CELLS = Limit(2_000_000_000, _REFINING)
"""Most cells in a partition."""

PARTITION_BYTES = Limit(100 * 2**20, _YAML)
"""Bytes above which a partition is logged as large: `partition_size_warn_threshold`, once named after compaction."""

TOMBSTONES_WARNED = Limit(1_000, _YAML)
"""Tombstones above which a node logs a query: `tombstone_warn_threshold`."""

TOMBSTONES_REFUSED = Limit(100_000, _YAML)
"""Tombstones above which a node aborts a query: `tombstone_failure_threshold`."""

HINT_SECONDS = Limit(10_800, _YAML)
"""Seconds for which nodes keep writes for a node that is down: `max_hint_window`."""

BATCH_BYTES_WARNED = Limit(5 * 2**10, _YAML)
"""Bytes above which a node logs a batch: `batch_size_warn_threshold`."""

BATCH_BYTES_REFUSED = Limit(50 * 2**10, _YAML)
"""Bytes above which a node rejects a batch: `batch_size_fail_threshold`."""

MUTATION_BYTES = Limit(
    16 * 2**20, Source("https://cassandra.apache.org/doc/5.0/cassandra/overview/faq/index.html", "2026-11-23")
)
"""Bytes from which a node rejects a write: `max_mutation_size`."""

INTERSECTED_INDEXES = Limit(
    2, Source("https://cassandra.apache.org/doc/5.0/cassandra/developing/cql/indexing/sai/sai-faq.html", "2026-11-23")
)
"""Storage-attached indexes that a node combines for one query."""

BATCH_PARTITIONS_WARNED = Limit(10, _YAML)
"""Partitions above which a node logs an unlogged batch: `unlogged_batch_across_partitions_warn_threshold`."""

LOGGED_BATCH = Limit(100, Source("https://docs.aws.amazon.com/keyspaces/latest/devguide/quotas.html", "2026-11-22"))
"""Most writes in a logged batch of Amazon Keyspaces."""

TTL_WINDOWS = 30
"""Windows into which a time to live is divided if the model declares no strategy.
Source: https://cassandra.apache.org/doc/latest/cassandra/managing/operating/compaction/twcs.html, 2026-11-21."""

_RESERVED = (
    "ADD ALLOW ALTER AND APPLY ASC AUTHORIZE BATCH BEGIN BY COLUMNFAMILY CREATE DELETE DESC DESCRIBE DROP ENTRIES "
    "EXECUTE FROM FULL GRANT IF IN INDEX INFINITY INSERT INTO IS KEYSPACE LIMIT MATERIALIZED MODIFY NAN NORECURSIVE "
    "NOT NULL OF ON OR ORDER PRIMARY RENAME REVOKE SCHEMA SELECT SET TABLE TO TOKEN TRUNCATE UNLOGGED UPDATE USE "
    "USING VIEW WHERE WITH"
)
RESERVED_WORDS = frozenset(_RESERVED.split())
"""Words that need quotes as names; the same in 4.1 and 5.0. Source: _WORDS."""

_TYPES = (
    "ascii bigint blob boolean counter date decimal double duration empty float frozen inet int list map set smallint "
    "text time timestamp timeuuid tinyint tuple uuid varchar varint vector"
)
TYPE_WORDS = frozenset(_TYPES.split())
"""Names of native types. The server reports a user-defined type of the same name in the same way.
Source: _CQL_TYPES."""


class TableOption(Record):
    """An option of CREATE TABLE."""

    kind: Literal["int", "float", "bool", "text", "map", "seconds"]
    """Kind of the value; `seconds` is a whole number in CQL and a `timedelta` as an argument of `CqlTable`."""
    default: str | int | float | bool | None
    """The server's default; None if another constant contains it, and the option is always written."""
    word: str = ""
    """The argument of `CqlTable` that sets it; empty if `settings=` may set it, as it may set maps."""
    least: float | None = None
    """The smallest value."""
    most: float | None = None
    """The largest value."""
    advice: str = "choose a value in this range"
    """Help line for an argument outside the range."""
    pattern: str = ""
    """Regular expression of a text, in any case."""
    since: str = ""
    """The first version of Cassandra that has it; empty for all known versions."""
    is_in_scylla: bool = True
    """Whether ScyllaDB has it."""
    is_in_views: bool = True
    """Whether the views of a table have it too."""


_FIXED, _SHARE = r"\d+(\.\d+)?ms", r"\d+(\.\d+)?(p|percentile)"
_RETRY = f"NEVER|NONE|ALWAYS|{_FIXED}|{_SHARE}|(MIN|MAX)\\(({_FIXED},{_SHARE}|{_SHARE},{_FIXED})\\)"

CHANGE_LOG_MIB = Limit(
    4096, Source("https://cassandra.apache.org/doc/5.0/cassandra/managing/operating/cdc.html", "2026-11-23")
)
"""Default size of the log of captured changes on a node, or an eighth of the volume if that is less."""

TABLE_OPTIONS: Mapping[str, TableOption] = {
    "additional_write_policy": TableOption("text", "99p", pattern=_RETRY, is_in_scylla=False),
    "allow_auto_snapshot": TableOption("bool", True, since="5.0", is_in_scylla=False),
    "bloom_filter_fp_chance": TableOption("float", 0.01, least=6.72e-05, most=1),
    "caching": TableOption("map", None),
    "cdc": TableOption("bool", False, is_in_views=False),
    "comment": TableOption("text", "", is_in_views=False),
    "compaction": TableOption("map", None),
    "compression": TableOption("map", None),
    "crc_check_chance": TableOption("float", 1.0, least=0, most=1),
    # Rows of a view expire with those of the table.
    "default_time_to_live": TableOption(
        "seconds", 0, "ttl", least=1, most=TTL_SECONDS.value, advice="choose at most twenty years", is_in_views=False
    ),
    "gc_grace_seconds": TableOption(
        "seconds", None, "gc_grace", least=0, most=GRACE_SECONDS.value, advice="remove it for the default of ten days"
    ),
    "incremental_backups": TableOption("bool", True, since="5.0", is_in_scylla=False),
    "max_index_interval": TableOption("int", 2048, least=1),
    "memtable": TableOption("text", "default", is_in_scylla=False, is_in_views=False),
    "memtable_flush_period_in_ms": TableOption("int", 0, least=0),
    "min_index_interval": TableOption("int", 128, least=1),
    "read_repair": TableOption("text", "BLOCKING", pattern="BLOCKING|NONE", is_in_scylla=False),
    "speculative_retry": TableOption("text", "99p", pattern=_RETRY),
}
"""Every table option of the known versions.
Source: https://cassandra.apache.org/doc/latest/cassandra/reference/cql-commands/create-table.html, 2026-11-21."""

LEVELED_BLOOM_FILTER = 0.1
"""The default of bloom_filter_fp_chance with LeveledCompactionStrategy. Source: as TABLE_OPTIONS."""

REMOVED_OPTIONS = {"dclocal_read_repair_chance": "4.0", "read_repair_chance": "4.0"}
"""Options of older versions, with the version that removed them. Source: _NEWS."""

GC_GRACE_SECONDS = 864_000
"""The default of gc_grace_seconds: ten days. Source: as TABLE_OPTIONS."""

CACHING = {"keys": "ALL", "rows_per_partition": "NONE"}
"""The default of caching. Source: as TABLE_OPTIONS."""

COMPRESSION = {"class": "LZ4Compressor", "chunk_length_in_kb": "16"}
"""The default of compression. Source: as TABLE_OPTIONS."""

COMPRESSORS: Mapping[str, tuple[str, ...]] = {
    "LZ4Compressor": ("lz4_compressor_type", "lz4_high_compressor_level"),
    "SnappyCompressor": (),
    "DeflateCompressor": (),
    "ZstdCompressor": ("compression_level",),
    "NoopCompressor": (),
}
"""Compressors, each with its own options.
Source: https://cassandra.apache.org/doc/latest/cassandra/managing/operating/compression.html, 2026-11-21."""

COMPRESSION_OPTIONS = ("class", "enabled", "chunk_length_in_kb", "min_compress_ratio")
"""Options of every compressor. Source: as COMPRESSORS."""

COMPACTION_OPTIONS: Mapping[str, str] = {
    "enabled": "true",
    "log_all": "false",
    "only_purge_repaired_tombstones": "false",
    "provide_overlapping_tombstones": "NONE",
    "tombstone_compaction_interval": "86400",
    "tombstone_threshold": "0.2",
    "unchecked_tombstone_compaction": "false",
}
"""Options of every strategy, with the server's defaults.
Source: https://cassandra.apache.org/doc/latest/cassandra/managing/operating/compaction/overview.html, 2026-11-21."""

_TIERS = {
    "bucket_high": "1.5", "bucket_low": "0.5", "max_threshold": "32", "min_sstable_size": "52428800",
    "min_threshold": "4",
}  # fmt: skip
_EXPIRY = {"expired_sstable_check_frequency_seconds": "600", "unsafe_aggressive_sstable_expiration": "false"}

STRATEGIES: Mapping[str, Mapping[str, str]] = {
    "SizeTieredCompactionStrategy": _TIERS,
    "LeveledCompactionStrategy": _TIERS
    | {"fanout_size": "10", "single_sstable_uplevel": "false", "sstable_size_in_mb": "160"},
    "TimeWindowCompactionStrategy": _TIERS
    | _EXPIRY
    | {"compaction_window_size": "1", "compaction_window_unit": "DAYS", "timestamp_resolution": "MICROSECONDS"},
    "UnifiedCompactionStrategy": _EXPIRY
    | {
        "base_shard_count": "4", "flush_size_override": "", "max_sstables_to_compact": "0",
        "min_sstable_size": "100MiB", "overlap_inclusion_method": "TRANSITIVE", "scaling_parameters": "T4",
        "sstable_growth": "0.333", "target_sstable_size": "1024MiB",
    },
}  # fmt: skip
"""Compaction strategies, each with its own options and their defaults. Source: as COMPACTION_OPTIONS."""

WINDOW_UNITS = ("MINUTES", "HOURS", "DAYS")
"""Units of compaction_window_unit. Source: as TTL_WINDOWS."""

WRITTEN_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "SizeTieredCompactionStrategy": ("min_threshold", "max_threshold"),
    "LeveledCompactionStrategy": ("sstable_size_in_mb", "fanout_size"),
    "TimeWindowCompactionStrategy": ("compaction_window_unit", "compaction_window_size"),
    "UnifiedCompactionStrategy": ("scaling_parameters", "target_sstable_size"),
}
"""Options of each strategy that are always written, because a change of one resets the others. Source: _DDL."""

NICKNAMES = {
    "STCS": "SizeTieredCompactionStrategy", "LCS": "LeveledCompactionStrategy",
    "TWCS": "TimeWindowCompactionStrategy", "UCS": "UnifiedCompactionStrategy",
}  # fmt: skip
"""Common abbreviations of the strategies, which the server does not accept."""

INDEX_OPTIONS = {
    "ascii": "false", "case_sensitive": "true", "normalize": "false", "similarity_function": "cosine",
}  # fmt: skip
"""Options of a storage-attached index, the last one of vectors and the others of text, with the server's defaults.
Source: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/indexing/sai/sai-concepts.html, 2026-11-21."""

_PROPERTIES = "https://github.com/apache/cassandra/blob/cassandra-5.0/src/java/org/apache/cassandra/config/"

NEAREST_ROWS = Limit(1_000, Source(f"{_PROPERTIES}CassandraRelevantProperties.java", "2026-11-28"))
"""Most rows of a search of the nearest vectors: `cassandra.sai.vector_search.max_top_k`."""

_GRAPH = (
    "https://github.com/apache/cassandra/blob/cassandra-5.0/src/java/org/apache/cassandra/index/sai/disk/v1/vector/"
    "OnHeapGraph.java"
)

VECTOR_COMPONENT = Limit(10**17, Source(_GRAPH, "2026-11-28"))
"""Largest number in an indexed vector, with either sign: `MAX_FLOAT32_COMPONENT`."""

_OWNED_BY_SERVICE = sorted(TABLE_OPTIONS.keys() - {"comment", "default_time_to_live"})

FLAVOURS = {
    flavour.name: flavour
    for flavour in (
        Flavour(
            "cassandra",
            "Cassandra",
            versions=("4.1", "5.0"),
            features={
                "UnifiedCompactionStrategy": Support(_NEWS, since="5.0", instead="use SizeTiered() or Leveled()"),
                "sai": Support(_NEWS, since="5.0", instead='write using="legacy", or add a table for the query'),
                "mask": Support(_NEWS, since="5.0", instead="remove masked="),
                "vector": Support(_NEWS, since="5.0", instead="remove Vector, for a list"),
            }
            | {
                f"option {name}": Support(_NEWS, since=option.since)
                for name, option in TABLE_OPTIONS.items()
                if option.since
            },
        ),
        Flavour(
            "scylla",
            "ScyllaDB",
            features={
                "UnifiedCompactionStrategy": Support(_SCYLLA, has_it=False, instead="use SizeTiered() or Leveled()"),
                "sai": Support(_SCYLLA, has_it=False, instead='write using="legacy"'),
                "mask": Support(_SCYLLA, has_it=False, instead="remove masked="),
                "vector": Support(_SCYLLA, has_it=False, instead="remove Vector, for a list"),
            }
            | {
                f"option {name}": Support(_SCYLLA, has_it=False)
                for name, option in TABLE_OPTIONS.items()
                if not option.is_in_scylla
            },
        ),
        Flavour(
            "keyspaces",
            "Amazon Keyspaces",
            features={
                "index": Support(_KEYSPACES_APIS, has_it=False, instead="add a table that is keyed for the query"),
                "view": Support(_KEYSPACES_APIS, has_it=False, instead="add a table that is keyed for the query"),
                "durable_writes": Support(_KEYSPACES, has_it=False, instead="remove durable-writes"),
                "mask": Support(_KEYSPACES_APIS, has_it=False, instead="remove masked="),
                "vector": Support(_KEYSPACES_APIS, has_it=False, instead="remove Vector, for a list"),
            }
            | {
                f"option {name}": Support(_KEYSPACES, has_it=False, instead="remove it: the service decides it")
                for name in _OWNED_BY_SERVICE
            },
        ),
    )
}
"""Every product that supports CQL."""
