"""MDB106: an index is a prefix of another index, which serves the same queries.

https://www.mongodb.com/docs/manual/core/indexes/index-types/index-compound/#index-prefixes (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.engines.findings.fix import DropPart, Fix
from keywright.engines.mongodb.findings.redundant import replaces


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every ordinary index whose fields are a prefix of another index's, in the same or the reverse order."""
    entities = {dict(entity.keys).get("collection", ""): entity for entity in target.declared.shape}
    for collection in target.declared.collections:
        entity = entities.get(collection.name)
        for index in collection.indexes:
            longer = next((other for other in collection.indexes if replaces(other, index, entity)), None)
            if longer is not None:
                yield FindingDraft(
                    problem=f'index "{index.name}" is the beginning of "{longer.name}", and every write keeps both',
                    help=f'remove it: "{longer.name}" serves whatever it serves',
                    subject=entity.name if entity else collection.physical_name,
                    part=index.name,
                    fix=Fix((DropPart(),), is_safe=True),
                )
