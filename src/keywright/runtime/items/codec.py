"""The codec of a model: functions between instances and native items, made once; and items that it cannot read."""

from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import BaseModel

from keywright.record import Record

from ..errors import InvalidItem
from ..validate.arguments import Arguments

M = TypeVar("M", bound=BaseModel)


class Codec(Record, Generic[M]):
    """The codec of one model in one store."""

    key_of: Callable[[M], Any]
    """The native key of an instance."""
    to_items: Callable[[M], list[Any]]
    """All native items of an instance: a single item, or one for each read copy."""
    from_item: Callable[[Any], M]
    """The instance of a native item."""
    from_part: Callable[[Any], M]
    """The instance of a native item that may lack attributes: nothing is validated, and missing fields are not set."""
    from_copy: Callable[[Any], M]
    """Like `from_item`, without upgrades, for an item that may lack its schema version, as in an index."""
    key_in: Callable[[Any], Any]
    """The key in a native item, by which a person finds the item even if the rest is unreadable."""


FUNCTIONS = ("key_of", "to_items", "from_item", "from_part")
"""Names of the compiled functions of a codec."""


PatternFunction: TypeAlias = Callable[[Any, Arguments], Any]
"""(client, arguments of the call): runs one planned pattern.

Returns, by kind of pattern: the instance or None for `get`; a `Page` for `read`; a number for `count`; the rank from 0,
or None, for `rank`; a list of dictionaries, group and measures by name, for `aggregate`; the new number, or None if the
store does not return it, for `increment`; a list of instances, or whether the permit is granted, for `take`; None for
other writes. Raises ConditionFailed if a write's condition is not met, UsageError for a missing argument.
"""


class Unreadable(Record):
    """A stored item that cannot be made an instance."""

    error: InvalidItem
    """The error of the item."""
