"""Requests of applications without values, for `keywright adopt`."""

from keywright.ir.pattern import Excluded, PatternKind
from keywright.record import Record


class SeenRequest(Record, kw_only=True):
    """The form of a request that applications have sent; it has no values. Paths are stored paths."""

    kind: PatternKind
    """The operation; a request for one item is a `read` too."""
    evidence: str
    """Its source, for a comment."""
    eq: tuple[str, ...] = ()
    """Paths compared by equality."""
    one_of: tuple[str, ...] = ()
    """Paths that equal one of several values."""
    range: str | None = None
    """Path between values, or beyond one."""
    excludes: Excluded = ""
    """Ends of the range that do not belong to it."""
    contains: str | None = None
    """Path of a list or set that contains a value."""
    near: str | None = None
    """Path of a vector whose nearest values are read."""
    order: tuple[str, ...] = ()
    """Paths of the order; a leading minus is descending."""
    limit: int | None = None
    """Items of a page; None if the request contains no number."""
    sets: tuple[str, ...] = ()
    """Paths that an update sets."""
    unset: tuple[str, ...] = ()
    """Paths that an update removes."""
    field: str | None = None
    """Path of a number that is incremented."""
    if_absent: bool = False
    """Whether a put fails if the key exists."""
    is_ttl_given: bool = False
    """Whether a write says how long its values are kept."""
