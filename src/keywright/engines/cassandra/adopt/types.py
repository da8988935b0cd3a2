"""Native types as logical types: the inverse of `typemap`."""

import re
from collections.abc import Iterator, Mapping

from keywright.engines.contract.naming import RESERVED, camel_case, field_name
from keywright.ir.attribute import Attribute, Facts, Many, Map, Scalar, ScalarKind, Struct, Tuple, Type
from keywright.record import Record, replace

from ..declare.options import CqlType
from ..schema.cql import plain
from ..schema.target import Column
from ..schema.typemap import ALTERNATIVES, NATIVE, is_collection, native_type, type_name

_TOKEN = re.compile(r'"(?:[^"]|"")+"|[\w.]+|[<>,]')


class UnsupportedType(Exception):
    """A native type that no declaration has; the text names it."""


class NativeType(Record):
    """A parsed native type."""

    name: str
    """Its name, quoted if the server quotes it."""
    arguments: tuple["NativeType", ...] = ()
    """The types between `<` and `>`."""


class LogicalType(Record):
    """A logical type with the options of `CqlTable` that select the native type."""

    type: Type
    """The type."""
    chosen: str | None = None
    """The native type in `types=`; None for the default."""
    is_frozen: bool = False
    """Whether it is frozen."""


def parse(text: str) -> NativeType:
    """Parse a type as the server writes it."""
    tokens = iter(_TOKEN.findall(text))
    name = next(tokens)
    return _arguments(name, next(tokens, ""), tokens)[0]


def _arguments(name: str, token: str, tokens: Iterator[str]) -> tuple[NativeType, str]:
    """(type, token after it)."""
    if token != "<":
        return NativeType(name), token
    inner: list[NativeType] = []
    while token in ("<", ","):
        argument, token = _arguments(next(tokens), next(tokens, ""), tokens)
        inner.append(argument)
    return NativeType(name, tuple(inner)), next(tokens, "")


_KINDS: Mapping[str, ScalarKind] = {native: kind for kind, native in reversed(NATIVE.items())} | {
    "inet": "string", "ascii": "string", "timeuuid": "uuid", "varchar": "string", "float": "float",
    "tinyint": "integer", "smallint": "integer", "int": "integer", "varint": "integer", "counter": "integer",
}  # fmt: skip


class TypeReader:
    """Reads the types of one keyspace."""

    def __init__(self, types: Mapping[str, tuple[Column, ...]]) -> None:
        """types: fields of the user-defined types by name."""
        self._types = types
        self._structs: dict[str, Struct] = {}

    def column(self, text: str) -> LogicalType:
        """The type of a column; UnsupportedType if no declaration has it."""
        native = parse(text)
        is_frozen = native.name == "frozen"
        inner = native.arguments[0] if is_frozen else native
        if not inner.arguments and inner.name in _KINDS:
            kind = _KINDS[inner.name]
            chosen = inner.name if inner.name in ALTERNATIVES[kind] and inner.name != NATIVE[kind] else None
            return LogicalType(Scalar(kind), None if inner.name == "bigint" else chosen)
        logical = self._inner(inner)
        if native_type(logical, is_frozen=is_frozen) != text:
            raise UnsupportedType(text)
        return LogicalType(logical, is_frozen=is_frozen)

    def _inner(self, native: NativeType) -> Type:
        """A type inside another one, or a collection."""
        name, arguments = native.name, native.arguments
        if name == "frozen":
            return self._inner(arguments[0])
        if name == "vector":
            return self._vector(arguments)
        if name == "tuple":
            return self._tuple(arguments)
        if name in ("list", "set"):
            return Many("list" if name == "list" else "set", self._inner(arguments[0]))
        if name == "map":
            key = self._inner(arguments[0])
            if not isinstance(key, Scalar):
                raise UnsupportedType(f"map with keys of type {arguments[0].name}")
            return Map(self._inner(arguments[1]), key=key)
        if plain(name) in self._types:
            return self._struct(plain(name))
        if arguments or name not in _KINDS or name == "counter":
            raise UnsupportedType(name)
        kind = _KINDS[name]
        return Scalar(kind) if NATIVE[kind] == name else _declared(Scalar(kind), name)

    def _vector(self, arguments: tuple[NativeType, ...]) -> Type:
        element, count = arguments[0], int(arguments[1].name)
        if element.name in ("float", "double"):
            inner: Type = Scalar("float") if element.name == "float" else _declared(Scalar("float"), "double")
        else:
            inner = self._inner(element)
        return Many("list", inner, count, count, is_vector=True)

    def _tuple(self, arguments: tuple[NativeType, ...]) -> Type:
        """A tuple, whose values may be null."""
        elements = tuple(map(self._inner, arguments))
        count = len(elements)
        if all(element == elements[0] for element in elements):
            return Many("list", elements[0], count, count, has_null_elements=True, is_tuple=True)
        return Tuple(elements, tuple(range(count)))

    def _struct(self, name: str) -> Struct:
        if name not in self._structs:
            attributes: list[Attribute] = []
            for column in self._types[name]:
                python = field_name(column.name, {attribute.name for attribute in attributes})
                inner = self._inner(parse(column.type))
                if is_collection(inner) and native_type(inner) == column.type:
                    inner = _declared(inner, column.type)
                if native_type(inner, is_frozen=True) != column.type:
                    raise UnsupportedType(f'field "{column.name}" of type {name}, a {column.type} that is not frozen')
                attributes.append(optional(python, column.name, inner))
            struct = Struct(camel_case(name), tuple(attributes))
            if type_name(struct) != name or struct.name in RESERVED:
                raise UnsupportedType(f'user-defined type "{name}", whose name no class has')
            self._structs[name] = struct
        return self._structs[name]


def _declared(type: Type, native: str) -> Type:
    """The type with a `CqlType`."""
    return replace(type, facts=Facts(natives=((CqlType.__name__, native),)))


def optional(name: str, stored: str, type: Type) -> Attribute:
    """A field that a row may lack; an absent collection is empty."""
    is_value = not is_collection(type)
    return Attribute(
        name, stored, stored, type, is_nullable=is_value, is_required=False, is_none_by_default=is_value,
    )  # fmt: skip
