"""Which fields of an entity hold the `_id` of documents in its database, and which are copied from there."""

from collections.abc import Iterator

from keywright.engines.flaws.context import fields
from keywright.engines.observer import Copied
from keywright.ir.attribute import Many, Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design

from .fields import id_attribute, stored
from .place import object_of
from .target import DatabaseTarget


def references(database: DatabaseTarget, design: Design, binding: Binding) -> Iterator[tuple[str, str, str]]:
    """See `Engine.references`: references to entities of the same database whose `_id` is one field."""
    for path, attribute in fields(binding.entity.attributes):
        kind = attribute.type.element if isinstance(attribute.type, Many) else attribute.type
        owner = _owners(design, binding).get(_referred(kind))
        if owner is not None:
            yield path, stored(binding, path), object_of(database, owner)


def copied(database: DatabaseTarget, design: Design, binding: Binding) -> Iterator[Copied]:
    """See `Engine.copied`: fields that follow another's, beside a reference to where that is."""
    found = dict(fields(binding.entity.attributes))
    for path, attribute in found.items():
        said, (outer, _, _) = attribute.copied_from, path.rpartition(".")
        owner = _owners(design, binding).get(said.entity) if said and said.sync != "never" else None
        if said is None or owner is None:
            continue
        for beside, other in found.items():
            if beside.rpartition(".")[0] == outer and _referred(other.type) == said.entity:
                place = object_of(database, owner)
                source = stored(owner, said.attribute)
                yield Copied(path, stored(binding, path), stored(binding, beside), place, source)
                break


def _owners(design: Design, binding: Binding) -> dict[str, Binding]:
    """The entities of a database whose `_id` is one field, by name."""
    return {one.entity.name: one for one in design.bindings_in(binding.physical) if id_attribute(one) is not None}


def _referred(kind: Type) -> str:
    """The entity that a value refers to; empty where it does not."""
    reference = kind.facts.reference if isinstance(kind, Scalar) else None
    return reference.entity if reference else ""
