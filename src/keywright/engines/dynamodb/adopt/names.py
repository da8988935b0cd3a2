"""Class names for entities that the words of their keys tell apart."""

import re
from collections.abc import Iterator, Sequence

from keywright.engines.contract.naming import camel_case, singular
from keywright.record import Record

from .words import ROOTS, plain_word, word_of

_ID = re.compile(r"_?(?:id|Id|ID)$")


class Named(Record):
    """Source of an entity's name."""

    by_key: tuple[tuple[str, ...], ...]
    """The words of each key attribute."""
    kinds: frozenset[str]
    """Names that a file gives to its items; empty text for none."""
    subject: str = ""
    """The field with the value of the partition key."""


def names_of(entities: Sequence[Named], table: str) -> list[str]:
    """A name for each entity, all different."""
    if len(entities) == 1:
        return [table]
    names: list[str] = []
    for entity in entities:
        candidates = [*_candidates(entity, entities), *(f"{table} {number}" for number in range(1, 1000))]
        names.append(next(name for name in map(_name, candidates) if name not in names))
    return names


def _candidates(entity: Named, entities: Sequence[Named]) -> Iterator[str]:
    if (kind := _kind(entity, entities)) is not None:
        yield kind
    partition, *sort = (list(map(word_of, words)) for words in entity.by_key)
    last = [word for words in sort for word in reversed(words)]
    yield from (word for word in (*last, *reversed(partition[1:])) if len(word) > 2 and word not in ROOTS)
    if partition and any(word not in ROOTS for word in last):
        yield " ".join((*partition, *reversed(last)))
    yield from (word for word in partition[:1] if len(word) > 2)
    if subject := _ID.sub("", entity.subject):
        yield subject
    yield from (word for word in last if len(word) > 2)
    yield " ".join((*partition, *reversed(last)))


def _kind(entity: Named, entities: Sequence[Named]) -> str | None:
    """The kind of a file that has these items alone, or as the item that its partitions are about."""
    if len(entity.kinds) != 1 or entity.kinds == {""}:
        return None
    (kind,) = entity.kinds
    is_alone = all(kind not in other.kinds for other in entities if other is not entity)
    is_root = any(plain_word(word) in ROOTS for words in entity.by_key[1:] for word in words)
    return kind if is_alone or is_root else None


def _name(text: str) -> str:
    words = text.split() or ["item"]
    return camel_case(" ".join((*words[:-1], singular(words[-1]))))
