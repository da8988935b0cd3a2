"""Flaws of DynamoDB."""

import re
from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.template import Template

FEW = 100
"""Values of a partition key below which its partitions are too few to spread a load; ours."""

_GSI = re.compile(r'gsi "(.+)" pk\Z')


def few_partitions(whole: Whole) -> Iterator[Flaw]:
    """DDB004: the partition key of a table takes few values."""
    for binding in whole.bindings("dynamodb"):
        for argument, template in binding.templates.items():
            if argument == "pk" and (count := _values(binding, template)) is not None and count < FEW:
                yield Flaw(
                    problem=f'pk="{template.text}" takes {count} values, and each is one partition',
                    help="begin with what items differ in, such as their id; find them by the rest through an index",
                    subject=binding.name,
                )


def few_index_partitions(whole: Whole) -> Iterator[Flaw]:
    """DDB010: the partition key of a global index takes few values, and throttles the table when one is hot."""
    for binding in whole.bindings("dynamodb"):
        for argument, template in binding.templates.items():
            index = _GSI.match(argument)
            count = _values(binding, template) if index else None
            if index and count is not None and count < FEW:
                yield Flaw(
                    problem=f'pk="{template.text}" of index "{index[1]}" takes {count} values, each one partition',
                    help='shard it, as in "STATUS#{status}#{order_id:shard(8)}", and read with fan_out=8',
                    subject=binding.name,
                    part=index[1],
                )


def _values(binding: Binding, template: Template) -> int | None:
    """How many values a template takes; None where nobody knows."""
    count = 1
    if not template.placeholders:
        return None  # one item, or a collection that is meant
    for placeholder in template.placeholders:
        found = resolve(binding.entity.attributes, placeholder.path) if placeholder.path else None
        kind = element(found[-1].type) if found else None
        if placeholder.shards or not isinstance(kind, Scalar):
            return None
        values = len(kind.constants) or (2 if kind.kind == "boolean" else kind.facts.distinct)
        if values is None:
            return None
        count *= values
    return count
