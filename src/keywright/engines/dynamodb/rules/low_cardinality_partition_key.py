"""DDB004: the partition key of a table takes few values."""

from collections.abc import Iterator

from keywright.engines.dynamodb.key_values import values_of
from keywright.engines.dynamodb.uses import entities, hash_text
from keywright.engines.flaws.context import Flaw, Whole


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
