"""MDB001: an embedded list may grow without bound, up to the 16 MiB of a document."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.ir.attribute import Many


def models(whole: Whole) -> Iterator[Flaw]:
    """Every list without a bound, those of embedded models too."""
    for binding in whole.bindings("mongodb"):
        for path, attribute in fields(binding.entity.attributes):
            if isinstance(attribute.type, Many) and attribute.type.max_items is None:
                yield Flaw(
                    problem=f'"{path}" has no bound, and a document has at most 16 MiB',
                    help="say it by Field(max_length=...); what may grow further is a collection of its own",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
