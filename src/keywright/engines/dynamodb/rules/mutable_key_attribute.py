"""DDB022: updates change a field that is part of the table's immutable key."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.derived import key_sources, touches
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.findings.context import FindingDraft, RuleContext


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Updates and increments of key fields."""
    for use in uses(context):
        pattern = use.pattern
        if pattern.kind not in ("update", "increment") or pattern.unserved is not None:
            continue
        others = (path for path in (pattern.pushes, pattern.field) if path is not None)
        changed, sources = (*pattern.sets, *pattern.unset, *others), key_sources(use.entity)
        changed_path = next((path for path in changed if touches(path, sources)), None)
        if changed_path is not None:
            texts = " and ".join(f'"{part.written.text}"' for part in use.entity.key.key)
            yield FindingDraft(
                problem=f'it changes "{changed_path}", which is part of the key {texts}: that is a delete and a put',
                help=f'take "{changed_path}" out of the key of {use.entity.binding.name}, and key an index by it',
                subject=use.name,
                at=pattern.at,
            )
