"""DDB027: many-to-many links are read from both sides, but the keys serve only one."""

from collections.abc import Iterator

from keywright.engines.dynamodb.findings.uses import scalar, unserved
from keywright.engines.findings.context import FindingDraft, RuleContext


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Unserved patterns that read links by the sort key, which refers to another entity."""
    for use, _ in unserved(context):
        key = use.entity.key
        sorts = [placeholder.path for part in key.sorts for placeholder in part.template.placeholders]
        hashes = [placeholder.path for part in key.hashes for placeholder in part.template.placeholders]
        eq = use.pattern.eq
        if use.pattern.kind not in ("read", "count") or len(eq) != 1 or eq[0] in hashes or sorts[:1] != [*eq]:
            continue
        kind = scalar(use.entity, eq[0])
        if kind is not None and kind.facts.reference is not None:
            pk, sk = (part.written.text for part in (key.sorts[0], key.hashes[0]))
            yield FindingDraft(
                problem=f'it asks by "{eq[0]}", and links to {kind.facts.reference.entity} are found from the '
                f'other side only, by pk="{sk}"',
                help=f'turn the key round in an index: inverted = kw.Gsi("inverted", pk="gsi1pk", sk="gsi1sk"), and '
                f'inverted.key(pk="{pk}", sk="{sk}")',
                subject=use.name,
                at=use.pattern.at,
            )
