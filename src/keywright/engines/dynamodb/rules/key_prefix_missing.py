"""DDB014: an entity's partition key has no word of its own, in a table or index that other entities are in too."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Entity, Route
from keywright.engines.dynamodb.uses import entities, scalar
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.ir.keytext import can_share, pieces


def models(whole: Whole, *, prefix_required: bool = True) -> Iterator[Flaw]:
    """Every such template that others do not share as it is.

    prefix_required: whether keys need a prefix even where their values cannot be equal to those of others.
    """
    keyed: dict[tuple[str, str], list[tuple[Entity, Route]]] = defaultdict(list)
    for entity in entities(whole):
        for route in entity.routes:
            if route.by.kind != "lsi" and len(route.hashes) == 1 and route.hashes[0].native == "S":
                keyed[entity.table.name, route.index].append((entity, route))
    for (_, index), found in keyed.items():
        for entity, route in found:
            other = next((one for one in found if _is_mistakable((entity, route), one, prefix_required)), None)
            if other is not None:
                text, theirs = route.hashes[0].written.text, other[1].hashes[0].written.text
                where = f' of index "{index}"' if index else ""
                yield Flaw(
                    problem=f'pk="{text}"{where} does not tell what it is the key of, and {other[0].binding.name} '
                    f'has pk="{theirs}" there',
                    help=f'begin it with a word of its own, as in "{entity.binding.entity.name.upper()}#{text}"',
                    subject=entity.binding.name,
                    part=index,
                )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every entity of which items have keys that it does not write, and every table with items whose keys are nobody's,
    where they alone tell what an item is.
    """
    for binding, items in seen.items():
        if items.misplaced:
            yield Flaw(
                problem=f"{items.sample.of(items.misplaced)} have a key that {binding.name} does not write",
                help="find out who writes them, and write them anew under the key that `runtime` makes",
                subject=binding.name,
            )
    shapes = seen.target.placed.shape
    for place, (count, sample) in seen.found.strays.items():
        if any(shape.mark is None for shape in shapes):
            yield Flaw(
                problem=f'{sample.of(count)} in table "{place}" have keys that no entity there writes',
                help="declare what they are, or find out who writes them",
                subject=seen.name,
            )


def _is_mistakable(one: tuple[Entity, Route], other: tuple[Entity, Route], prefix_required: bool) -> bool:
    """Whether a key without a word could be taken for another's; one that both have alike is shared on purpose."""
    own, theirs = one[1].hashes[0].template, other[1].hashes[0].template
    if own.head or own.parts == theirs.parts or not own.placeholders or _is_shared(one, other):
        return False
    return prefix_required or can_share(pieces(own, one[0].attributes), pieces(theirs, other[0].attributes))


def _is_shared(one: tuple[Entity, Route], other: tuple[Entity, Route]) -> bool:
    """Whether both keys are the id of one entity, under one name or two: items of several stand together on purpose."""
    owners: list[set[str]] = []
    for entity, route in (one, other):
        lone = route.hashes[0].template.lone
        kind = scalar(entity, lone.path) if lone else None
        reference = kind.facts.reference if kind else None
        owners.append({reference.entity if reference else entity.binding.entity.name} if lone else set())
    return bool(owners[0] & owners[1])
