"""DDB004: the partition key of a table takes few values."""

from collections.abc import Iterator

from keywright.engines.dynamodb.key_values import values_of
from keywright.engines.dynamodb.uses import entities, hash_text
from keywright.engines.flaws.context import Flaw, Stored, Whole


def models(whole: Whole, *, min_cardinality: int = 100) -> Iterator[Flaw]:
    """Every such key whose values can be counted.

    min_cardinality: values below which partitions are too few to spread a load.
    """
    for entity in entities(whole):
        count = values_of(entity, entity.key)
        if count is not None and count < min_cardinality:
            yield Flaw(
                problem=f'pk="{hash_text(entity.key)}" takes {count} values, and each is one partition',
                help="begin with what items differ in, such as their id; find them by the rest through an index",
                subject=entity.binding.name,
            )


def stored(one: Stored, *, words: tuple[str, ...] = ("status", "state", "type", "kind", "country")) -> Iterator[Flaw]:
    """A table of a program whose key is called so that it can hardly have many values.

    words: names of such keys.
    """
    key = one.placed.keys[0].attribute
    if not one.placed.shape and key.lower() in words:
        yield Flaw(
            problem=f'the partition key of table "{one.placed.name}" is called "{key}": few values, each one partition',
            help="begin with what items differ in, such as their id; find them by the rest through an index",
            subject=one.declared.name,
            severity="warning",
        )
