"""Limits and features of MongoDB and of the services with its protocol, as data."""

from keywright.engines.capability import Flavour, Limit, Source, Support
from keywright.ir.json import Json


def _manual(page: str) -> Source:
    return Source(f"https://www.mongodb.com/docs/manual/{page}/", "2026-11-21")


def _aws(page: str) -> Source:
    return Source(f"https://docs.aws.amazon.com/documentdb/latest/developerguide/{page}.html", "2026-11-21")


_LIMITS = _manual("reference/limits")
_DIFFERENCES = _aws("functional-differences")
_SUPPORTED = _aws("mongo-apis")
_ELASTIC = _aws("docdb-using-elastic-clusters")

INDEXES = Limit(64, _LIMITS)
"""Indexes of a collection, the index on `_id` included."""

DOCUMENT_BYTES = Limit(16 * 2**20, _LIMITS)
"""Bytes of a document."""

ADVISED_FILES = Limit(5_000, Source("https://www.mongodb.com/docs/atlas/reference/faq/database/", "2026-11-22"))
"""Recommended maximum of collections and indexes together for the smallest dedicated cluster of Atlas: 10,000 for the
next two sizes, 100,000 above. Each is a file."""

TRANSACTION_DOCUMENTS = Limit(
    1_000,
    Source(
        "https://www.mongodb.com/blog/post/performance-best-practices-transactions-and-read-write-concerns",
        "2026-11-23",
    ),
)
"""Recommended maximum of documents that one transaction changes."""

UNSHARDED_BYTES = Limit(
    3 * 10**12,
    Source("https://www.mongodb.com/docs/manual/core/sharding-distribute-collection-data/", "2026-11-23"),
)
"""Bytes of a collection from which sharding is recommended."""

CHUNK_BYTES = Limit(128 * 2**20, _manual("core/sharding-data-partitioning"))
"""Default size of a range of a sharded collection; a range with one value of the shard key cannot be divided."""

INDEX_FIELDS = Limit(32, _LIMITS)
"""Fields of a compound index."""

FILTER_LEVELS = Limit(4, Source("https://www.mongodb.com/docs/manual/core/index-partial/", "2026-11-28"))
"""Levels of a partial filter, which the manual does not name: alternatives, their conditions, and several tests of one
field are one each. Seen on mongod 6.0.5: "partialFilterExpression depth may not exceed 4"."""

DATABASE_NAME_BYTES = Limit(63, _LIMITS)
"""Bytes of a database's name."""

NAMESPACE_BYTES = Limit(255, _LIMITS)
"""Bytes of a database's and a collection's name together, with the dot between them."""

DOCUMENTDB_NAMESPACE_BYTES = Limit(120, _aws("limits"))
"""NAMESPACE_BYTES for DocumentDB."""

TTL_SECONDS = Limit(2**31 - 1, _manual("core/index-ttl"))
"""The longest delay of an expiry."""

FAMILIES = {"5.0": "docdb5.0", "8.0": "docdb8.0"}
"""Family of the parameter groups of DocumentDB, by version.
Source: https://docs.aws.amazon.com/documentdb/latest/developerguide/cluster_parameter_groups.html, 2026-11-22."""

EXPIRED_CERTIFICATES = ("rds-ca-2015", "rds-ca-2017", "rds-ca-2019")
"""Authorities of DocumentDB whose certificates have expired, the last on 2024-08-22.
Source: https://docs.aws.amazon.com/documentdb/latest/developerguide/ca_cert_rotation.html, 2026-11-23."""

END_OF_SUPPORT = {
    "4.0": "2022-04-30", "4.2": "2023-04-30", "4.4": "2024-02-29", "5.0": "2024-10-31", "6.0": "2025-07-31",
}  # fmt: skip
"""Last day of support of MongoDB, by version.
Source: https://www.mongodb.com/legal/support-policy/lifecycles, 2026-11-23."""

DOCUMENTDB_END_OF_SUPPORT = {"3.6": "2026-03-30"}
"""Last day of standard support of DocumentDB, by version.
Source: https://docs.aws.amazon.com/documentdb/latest/developerguide/extended-support.html, 2026-11-23."""

DATABASE_NAME_FORBIDS = frozenset('/\\. "$\0')
"""Characters that are not allowed in a database's name. Source: as DATABASE_NAME_BYTES."""

SETTINGS: dict[str, str] = {
    "capped": "true", "size": "bytes", "max": "documents", "collation": 'rules such as {"locale": "en"}',
}  # fmt: skip
"""Options of createCollection that `settings=` accepts, and their values.
Source: https://www.mongodb.com/docs/manual/reference/method/db.createCollection/, 2026-11-21."""

