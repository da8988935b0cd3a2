"""Ends of support of the versions of managed servers."""

from collections.abc import Mapping
from typing import Any

from keywright.record import Record


class Lifecycle(Record):
    """The ends of support of one type of resource."""

    type: str
    """The type of the resources."""
    title: str
    """The product as written in a message."""
    version: str
    """The argument with the version."""
    ends: Mapping[str, str]
    """The last day of support as ISO date, by version, such as `5` or `4.4`."""
    engines: Mapping[str, tuple[str, ...]]
    """Values of arguments that it applies to, by argument; a missing argument has any value."""
    newer: str
    """A version to upgrade to, as an argument."""
    effect: str
    """What happens after the last day."""

    def end(self, version: Any) -> str | None:
        """The last day of support of a version; None if the table has none."""
        text = str(version)
        return next((day for ended, day in self.ends.items() if f"{text}.".startswith(f"{ended}.")), None)
