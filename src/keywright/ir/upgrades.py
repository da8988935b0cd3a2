"""Declared upgrades of an entity's stored items, as transforms over stored names."""

from collections.abc import Container

from keywright.record import replace

from .binding import Binding
from .entity import stored_path
from .time_precision import precise
from .transform import Transform, of_upgrade


def upgrade_of(binding: Binding, version: int, stored_names: Container[str] | None = None) -> Transform | None:
    """The transform of a schema version into the next one; None if no upgrade is declared.

    Fields with a former name are renamed, unless the upgrade contains them. stored_names: the former names that items
    can have; None for any.
    """
    upgrades = binding.spec.upgrades
    if version not in upgrades:
        return None
    attributes = binding.entity.attributes
    transform = of_upgrade(
        upgrades[version], lambda path: stored_path(attributes, path), lambda template: precise(template, attributes)
    )
    upgraded_names = {*transform.reads, *transform.writes}
    renamed = tuple(
        (attribute.stored, attribute.renamed_from)
        for attribute in attributes
        if attribute.renamed_from is not None
        and (stored_names is None or attribute.renamed_from in stored_names)
        and not {attribute.stored, attribute.renamed_from} & upgraded_names
    )
    return replace(transform, rename=(*transform.rename, *renamed))
