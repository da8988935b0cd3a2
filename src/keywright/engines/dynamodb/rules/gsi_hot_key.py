"""DDB010: the partition key of a global index takes few values, and throttles the table when one is hot."""

import re
from collections.abc import Iterator

from keywright.engines.dynamodb.key_values import values_of
from keywright.engines.flaws.context import Flaw, Whole

_GSI = re.compile(r'gsi "(.+)" pk\Z')


def models(whole: Whole, *, min_cardinality: int = 100) -> Iterator[Flaw]:
    """Every such index key whose values can be counted.

    min_cardinality: values below which partitions are too few to spread a load.
    """
    for binding in whole.bindings("dynamodb"):
        for argument, template in binding.templates.items():
            index = _GSI.match(argument)
            count = values_of(binding, template) if index else None
            if index and count is not None and count < min_cardinality:
                yield Flaw(
                    problem=f'pk="{template.text}" of index "{index[1]}" takes {count} values, each one partition',
                    help='shard it, as in "STATUS#{status}#{order_id:shard(8)}", and read with fan_out=8',
                    subject=binding.name,
                    part=index[1],
                )
