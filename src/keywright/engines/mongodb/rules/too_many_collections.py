"""MDB113: a database has so many collections and indexes that opening their files slows the server down.

https://www.mongodb.com/docs/atlas/reference/faq/database/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored
from keywright.engines.mongodb.capabilities import ADVISED_FILES


def stored(one: Stored, *, max_files: int = ADVISED_FILES.value) -> Iterator[Flaw]:
    """A database with more of both together.

    max_files: collections and indexes, those on `_id` included, each of which is a file.
    """
    collections = one.declared.collections
    count = sum(2 + len(each.indexes) for each in collections)
    if count > max_files:
        yield Flaw(
            problem=f'database "{one.declared.name}" has {len(collections)} collections, with their indexes {count} '
            f"files, {max_files} are a good bound",
            help="keep what is alike in one collection, told apart by a field such as the customer",
            subject=one.declared.name,
        )