BSON_TYPE_CODES = {
    1: "double", 2: "string", 3: "object", 4: "array", 5: "binData", 6: "undefined", 7: "objectId", 8: "bool",
    9: "date", 10: "null", 11: "regex", 12: "dbPointer", 13: "javascript", 14: "symbol", 15: "javascriptWithScope",
    16: "int", 17: "timestamp", 18: "long", 19: "decimal", -1: "minKey", 127: "maxKey",
}  # fmt: skip
"""Names of BSON types by code, either of which `$type` accepts.
Source: https://www.mongodb.com/docs/manual/reference/bson-types/, 2026-11-28."""

CAPPED_MULTIPLE = 256
"""The server rounds the size of a capped collection up to a multiple of these bytes. Source: as SETTINGS."""

BUCKET_SPANS: dict[str, dict[str, int]] = {
    granularity: {"bucketMaxSpanSeconds": most, "bucketRoundingSeconds": rounding}
    for granularity, most, rounding in (("seconds", 3600, 60), ("minutes", 86_400, 3600), ("hours", 2_592_000, 86_400))
}
"""The bucket spans that a server reports for each granularity.
Source: https://www.mongodb.com/docs/manual/core/timeseries/timeseries-granularity/, 2026-11-21."""

COLLATION_DEFAULTS: dict[str, Json] = {
    "caseLevel": False, "caseFirst": "off", "strength": 3, "numericOrdering": False, "alternate": "non-ignorable",
    "maxVariable": "punct", "normalization": False, "backwards": False,
}  # fmt: skip
"""The defaults that a server adds to a collation.
Source: https://www.mongodb.com/docs/manual/reference/collation/, 2026-11-21."""

_NORMALIZED = "as bn el fa fa_AF gu he hi ig km kn kok mr my or pa ps si ta te vi yi yo"

LOCALE_DEFAULTS: dict[str, dict[str, Json]] = {
    **{locale: {"normalization": True} for locale in _NORMALIZED.split()},
    "th": {"alternate": "shifted", "normalization": True}, "fr_CA": {"backwards": True},
    "da": {"caseFirst": "upper"}, "mt": {"caseFirst": "upper"},
}  # fmt: skip
"""Other defaults of single languages, as mongod 6.0.5 reports their indexes, 2026-11-22."""

LEAST_STRENGTHS = {"da": ("caseFirst", 3), "mt": ("caseFirst", 3), "fr_CA": ("backwards", 2)}
"""(option, strength) of languages with a default option that requires this strength, unless the option is set.
Source: mongod 6.0.5 rejects an index with a lower strength, with error 2, 2026-11-22."""

_LOCALES = """
simple af sq am ar hy as az bn be bs bs_Cyrl bg my ca chr zh zh_Hant hr cs da nl dz en en_US en_US_POSIX eo et ee fo fil
fi fr fr_CA gl ka de de_AT el gu ha haw he hi hu is ig smn id ga it ja kl kn kk km kok ko ky lo lv ln lt dsb
lb mk ms ml mt mr mn ne se nb nn or om ps fa fa_AF pl pt pa ro ru sr sr_Latn si sk sl es sw sv ta te th bo to tr uk hsb
ur ug vi wae cy yi yo zu
"""

LOCALES = frozenset(_LOCALES.split())
"""Languages of a collation; a variant such as `@collation=phonebook` may follow.
Source: https://www.mongodb.com/docs/manual/reference/collation-locales-defaults/, 2026-11-21, without `fi_FI`, `li` and
`lk`, which mongod 6.0.5 rejects."""

_TEXT_LANGUAGES = """
none danish dutch english finnish french german hungarian italian norwegian portuguese romanian russian spanish swedish
turkish da nl en fi fr de hu it nb pt ro ru es sv tr
"""

TEXT_LANGUAGES = frozenset(_TEXT_LANGUAGES.split())
"""Languages of a text index.
Source: https://www.mongodb.com/docs/manual/reference/text-search-languages/, 2026-11-21."""

_SCHEMA_WORDS = """
additionalItems additionalProperties allOf anyOf bsonType dependencies description encrypt encryptMetadata enum
exclusiveMaximum exclusiveMinimum items maximum maxItems maxLength maxProperties minimum minItems minLength
minProperties multipleOf not oneOf pattern patternProperties properties required title type uniqueItems
"""

SCHEMA_WORDS = frozenset(_SCHEMA_WORDS.split())
"""Keywords of `$jsonSchema`; the server rejects others.
Source: https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/, 2026-11-22."""

