"""Generates the functions that make DynamoDB keys and items of a model."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.declare.names import names
from keywright.declare.predicates import conditions
from keywright.declare.store import VERSION
from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.keys import (
    IndexKey,
    attributes_always,
    field_type,
    index_keys,
    kept_field,
    table_key,
)
from keywright.engines.dynamodb.schema.lower import ttl_attribute
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import ConstantCondition
from keywright.ir.template import Template, lone
from keywright.runtime.function_source import FunctionSource, display
from keywright.runtime.items import text as forms
from keywright.runtime.items.templates import expression, needed, nullable, value_of

from .native import NativeValues
from .values import epoch

_SIGNS = {"equals": "==", "at_least": ">=", "above": ">", "at_most": "<=", "below": "<", "not": "!="}


class Writer:
    """Generates the functions that make keys and items."""

    def __init__(self, binding: Binding[Item], source: FunctionSource) -> None:
        self.binding, self.source = binding, source
        self.attributes = binding.entity.attributes
        self.copies = binding.spec.read_copies
        self.values = NativeValues(binding, source)

    def key(self) -> None:
        """Define `key_of(m)`: the table's key; with read copies, that of the first copy."""
        pairs = (f"{name!r}: {value}" for name, value in self._table_key("'#0'"))
        self.source.define("key_of(m)", [f"return {{{', '.join(pairs)}}}"])

    def items(self) -> None:
        """Define `to_items(m)`."""
        own = self._own()
        body = [f"item[{name!r}] = {value}" for name, value in self._table_key("'#0'") if name not in own]
        for attribute in self.attributes:
            is_keyed = attribute.name in self._keyed()
            body += self.values.attribute(
                "item", attribute, attribute.name, value_of(attribute.name, "m"), is_keyed=is_keyed
            )
        for name, template in self.binding.computed.items():
            body.append(f"item[{name!r}] = {self._filled(template, field_type(self.binding, name))}")
        body += self._expiry()
        for key in index_keys(self.binding):
            body += self._index(key)
        spec = self.binding.spec
        if (discriminator := spec.table.discriminator) is not None:
            value = spec.discriminators(self.binding.entity.name)[0]
            body.append(f"item[{discriminator!r}] = {{'S': {value!r}}}")
        if (version := self.binding.spec.schema_version) > 1:
            body.append(f"item[{VERSION!r}] = {{'N': '{version}'}}")
        self.source.define("to_items(m)", [*display("item", body), self._returned()])

    def _returned(self) -> str:
        if self.copies == 1:
            return "return [item]"
        name, value = next(self._table_key("f'#{copy}'"))
        return f"return [{{**item, {name!r}: {value}}} for copy in range({self.copies})]"

    def _own(self) -> set[str]:
        """Attributes of every item besides its keys: fields and computed attributes."""
        return {attribute.stored for attribute in self.attributes} | set(self.binding.computed)

    def _keyed(self) -> set[str]:
        """Names in keys of the table's indexes, where the service rejects null in every item."""
        table = self.binding.spec.table
        keys = [name for gsi in table.gsis for name in (*names(gsi.pk), *names(gsi.sk))]
        return {*keys, *(lsi.sk for lsi in table.lsis)}

    def _expiry(self) -> list[str]:
        """Lines for the expiry time, if it differs from its field."""
        field, name = self.binding.entity.ttl, ttl_attribute(self.binding)
        if field is None or name == field.stored:
            return []
        after = self.source.use(timedelta(seconds=field.ttl_after_seconds or 0), "after")
        value = value_of(field.name, "m")
        line = f"item[{name!r}] = {{'N': {self.source.use(epoch, 'epoch')}({value} + {after})}}"
        return [f"if {value} is not None:", f"    {line}"] if field.is_nullable else [line]

    def _index(self, key: IndexKey) -> list[str]:
        """Lines for the attributes of one index that templates fill, if the item is in it; fields are already set."""
        always = attributes_always(self.binding)
        key_values = [part for part in key.parts if part.attribute not in always]
        if not key_values:
            return []
        paths = [path for part in key.parts for path in needed(part.template, self.attributes)]
        tests = [f"{value_of(path, 'm')} is not None" for path in paths]
        gsi_key = next((declared for declared in self.binding.spec.gsis if declared.gsi.name == key.index), None)
        tests += [test for condition in conditions(gsi_key.where) for test in self._tests(condition)] if gsi_key else []
        lines = [f"item[{part.attribute!r}] = {self._filled(part.template, part.type)}" for part in key_values]
        if not tests:
            return lines
        return [f"if {' and '.join(dict.fromkeys(tests))}:", *(f"    {line}" for line in lines)]

    def _tests(self, condition: ConstantCondition) -> Iterator[str]:
        """Python text of the conditions on the instance, in an order that can be evaluated."""
        path = condition.field
        if path in self.binding.computed:
            value = expression(lone(path), self.binding, "m", self.source)
        else:
            value, attributes = value_of(path, "m"), resolve(self.attributes, path)
            if attributes and isinstance(attributes[-1].type, Scalar) and attributes[-1].type.constants:
                value = f"{self.source.use(forms.plain, 'plain')}({value})"
            # None can be equal to a value, but neither greater nor smaller.
            is_compared = condition.test in ("at_least", "above", "at_most", "below", "present")
            outer = (
                nullable_path
                for nullable_path in nullable(path, self.attributes)
                if nullable_path != path or is_compared
            )
            yield from (f"{value_of(nullable_path, 'm')} is not None" for nullable_path in outer)
        constants = [self._constant(value) for value in condition.values]
        match condition.test:
            case "one_of":
                yield f"{value} in ({', '.join(constants)}{',' * (len(constants) == 1)})"
            case "present":
                return
            case test:
                sign = _SIGNS[test]
                yield f"{value} {sign} {constants[0]}"

    def _constant(self, value: object) -> str:
        value = forms.plain(value)
        is_literal = type(value) in (str, int, bool, type(None))
        return repr(value) if is_literal else self.source.use(value, "constant")

    def _table_key(self, copy: str) -> Iterator[tuple[str, str]]:
        """(attribute, Python text of its value), partition key first; `copy` is the text of the read copy's suffix."""
        hashed, *ranged = table_key(self.binding).parts
        if self.copies == 1:
            yield hashed.attribute, self._filled(hashed.template, hashed.type)
        else:
            text = expression(hashed.template, self.binding, "m", self.source)
            yield hashed.attribute, f"{{'S': {text} + {copy}}}"
        yield from ((part.attribute, self._filled(part.template, part.type)) for part in ranged)

    def _filled(self, template: Template, native: str) -> str:
        """Native value of a template: text, or the value of a lone field."""
        path = kept_field(self.binding, template)
        attributes = resolve(self.attributes, path) if path else None
        if path and attributes:
            return self.values.native(attributes[-1].type, value_of(path, "m"), native, path)
        return f"{{'S': {expression(template, self.binding, 'm', self.source)}}}"
