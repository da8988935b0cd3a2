"""What calls of patterns answer, and the handle that they are called with; of no engine."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

M_co = TypeVar("M_co", covariant=True)


class Runs(Protocol):
    """An open database: what `runtime.open` returns."""

    def run(self, pattern: Any, *subjects: Any, **values: Any) -> Any:
        """Carry out a pattern."""


@dataclass(frozen=True, slots=True)
class Page(Generic[M_co]):
    """Items of one call, in the wanted order."""

    items: tuple[M_co, ...]
    """The items."""
    cursor: str | None = None
    """Where the next page begins: give it to the same pattern with the same values; None where there is no more."""

    def __iter__(self) -> Iterator[M_co]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
