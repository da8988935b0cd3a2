"""Cursors of pages whose order has a collation, which may treat different texts as equal.

Python does not implement collations. For ASCII texts, this module recognises texts that are different in every
language; for other texts, one more request asks the server which documents equal the last one. Ids may be texts too,
and a filter would compare them with the collation; therefore documents of earlier pages are removed here.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from keywright.engines.mongodb.access.calls import SortField
from keywright.record import replace

from .paging import ID, PageEnd

Document = Mapping[str, Any]
Keys = Callable[[Document], tuple[Any, ...]]


def unseen(documents: Sequence[Any], place: PageEnd | None, limit: int | None) -> list[Any]:
    """The documents of a page, without those of earlier pages."""
    returned = place.seen if place is not None else ()
    return [document for document in documents if document[ID] not in returned][:limit]


def ended_by_rules(
    page: Sequence[Document],
    sort: Sequence[SortField],
    keys: Keys,
    before: PageEnd | None,
    ask: Callable[[dict[str, Any]], Sequence[Document]],
) -> PageEnd:
    """The page end after the last document of a page.

    ask: sends a filter with the collation, and returns the ids of its documents.
    """
    last = keys(page[-1])
    count = next((at for at, item in enumerate(reversed(page)) if _are_apart(keys(item), last)), len(page))
    ids = [document[ID] for document in page[-count:]]
    if before is not None and count == len(page) and not _are_apart(before.keys, last):
        ids = [*before.seen, *ids]
    if len(ids) > 1 and any(isinstance(value, str) and not value.isascii() for value in last):
        tied = {field.path: value for field, value in zip(sort, last, strict=True)}
        equal = [document[ID] for document in ask({**tied, ID: {"$in": ids}})]
        ids = [id for id in ids if id in equal]
    return PageEnd(last, tuple(ids))


def all_behind(place: PageEnd) -> PageEnd:
    """The page end without returned documents, which `unseen` removes."""
    return replace(place, seen=())


def _are_apart(first: tuple[Any, ...], second: tuple[Any, ...]) -> bool:
    return any(_is_apart(left, right) for left, right in zip(first, second, strict=True))


def _is_apart(first: Any, second: Any) -> bool:
    """Whether two values differ in every collation."""
    if not (isinstance(first, str) and isinstance(second, str)):
        return bool(first != second)
    return first.isascii() and second.isascii() and _core(first) != _core(second)


def _core(text: str) -> str:
    """The part of an ASCII text that every collation compares.

    Thai ignores punctuation, numeric order ignores leading zeros, and Lithuanian treats y as a form of i.
    Source: measured on 6.0.5 for all languages of `capabilities.LOCALES`, 2026-11-22.
    """
    return "".join(filter(str.isalnum, text)).replace("0", "").lower().replace("y", "i")
