"""Streams of changes and those who read them, for engines that have them."""

from datetime import timedelta
from typing import Literal

from .declared import Declared, subject
from .names import Names


class Consumer(Declared):
    """A program that follows the changes; it sees every change at least once."""

    name: str = subject(kw_only=False)
    """Name in reports and alarms."""
    idempotency: Names
    """The fields by which it knows a change that it has seen."""
    on_failure: Literal["queue", "retry", "drop"]
    """Where a change goes that it cannot handle."""


class Stream(Declared):
    """The changes of a table or collection, in order per item."""

    images: Literal["new_and_old", "new", "old", "keys"] = "new_and_old"
    """What a change carries; both images by default, because a rebuild needs them."""
    consumers: list[Consumer]
    """Who reads it; an unread stream is not declared."""


class ConsumerGroup(Declared):
    """Consumers that share the entries of a stream; each entry comes at least once."""

    name: str = subject(kw_only=False)
    """The physical name; created if it is not there."""
    idempotency: Names
    """The fields by which a consumer knows an entry that it has seen."""
    claim_after: timedelta
    """An entry not acknowledged for so long goes to another consumer."""
    max_deliveries: int = 5
    """After so many tries an entry is set aside for a person."""
