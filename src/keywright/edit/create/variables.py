"""Module variables for the declarations that several others refer to."""

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.declare.declared import Declared
from keywright.declare.stream import ConsumerGroup
from keywright.ir.design import Design
from keywright.ir.pattern import Pattern
from keywright.record import Record

_TYPES = frozenset(("bool", "bytes", "dict", "dt", "float", "int", "kw", "list", "set", "str", "timedelta"))
"""Names in annotations, which a variable would hide."""


class ImportedName(Record):
    """A declaration of another file."""

    declared: object
    """The declaration, as the design refers to it."""
    module: str
    """Dotted name of the module."""
    variable: str
    """Its variable there."""


class Variables:
    """The variables of one file: of physical objects, of declarations whose methods create others, and of the consumer
    groups of patterns."""

    def __init__(self, design: Design[Any, Any], imported: tuple[ImportedName, ...] = ()) -> None:
        self._names = {id(imported_name.declared): imported_name.variable for imported_name in imported}
        self._taken = {*_TYPES, *self._names.values(), *(binding.entity.name for binding in design.bindings)}
        self.in_order: list[tuple[Declared, str]] = []
        """(declaration, variable), each after those that it refers to."""
        owners = [owner for binding in design.bindings for owner in _owners(binding.spec)]
        for owner in owners:
            self._add(owner, str(getattr(owner, "name", "index")))
        for physical in design.physicals:
            self._add(physical.spec, physical.variable)
        taken = {(pattern.binding, pattern.consumer_group) for pattern in design.patterns}
        for binding in design.bindings:
            for group in _groups(binding.spec):
                if (binding.name, group.name) in taken:
                    self._add(group, group.name)

    def name(self, declared: Declared, outer: Declared | None = None) -> str | None:
        """The variable of a declaration; None if it has none, or for the declaration that is being written."""
        return None if declared is outer else self._names.get(id(declared))

    def unique(self, wish: str) -> str:
        """A variable that nothing else in the file has."""
        name = _unique(wish, self._taken)
        self._taken.add(name)
        return name

    def of_group(self, spec: Any, pattern: Pattern) -> str:
        """The variable of the consumer group of a pattern; empty without one."""
        groups = (self._names[id(group)] for group in _groups(spec) if group.name == pattern.consumer_group)
        return next(groups, "")

    def _add(self, declared: Declared, wish: str) -> None:
        if id(declared) not in self._names:
            name = _unique(_variable(wish), self._taken)
            self._taken.add(name)
            self._names[id(declared)] = name
            self.in_order.append((declared, name))


def _groups(spec: Any) -> Sequence[ConsumerGroup]:
    """The consumer groups of a stream."""
    return getattr(spec, "groups", ())


def _owners(value: Any) -> Iterator[Declared]:
    """Declarations inside a value whose methods create others."""
    if isinstance(value, Declared):
        option, method = value.method_of
        if method:
            yield vars(value)[option]
        for name in value.__options__.kinds:
            yield from _owners(vars(value).get(name))
    elif isinstance(value, (list, tuple)):
        for element in value:
            yield from _owners(element)
    elif isinstance(value, Mapping):
        for element in value.values():
            yield from _owners(element)


def _variable(name: str) -> str:
    """A Python name for a stored name."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|\W+", "_", name, flags=re.ASCII).strip("_").lower() or "store"
    words = words if words[0].isalpha() else f"store_{words}"
    return f"{words}_" if keyword.iskeyword(words) or words in ("date", "datetime", "time") else words


def _unique(name: str, taken: set[str]) -> str:
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name}_{number}", number + 1
    return unique
