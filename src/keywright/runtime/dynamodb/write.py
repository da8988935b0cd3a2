"""Writes the functions that make DynamoDB keys and items of a model."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.declare.names import names
from keywright.declare.predicates import conditions
from keywright.declare.store import VERSION
from keywright.engines.dynamodb.keys import IndexKey, field_type, index_keys, item_of, kept_field, table_key, table_of
from keywright.engines.dynamodb.lower import ttl_attribute
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Condition
from keywright.ir.template import Template, parse
from keywright.runtime import text as forms
from keywright.runtime.source import Source, display
from keywright.runtime.templates import expression, needed, nullable, value_of

from .native import NativeValues
from .values import epoch


class Writer:
    """Writes the functions that make keys and items."""

    def __init__(self, binding: Binding, source: Source) -> None:
        self.binding, self.source = binding, source
        self.attributes = binding.entity.attributes
        self.copies = item_of(binding).read_copies
        self.values = NativeValues(binding, source)

    def key(self) -> None:
        """Write `key_of(m)`: the table's key, of the first copy where there are several."""
        pairs = (f"{name!r}: {value}" for name, value in self._table_key("'#0'"))
        self.source.define("key_of(m)", [f"return {{{', '.join(pairs)}}}"])

    def items(self) -> None:
        """Write `to_items(m)`."""
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
        if (discriminator := table_of(self.binding).discriminator) is not None:
            body.append(f"item[{discriminator!r}] = {{'S': {self.binding.entity.name!r}}}")
        if (version := item_of(self.binding).schema_version) > 1:
            body.append(f"item[{VERSION!r}] = {{'N': '{version}'}}")
        self.source.define("to_items(m)", [*display("item", body), self._returned()])

    def _returned(self) -> str:
        if self.copies == 1:
            return "return [item]"
        name, value = next(self._table_key("f'#{copy}'"))
        return f"return [{{**item, {name!r}: {value}}} for copy in range({self.copies})]"

    def _own(self) -> set[str]:
        """Attributes that are there without any key: the fields and what is computed of them."""
        return {attribute.stored for attribute in self.attributes} | set(self.binding.computed)

    def _keyed(self) -> set[str]:
        """Names that are part of some key of the table, where the service refuses null, whether or not it is ours."""
        table = table_of(self.binding)
        keys = [name for gsi in table.gsis for name in (*names(gsi.pk), *names(gsi.sk))]
        return {*keys, *(lsi.sk for lsi in table.lsis)}

    def _expiry(self) -> list[str]:
        """The time at which the item expires, where that is another than its field's."""
        field, name = self.binding.entity.ttl, ttl_attribute(self.binding)
        if field is None or name == field.stored:
            return []
        after = self.source.use(timedelta(seconds=field.ttl_after_seconds or 0), "after")
        value = value_of(field.name, "m")
        line = f"item[{name!r}] = {{'N': {self.source.use(epoch, 'epoch')}({value} + {after})}}"
        return [f"if {value} is not None:", f"    {line}"] if field.is_nullable else [line]

    def _index(self, key: IndexKey) -> list[str]:
        """The attributes of one index that templates fill, if the item is in it; a field's own is there already."""
        if all(part.attribute in self._own() for part in key.parts):
            return []
        paths = [path for part in key.parts for path in needed(part.template, self.attributes)]
        tests = [f"{value_of(path, 'm')} is not None" for path in paths]
        given = next((one for one in item_of(self.binding).gsis if one.gsi.name == key.index), None)
        tests += [test for condition in conditions(given.where) for test in self._tests(condition)] if given else []
        lines = [f"item[{part.attribute!r}] = {self._filled(part.template, part.type)}" for part in key.parts]
        if not tests:
            return lines
        return [f"if {' and '.join(dict.fromkeys(tests))}:", *(f"    {line}" for line in lines)]

    def _tests(self, condition: Condition) -> Iterator[str]:
        """Python text of what must be true of the instance, in the order in which it can be asked."""
        path = condition.field
        if path in self.binding.computed:
            value = expression(parse(f"{{{path}}}"), self.binding, "m", self.source)
        else:
            value, found = value_of(path, "m"), resolve(self.attributes, path)
            if found and isinstance(found[-1].type, Scalar) and found[-1].type.constants:
                value = f"{self.source.use(forms.plain, 'plain')}({value})"
            # None is a value that can be equal to something, but not greater or smaller.
            is_compared = condition.test in ("at_least", "below", "present")
            outer = (one for one in nullable(path, self.attributes) if one != path or is_compared)
            yield from (f"{value_of(one, 'm')} is not None" for one in outer)
        constants = [self._constant(one) for one in condition.values]
        match condition.test:
            case "one_of":
                yield f"{value} in ({', '.join(constants)}{',' * (len(constants) == 1)})"
            case "present":
                return
            case test:
                sign = {"equals": "==", "at_least": ">=", "below": "<", "not": "!="}[test]
                yield f"{value} {sign} {constants[0]}"

    def _constant(self, value: object) -> str:
        value = forms.plain(value)
        is_literal = type(value) in (str, int, bool, type(None))
        return repr(value) if is_literal else self.source.use(value, "constant")

    def _table_key(self, copy: str) -> Iterator[tuple[str, str]]:
        """(attribute, Python text of its value), partition key first; `copy` is text of what tells the copies apart."""
        hashed, *ranged = table_key(self.binding).parts
        if self.copies == 1:
            yield hashed.attribute, self._filled(hashed.template, hashed.type)
        else:
            written = expression(hashed.template, self.binding, "m", self.source)
            yield hashed.attribute, f"{{'S': {written} + {copy}}}"
        yield from ((part.attribute, self._filled(part.template, part.type)) for part in ranged)

    def _filled(self, template: Template, native: str) -> str:
        """What a template makes, with its native type: text, or the value of a lone field."""
        path = kept_field(self.binding, template)
        found = resolve(self.attributes, path) if path else None
        if path and found:
            return self.values.native(found[-1].type, value_of(path, "m"), native, path)
        return f"{{'S': {expression(template, self.binding, 'm', self.source)}}}"
