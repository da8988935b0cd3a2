"""Tables as declarations, each with its indexes and views."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from keywright.declare.change import Rebuild
from keywright.engines.contract.adoption import NotExpressed
from keywright.engines.contract.naming import camel_case, class_name, field_name
from keywright.errors import NOWHERE, gathering
from keywright.ir.attribute import Attribute, Struct
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import Entity

from ..declare.options import CqlTable
from ..declare.settings import CassandraEnvironment
from ..declare.storage import CqlIndex, View
from ..schema.capabilities import INDEX_OPTIONS
from ..schema.check import check
from ..schema.cql import plain
from ..schema.lower import lower
from ..schema.target import ClusteringColumn, Column, IndexTarget, KeyspaceTarget, TableTarget, ViewTarget
from ..schema.typemap import is_collection
from .options import arguments_of
from .types import LogicalType, TypeReader, UnsupportedType, optional

_SASI = "SASIIndex"
_FLAGS = {"true": True, "false": False}

PartT = TypeVar("PartT", CqlIndex, View)


class TableReader:
    """Reads the tables of one keyspace."""

    def __init__(self, keyspace: KeyspaceTarget, physical: Physical[Any], environment: CassandraEnvironment) -> None:
        self._keyspace, self._physical, self._environment = keyspace, physical, environment
        self._types = TypeReader({type.name: type.fields for type in keyspace.types})
        self._embedded = {camel_case(type.name) for type in keyspace.types}
        self._classes = set(self._embedded)
        self.not_expressed: list[NotExpressed] = []

    def binding(self, table: TableTarget) -> Binding[CqlTable] | None:
        """The declaration of a table; None if its key cannot be expressed."""
        columns = self._columns(table)
        if columns is None:
            return None
        attributes = tuple(self._attributes(table, columns))
        python = {attribute.stored: attribute.name for attribute in attributes}
        entity = Entity(class_name(table.name, self._classes), "", "", attributes)
        binding = self._bound(entity, table.name, self._options(table, columns, python))
        if (rejection := next(check(Design((), (self._physical,), (binding,))), None)) is not None:
            self._miss(f"tables/{table.name}", rejection.problem)
            return None
        self._classes.add(entity.name)
        for index in self._keyspace.indexes:
            if index.table == table.name and (declared := self._index(binding, index, python)):
                binding = self._extended(binding, "indexes", declared)
        for view in self._keyspace.views:
            if view.table == table.name and (declared_view := self._view(binding, view, python)):
                binding = self._extended(binding, "views", declared_view)
        return binding

    def _columns(self, table: TableTarget) -> dict[str, LogicalType] | None:
        """Logical types by stored name; columns that cannot be expressed are left out. None without a whole key."""
        columns: dict[str, LogicalType] = {}
        key = _key(table)
        clustering = (Column(column.name, column.type) for column in table.clustering)
        for column in (*table.partition, *clustering, *table.static, *table.columns):
            try:
                columns[column.name] = self._types.column(column.type)
            except UnsupportedType as error:
                part = "" if column.name in key else f"/columns/{column.name}"
                self._miss(f"tables/{table.name}{part}", f'"{column.name}" is a {column.type}: no word for {error}')
                if column.name in key:
                    return None
        return columns

    def _attributes(self, table: TableTarget, columns: Mapping[str, LogicalType]) -> Iterator[Attribute]:
        key = _key(table)
        taken = set(self._embedded)  # a field with a default would hide the class
        for stored, column in columns.items():
            name = field_name(stored, taken)
            taken.add(name)
            if stored in key:
                yield Attribute(name, stored, stored, column.type)
            else:
                yield optional(name, stored, column.type)

    def _options(
        self, table: TableTarget, columns: Mapping[str, LogicalType], python: Mapping[str, str]
    ) -> dict[str, Any]:
        counters = {column.name for column in (*table.static, *table.columns) if column.type == "counter"}
        lists = {
            "clustering": [_signed(column, python) for column in table.clustering],
            "static": [python[column.name] for column in table.static if column.name in columns],
            "counters": [python[name] for name in columns if name in counters],
            "unfrozen": [python[name] for name, column in columns.items() if _is_unfrozen_struct(column)],
            "frozen": [python[name] for name, column in columns.items() if _is_frozen_collection(column)],
        }
        masks = {python[name]: mask for name, mask in table.masks if name in python}
        types = {python[name]: column.chosen for name, column in columns.items() if column.chosen}
        return {
            **_generation(table.generation),
            "partition": _short([python[column.name] for column in table.partition]),
            **{option: _short(fields) for option, fields in lists.items() if fields},
            **({"types": types} if types else {}),
            **({"masked": masks} if masks else {}),
            **arguments_of(table.options, self._environment),
        }

    def _index(self, binding: Binding[CqlTable], target: IndexTarget, python: Mapping[str, str]) -> CqlIndex | None:
        part, _, column = target.target.rpartition("(")
        stored = plain(column.removesuffix(")"))
        path = f"indexes/{target.name}"
        if target.using not in ("sai", "legacy"):
            reason = (
                "SASI is experimental: replace it by a storage-attached index"
                if target.using == _SASI
                else "no word for it"
            )
            self._miss(path, f"an index of class {target.using}: {reason}")
            return None
        options = {name: _FLAGS.get(value, value) for name, value in target.options if name in INDEX_OPTIONS}
        if stored not in python or len(options) < len(target.options):
            missing = f'its column "{stored}" is not expressed' if stored not in python else "an option without a word"
            self._miss(path, missing)
            return None
        of = {"values": "value", "": "value"}.get(part, part)
        arguments: dict[str, Any] = {"using": target.using, "of": of, **options}
        defaults = CqlIndex.__options__.defaults
        arguments = {name: value for name, value in arguments.items() if value != defaults[name]}
        unnamed = CqlIndex(python[stored], **arguments)
        candidates = (unnamed, CqlIndex(python[stored], **arguments, name=target.name))
        return self._accepted(binding, "indexes", candidates, target, path)

    def _view(self, binding: Binding[CqlTable], target: ViewTarget, python: Mapping[str, str]) -> View | None:
        path = f"views/{target.name}"
        if any(name not in python for name in (*target.partition, *(name for name, _ in target.clustering))):
            self._miss(path, "a column of its key is not expressed")
            return None
        if target.where:
            self._miss(path, "it has a condition on the table's key, for which there is no word")
            return None
        clustering = [("-" if order == "DESC" else "") + python[name] for name, order in target.clustering]
        view = View(target.name, partition=_short([python[name] for name in target.partition]), clustering=clustering)
        return self._accepted(binding, "views", (view,), target, path)

    def _accepted(
        self, binding: Binding[CqlTable], option: str, candidates: Sequence[PartT], target: object, path: str
    ) -> PartT | None:
        """The first candidate from which `lower` makes the target and which `check` accepts; else None, with a note."""
        reason = "a column or an option of it has no word"
        for candidate in candidates:
            design = Design((), (self._physical,), (self._extended(binding, option, candidate),))
            rejection = next(check(design), None)
            if rejection is not None:
                reason = rejection.problem
            elif target in getattr(lower(design)[0], option):
                return candidate
        self._miss(path, reason)
        return None

    def _extended(self, binding: Binding[CqlTable], option: str, declared: CqlIndex | View) -> Binding[CqlTable]:
        """The binding with one more index or view."""
        options = {name: value for name, value in vars(binding.spec).items() if name in CqlTable.__options__.kinds}
        options |= {option: [*options[option], declared]}
        return self._bound(binding.entity, options.pop("name"), options)

    def _bound(self, entity: Entity, name: str, options: Mapping[str, Any]) -> Binding[CqlTable]:
        arguments = {option: value for option, value in options.items() if option != "keyspace"}
        with gathering():
            spec = CqlTable(self._physical.spec, name, **arguments)
        return Binding(entity.name, entity, self._physical, spec, spec.templates, {}, NOWHERE)

    def _miss(self, path: str, reason: str) -> None:
        self.not_expressed.append(NotExpressed(path, reason))


def _key(table: TableTarget) -> set[str]:
    return {column.name for column in table.partition} | {column.name for column in table.clustering}


def _generation(number: int) -> dict[str, Any]:
    return {"generation": number, "rebuild": Rebuild(from_generation=number - 1)} if number > 1 else {}


def _short(names: list[str]) -> str | list[str]:
    """A single name without its list."""
    return names[0] if len(names) == 1 else names


def _signed(column: ClusteringColumn, python: Mapping[str, str]) -> str:
    return f"-{python[column.name]}" if column.is_descending else python[column.name]


def _is_unfrozen_struct(column: LogicalType) -> bool:
    return isinstance(column.type, Struct) and not column.is_frozen


def _is_frozen_collection(column: LogicalType) -> bool:
    return is_collection(column.type) and column.is_frozen
