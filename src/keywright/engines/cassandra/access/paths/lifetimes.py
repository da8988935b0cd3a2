"""Times to live and times of single writes, and the reasons why a write has none."""

from keywright.ir.attribute import Attribute
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

from ...schema.capabilities import TTL_SECONDS
from ...schema.typemap import is_collection
from ..calls_write import Assignment, Lifetime
from ..layout import Layout

TIMED = "an item with an earlier time than the stored one, or than its deletion, is not written"


def lifetime_of(pattern: Pattern) -> Lifetime | None:
    """Lifetime of the values of a pattern; None if it has no time to live."""
    return Lifetime(pattern.ttl_seconds) if pattern.is_ttl_given or pattern.ttl_seconds is not None else None


def unsuitable_lifetime(layout: Layout, pattern: Pattern) -> str | None:
    """The reason why a write has no time to live of its own; None if it has."""
    if lifetime_of(pattern) is None:
        return None
    if layout.ttl is not None:
        return f'rows expire at the time in "{layout.ttl.name}": remove ttl= of the pattern'
    if pattern.ttl_seconds is not None and pattern.ttl_seconds > TTL_SECONDS.value:
        most = counted(TTL_SECONDS.value, "second", spec=",")
        return f"ttl= is longer than the {most} that Cassandra allows"
    return None


def unsuitable_time(layout: Layout, pattern: Pattern) -> str | None:
    """The reason why a put has no time of its own; None if it has."""
    attribute = layout.binding.entity.attribute(pattern.timestamp or "")
    if pattern.timestamp is not None and (attribute is None or attribute.is_nullable):
        return f'"{pattern.timestamp}" is not a required field of the model itself: each put needs a time'
    if pattern.timestamp is not None and pattern.if_absent:
        return "if_absent is a condition, for which the copies agree on the time of the write: remove timestamp="
    return None


def outlived(layout: Layout, pattern: Pattern, changed: tuple[Assignment, ...]) -> str | None:
    """The reason why values cannot expire before the other values of their row; None if they can."""
    if lifetime_of(pattern) is None:
        return None
    by_name = {attribute.name: attribute for attribute in layout.attributes}
    for assignment in changed:
        attribute = by_name.get(assignment.cell.field)
        if assignment.part is not None or attribute is None or not _may_be_missing(attribute):
            field = assignment.part.field if assignment.part is not None else assignment.cell.field
            return f'"{field}" would be missing after ttl=, and the row would remain: make it optional, or put the item'
    return None


def _may_be_missing(attribute: Attribute) -> bool:
    return attribute.is_nullable or is_collection(attribute.type)
