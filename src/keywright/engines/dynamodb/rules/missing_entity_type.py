"""DDB016: items of several entities share a table, and none of them says what it is."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument


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
