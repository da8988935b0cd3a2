"""Text for a field: by its pattern, or else by its name and size."""

from collections.abc import Callable

from ..space import Space
from . import language
from .bounds import TextBounds
from .labels import TIME_WORDS, addresses, codes, dated, emails, labels, links, slugs
from .prose import PROSE, people, prose, titles

_PERSONS = frozenset({"author", "sender", "username", "user", "owner", "person", "player", "customer", "contact"})
_PROSE_WORDS = {"body", "text", "description", "content", "message", "comment"}
_TYPICAL = 16


def matching(bounds: TextBounds, pattern: str) -> Space:
    """Texts that match a pattern; raises UsageError if none is found."""
    typical = bounds.typical or _TYPICAL
    texts = dated(bounds, pattern)
    return texts or language.texts(pattern, bounds.low, bounds.high, typical, bounds.key, bounds.field)


def converted(bounds: TextBounds) -> Space:
    """Text of a Python class: a network address if the field's name suggests one, else a link."""
    is_network = bounds.words & {"ip", "host", "address"}
    return (addresses(bounds) if is_network else links(bounds)) or codes(bounds)


def named(bounds: TextBounds) -> Space:
    """Text of the kind that the field's name and size suggest."""
    for words, make in _KINDS:
        if bounds.words & words and (space := make(bounds)) is not None:
            return space
    if bounds.is_label:
        return labels(bounds) or codes(bounds)
    if (bounds.typical or 0) > PROSE or bounds.low > _TYPICAL or bounds.words & _PROSE_WORDS:
        return prose(bounds)
    return people(bounds) if bounds.is_personal else titles(bounds)


def _names(bounds: TextBounds) -> Space | None:
    """Names of people, for a field about people."""
    is_person = bounds.is_personal or bounds.words & (_PERSONS | {"first", "last", "family", "given"})
    return people(bounds) if is_person and not bounds.is_label else None


_KINDS: tuple[tuple[frozenset[str], Callable[[TextBounds], Space | None]], ...] = (
    (frozenset({"email", "mail"}), emails),
    (frozenset({"id", "ids", "key", "token", "sku", "code", "hash", "reference", "serial", "isbn", "uuid"}), codes),
    (frozenset({"slug"}), slugs),
    (frozenset({"url", "link", "href"}), links),
    (frozenset({"ip", "address", "host"}), addresses),
    (TIME_WORDS, dated),
    (_PERSONS | {"name", "first", "last", "family", "given"}, _names),
)
"""Words of a field's name with the function for such texts; the first function with a result counts."""
