"""DDB016: items of several entities share a table, and none of them says what it is."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.engines.flaws.observation import Seen


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such table."""
    for one in whole.of("dynamodb"):
        unmarked = [shape.name for shape in one.declared.shape if shape.mark is None]
        if len(one.declared.shape) > 1 and unmarked:
            yield Flaw(
                problem=f'{", ".join(unmarked)} share table "{one.declared.name}", and discriminator=None, so that no '
                "item says what it is",
                help='say discriminator="entity_type", and write it to the items that are there',
                subject=one.declared.name,
                fix=Fix((SetArgument("discriminator", '"entity_type"'),)),
            )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every table that tells its items by an attribute, and holds some that say nothing, or nothing known."""
    marks = [shape.mark for shape in seen.target.placed.shape]
    for place, (count, sample) in seen.found.strays.items():
        if marks and all(marks):
            name, known = marks[0][0], ", ".join(f'"{mark[1]}"' for mark in marks)
            yield Flaw(
                problem=f'{sample.of(count)} in table "{place}" have none of {known} in "{name}", so that nothing '
                "says what they are",
                help=f'write "{name}" to them by a backfill, or declare what they are',
                subject=seen.name,
            )
