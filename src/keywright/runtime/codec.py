"""What a run-time codec is: functions between instances of a model and native items, made once per model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import BaseModel

from .given import Given

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Codec(Generic[M]):
    """One model in one store."""

    key_of: Callable[[M], Any]
    """The native key of an instance."""
    to_items: Callable[[M], list[Any]]
    """Every native item that one instance is stored as: one, or one for each read copy."""
    from_item: Callable[[Any], M]
    """The instance that a native item was made from."""
    from_part: Callable[[Any], M]
    """The instance of a native item that lacks attributes: what is there is read, nothing is validated, and fields that
    are not there are not set."""


Call: TypeAlias = Callable[[Any, Given], Any]
"""(client, what the call gives): carries out one planned pattern, of which everything is decided beforehand.

Answers, by kind of pattern: the instance or None for `get`; a `Page` for `read`; a number for `count`; the place from
0, or None, for `rank`; a list of dictionaries, group and measures by name, for `aggregate`; the new number, or None
where the store does not tell it, for `increment`; a list of instances, or whether the permit is given, for `take`; None
for other writes. Raises ConditionFailed where a write's condition does not hold, UsageError for what a call lacks.
"""
