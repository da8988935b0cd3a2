"""DDB022: a field that changes is part of the key of an item, which never does."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.derived import key_sources, touches
from keywright.engines.dynamodb.uses import uses
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """Every update or increment of such a field."""
    for use in uses(whole):
        pattern = use.pattern
        if pattern.kind not in ("update", "increment") or pattern.unserved is not None:
            continue
        further = (path for path in (pattern.pushes, pattern.field) if path is not None)
        changed, sources = (*pattern.sets, *pattern.unset, *further), key_sources(use.entity)
        found = next((path for path in changed if touches(path, sources)), None)
        if found is not None:
            texts = " and ".join(f'"{part.written.text}"' for part in use.entity.key.key)
            yield Flaw(
                problem=f'it changes "{found}", which is part of the key {texts}: that is a delete and a put',
                help=f'take "{found}" out of the key of {use.entity.binding.name}, and key an index by it',
                subject=use.name,
                at=pattern.at,
            )
