"""Keyspaces as declarations."""

from collections.abc import Iterator, Mapping

from keywright.engines.contract.adoption import NO_SAMPLE, Adopted, NotExpressed, Sample
from keywright.engines.contract.naming import snake_case
from keywright.errors import NOWHERE
from keywright.ir.binding import Physical
from keywright.ir.design import Design

from ..declare.options import CqlTable, Keyspace
from ..declare.settings import CassandraEnvironment
from ..schema.lower import structs
from ..schema.target import KeyspaceTarget
from ..schema.typemap import type_name
from .tables import TableReader


def adopt(target: KeyspaceTarget, samples: Mapping[str, Sample], environment: CassandraEnvironment) -> Adopted:
    """See `Adoption.adopt`. The schema has all types, so that no sample is needed; files have comments."""
    physical = Physical("cassandra", target.name, target.name, Keyspace(target.name), NOWHERE)
    reader = TableReader(target, physical, environment)
    bindings = tuple(binding for table in target.tables if (binding := reader.binding(table)))
    design = Design(tuple(binding.entity for binding in bindings), (physical,), bindings)
    missing = (*reader.not_expressed, *_unused_types(target, design), *_without_table(target, design))
    return Adopted(design, _comments(design, samples.get(target.name, NO_SAMPLE).comments), missing)


def _comments(design: Design[Keyspace, CqlTable], stored: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """The comments of schema files, by (class, field)."""
    tables = [(binding.spec.name, binding.entity.name, binding.entity.attributes) for binding in design.bindings]
    types = [
        (type_name(struct), struct.name, struct.attributes)
        for entity in design.entities
        for struct in structs(entity.attributes)
    ]
    return {
        (owner, attribute.name): text
        for name, owner, attributes in (*tables, *types)
        for attribute in attributes
        if (text := stored.get((name, attribute.stored), "")) and snake_case(text) != attribute.name
    }


def _unused_types(target: KeyspaceTarget, design: Design[Keyspace, CqlTable]) -> Iterator[NotExpressed]:
    used = {type_name(struct) for entity in design.entities for struct in structs(entity.attributes)}
    for type in target.types:
        if type.name not in used:
            yield NotExpressed(f"types/{type.name}", "no expressed column has this type")


def _without_table(target: KeyspaceTarget, design: Design[Keyspace, CqlTable]) -> Iterator[NotExpressed]:
    """Indexes and views of tables that are not expressed."""
    tables: set[str] = {binding.spec.name for binding in design.bindings}
    for part, objects in (("indexes", target.indexes), ("views", target.views)):
        yield from (
            NotExpressed(f"{part}/{object.name}", f'its table "{object.table}" is not expressed')
            for object in objects
            if object.table not in tables
        )
