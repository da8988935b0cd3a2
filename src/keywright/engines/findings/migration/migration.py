"""What hazards are told of a version: its parts by their form alone, since `history` stands above."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from keywright.engines.change import Change, Path
from keywright.engines.classes import Rows
from keywright.engines.parts import Part

Hints: TypeAlias = Mapping[tuple[str, Path], str]
"""Former names by store and path, as the models say them."""


class Snapshot(Protocol):
    """All targets at one moment, as `history` keeps them."""

    @property
    def stores(self) -> Mapping[str, Mapping[str, Any]]:
        """Descriptions by store and key of the target."""

    @property
    def graveyard(self) -> Sequence[Mapping[str, Any]]:
        """What was dropped before, and when."""

    @property
    def access(self) -> Mapping[str, str]:
        """What serves each pattern."""

    @property
    def renamed(self) -> Mapping[str, str]:
        """Hints that are spent, by store and path with a blank between."""


class Landing(Protocol):
    """A change as a version names it."""

    @property
    def id(self) -> str:
        """Its name in the version."""

    @property
    def change(self) -> Change:
        """The change."""


class Stage(Protocol):
    """One thing that a version does."""

    @property
    def n(self) -> int:
        """Its number."""

    @property
    def by(self) -> str:
        """Who does it."""

    @property
    def op(self) -> str:
        """What is done."""

    @property
    def store(self) -> str:
        """Where; empty for everywhere."""

    @property
    def object(self) -> str:
        """What it is about."""

    @property
    def lands(self) -> Sequence[str]:
        """Names of the changes that have landed afterwards."""

    @property
    def more(self) -> Mapping[str, Any]:
        """Words that belong to its op."""


class Facts(Protocol):
    """What an engine says of changes; an `Engine` has it, and so has its module `diff`."""

    @property
    def parts(self) -> Part:
        """See `Engine.parts`."""

    @property
    def classes(self) -> Rows:
        """See `Engine.classes`."""
