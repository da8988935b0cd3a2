"""Writes the function that makes an instance of a model from a row."""

from functools import partial

from pydantic import BaseModel

from keywright.engines.cassandra.columns import field_type
from keywright.engines.cassandra.typemap import native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.runtime.instance import instance
from keywright.runtime.part import maker, unset
from keywright.runtime.source import Source

from .values import READ


class Reader:
    """Writes `from_item(item)`."""

    def __init__(self, binding: Binding, source: Source) -> None:
        self.binding, self.source = binding, source

    def instance(self, model: type[BaseModel]) -> None:
        """Write the function: values by the names under which the model takes them, then its validation."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            native = field_type(self.binding, attribute)
            body += self._attribute(attribute, native, f"item.get({attribute.stored!r})")
        self.source.define("from_item(item)", [*body, f"return {instance(model, self.source)}"])

    def part(self, model: type[BaseModel]) -> None:
        """Write `from_part(item)`: what is there is read, and fields that are not there are not set.

        Plain values are taken as they are; others, such as embedded models, are made as the model would make them.
        """
        make = self.source.use(partial(unset, model), "unset")
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            native = field_type(self.binding, attribute)
            lines = self._attribute(attribute, native, f"item[{attribute.stored!r}]")
            if (make_one := maker(model, attribute)) is not None:
                known = f"values[{attribute.given!r}]"
                made = self.source.use(make_one, attribute.name)
                lines += [f"if {attribute.given!r} in values:", f"    {known} = {made}({known})"]
            body += [f"if {attribute.stored!r} in item:", *(f"    {line}" for line in lines)]
            if attribute.given != attribute.name:
                known = f"values[{attribute.name!r}] = values.pop({attribute.given!r})"
                body += [f"if {attribute.given!r} in values:", f"    {known}"]
        self.source.define("from_part(item)", [*body, f"return {make}(values)"])

    def _attribute(self, attribute: Attribute, native: str, stored: str) -> list[str]:
        """Lines that read one field; a row that lacks a value, as older ones do, leaves it to the model's default."""
        into = f"values[{attribute.given!r}]"
        # The server tells an empty collection from none only where it is frozen.
        is_loose = isinstance(attribute.type, (Many, Map)) and not native.startswith("frozen<")
        is_there = "if v:" if is_loose and attribute.is_nullable else "if v is not None:"
        lines = [f"v = {stored}", is_there, f"    {into} = {self._read(attribute.type, 'v', native)}"]
        if native == "counter":  # nobody has counted yet
            return [*lines, "else:", f"    {into} = 0"]
        if attribute.is_nullable:
            return [*lines, "else:", f"    {into} = None"]
        if isinstance(attribute.type, (Many, Map)):
            return [*lines, "else:", f"    {into} = {'{}' if isinstance(attribute.type, Map) else '[]'}"]
        return lines

    def _read(self, type: Type, value: str, native: str) -> str:
        match type:
            case Scalar():
                read = READ.get((type.kind, native))
                return f"{self.source.use(read, type.kind)}({value})" if read else value
            case Many():
                return f"[{self._inner(type.element)} for v in {value}]"
            case Map():
                return f"{{k: {self._inner(type.value)} for k, v in {value}.items()}}"
            case Struct():
                return f"{self._struct(type)}({value})"

    def _inner(self, type: Type) -> str:
        return self._read(type, "v", native_type(type))

    def _struct(self, type: Struct) -> str:
        """Name of a function that makes the values of an embedded model; old tuples lack fields that came later."""
        name = self.source.fresh(type.name)
        body = ["values = {}"]
        for place, attribute in enumerate(type.attributes):
            native = native_type(attribute.type, is_frozen=True)
            body += self._attribute(attribute, native, f"item[{place}] if len(item) > {place} else None")
        self.source.define(f"{name}(item)", [*body, "return values"])
        return name
