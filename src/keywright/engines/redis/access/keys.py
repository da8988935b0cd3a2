"""The keys of a call, and the slot of a key in a cluster."""

from binascii import crc_hqx

from keywright.access.fill import Filled
from keywright.record import Record


class CallKeys(Record):
    """The keys of a call."""

    prefix: str
    """Prefix of each key."""
    filled: Filled
    """Template that makes the rest of each key."""
    is_backward: bool = False
    """Whether the keys with the latest time come first."""
    is_cluster: bool = False
    """Whether one command cannot name keys in several slots."""

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
        """Whether all keys of a call are on one node in a cluster of any size."""
        return self.filled.is_single or any(
            slot.placeholder.is_tag and slot.kind == "value" for slot in self.filled.slots
        )


SLOTS = 16_384
"""Slots of a cluster.
Source: https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec, "Hash tags" and appendix A,
2026-11-21."""


def slot(key: str | bytes) -> int:
    """The slot of a key, which determines its node.

    It is the CRC-16 (XMODEM) of the text in its first braces, or of the whole key if that is empty.
    """
    text = key.encode() if isinstance(key, str) else key
    start = text.find(b"{")
    end = text.find(b"}", start + 1) if start >= 0 else -1
    return crc_hqx(text[start + 1 : end] if end > start + 1 else text, 0) % SLOTS
