"""Declarations that Cassandra cannot store in any environment."""

import re
from collections.abc import Iterator

from keywright.declare.names import names
from keywright.engines.interface import Rejection
from keywright.engines.time_precisions import check_without_precision
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import parts
from keywright.ir.text import counted

from ..declare.options import CqlTable, Keyspace
from .capabilities import NAME_LENGTH, NAME_PATTERN
from .check_access import check_indexes, check_views
from .check_options import check_options
from .columns import column_named, columns_of, key_problem
from .cql import is_misread
from .lower import index_name, structs
from .masks import FUNCTIONS, function_of, normal
from .place import GENERATION
from .typemap import allowed_types, declared_type, holds_duration, is_collection, native_type, type_name


def check(design: Design[Keyspace, CqlTable]) -> Iterator[Rejection]:
    """See `Engine.check`."""
    for physical in design.physicals:
        bindings = design.bindings_in(physical)
        yield from _named(physical, bindings)
        yield from _types_of_one_name(bindings)
        for binding in bindings:
            yield from check_without_precision(binding, "Cassandra", "milliseconds anyway")
            yield from _types(binding)
            yield from _columns(binding)
            yield from _key(binding)
            yield from _counters(binding)
            yield from _frozen(binding)
            yield from _masks(binding)
            yield from check_options(binding)
            yield from _grace_of_views(binding)
            yield from check_indexes(binding)
            yield from check_views(binding)


def _named(physical: Physical, bindings: tuple[Binding[CqlTable], ...]) -> Iterator[Rejection]:
    """Names of keyspaces, tables, views and indexes. Tables and views share one namespace, all indexes another."""
    yield from _name("keyspace", physical.name, physical.name, "")
    if physical.name == "system" or physical.name.startswith("system_"):
        problem = f'the keyspace name "{physical.name}" belongs to the server'
        yield Rejection("CAS112", problem, "choose a name that does not start with system", physical.name)
    stored: dict[str, str] = {}
    indexes: dict[str, str] = {}
    for binding in bindings:
        table = binding.spec
        objects = [("table", table.name, "", stored)]
        objects += [("view", view.name, view.name, stored) for view in table.views]
        objects += [("index", index_name(binding, index), index.name or "", indexes) for index in table.indexes]
        for word, name, part, owners in objects:
            yield from _name(word, name, binding.name, part)
            if name in owners:
                problem = (
                    f'the {word} "{name}" has the name of another one in keyspace "{physical.name}", of {owners[name]}'
                )
                yield Rejection("E0110", problem, "give one of them another name", binding.name, part)
            owners[name] = binding.name


def _name(word: str, name: str, subject: str, part: str) -> Iterator[Rejection]:
    if len(name) > NAME_LENGTH.value:
        problem = (
            f'the {word} name "{name}" has {counted(len(name), "character")}, Cassandra allows {NAME_LENGTH.value}'
        )
        yield Rejection("CAS112", problem, "choose a shorter name=" if word == "index" else "shorten it", subject, part)
    elif not re.fullmatch(NAME_PATTERN, name):
        problem = f'the {word} name "{name}" contains a character that Cassandra does not allow'
        yield Rejection("CAS112", problem, "use letters, digits and `_`", subject, part)
    elif word != "keyspace" and (end := GENERATION.search(name)):
        problem = f'the {word} name "{name}" ends in "{end[0]}", as only later generations of a table do'
        yield Rejection("CAS112", problem, "use generation= of the table, or choose another name", subject, part)


