"""The slot of a key in a cluster: which node it is on.

Source: https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec, "Hash tags" and appendix A,
2026-11-21.
"""

from binascii import crc_hqx

SLOTS = 16_384
"""Slots of a cluster."""


def slot(key: str | bytes) -> int:
    """The slot of a key: CRC-16 (XMODEM) of its first braces, if there is something in them, else of all of it."""
    text = key.encode() if isinstance(key, str) else key
    begins = text.find(b"{")
    ends = text.find(b"}", begins + 1) if begins >= 0 else -1
    return crc_hqx(text[begins + 1 : ends] if ends > begins + 1 else text, 0) % SLOTS
