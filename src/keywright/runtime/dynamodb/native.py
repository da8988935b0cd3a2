"""Python text of native values, for the functions that write attributes of an item."""

from functools import partial

from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.keys import attribute_type, is_expiry
from keywright.engines.dynamodb.schema.typemap import native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource, display
from keywright.runtime.items import map_keys, tuples
from keywright.runtime.items import text as forms
from keywright.runtime.items.expressions import by_class, in_order, tag_of
from keywright.runtime.items.templates import value_of

from .values import epoch, from_json, writer

SETS = ("SS", "NS", "BS")
"""Native types of sets, which the service rejects if they are empty."""

_NULL = "{'NULL': True}"


class NativeValues:
    """Python text of values in the form of the low-level client, such as `{'S': m.name}`."""

    def __init__(self, binding: Binding[Item], source: FunctionSource) -> None:
        self.binding, self.source = binding, source

    def attribute(self, into: str, attribute: Attribute, path: str, value: str, *, is_keyed: bool = False) -> list[str]:
        """Lines that add a field to a dict of attributes.

        is_keyed: the attribute is part of a key, where the service rejects null.
        """
        native = attribute_type(self.binding, attribute, path)
        line = f"{into}[{attribute.stored!r}] = {self.native(attribute.type, value, native, path)}"
        if not attribute.is_nullable:
            if native not in SETS:
                return [line]
            # Absent if it is empty, so that the service's ADD works on it.
            return [f"if {value}:", f"    {into}[{attribute.stored!r}] = {self._set(attribute.type, value, native)}"]
        lines = [f"if {value} is not None:", f"    {line}"]
        if attribute.is_none_where_absent or is_keyed:
            return lines
        # An absent attribute would be read as the field's default, which may differ from None.
        return [*lines, "else:", f"    {into}[{attribute.stored!r}] = {{'NULL': True}}"]

    def native(self, type: Type, value: str, native: str, path: str) -> str:
        """Value with its native type."""
        match type:
            case Scalar(kind="json") if native == "JSON":
                return f"{self.source.use(from_json, 'from_json')}({value})"
            case Scalar():
                return f"{{{native!r}: {self.scalar(type, value, native, path)}}}"
            case Many() if native in SETS:
                return f"({self._set(type, value, native)} if {value} else {{'L': []}})"
            case Many():
                inner = self._inner(type.element, path, type.has_null_elements)
                return f"{{'L': [{inner} for v in {in_order(type, value, self.source)}]}}"
            case Tuple():
                convert = partial(self._inner, path=path, nullable=False)
                return f"{{'L': {tuples.written(type, value, self.source, convert, _NULL)}}}"
            case Map():
                key, inner = (
                    map_keys.written(type.key, self.source),
                    self._inner(type.value, path, type.has_null_values),
                )
                return f"{{'M': {{{key}: {inner} for k, v in {value}.items()}}}}"
            case Union():
                source = self.source
                member = by_class(type, value, tag_of(type, source), lambda part: self._struct(part, path), source)
                return f"{{'M': {member}}}"
            case Struct():
                return f"{{'M': {self._struct(type, path)}({value})}}"

    def scalar(self, type: Scalar, value: str, native: str, path: str) -> str:
        """Single value, without its native type."""
        if type.constants:
            plain = self.source.use(forms.plain, "plain")
            value = f"({value} if {value}.__class__ is str else {plain}({value}))"
        elif type.is_converted:
            value = f"str({value})"
        write = epoch if native == "N" and is_expiry(self.binding, path) else writer(type, native)
        return f"{self.source.use(write, write.__name__)}({value})" if write else value

    def _set(self, type: Type, value: str, native: str) -> str:
        """Non-empty set in sorted order, so that equal sets have equal text."""
        assert isinstance(type, Many)
        assert isinstance(type.element, Scalar)
        inner = self.scalar(type.element, "v", native[0], "")
        if type.element.precision:  # several times may be one after the cut, and a set has no element twice
            return f"{{{native!r}: sorted({{{inner} for v in {value}}})}}"
        return f"{{{native!r}: sorted({value if inner == 'v' else f'{inner} for v in {value}'})}}"

    def _inner(self, type: Type, path: str, nullable: bool) -> str:
        """Element of a list or value of a map, named `v`."""
        text = self.native(type, "v", native_type(type), path)
        return f"({{'NULL': True}} if v is None else {text})" if nullable else text

    def _struct(self, type: Struct, path: str) -> str:
        """Name of a generated function that returns the map of an embedded model."""
        name = self.source.fresh(type.name)
        body: list[str] = []
        for attribute in type.attributes:
            body += self.attribute("made", attribute, f"{path}.{attribute.name}", value_of(attribute.name, "e"))
        self.source.define(f"{name}(e)", [*display("made", body), "return made"])
        return name
