"""Streams of changes and their readers, for engines with streams."""

from datetime import timedelta
from typing import Literal

from .declared import Declared, subject
from .names import Names


class Consumer(Declared):
    """A program that reads the changes; it gets every change at least once."""

    name: str = subject(kw_only=False)
    """Name in reports and alarms."""
    idempotency: Names
    """The fields that identify a change, so that the consumer can skip a repeated one."""
    on_failure: Literal["queue", "retry", "drop"]
    """The handling of a change that the consumer cannot process."""


class Stream(Declared):
    """The changes of a table or collection, in order per item."""

    images: Literal["new_and_old", "new", "old", "keys"] = "new_and_old"
    """The content of a change; both images by default, because a rebuild needs them."""
    consumers: list[Consumer]
    """The readers of the stream; a stream without readers is not declared."""


class ConsumerGroup(Declared):
    """Consumers that share the entries of a stream; each entry is delivered at least once."""

    name: str = subject(kw_only=False)
    """The physical name; the group is created if it does not exist."""
    idempotency: Names
    """The fields that identify an entry, so that a consumer can skip a repeated one."""
    claim_after: timedelta
    """Time after which an unacknowledged entry goes to another consumer."""
    max_deliveries: int = 5
    """Number of deliveries after which an entry is moved to the dead letters."""
