"""Which fields of an entity hold the `_id` of documents in its database, as declared."""

from collections.abc import Iterator

from keywright.engines.flaws.context import fields
from keywright.ir.attribute import Many, Scalar
from keywright.ir.binding import Binding
from keywright.ir.design import Design

from .fields import id_attribute, stored
from .place import object_of
from .target import DatabaseTarget


def references(database: DatabaseTarget, design: Design, binding: Binding) -> Iterator[tuple[str, str, str]]:
    """See `Engine.references`: references to entities of the same database whose `_id` is one field."""
    owners = {one.entity.name: one for one in design.bindings_in(binding.physical) if id_attribute(one) is not None}
    for path, attribute in fields(binding.entity.attributes):
        kind = attribute.type.element if isinstance(attribute.type, Many) else attribute.type
        reference = kind.facts.reference if isinstance(kind, Scalar) else None
        owner = owners.get(reference.entity) if reference else None
        if owner is not None:
            yield path, stored(binding, path), object_of(database, owner)
