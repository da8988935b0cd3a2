"""Entries of a stream that wait in a sorted set: each a member of words, so that the server can append it."""

from collections.abc import Iterable, Iterator, Mapping


def entry(unique: str, fields: Mapping[str, str | bytes]) -> bytes:
    """The member of an entry: netstrings of a unique word, and of the names and values in turn.

    Netstrings contain any bytes, and a script of the server takes them apart.
    Source: https://cr.yp.to/proto/netstrings.txt, without commas, 2026-11-28.
    """
    words = (unique, *(word for pair in fields.items() for word in pair))
    return b"".join(b"%d:%b" % (len(text), text) for text in map(_bytes, words))


def fields_of(member: bytes) -> dict[bytes, bytes]:
    """The fields of an entry; ValueError if the member is none."""
    _, *words = _words(member)
    return dict(_pairs(words))


def _pairs(words: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    remaining = iter(words)
    return zip(remaining, remaining, strict=True)


def _words(member: bytes) -> Iterator[bytes]:
    while member:
        length, _, rest = member.partition(b":")
        if len(rest) < int(length):
            raise ValueError("the last word is shorter than its length")
        yield rest[: int(length)]
        member = rest[int(length) :]


def _bytes(word: str | bytes) -> bytes:
    return word.encode() if isinstance(word, str) else word
