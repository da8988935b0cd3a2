"""What one call of a pattern gives, and the values of its conditions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from keywright.access.request import Asked
from keywright.errors import UsageError


class ConditionFailed(Exception):
    """A write whose condition did not hold; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of one call."""

    values: Mapping[str, Any]
    """Python values by dotted field path; the words of a search under `search`."""
    items: tuple[Any, ...] = ()
    """Instances to write, for a put."""
    limit: int | None = None
    """Items of the page: the caller's, else the pattern's; None for all."""
    cursor: str | None = None
    """Where the page begins: what an earlier page told."""
    by: Any = None
    """The step of an increment: the caller's, else the pattern's."""
    parts: tuple[tuple["Given", ...], ...] = ()
    """For a transaction: the calls of each of its writes."""
    now: datetime | None = None
    """The present moment, where it matters; None for the clock's."""

    def of(self, asked: Asked) -> tuple[Any, ...]:
        """The values of a condition: one; two ends of a range, either of which may be None; or all of a list.

        Raises UsageError where the call lacks them, or gives something of another form.
        """
        if asked.constants is not None:
            return asked.constants
        name = "search" if asked.how == "search" else asked.field
        try:
            value = self.values[name]
        except KeyError:
            raise UsageError(f'the call does not give "{name}"', f"add {argument(name)}=...") from None
        match asked.how:
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
    """The keyword of a call that gives a field's value: dots become two underscores."""
    return path.replace(".", "__")
