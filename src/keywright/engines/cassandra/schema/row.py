"""Rows that expire at a time of their own, because the model has a `Ttl()` field."""

from collections.abc import Mapping
from datetime import UTC, datetime
from math import ceil


class ExpiringRow(dict[str, object]):
    """Values by column, and the time at which the row expires; written with `USING TTL`."""

    def __init__(self, values: Mapping[str, object], expires_at: datetime | None) -> None:
        super().__init__(values)
        self.expires_at = expires_at


def ttl_of(item: Mapping[str, object], now: datetime | None = None) -> int | None:
    """Seconds from now until a row expires, rounded up; None for a row without an expiry of its own.

    The number is not positive if the time has passed. Such a row is not written.
    """
    expires_at = item.expires_at if isinstance(item, ExpiringRow) else None
    if expires_at is None:
        return None
    return ceil((expires_at - (now or datetime.now(UTC))).total_seconds())
