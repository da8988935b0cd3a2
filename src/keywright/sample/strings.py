"""Text for a field: by its pattern, else by what its name and its size say that it is."""

from collections.abc import Callable

from . import language
from .labels import TIME_WORDS, addresses, codes, dated, emails, labels, links, slugs
from .space import Space
from .wanted import Wanted
from .wording import PROSE, people, prose, titles

_PERSONS = frozenset({"author", "sender", "username", "user", "owner", "person", "player", "customer", "contact"})
_PROSE_WORDS = {"body", "text", "description", "content", "message", "comment"}
_TYPICAL = 16


def matching(wanted: Wanted, pattern: str) -> Space:
    """Texts that match a pattern; UsageError if none is found."""
    typical = wanted.typical or _TYPICAL
    texts = dated(wanted, pattern)
    return texts or language.texts(pattern, wanted.low, wanted.high, typical, wanted.key, wanted.field)


def converted(wanted: Wanted) -> Space:
    """Text of a class of Python's: the field's name says whether it is a network address, else it is a link."""
    is_network = wanted.words & {"ip", "host", "address"}
    return (addresses(wanted) if is_network else links(wanted)) or codes(wanted)


def named(wanted: Wanted) -> Space:
    """Text of the kind that the field's name and size tell."""
    for words, make in _KINDS:
        if wanted.words & words and (found := make(wanted)) is not None:
            return found
    if wanted.is_label:
        return labels(wanted) or codes(wanted)
    if (wanted.typical or 0) > PROSE or wanted.low > _TYPICAL or wanted.words & _PROSE_WORDS:
        return prose(wanted)
    return people(wanted) if wanted.is_personal else titles(wanted)


def _names(wanted: Wanted) -> Space | None:
    """Names of people where the field is about them."""
    is_person = wanted.is_personal or wanted.words & (_PERSONS | {"first", "last", "family", "given"})
    return people(wanted) if is_person and not wanted.is_label else None


_KINDS: tuple[tuple[frozenset[str], Callable[[Wanted], Space | None]], ...] = (
    (frozenset({"email", "mail"}), emails),
    (frozenset({"id", "ids", "key", "token", "sku", "code", "hash", "reference", "serial", "isbn", "uuid"}), codes),
    (frozenset({"slug"}), slugs),
    (frozenset({"url", "link", "href"}), links),
    (frozenset({"ip", "address", "host"}), addresses),
    (TIME_WORDS, dated),
    (_PERSONS | {"name", "first", "last", "family", "given"}, _names),
)
"""Words of a field's name, and what makes such texts; the first that is possible counts."""
