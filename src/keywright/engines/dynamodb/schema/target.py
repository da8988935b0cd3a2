"""A DynamoDB table as data."""

from dataclasses import dataclass
from typing import Literal

from keywright.engines.shape import EntityShape

from .settings import Autoscaling, Replica


@dataclass(frozen=True, slots=True)
class KeyPart:
    """One attribute of a key."""

    attribute: str
    """Stored name."""
    type: str
    """S, N or B."""
    role: Literal["HASH", "RANGE"]
    """Which half of the key it is in."""


@dataclass(frozen=True, slots=True)
class IndexTarget:
    """A secondary index."""

    name: str
    """Its name."""
    keys: tuple[KeyPart, ...]
    """Its key, partition half first."""
    projection: Literal["ALL", "KEYS_ONLY", "INCLUDE"] = "ALL"
    """What is copied into it."""
    included: tuple[str, ...] = ()
    """Names copied beside the keys, sorted; only with INCLUDE."""


@dataclass(frozen=True, slots=True)
class Replication:
    """The other regions of a table."""

    replicas: tuple[Replica, ...]
    """Those that have the data, sorted by name."""
    consistency: Literal["EVENTUAL", "STRONG"] = "EVENTUAL"
    """Whether a read in one region sees at once what was written in another."""
    witness: str | None = None
    """The region that only votes."""

    @property
    def needs_stream(self) -> bool:
        """Whether changes travel by the table's stream."""
        return self.consistency == "EVENTUAL"


@dataclass(frozen=True, slots=True)
class Placement:
    """What an environment owns of a table; None where the flavour cannot report it."""

    billing: Literal["PAY_PER_REQUEST", "PROVISIONED"]
    """How throughput is paid for."""
    capacity: tuple[int, int] | None = None
    """Provisioned (read, write) units of the table and of each index; where they scale, those to begin with."""
    scaling: Autoscaling | None = None
    """Between which they follow the load."""
    limits: tuple[int, int] | None = None
    """The most (read, write) units that on-demand billing serves."""
    warm: tuple[int, int] | None = None
    """Warm (read, write) units."""
    table_class: Literal["STANDARD", "STANDARD_INFREQUENT_ACCESS"] | None = None
    """Storage price against throughput price."""
    has_recovery: bool | None = None
    """Whether point-in-time recovery is on."""
    is_protected: bool = False
    """Whether it refuses to be deleted."""
    encryption: str | None = None
    """`aws-owned`, `aws-managed` or the ARN of a key."""
    tags: tuple[tuple[str, str], ...] | None = None
    """Labels, sorted by name."""
    replication: Replication | None = None
    """The other regions that have the table."""
    has_insights: bool = False
    """Whether the service counts which keys are asked most."""


@dataclass(frozen=True, slots=True)
class TableTarget:
    """A table."""

    name: str
    """Declared name, or the physical one once placed."""
    generation: int
    """Counts up when keys change."""
    keys: tuple[KeyPart, ...]
    """Its key, partition half first."""
    indexes: tuple[IndexTarget, ...] = ()
    """Global secondary indexes, sorted by name."""
    local_indexes: tuple[IndexTarget, ...] = ()
    """Local secondary indexes, sorted by name."""
    ttl: str | None = None
    """Attribute at whose time items expire."""
    stream: Literal["NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"] | None = None
    """What its stream of changes carries."""
    shape: tuple[EntityShape, ...] = ()
    """The entities in it; empty where only a store was asked."""
    placement: Placement | None = None
    """What the environment owns; None before `place`."""
