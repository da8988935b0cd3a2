"""The keys of a call."""

from dataclasses import dataclass

from keywright.access.fill import Filled


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a call."""

    prefix: str
    """What each begins with."""
    filled: Filled
    """How the rest is made."""
    is_backward: bool = False
    """Whether those of the latest time come first."""
    is_cluster: bool = False
    """Whether keys in several slots cannot be named by one command."""

    @property
    def text(self) -> str:
        """The template of a key."""
        return self.prefix + self.filled.template.text

    @property
    def can_be_named_at_once(self) -> bool:
        """Whether one command may name all keys of a call."""
        return not self.is_cluster or self.has_one_slot

    @property
    def has_one_slot(self) -> bool:
        """Whether all keys of a call are on one node, whatever the number of nodes."""
        return self.filled.is_single or any(
            slot.placeholder.is_tag and slot.kind == "value" for slot in self.filled.slots
        )
