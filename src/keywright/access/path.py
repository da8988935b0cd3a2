"""Results of the planner: the access path of a pattern, or the reason why there is none."""

from typing import Generic, Literal, TypeAlias, TypeVar

from keywright.ir.pattern import Collation
from keywright.record import Record

from .query import Condition

ByKind: TypeAlias = Literal["table", "gsi", "lsi", "index", "view", "partition", "structure"]
"""Kinds of key, index or structure that serve a pattern."""

Order: TypeAlias = Literal["index", "merge", "memory", "none"]
"""Origin of the order of a read: kept by the key or index, merged from ordered streams, sorted in memory, or none."""

Similarity: TypeAlias = Literal["cosine", "dot_product", "euclidean"]
"""Measures of the similarity of two vectors."""

TargetT = TypeVar("TargetT")


class By(Record):
    """A key, an index or a structure."""

    kind: ByKind
    """The kind."""
    name: str
    """The name of the index, or of the table, collection or structure."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class AccessPath(Record):
    """One way in which a pattern is served."""

    by: By
    """The key, index or structure."""
    call: object
    """The native call: a value of the engine's `access/calls.py`. Its runtime executes it, `Engine.query` prints it."""
    fan_out: int = 1
    """The most partitions or keys of one call; 1 for a single request."""
    order: Order = "none"
    """The origin of the order: the key or index, a merge of ordered streams, a sort of the read items, or no order."""
    residual: tuple[Condition, ...] = ()
    """Conditions that are checked after reading, so that the call reads more than it returns."""
    consistency: Literal["eventual", "session", "strong"] = "eventual"
    """Consistency of a read, or durability of a write."""
    notes: tuple[str, ...] = ()
    """Notes for the matrix, such as a second read for fields that an index lacks."""
    collation: Collation | None = None
    """Rules for comparing texts; None for a comparison byte by byte."""
    is_covered: bool = False
    """Whether the index alone answers, without a read of documents."""
    also: tuple[By, ...] = ()
    """Other indexes that the same call uses."""
    similarity: Similarity | None = None
    """For a read of the nearest vectors: the measure by which the index finds them, approximately."""
    parts: tuple["AccessPath", ...] = ()
    """For a read of several entities at once: the path of each entity's items alone."""


class Rejected(Record):
    """A key, index or structure that does not serve a pattern."""

    by: By
    """The candidate."""
    reason: str
    """The reason, in one line."""
    lacks: tuple[str, ...] = ()
    """Fields that an update would need, because keys of indexes contain them."""
    is_unrelated: bool = False
    """Whether the pattern has no condition on any field at the start of it."""


Candidate: TypeAlias = AccessPath | Rejected
"""An engine's result for one key, index or structure."""


class NotServed(Record):
    """A pattern without an access path."""

    reason: str
    """The reason, in one line, of the nearest candidate."""
    rejected: tuple[Rejected, ...] = ()
    """Every candidate with its reason."""


class PatternFix(Record, Generic[TargetT]):
    """A declaration that would serve a pattern."""

    text: str
    """The expression to paste, such as `kw.Index("tags")`."""
    subject: str
    """Declared name of the binding or physical object to change."""
    argument: str
    """The list option to extend, such as `indexes`."""
    target: TargetT
    """The target with the declaration, for the planner's check."""
    write_cost: float = 0
    """Additional units for a write of an item."""
    stored_bytes: float = 0
    """Additional stored bytes of each item."""
