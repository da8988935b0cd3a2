"""What a run-time codec is: functions between instances of a model and native items, made once per model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

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
