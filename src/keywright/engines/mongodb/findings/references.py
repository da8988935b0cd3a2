"""Fields of an entity that contain the `_id` of documents in its database, and fields copied from those documents."""

from collections.abc import Iterator

from keywright.engines.contract.observer import Copied
from keywright.engines.findings.context import RuleContext, fields
from keywright.ir.attribute import Many, Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design

from ..declare.options import AnyCollection, MongoDatabase
from ..schema.fields import id_attribute, stored
from ..schema.place import object_of
from ..schema.target import DatabaseTarget


def references(
    database: DatabaseTarget, design: Design[MongoDatabase, AnyCollection], binding: Binding[AnyCollection]
) -> Iterator[tuple[str, str, str]]:
    """See `Engine.references`: references to entities of the same database whose `_id` is one field."""
    for path, attribute in fields(binding.entity.attributes):
        kind = attribute.type.element if isinstance(attribute.type, Many) else attribute.type
        owner = _owners(design, binding).get(_referred(kind))
        if owner is not None:
            yield path, stored(binding, path), object_of(database, owner)


def copied(
    database: DatabaseTarget, design: Design[MongoDatabase, AnyCollection], binding: Binding[AnyCollection]
) -> Iterator[Copied]:
    """See `Engine.copied`: fields that copy a field of another entity, with the reference to its document."""
    attributes = dict(fields(binding.entity.attributes))
    for path, attribute in attributes.items():
        copied_from, (outer, _, _) = attribute.copied_from, path.rpartition(".")
        owner = (
            _owners(design, binding).get(copied_from.entity) if copied_from and copied_from.sync != "never" else None
        )
        if copied_from is None or owner is None:
            continue
        for reference_path, reference in attributes.items():
            if reference_path.rpartition(".")[0] == outer and _referred(reference.type) == copied_from.entity:
                object_name = object_of(database, owner)
                source = stored(owner, copied_from.attribute)
                yield Copied(path, stored(binding, path), stored(binding, reference_path), object_name, source)
                break


def _owners(
    design: Design[MongoDatabase, AnyCollection], binding: Binding[AnyCollection]
) -> dict[str, Binding[AnyCollection]]:
    """The entities of a database whose `_id` is one field, by name."""
    return {
        owner.entity.name: owner for owner in design.bindings_in(binding.physical) if id_attribute(owner) is not None
    }


def _referred(kind: Type) -> str:
    """The entity to which a value refers; empty if it refers to none."""
    reference = kind.facts.reference if isinstance(kind, Scalar) else None
    return reference.entity if reference else ""


def referred_by_name(context: RuleContext, binding: Binding[AnyCollection], path: str) -> str:
    """The other entity of a database whose `_id` has the name of the elements of a list; empty if there is none."""
    name = path.rpartition(".")[2].removesuffix("s")
    owners = [
        owner.entity.name
        for owner in context.bindings("mongodb")
        if owner.physical is binding.physical
        and owner is not binding
        and (key := id_attribute(owner)) is not None
        and key.name == name
        and name.endswith("_id")
    ]
    return owners[0] if len(owners) == 1 else ""
