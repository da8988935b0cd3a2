"""A DynamoDB table as data."""

from typing import Literal

from keywright.engines.contract.shape import EntityShape
from keywright.record import Record

from ..declare.settings import Autoscaling, Replica


class KeyPart(Record):
    """One attribute of a key."""

    attribute: str
    """Stored name."""
    type: str
    """S, N or B."""
    role: Literal["HASH", "RANGE"]
    """Partition key (HASH) or sort key (RANGE)."""


class IndexTarget(Record):
    """A secondary index."""

    name: str
    """Its name."""
    keys: tuple[KeyPart, ...]
    """Its key, partition key first."""
    projection: Literal["ALL", "KEYS_ONLY", "INCLUDE"] = "ALL"
    """Attributes copied into it."""
    included: tuple[str, ...] = ()
    """Names copied in addition to the keys, sorted; only with INCLUDE."""


class Replication(Record):
    """The other regions of a table."""

    replicas: tuple[Replica, ...]
    """Regions that have the data, sorted by name."""
    consistency: Literal["EVENTUAL", "STRONG"] = "EVENTUAL"
    """Whether a read in one region returns at once the writes of another (STRONG)."""
    witness: str | None = None
    """The region that votes and stores no data."""

    @property
    def needs_stream(self) -> bool:
        """Whether the table's stream carries the changes to other regions."""
        return self.consistency == "EVENTUAL"


class Placement(Record):
    """Settings of an environment for a table; None if the flavour cannot report them."""

    billing: Literal["PAY_PER_REQUEST", "PROVISIONED"]
    """Billing of throughput."""
    capacity: tuple[int, int] | None = None
    """Provisioned (read, write) units of the table and of each index; with scaling, the initial units."""
    scaling: Autoscaling | None = None
    """Bounds between which the units follow the load."""
    limits: tuple[int, int] | None = None
    """The most (read, write) units that on-demand billing serves."""
    warm: tuple[int, int] | None = None
    """Warm (read, write) throughput units."""
    table_class: Literal["STANDARD", "STANDARD_INFREQUENT_ACCESS"] | None = None
    """Table class, which trades storage price against throughput price."""
    has_recovery: bool | None = None
    """Whether point-in-time recovery is on."""
    is_protected: bool = False
    """Whether the service rejects its deletion."""
    encryption: str | None = None
    """`aws-owned`, `aws-managed` or the ARN of a key."""
    tags: tuple[tuple[str, str], ...] | None = None
    """Labels, sorted by name."""
    replication: Replication | None = None
    """The other regions that have the table."""
    has_insights: bool = False
    """Whether the service counts the most requested keys."""
    kinesis_stream: str | None = None
    """ARN of the stream of Kinesis that receives its changes."""


class TableTarget(Record):
    """A table."""

    name: str
    """Declared name; the physical one after `place`."""
    generation: int
    """Number of the generation, which increases when keys change."""
    keys: tuple[KeyPart, ...]
    """Its key, partition key first."""
    indexes: tuple[IndexTarget, ...] = ()
    """Global secondary indexes, sorted by name."""
    local_indexes: tuple[IndexTarget, ...] = ()
    """Local secondary indexes, sorted by name."""
    ttl: str | None = None
    """Attribute with the expiry time of items."""
    stream: Literal["NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"] | None = None
    """Contents of its stream's records."""
    shape: tuple[EntityShape, ...] = ()
    """The entities in it; empty if the target was read from a store."""
    placement: Placement | None = None
    """Settings of the environment; None before `place`."""
