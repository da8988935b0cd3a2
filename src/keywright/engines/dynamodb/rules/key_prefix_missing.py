"""DDB014: a partition key has no prefix of its own in a table or index with other entities."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Layout, Route
from keywright.engines.dynamodb.findings.uses import entities, scalar
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.key_texts import can_share, pieces


def models(context: RuleContext, *, prefix_required: bool = True) -> Iterator[FindingDraft]:
    """Partition keys without a prefix that differ from other entities' keys.

    prefix_required: whether keys need a prefix even if their values cannot equal those of others.
    """
    keyed: dict[tuple[str, str], list[tuple[Layout, Route]]] = defaultdict(list)
    for entity in entities(context):
        for route in entity.routes:
            if route.by.kind != "lsi" and len(route.hashes) == 1 and route.hashes[0].native == "S":
                keyed[entity.table.name, route.index].append((entity, route))
    for (_, index), keys in keyed.items():
        for entity, route in keys:
            other = next(
                (candidate for candidate in keys if _is_mistakable((entity, route), candidate, prefix_required)), None
            )
            if other is not None:
                text, other_text = route.hashes[0].written.text, other[1].hashes[0].written.text
                where = f' of index "{index}"' if index else ""
                yield FindingDraft(
                    problem=f'pk="{text}"{where} does not tell what it is the key of, and {other[0].binding.name} '
                    f'has pk="{other_text}" there',
                    help=f'begin it with a word of its own, as in "{entity.binding.entity.name.upper()}#{text}"',
                    subject=entity.binding.name,
                    part=index,
                )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Entities with items under keys that they do not write, and items with unknown keys in a table without
    discriminators.
    """
    for binding, items in live_target.items():
        if items.misplaced:
            yield FindingDraft(
                problem=f"{items.sample.of(items.misplaced, 'has', 'have')} a key that {binding.name} does not write"
                f"{items.such_as('misplaced')}",
                help="find out who writes them, and write them anew under the key that `runtime` makes",
                subject=binding.name,
            )
    shapes = live_target.target.placed.shape
    for table_name, (count, sample) in live_target.observation.unknown_items.items():
        if any(shape.discriminator is None for shape in shapes):
            yield FindingDraft(
                problem=f'{sample.of(count)} in table "{table_name}" have keys that no entity there writes'
                f"{live_target.observation.unknown_example(table_name)}",
                help="declare what they are, or find out who writes them",
                subject=live_target.name,
            )


def _is_mistakable(first: tuple[Layout, Route], second: tuple[Layout, Route], prefix_required: bool) -> bool:
    """Whether a key without a prefix could be mistaken for another's; identical templates are shared on purpose."""
    first_template, second_template = first[1].hashes[0].template, second[1].hashes[0].template
    written = pieces(first_template, first[0].attributes)
    begins_with_constant = bool(written and written[0].letters) and len(written) > 1 and written[0].width == 1
    if (
        begins_with_constant
        or first_template.parts == second_template.parts
        or not first_template.placeholders
        or _is_shared(first, second)
    ):
        return False
    return prefix_required or can_share(written, pieces(second_template, second[0].attributes))


def _is_shared(first: tuple[Layout, Route], second: tuple[Layout, Route]) -> bool:
    """Whether both keys are the id of one entity, with the same name or not: such items share partitions on purpose."""
    owners: list[set[str]] = []
    for entity, route in (first, second):
        lone = route.hashes[0].template.lone
        kind = scalar(entity, lone.path) if lone else None
        reference = kind.facts.reference if kind else None
        owners.append({reference.entity if reference else entity.binding.entity.name} if lone else set())
    return bool(owners[0] & owners[1])
