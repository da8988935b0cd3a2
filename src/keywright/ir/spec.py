"""The type of the declaration behind a binding or physical object: by default, the options that all engines share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from .pattern import ConstantCondition


class StoreOptions(Protocol):
    """The options of `declare.store.Store` that every engine has; a protocol, because `ir` cannot import `declare`."""

    @property
    def is_collection(self) -> bool:
        """Whether its key identifies a collection."""

    @property
    def is_estimate(self) -> bool:
        """Whether its count is an estimate."""

    @property
    def source(self) -> str:
        """The physical name of the store whose items this one shows; empty for a store with items of its own."""

    @property
    def shown(self) -> tuple[ConstantCondition, ...]:
        """The conditions of the items of `source` that it shows."""

    @property
    def kind(self) -> str:
        """The business role of the entity."""

    @property
    def expected(self) -> int | None:
        """Number of live items at the design size."""

    @property
    def active(self) -> float:
        """Share of the items that is read or written on a normal day."""

    @property
    def keep_forever(self) -> str | None:
        """The reason why it never expires."""

    @property
    def schema_version(self) -> int:
        """Version of the stored form."""

    @property
    def upgrades(self) -> Mapping[int, Any]:
        """The conversion of each older stored version to the next one."""

    @property
    def cut_over(self) -> Any:
        """The move from another database, until it is finished."""

    @property
    def owner(self) -> str | None:
        """The team whose review a change needs."""


class PhysicalOptions(Protocol):
    """The options of `declare.store.Physical`, which every engine has."""

    @property
    def owner(self) -> str | None:
        """The team whose review a change needs."""


if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with defaults, which `typing` has from Python 3.13

    SpecT_co = TypeVar("SpecT_co", covariant=True, default=StoreOptions)
    PhysicalSpecT_co = TypeVar("PhysicalSpecT_co", covariant=True, default=PhysicalOptions)
else:
    from typing import TypeVar

    SpecT_co = TypeVar("SpecT_co", covariant=True)
    PhysicalSpecT_co = TypeVar("PhysicalSpecT_co", covariant=True)
