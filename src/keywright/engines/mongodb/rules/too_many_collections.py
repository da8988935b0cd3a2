"""MDB113: a database has so many collections and indexes that opening their files slows the server.

https://www.mongodb.com/docs/atlas/reference/faq/database/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.engines.mongodb.schema.capabilities import ADVISED_FILES
from keywright.ir.text import counted


def stored(target: TargetInEnvironment, *, max_files: int = ADVISED_FILES.value) -> Iterator[FindingDraft]:
    """Every database with more collections and indexes.

    max_files: collections and indexes, those on `_id` included; each is a file.
    """
    collections = target.declared.collections
    count = sum(2 + len(collection.indexes) for collection in collections)
    if count > max_files:
        yield FindingDraft(
            problem=f'database "{target.declared.name}" has {counted(len(collections), "collection")}, with their '
            f"indexes {counted(count, 'file')}, {counted(max_files, 'is recommended', 'are recommended')}",
            help="keep what is alike in one collection, told apart by a field such as the customer",
            subject=target.declared.name,
        )