FEATURES = {
    "partial-index": "partial indexes: where=",
    "partial-index-in": "$in in a partial index",
    "partial-index-or": "$or in a partial index",
    "partial-index-type": "$type in a partial index",
    "hidden-index": "hidden indexes",
    "text-index": "text indexes",
    "wildcard-index": "wildcard indexes",
    "compound-wildcard-index": "wildcard indexes with fields in front of them",
    "hashed-index": "hashed indexes",
    "index-collation": "collation",
    "validator": "$jsonSchema validators",
    "time-series": "time-series collections",
    "time-series-any-index": "indexes over measured values of a time series",
    "images": "images of documents in change streams",
    "capped": "capped collections",
    "clustered": "clustered collections",
    "view": "views",
}
"""Every feature that some flavour or version lacks, as messages name it."""

_LOWER_CASED = "store a lower-cased copy, and index that"
_AS_READ = "write its conditions in where= of the patterns that read the collection"
_VIEWS = Source("https://docs.aws.amazon.com/documentdb/latest/developerguide/views.html", "2026-11-28")
_EACH_ALTERNATIVE = "write an index for each alternative"
_EACH_VALUE = "write an index for each value, or on a flag for them"

_BY_VERSION = {
    "partial-index-in": Support(
        _manual("core/index-partial"),
        since="6.0",
        instead=_EACH_VALUE,
    ),
    "partial-index-or": Support(_manual("core/index-partial"), since="6.0", instead=_EACH_ALTERNATIVE),
    "compound-wildcard-index": Support(
        _manual("core/indexes/index-types/index-wildcard/index-wildcard-compound"),
        since="7.0",
        instead="remove before=",
    ),
    "time-series-any-index": Support(_manual("core/timeseries/timeseries-secondary-index"), since="6.0"),
    "clustered": Support(_manual("core/clustered-collections"), since="5.3", instead="remove clustered="),
    "images": Support(
        _manual("changeStreams"), since="6.0", instead='write images="keys", and read the document after each change'
    ),
}

_NOT_IN_DOCUMENTDB = {
    "partial-index-in": Support(_SUPPORTED, has_it=False, instead=_EACH_VALUE),
    "partial-index-or": Support(_SUPPORTED, has_it=False, instead=_EACH_ALTERNATIVE),
    "partial-index-type": Support(_SUPPORTED, has_it=False, instead="write kw.Present(), if the model has one type"),
    "wildcard-index": Support(_SUPPORTED, has_it=False, instead="index the fields of the patterns, by name"),
    "compound-wildcard-index": Support(_SUPPORTED, has_it=False, instead="index the fields by name"),
    "hashed-index": Support(_SUPPORTED, has_it=False, instead="use an Index"),
    "time-series": Support(_DIFFERENCES, has_it=False, instead="use a Collection with a bucket per hour or day"),
    "clustered": Support(_SUPPORTED, has_it=False, instead="remove clustered="),
    "view": Support(_VIEWS, has_it=False, instead=_AS_READ),
    "images": Support(_aws("change_streams"), has_it=False, instead='write images="keys"'),
    "capped": Support(_DIFFERENCES, has_it=False, instead="let documents expire: Annotated[datetime, kw.Ttl()]"),
}

FLAVOURS = {
    flavour.name: flavour
    for flavour in (
        Flavour("mongodb", "MongoDB", versions=("5.0", "6.0", "7.0", "8.0"), features=_BY_VERSION),
        Flavour("atlas", "MongoDB Atlas", versions=("8.0",), features=_BY_VERSION),
        Flavour(
            "documentdb",
            "Amazon DocumentDB",
            versions=("5.0", "8.0"),
            features=_NOT_IN_DOCUMENTDB
            | {
                "hidden-index": Support(_aws("managing-indexes"), since="5.0.2"),
                "index-collation": Support(_aws("collation"), since="8.0", instead=_LOWER_CASED),
                "view": Support(_VIEWS, since="8.0", instead=_AS_READ),
            },
        ),
        Flavour(
            "documentdb-elastic",
            "Amazon DocumentDB (elastic)",
            features=_NOT_IN_DOCUMENTDB
            | {
                "partial-index": Support(_ELASTIC, has_it=False, instead="remove where="),
                "text-index": Support(_ELASTIC, has_it=False, instead="use a search service"),
                "hidden-index": Support(_ELASTIC, has_it=False, instead="remove hidden="),
                "index-collation": Support(_ELASTIC, has_it=False, instead=_LOWER_CASED),
                "validator": Support(_aws("jsonSchema"), has_it=False, instead='write validation="off"'),
            },
        ),
    )
}
"""Every product with MongoDB's protocol."""
