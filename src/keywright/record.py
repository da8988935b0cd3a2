"""`Record`, the base class of keywright's own data, and the functions that read its fields; the bottom layer."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard, dataclass_transform

from msgspec import NODEFAULT as NODEFAULT
from msgspec import Struct, structs
from msgspec import field as field
from msgspec.structs import FieldInfo as FieldInfo
from msgspec.structs import force_setattr as force_setattr

if TYPE_CHECKING:
    # Type checkers compare the arguments of this function with the fields of a record, as they do for a dataclass.
    from dataclasses import replace as replace
else:
    from msgspec.structs import replace as replace


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(Struct, frozen=True):
    """An immutable object that consists of its fields; it equals another of its class with equal fields."""


def fields(record: Record | type[Record]) -> tuple[FieldInfo, ...]:
    """The fields of a record or a record class, with their types and defaults; those of its base classes first."""
    return _fields(record if isinstance(record, type) else type(record))


def asdict(record: Record) -> dict[str, Any]:
    """The fields of a record by name; records in it, in tuples, lists and mappings too, become dictionaries as well."""
    return {name: _plain(getattr(record, name)) for name in record.__struct_fields__}


def is_record(value: object) -> TypeGuard[Record | type[Record]]:
    """Whether an object is a record or a record class."""
    return isinstance(value, Record) or (isinstance(value, type) and issubclass(value, Record))


_fields = cache(structs.fields)


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return asdict(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(element) for element in value)
    return {key: _plain(element) for key, element in value.items()} if isinstance(value, Mapping) else value
