"""Limits and features of DynamoDB and DynamoDB Local, as data."""

from keywright.engines.capability import Flavour, Limit, Price, Source, Support

_LIMITS = Source("https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html", "2026-11-21")
_KEYS = Source(
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html",
    "2026-11-21",
)
_LOCAL = Source(
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.UsageNotes.html", "2026-11-21"
)

INDEXES = Limit(20, _LIMITS)
"""Global secondary indexes of a table; a quota that can be raised."""

TABLE_UNITS = Limit(
    40_000, Source("https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html", "2026-11-23")
)
"""Read units, and write units, a second of a table; a quota that can be raised."""

LOCAL_INDEXES = Limit(5, _LIMITS)
"""Local secondary indexes of a table."""

PROJECTED_NAMES = Limit(100, _LIMITS)
"""Names projected by all INCLUDE indexes of a table together; a name in two indexes counts twice."""

KEY_PARTS = Limit(4, _KEYS)
"""Attributes in the partition key, and in the sort key, of a global secondary index."""

NAME_LENGTH = Limit(255, _LIMITS)
"""Characters of a table's, index's or key attribute's name."""

NAME_LENGTH_LEAST = Limit(3, _LIMITS)
"""Fewest characters of a table's or index's name."""

STREAM_READERS = Limit(
    2, Source("https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html", "2026-11-23")
)
"""Processes that may read a shard of a stream at the same time."""

STREAM_HOURS = Limit(
    24, Source("https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html", "2026-11-23")
)
"""Hours for which a stream keeps a change."""

TRANSACTION_WRITES = Limit(100, _LIMITS)
"""Writes of a transaction."""

BATCH_KEYS = Limit(100, _LIMITS)
"""Keys of a BatchGetItem."""

BATCH_BYTES = Limit(16 * 1024 * 1024, _LIMITS)
"""Bytes that one BatchGetItem returns; keys beyond them are returned as unprocessed."""

BATCH_WRITES = Limit(25, _LIMITS)
"""Writes of a BatchWriteItem."""

ITEM_BYTES = Limit(400 * 1024, _LIMITS)
"""Bytes of an item, names included."""

PARTITION_VALUE_BYTES = Limit(2048, _LIMITS)
"""Bytes of a value in a partition key."""

SORT_VALUE_BYTES = Limit(1024, _LIMITS)
"""Bytes of a value in a sort key."""

PAGE_BYTES = Limit(1024 * 1024, _LIMITS)
"""Bytes that one Query reads."""

TRANSACTION_BYTES = Limit(4 * 1024 * 1024, _LIMITS)
"""Bytes of all items of a transaction."""

COLLECTION_BYTES = Limit(10 * 1024**3, _LIMITS)
"""Bytes of all items with one partition key and of their entries in local indexes, in a table with local indexes."""

EXPRESSION_BYTES = Limit(4096, _LIMITS)
"""Bytes of an expression's text."""

EXPRESSION_OPERATORS = Limit(300, _LIMITS)
"""Operators and functions of an update expression."""

IN_VALUES = Limit(100, _LIMITS)
"""Values in the list of an IN comparison."""

_PARTITIONS = Source(
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html", "2026-11-22"
)

PARTITION_READ_UNITS = Limit(3000, _PARTITIONS)
"""Read units a second of one partition, whatever capacity the table has."""

PARTITION_WRITE_UNITS = Limit(1000, _PARTITIONS)
"""Write units a second of one partition, whatever capacity the table has."""

TTL_PAST_SECONDS = Limit(
    5 * 365 * 86_400,
    Source("https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html", "2026-11-22"),
)
"""Greatest age in seconds of an expiry time; items that expired earlier are not deleted."""

NESTING = Limit(32, _LIMITS)
"""Levels of lists and maps in an attribute."""

DIGITS = Limit(38, _LIMITS)
"""Significant digits of a number."""

EXPONENT_LEAST = Limit(-130, _LIMITS)
"""Power of ten of the first digit of the smallest number that is not zero."""

EXPONENT = Limit(125, _LIMITS)
"""Power of ten of the first digit of the largest number."""

TTL_PAUSE_SECONDS = Limit(
    3600,
    Source("https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html", "2026-11-21"),
)
"""Seconds between two changes of a table's expiry setting; DynamoDB Local has no such pause."""

_SCALING = Source("https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html", "2026-11-22")

SCALING_TARGET_LEAST = Limit(20, _SCALING)
"""Lowest target utilisation, in percent of the capacity."""

SCALING_TARGET = Limit(90, _SCALING)
"""Highest target utilisation, in percent of the capacity."""

STRONG_REGIONS = Limit(
    3,
    Source("https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GlobalTables.html", "2026-11-22"),
)
"""Regions of a table with strong consistency between them, including the witness."""

_WARM = Source(
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html", "2026-11-23"
)

FIRST_READ_UNITS = Limit(12_000, _WARM)
"""Read units a second that a new on-demand table serves at once, and each of its indexes."""

FIRST_WRITE_UNITS = Limit(4_000, _WARM)
"""Write units a second that a new on-demand table serves at once, and each of its indexes."""

_PRICES = Source("https://aws.amazon.com/dynamodb/pricing/on-demand/", "2026-11-23")
_HOURS = Source("https://aws.amazon.com/dynamodb/pricing/provisioned/", "2026-11-23")

READ_REQUEST_PRICE = Price(0.125e-6, _PRICES)
"""A read request unit on demand, in US East (N. Virginia), standard class."""

WRITE_REQUEST_PRICE = Price(0.625e-6, _PRICES)
"""A write request unit on demand, in US East (N. Virginia), standard class."""

READ_HOUR_PRICE = Price(0.00013, _HOURS)
"""A provisioned read unit for an hour, in US East (N. Virginia), standard class."""

WRITE_HOUR_PRICE = Price(0.00065, _HOURS)
"""A provisioned write unit for an hour, in US East (N. Virginia), standard class."""

STORAGE_PRICE = Price(0.25, _PRICES)
"""A GB for a month, in US East (N. Virginia), standard class."""

INFREQUENT_STORAGE_PRICE = Price(0.10, _PRICES)
"""A GB for a month, in US East (N. Virginia), infrequent-access class."""

INFREQUENT_SURCHARGE = Price(0.25, _PRICES)
"""Surcharge of the infrequent-access class, for each dollar that throughput costs in the standard class."""

NAME_PATTERN = r"[a-zA-Z0-9_.-]+"
"""Characters of the names of tables and indexes. Source: as NAME_LENGTH."""

FLAVOURS = {
    flavour.name: flavour
    for flavour in (
        Flavour("dynamodb", "DynamoDB"),
        Flavour(
            "dynamodb-local",
            "DynamoDB Local",
            versions=("3.3.1",),
            features={
                name: Support(_LOCAL, has_it=False, instead="remove it for the flavour dynamodb-local")
                for name in (
                    "tags",
                    "encryption",
                    "point-in-time-recovery",
                    "table-class",
                    "warm-throughput",
                    "on-demand-limits",
                    "autoscaling",
                    "replicas",
                    "contributor-insights",
                    "kinesis-stream",
                )
            },
        ),
    )
}
"""Products that implement DynamoDB's interface."""

LOCAL_KEY, LOCAL_REGION = "local", "us-east-1"
"""Access key and region with which `--local` calls DynamoDB Local, which separates the tables of each such pair.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.UsageNotes.html, 2026-11-22."""
