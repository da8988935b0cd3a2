"""How much a store holds, as far as it tells that without looking through it, and what going over that takes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """What a table or collection holds, by the store's own count."""

    items: int
    """Items; about as many where there is a remark."""
    bytes: int
    """Bytes of them, indexes not included."""
    noun: str = "item"
    """What is counted."""
    remark: str = ""
    """What keeps the count from being that of this moment; empty where nothing does."""


@dataclass(frozen=True, slots=True)
class Units:
    """Capacity that a stage takes of a service that bills by it."""

    read: int
    """Read units."""
    write: int
    """Write units."""
