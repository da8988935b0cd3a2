"""Protocols for the parts of a migration, because rules cannot import `migrations`."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from keywright.engines.contract.change import Change, Path
from keywright.engines.contract.classes import Rows
from keywright.engines.contract.parts import Part

Hints: TypeAlias = Mapping[tuple[str, Path], str]
"""Former names by store and path, from the models."""


class SnapshotInfo(Protocol):
    """All targets after a migration."""

    @property
    def stores(self) -> Mapping[str, Mapping[str, Any]]:
        """Descriptions by store and key of the target."""

    @property
    def graveyard(self) -> Sequence[Mapping[str, Any]]:
        """Dropped objects, each with its migration."""

    @property
    def access(self) -> Mapping[str, str]:
        """The access notes: the key or index that serves each pattern."""

    @property
    def renamed(self) -> Mapping[str, str]:
        """Applied hints, by store and path with a blank between."""


class NumberedChangeInfo(Protocol):
    """A change with its id in a migration."""

    @property
    def id(self) -> str:
        """Its id in the migration."""

    @property
    def change(self) -> Change:
        """The change."""


class StepInfo(Protocol):
    """One step of a migration."""

    @property
    def n(self) -> int:
        """Its number."""

    @property
    def by(self) -> str:
        """Its executor, such as `human`."""

    @property
    def op(self) -> str:
        """Its operation."""

    @property
    def store(self) -> str:
        """Its store; empty for all stores."""

    @property
    def object(self) -> str:
        """Its object."""

    @property
    def applies(self) -> Sequence[str]:
        """Ids of the changes that it applies."""

    @property
    def more(self) -> Mapping[str, Any]:
        """Further keys of its operation."""


class ChangeFacts(Protocol):
    """An engine's facts about changes, in an `Engine` and in its module `diff`."""

    @property
    def parts(self) -> Part:
        """See `Engine.parts`."""

    @property
    def classes(self) -> Rows:
        """See `Engine.classes`."""
