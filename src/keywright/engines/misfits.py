"""Stored items that an index would leave out, or refuse to see written again, as a driver finds them."""

from dataclasses import dataclass

from keywright.ir.json import Json


@dataclass(frozen=True, slots=True)
class Misfit:
    """An item with a value that an index does not take."""

    key: Json
    """What the item is found by."""
    why: str
    """Which attribute, and what is wrong with its value, without the value."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One page of items."""

    read: int
    """Items on it."""
    misfits: tuple[Misfit, ...]
    """Those that do not fit."""
    cursor: Json
    """Where it ends; None at the end of all."""
