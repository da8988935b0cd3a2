"""Generated DynamoDB tables for a local server, and environments of a stack file."""

from datetime import UTC, date, datetime
from decimal import Decimal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from keywright.engines.contract.shape import Discriminator, EntityShape, FieldShape
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment, TableSettings, Throughput
from keywright.engines.dynamodb.schema.capabilities import KEY_PARTS, LOCAL_INDEXES
from keywright.engines.dynamodb.schema.place import GENERATION
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.ir.pattern import ConstantCondition

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_ATTRIBUTES = (
    "pk",
    "sk",
    "gsi1pk",
    "gsi1sk",
    "user_id",
    "placed_at",
    "total",
    "tenant",
    "region",
    "hash",
    "a-b",
    "a.b",
)
_TYPES = st.sampled_from(["S", "N", "B"])
_PROJECTED = 20
"""Names that DynamoDB Local 3.3.1 lets a table's indexes project; the service allows more."""


def names() -> SearchStrategy[str]:
    """Legal names of tables and indexes that do not look like names of a later generation."""
    return st.text(f"{_LETTERS}_.-", min_size=3, max_size=40).filter(lambda name: not GENERATION.search(name))


@st.composite
def targets(draw: st.DrawFn, name: SearchStrategy[str] | None = None) -> TableTarget:
    """Declared tables."""
    types = {attribute: draw(_TYPES) for attribute in _ATTRIBUTES}

    def keys(most_ranges: int, hashes: int = 1) -> tuple[KeyPart, ...]:
        ranges = draw(st.integers(0, most_ranges))
        chosen = draw(st.permutations(_ATTRIBUTES))[: hashes + ranges]
        roles = ["HASH"] * hashes + ["RANGE"] * ranges
        return tuple(KeyPart(attribute, types[attribute], role) for attribute, role in zip(chosen, roles, strict=True))  # type: ignore[arg-type]

    table = keys(1)
    own = draw(st.lists(names(), max_size=5, unique=True))
    most_local = min(len(own), LOCAL_INDEXES.value) if len(table) == 2 else 0
    local = draw(st.integers(0, most_local))
    free = _PROJECTED
    indexes: list[IndexTarget] = []
    for place, index in enumerate(sorted(own[:local]) + sorted(own[local:])):
        if place < local:
            others = [name for name in _ATTRIBUTES if name not in (table[0].attribute, table[1].attribute)]
            sort = draw(st.sampled_from(others))
            key: tuple[KeyPart, ...] = (table[0], KeyPart(sort, types[sort], "RANGE"))
        else:
            key = keys(KEY_PARTS.value, draw(st.integers(1, KEY_PARTS.value)))
        taken = {part.attribute for part in (*table, *key)}
        included = draw(
            st.lists(st.sampled_from(["name", "price", "stock", "note"]), max_size=min(4, free), unique=True)
        )
        free -= len(included)
        projection = "INCLUDE" if included else draw(st.sampled_from(["ALL", "KEYS_ONLY"]))
        indexes.append(IndexTarget(index, key, projection, tuple(sorted(set(included) - taken))))
    return TableTarget(
        name=draw(name or names()),
        generation=draw(st.integers(1, 12)),
        keys=table,
        indexes=tuple(indexes[local:]),
        local_indexes=tuple(indexes[:local]),
        ttl=draw(st.none() | st.just("expires_at")),
        stream=draw(st.sampled_from([None, "NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"])),
        shape=draw(_SHAPES),
    )


_FIELDS = st.builds(
    FieldShape,
    name=st.sampled_from(["user_id", "lines.sku", "total"]),
    stored=st.sampled_from(["user_id", "l.s", "sum"]),
    type=st.sampled_from(["S", "N", "SS", "M"]),
    is_required=st.booleans(),
)
_CONSTANTS = st.sampled_from(
    ["a", 1, True, None, Decimal("1.50"), date(2026, 11, 21), datetime(2026, 11, 21, 16, tzinfo=UTC)]
)
_CONDITIONS = st.lists(
    st.builds(
        ConstantCondition,
        field=st.sampled_from(["user_id", "lines.sku"]),
        test=st.sampled_from(["equals", "one_of", "at_least", "below", "present"]),
        values=st.lists(_CONSTANTS, max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=2,
).map(tuple)
_ENTITIES = st.builds(
    EntityShape,
    name=st.sampled_from(["User", "Order", "Product"]),
    keys=st.sampled_from([(), (("pk", "USER#{user_id}"), ("sk", "PROFILE"))]),
    fields=st.lists(_FIELDS, max_size=3, unique_by=lambda field: field.name).map(tuple),
    schema_version=st.integers(1, 3),
    copies=st.integers(1, 3),
    discriminator=st.none()
    | st.builds(Discriminator, st.just("entity_type"), st.just("User"), st.sampled_from([(), ("user",)])),
    where=st.lists(st.tuples(names(), _CONDITIONS), max_size=2, unique_by=lambda pair: pair[0]).map(tuple),
)
_SHAPES = st.lists(_ENTITIES, max_size=3, unique_by=lambda entity: entity.name).map(tuple)

_UNITS = st.builds(Throughput, read=st.integers(1, 40_000), write=st.integers(1, 40_000))
_BILLING = st.sampled_from(["on-demand", "provisioned"])
_CLASSES = st.sampled_from(["standard", "standard-infrequent-access"])
_KEYS = st.sampled_from(["aws-owned", "aws-managed", "arn:aws:kms:eu-west-1:111122223333:key/shop"])
_OF_TABLE = {
    "capacity": st.none() | _UNITS,
    "on_demand_limits": st.none() | _UNITS,
    "warm_throughput": st.none() | _UNITS,
}


def environments() -> SearchStrategy[DynamoEnvironment]:
    """Environments of a stack file."""
    tables = st.builds(
        TableSettings, billing=st.none() | _BILLING, table_class=st.none() | _CLASSES,
        protect=st.none() | st.booleans(), point_in_time_recovery=st.none() | st.booleans(),
        encryption=st.none() | _KEYS, **_OF_TABLE,
    )  # fmt: skip
    return st.builds(
        DynamoEnvironment,
        flavour=st.sampled_from(["dynamodb", "dynamodb-local"]),
        name_prefix=st.sampled_from(["", "dev-", "team.prod_"]),
        billing=_BILLING,
        table_class=_CLASSES,
        point_in_time_recovery=st.booleans(),
        protect=st.booleans(),
        encryption=_KEYS,
        tags=st.dictionaries(st.sampled_from(["team", "stage"]), st.sampled_from(["shop", "dev"])),
        tables=st.dictionaries(names(), tables, max_size=2),
        **_OF_TABLE,
    )
