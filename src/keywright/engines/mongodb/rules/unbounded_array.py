"""MDB001: an embedded list may grow without bound, up to the 16 MiB of a document."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.engines.flaws.observation import Seen
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


def live(seen: Seen) -> Iterator[Flaw]:
    """Every list that is longer in some sampled document than its bound, which nobody keeps."""
    for binding, items in seen.items():
        for path, attribute in fields(binding.entity.attributes):
            bound = attribute.type.max_items if isinstance(attribute.type, Many) else None
            longer = [length for length in items.lists.get(path, ()) if bound is not None and length > bound]
            if longer:
                yield Flaw(
                    problem=f'"{path}" holds up to {max(longer):,}, and its bound is {bound:,}: {len(longer):,} such '
                    f"lists in {items.sample.read:,} documents sampled",
                    help="find out who writes them past the model; the collection's validator can refuse them",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