def _columns(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    """Names of columns and of fields of user-defined types that cqlsh misreads."""
    for attribute in binding.entity.attributes:
        for name in (
            attribute.stored,
            *(field.stored for struct in structs((attribute,)) for field in struct.attributes),
        ):
            if is_misread(name):
                problem = f'the column name "{name}" contains the start or end of a comment'
                help = "cqlsh reads it as a comment even in quotes: choose another alias for the field"
                yield Rejection("CAS112", problem, help, binding.name, field=attribute.name)


def _types_of_one_name(bindings: tuple[Binding[CqlTable], ...]) -> Iterator[Rejection]:
    """Embedded models that share the name of a user-defined type or have no field."""
    first: dict[str, tuple[Struct, str]] = {}
    for binding in bindings:
        for struct in structs(binding.entity.attributes):
            other, owner = first.setdefault(type_name(struct), (struct, binding.name))
            if other.attributes != struct.attributes:
                problem = (
                    f'the models "{struct.name}" here and "{other.name}" in {owner} are one type "{type_name(struct)}"'
                )
                yield Rejection("E0110", problem, "give one of them another name", binding.name)
            if not struct.parts:
                problem = f'the embedded model "{struct.name}" has no field, and a user-defined type needs one'
                yield Rejection("E0205", problem, "add a field, or remove it", binding.name)


def _types(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    for name, native in binding.spec.types.items():
        attribute = binding.entity.attribute(name)
        if attribute is None:
            problem = f'types= names "{name}", which is not a field of {binding.entity.name} itself'
            yield Rejection("E0205", problem, "name only fields of the model, not of embedded models", binding.name)
        elif native not in (allowed := allowed_types(attribute.type)):
            problem = f'"{name}" cannot be stored as {native}, it takes {" or ".join(allowed)}'
            yield Rejection("E0205", problem, "remove it from types=", binding.name, field=name)
    for attribute in binding.entity.attributes:
        for inner in _declared_types(attribute.type):
            chosen, allowed = declared_type(inner), allowed_types(inner)
            if chosen not in allowed:
                problem = f'a value in "{attribute.name}" cannot be stored as {chosen}, it takes {" or ".join(allowed)}'
                yield Rejection("E0205", problem, "remove CqlType, or change it", binding.name, field=attribute.name)
        if problem := _duration_problem(attribute.type):
            help = "use whole numbers of microseconds, or a list"
            yield Rejection("E0205", f'"{attribute.name}" {problem}', help, binding.name, field=attribute.name)
        if _has_inner_null(attribute.type):
            problem = f'"{attribute.name}" may contain None inside a collection, which Cassandra cannot store'
            yield Rejection("E0205", problem, "omit elements without a value", binding.name, field=attribute.name)
        for union in (struct for struct in structs((attribute,)) if isinstance(struct, Union)):
            problem = f'"{attribute.name}" is one of {union.name}, and a user-defined type has one form'
            fields = ", ".join(f"{type_name(part)}: {part.name} | None = None" for part in union.members)
            help = f"declare an optional field for each instead: {fields}"
            yield Rejection("E0205", problem, help, binding.name, field=attribute.name)


def _declared_types(type: Type) -> Iterator[Type]:
    """The type and the types inside it that have a `CqlType`."""
    if declared_type(type) is not None:
        yield type
    for part in parts(type):
        yield from _declared_types(part)


def _duration_problem(type: Type) -> str:
    """The problem with a set of durations or a map by durations, which have no order; empty if there is none."""
    match type:
        case Many(kind="set") if holds_duration(type.element, native_type(type.element)):
            return "is a set of durations, which have no order"
        case Map() if holds_duration(type.key, native_type(type.key)):
            return "is a map whose keys are durations, which have no order"
        case _:
            return next(filter(None, map(_duration_problem, parts(type))), "")


def _has_inner_null(type: Type) -> bool:
    is_null = (isinstance(type, Many) and type.has_null_elements and not type.is_tuple) or (
        isinstance(type, Map) and type.has_null_values
    )
    return is_null or any(map(_has_inner_null, parts(type)))


def _key(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    for column in columns_of(binding):
        if column.role not in ("partition", "clustering"):
            continue
        field = column.attribute.name if column.attribute else ""
        if problem := key_problem(column):
            yield Rejection("CAS102", problem[0], problem[1], binding.name, field=field)
        elif column.attribute and column.attribute.is_nullable:
            sentence = f'"{field}" may be None, and a key needs all its parts'
            yield Rejection("E0308", sentence, "make it required, or remove it from the key", binding.name, field=field)


def _counters(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    table = binding.spec
    counters = names(table.counters)
    if not counters:
        return
    for name in counters:
        attribute = binding.entity.attribute(name)
        kind = attribute.type if attribute else None
        if not isinstance(kind, Scalar) or kind.kind != "integer":
            problem = f'the counter "{name}" is not a whole number'
            yield Rejection("CAS101", problem, "type it int", binding.name, field=name)
    others = [
        stored_column
        for stored_column in columns_of(binding)
        if stored_column.role in ("static", "regular") and stored_column.type != "counter"
    ]
    for column in others:
        problem = f'"{column.name}" is not a counter, in a table with counters'
        help = "store it in a separate table, or make it part of the key"
        field = column.attribute.name if column.attribute else ""
        yield Rejection("CAS101", problem, help, binding.name, field=field)
    incompatible: tuple[tuple[str, object], ...] = (
        ("ttl=", table.ttl),
        ("Ttl()", binding.entity.ttl),
        ("indexes=", table.indexes),
        ("views=", table.views),
    )
    for word, value in incompatible:
        if value:
            problem = f"a table with counters cannot have {word}"
            yield Rejection("CAS101", problem, f"remove {word}", binding.name)


def _frozen(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    table = binding.spec
    for name in names(table.unfrozen):
        attribute = binding.entity.attribute(name)
        if attribute is None or not isinstance(attribute.type, Struct):
            problem = f'"{name}" cannot be unfrozen: {_why_frozen(attribute)}'
            help = "name a field with a single embedded model, or remove it from unfrozen="
            yield Rejection("CAS104", problem, help, binding.name, field=name.partition(".")[0])
        elif any(is_collection(part) and declared_type(part) for part in parts(attribute.type)):
            problem = f'"{name}" cannot be unfrozen: its type has collections that are not frozen'
            help = "remove CqlType from its collections, or remove it from unfrozen="
            yield Rejection("CAS104", problem, help, binding.name, field=name)
    for name in names(table.frozen):
        attribute = binding.entity.attribute(name)
        if attribute is None or not is_collection(attribute.type):
            problem = f'"{name}" is not a collection of the table and cannot be frozen'
            yield Rejection("E0205", problem, "remove it from frozen=", binding.name, field=name.partition(".")[0])


def _masks(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    for name, mask in binding.spec.masked.items():
        written, column = normal(mask), column_named(binding, name)
        function = function_of(written or "")
        functions = ", ".join(FUNCTIONS)
        if column is None:
            problem, help = f'masked= names "{name}", which is not a column', "name a field of the model itself"
        elif written is None:
            problem = f'the mask of "{name}" is "{mask}", which is not a call with constants'
            help = 'write a function with its arguments, such as "mask_inner(1, null)"'
        elif function not in FUNCTIONS and "." not in function:
            problem, help = f'there is no masking function "{function}"', f"use {functions}, or keyspace.function(...)"
        elif not _takes(function, column.type):
            problem = f'"{name}" is {column.type}, {function} masks {FUNCTIONS[function]} only'
            help = "use mask_default() or mask_null()"
        else:
            continue
        yield Rejection("E0503", problem, help, binding.name, field=name if column else "")


def _takes(function: str, native: str) -> bool:
    kind = FUNCTIONS.get(function)
    return native in {"text": ("text", "ascii"), "blob": ("blob",)}.get(kind or "", (native,))


def _why_frozen(attribute: Attribute | None) -> str:
    match attribute:
        case None:
            return "parts of an embedded model are written as a whole"
        case Attribute(type=Many() | Tuple() | Map()):
            return "parts of a collection are written as a whole"
        case _:
            return "it is not an embedded model"


def _grace_of_views(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    table = binding.spec
    if table.views and not table.gc_grace:
        problem = "gc_grace is 0 in a table with materialized views, whose pending updates are kept for the same time"
        yield Rejection("CAS106", problem, "remove it for the default of ten days", binding.name)
