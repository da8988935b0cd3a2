"""DDB027: links between two entities are asked for from both sides, and found from one."""

from collections.abc import Iterator

from keywright.engines.dynamodb.uses import scalar, unserved
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """Every unserved pattern that asks for links by the second half of their key, which refers to another entity."""
    for use, _ in unserved(whole):
        key = use.entity.key
        sorts = [one.path for part in key.sorts for one in part.template.placeholders]
        hashes = [one.path for part in key.hashes for one in part.template.placeholders]
        asked = use.pattern.eq
        if use.pattern.kind not in ("read", "count") or len(asked) != 1 or asked[0] in hashes or sorts[:1] != [*asked]:
            continue
        kind = scalar(use.entity, asked[0])
        if kind is not None and kind.facts.reference is not None:
            pk, sk = (part.written.text for part in (key.sorts[0], key.hashes[0]))
            yield Flaw(
                problem=f'it asks by "{asked[0]}", and links to {kind.facts.reference.entity} are found from the '
                f'other side only, by pk="{sk}"',
                help=f'turn the key round in an index: inverted = kw.Gsi("inverted", pk="gsi1pk", sk="gsi1sk"), and '
                f'inverted.key(pk="{pk}", sk="{sk}")',
                subject=use.name,
                at=use.pattern.at,
            )
