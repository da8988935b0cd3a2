"""DDB013: an entity writes keys to a shared index, but no pattern of the entity reads the index."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.findings.uses import entities, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Keys in an index that other entities are read by; GEN001 reports unread indexes, DDB108 inverted ones."""
    read: set[tuple[str, str]] = set()
    used: set[tuple[int, str]] = set()
    with_patterns: set[str] = set()
    for use in uses(context):
        with_patterns.add(use.entity.binding.name)
        if isinstance(use.call, QueryItems) and use.call.index:
            read.add((use.entity.binding.name, use.call.index))
            used.add((id(use.entity.table), use.call.index))
    for entity in entities(context):
        name = entity.binding.name
        for key in entity.binding.spec.gsis:
            index = key.gsi.name
            if key.gsi.pk in (entity.binding.spec.table.pk, entity.binding.spec.table.sk):
                continue  # an inverted index contains every item
            by = f' by pk="{key.pk}"' if key.pk is not None else ""
            if name in with_patterns and (name, index) not in read and (id(entity.table), index) in used:
                yield FindingDraft(
                    problem=f'it is in index "{index}"{by}, and none of its patterns is served there',
                    help="leave out that key; or declare the pattern that it is for",
                    subject=name,
                    part=index,
                )


def live(live_target: LiveTarget, *, least: int = 100) -> Iterator[FindingDraft]:
    """Empty indexes, although all sampled items of an entity belong in them.

    least: sampled items from which this is no coincidence.
    """
    empty = {index.name for index in live_target.observation.indexes if index.items == 0}
    for entity in entities(live_target.context):
        items = live_target.observation.items.get(entity.binding.name)
        if items is None or items.sample.read < least:
            continue
        for route in entity.routes:
            if route.index in empty and route.by.kind == "gsi" and not route.where and not route.optional:
                sampled = counted(items.sample.read, f"{entity.binding.name} item", spec=",")
                yield FindingDraft(
                    problem=f'index "{route.index}" is empty, and all of {sampled} sampled belong into it',
                    help="whoever writes them leaves its keys out: write them by `runtime`, and to what is there by a "
                    "backfill",
                    subject=entity.binding.name,
                    part=route.index,
                )
