"""Declarations of users: a box, models in it, and the section of a stack file."""

from typing import Literal

from keywright.declare.declared import subject
from keywright.declare.store import Physical, Rebuildable, Store
from keywright.engines.environment import EngineEnvironment


class Box(Physical, Rebuildable):
    """A box: a dictionary of items by key."""

    engine = "toy"

    capacity: int | None = None
    """Largest number of items; None for any number."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        if self.capacity is not None and self.capacity < 1:
            self.wrong("E0503", f"capacity={self.capacity} leaves no room", "set a number of at least 1, or remove it")


class Boxed(Store):
    """A model as the items of a box, which contains no other model."""

    box: Box = subject(kw_only=False)
    """The box."""
    key: str
    """Template of the key."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("key", self.key)

    def is_ordered(self, argument: str) -> bool:
        """See `Store.is_ordered`: keys are found by equality alone."""
        return False


class ToyEnvironment(EngineEnvironment, kw_only=True):
    """The toy in one environment."""

    flavour: Literal["toy"]
    """There is one product."""
    box_prefix: str = ""
    """Prefix of the physical names of boxes."""
