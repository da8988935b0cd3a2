"""A row that expires by itself at a time of its own, as one whose model has a `Ttl()` field."""

from collections.abc import Mapping
from datetime import UTC, datetime
from math import ceil


class Row(dict[str, object]):
    """Values by column, and the time at which the row is gone; written with `USING TTL`."""

    def __init__(self, values: Mapping[str, object], expires_at: datetime | None) -> None:
        super().__init__(values)
        self.expires_at = expires_at


def ttl_of(item: Mapping[str, object], now: datetime | None = None) -> int | None:
    """Seconds for which a row is to be kept from now on, rounded up; None for one that does not expire by itself.

    It is not positive where the time has passed: such a row is not written at all.
    """
    expires_at = item.expires_at if isinstance(item, Row) else None
    if expires_at is None:
        return None
    return ceil((expires_at - (now or datetime.now(UTC))).total_seconds())
