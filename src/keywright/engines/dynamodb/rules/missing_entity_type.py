"""DDB016: several entities share a table, and items have no discriminator."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.observation import LiveTarget


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Tables of several entities without discriminators."""
    for target in context.of("dynamodb"):
        without_discriminator = [shape.name for shape in target.declared.shape if shape.discriminator is None]
        if len(target.declared.shape) > 1 and without_discriminator:
            yield FindingDraft(
                problem=f'{", ".join(without_discriminator)} share table "{target.declared.name}", and '
                "discriminator=None, so that no "
                "item says what it is",
                help='say discriminator="entity_type", and write it to the items that are there',
                subject=target.declared.name,
                fix=Fix((SetArgument("discriminator", '"entity_type"'),)),
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Tables with a discriminator, and items whose discriminator is absent or unknown."""
    discriminators = [shape.discriminator for shape in live_target.target.placed.shape]
    declared = [discriminator for discriminator in discriminators if discriminator is not None]
    for table, (count, sample) in live_target.observation.unknown_items.items():
        if declared and len(declared) == len(discriminators):
            name = declared[0].attribute
            values = ", ".join(f'"{value}"' for discriminator in declared for value in discriminator.values)
            yield FindingDraft(
                problem=f'{sample.of(count)} in table "{table}" have none of {values} in "{name}", so that nothing '
                f"says what they are{live_target.observation.unknown_example(table)}",
                help=f'write "{name}" to them by a backfill, or declare what they are',
                subject=live_target.name,
            )
