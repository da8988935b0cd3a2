"""The arguments of one call of a pattern, and the values of its conditions."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from keywright.access.query import Condition
from keywright.errors import UsageError
from keywright.record import Record


class ConditionFailed(Exception):
    """A write whose condition was not met; nothing was changed."""


class Arguments(Record):
    """The arguments of one call."""

    values: Mapping[str, Any]
    """Python values by dotted field path; the words of a search under `search`."""
    items: tuple[Any, ...] = ()
    """Instances to write, for a put."""
    limit: int | None = None
    """Maximum items of the page: the caller's, else the pattern's; None for all."""
    cursor: str | None = None
    """Cursor of an earlier page, after which the page begins."""
    segment: int | None = None
    """The part of a scan to read; None for all."""
    by: Any = None
    """The step of an increment: the caller's, else the pattern's."""
    parts: tuple[tuple["Arguments", ...], ...] = ()
    """For a transaction: the arguments of each write's calls."""
    ttl: timedelta | None = None
    """Lifetime of written values, for a pattern whose calls pass it."""
    now: datetime | None = None
    """The current time for time buckets; None for the clock's."""

    def of(self, condition: Condition) -> tuple[Any, ...]:
        """The values of a condition: a single value, two ends of a range (either may be None), or all values of a list.

        Raises UsageError if the call lacks the values or passes another form.
        """
        if condition.constants is not None:
            return condition.constants
        name = "search" if condition.kind == "search" else condition.field
        try:
            value = self.values[name]
        except KeyError:
            raise UsageError(f'the call has no value for "{name}"', f"add {argument(name)}=...") from None
        match condition.kind:
            case "between":
                if not isinstance(value, (tuple, list)) or len(value) != 2:
                    help = f"write {argument(name)}=(first, last); either may be None, both ends are included"
                    raise UsageError(f'"{name}" is a range, and takes two ends', help)
                return tuple(value)
            case "one_of" | "all_of" | "exactly":
                if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
                    raise UsageError(f'"{name}" takes several values', f"write {argument(name)}=[first, second]")
                return tuple(value)
            case _:
                return (value,)


def argument(path: str) -> str:
    """The keyword argument for a field path: dots become two underscores."""
    return path.replace(".", "__")
