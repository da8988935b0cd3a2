"""Generates the function that creates an instance of a model from a row."""

from functools import partial

from pydantic import BaseModel

from keywright.engines.cassandra.declare.options import CqlTable
from keywright.engines.cassandra.schema.columns import field_type
from keywright.engines.cassandra.schema.typemap import as_tuple, element_type, is_collection, native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items import tuples
from keywright.runtime.items.expressions import instance
from keywright.runtime.items.part import maker, unset

from .values import READ


class Reader:
    """Generates `from_item(item)` and `from_part(item)`."""

    def __init__(self, binding: Binding[CqlTable], source: FunctionSource) -> None:
        self.binding, self.source = binding, source

    def instance(self, model: type[BaseModel]) -> None:
        """Generate `from_item(item)`: values by the names that the model accepts, then validation by the model."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            native = field_type(self.binding, attribute)
            body += self._attribute(attribute, native, f"item.get({attribute.stored!r})")
        self.source.define("from_item(item)", [*body, f"return {instance(model, self.source)}"])

    def part(self, model: type[BaseModel]) -> None:
        """Generate `from_part(item)`, which reads present columns and leaves other fields unset.

        Plain values are used as they are. Others, such as embedded models, are converted as the model converts them.
        """
        create = self.source.use(partial(unset, model), "unset")
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            native = field_type(self.binding, attribute)
            lines = self._attribute(attribute, native, f"item[{attribute.stored!r}]")
            if (create_value := maker(model, attribute)) is not None:
                value = f"values[{attribute.given!r}]"
                function = self.source.use(create_value, attribute.name)
                lines += [f"if {attribute.given!r} in values:", f"    {value} = {function}({value})"]
            body += [f"if {attribute.stored!r} in item:", *(f"    {line}" for line in lines)]
            if attribute.given != attribute.name:
                rename = f"values[{attribute.name!r}] = values.pop({attribute.given!r})"
                body += [f"if {attribute.given!r} in values:", f"    {rename}"]
        self.source.define("from_part(item)", [*body, f"return {create}(values)"])

    def _attribute(self, attribute: Attribute, native: str, stored: str) -> list[str]:
        """Lines that read a field. For a missing value, as in older rows, the model uses its default."""
        target = f"values[{attribute.given!r}]"
        # The server distinguishes an empty collection from none only if the collection is frozen.
        is_unfrozen_collection = is_collection(attribute.type) and not native.startswith("frozen<")
        test = "if v:" if is_unfrozen_collection and attribute.is_nullable else "if v is not None:"
        lines = [f"v = {stored}", test, f"    {target} = {self._read(attribute.type, 'v', native)}"]
        if native == "counter":  # a counter without an increment has no value
            return [*lines, "else:", f"    {target} = 0"]
        if attribute.is_nullable:
            return [*lines, "else:", f"    {target} = None"]
        if is_collection(attribute.type):
            return [*lines, "else:", f"    {target} = {'{}' if isinstance(attribute.type, Map) else '[]'}"]
        return lines

    def _read(self, type: Type, value: str, native: str) -> str:
        match type:
            case Scalar():
                convert = READ.get((type.kind, native))
                return f"{self.source.use(convert, type.kind)}({value})" if convert else value
            case Many(is_vector=True):
                return f"[{self._read(type.element, 'v', element_type(type))} for v in {value}]"
            case Many(is_tuple=True):
                return self._read(as_tuple(type), value, native)
            case Tuple():
                return tuples.read(type, value, self.source, self._inner)
            case Many():
                return f"[{self._inner(type.element)} for v in {value}]"
            case Map():
                key = self._read(type.key, "k", native_type(type.key))
                return f"{{{key}: {self._inner(type.value)} for k, v in {value}.items()}}"
            case Struct():
                return f"{self._struct(type)}({value})"

    def _inner(self, type: Type) -> str:
        return self._read(type, "v", native_type(type))

    def _struct(self, type: Struct) -> str:
        """Name of a function that reads the values of an embedded model. Old tuples lack later fields."""
        name = self.source.fresh(type.name)
        body = ["values = {}"]
        for position, attribute in enumerate(type.attributes):
            native = native_type(attribute.type, is_frozen=True)
            body += self._attribute(attribute, native, f"item[{position}] if len(item) > {position} else None")
        self.source.define(f"{name}(item)", [*body, "return values"])
        return name
