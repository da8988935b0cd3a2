"""DDB013: an entity writes its keys into a shared index, and is never read there."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import Query
from keywright.engines.dynamodb.keys import item_of, table_of
from keywright.engines.dynamodb.uses import entities, uses
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen


def models(whole: Whole) -> Iterator[Flaw]:
    """Every key in an index that others are read by; one that nobody reads is GEN001, one that all are in DDB108."""
    read: set[tuple[str, str]] = set()
    used: set[tuple[int, str]] = set()
    known: set[str] = set()
    for use in uses(whole):
        known.add(use.entity.binding.name)
        if isinstance(use.call, Query) and use.call.index:
            read.add((use.entity.binding.name, use.call.index))
            used.add((id(use.entity.table), use.call.index))
    for entity in entities(whole):
        name = entity.binding.name
        for key in item_of(entity.binding).gsis:
            index = key.gsi.name
            if key.gsi.pk in (table_of(entity.binding).pk, table_of(entity.binding).sk):
                continue  # every item is in it
            if name in known and (name, index) not in read and (id(entity.table), index) in used:
                yield Flaw(
                    problem=f'it is in index "{index}" by pk="{key.pk}", and none of its patterns is served there',
                    help="leave out that key; or declare the pattern that it is for",
                    subject=name,
                    part=index,
                )


def live(seen: Seen, *, least: int = 100) -> Iterator[Flaw]:
    """Every index that is empty, though sampled items of some entity belong into it whatever they hold.

    least: sampled items from which on that is no chance.
    """
    empty = {way.name for way in seen.found.ways if way.items == 0}
    for entity in entities(seen.whole):
        items = seen.found.items.get(entity.binding.name)
        if items is None or items.sample.read < least:
            continue
        for route in entity.routes:
            if route.index in empty and route.by.kind == "gsi" and not route.where and not route.optional:
                yield Flaw(
                    problem=f'index "{route.index}" is empty, and all of {items.sample.read:,} {entity.binding.name} '
                    "items sampled belong into it",
                    help="whoever writes them leaves its keys out: write them by `runtime`, and to what is there by a "
                    "backfill",
                    subject=entity.binding.name,
                    part=route.index,
                )
