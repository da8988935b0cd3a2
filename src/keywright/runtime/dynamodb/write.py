"""Writes the functions that make DynamoDB keys and items of a model."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from keywright.declare.predicates import conditions
from keywright.declare.store import VERSION
from keywright.engines.dynamodb.keys import IndexKey, field_type, index_keys, item_of, table_key, table_of
from keywright.engines.dynamodb.lower import ttl_attribute
from keywright.engines.dynamodb.typemap import native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.pattern import Condition
from keywright.ir.template import Template
from keywright.runtime import text as forms
from keywright.runtime.source import Source
from keywright.runtime.templates import expression, needed, value_of

from .values import epoch, epoch_exact, from_json

_FORMS: dict[str, Callable[[Any], Any]] = {
    "iso": forms.iso, "seconds": forms.seconds, "epoch": epoch, "epoch_exact": epoch_exact, "json": from_json,
}  # fmt: skip


class Writer:
    """Writes the functions that make keys and items."""

    def __init__(self, binding: Binding, source: Source) -> None:
        self.binding, self.source = binding, source
        self.attributes = binding.entity.attributes
        self.copies = item_of(binding).read_copies

    def key(self) -> None:
        """Write `key_of(m)`: the table's key, of the first copy where there are several."""
        self.source.define("key_of(m)", [f"return {{{', '.join(self._key_pairs(table_key(self.binding), copy='0'))}}}"])

    def items(self) -> None:
        """Write `to_items(m)`."""
        body = ["item = {}"]
        for attribute in self.attributes:
            body += self._attribute(attribute)
        for name, template in self.binding.computed.items():
            body.append(f'item[{name!r}] = {{"S": {expression(template, self.attributes, "m", self.source)}}}')
        body += self._expiry()
        for key in index_keys(self.binding):
            body += self._index(key)
        if (discriminator := table_of(self.binding).discriminator) is not None:
            body.append(f'item[{discriminator!r}] = {{"S": {self.binding.entity.name!r}}}')
        if (version := item_of(self.binding).schema_version) > 1:
            body.append(f'item[{VERSION!r}] = {{"N": "{version}"}}')
        pairs = ", ".join(self._key_pairs(table_key(self.binding), copy="copy"))
        body.append(f"return [{{{pairs}, **item}} for copy in range({self.copies})]")
        self.source.define("to_items(m)", body)

    def _attribute(self, attribute: Attribute) -> list[str]:
        native = field_type(self.binding, attribute.name)
        value = value_of(attribute.name, "m")
        line = f"item[{attribute.stored!r}] = {self._native(attribute.type, value, native)}"
        if isinstance(attribute.type, Many) and native in ("SS", "NS", "BS"):  # the service takes no empty set
            return [f"if {value}:", f"    {line}"]
        if not attribute.is_nullable:
            return [line]
        lines = [f"if {value} is not None:", f"    {line}"]
        if attribute.is_required or attribute.stored in self._keyed():
            return lines
        # An absent attribute would come back as the field's default, which may be something else than None.
        return [*lines, "else:", f'    item[{attribute.stored!r}] = {{"NULL": True}}']

    def _keyed(self) -> set[str]:
        """Attributes that are part of some key, where NULL is refused."""
        return {part.attribute for key in index_keys(self.binding) for part in key.parts}

    def _expiry(self) -> list[str]:
        field, name = self.binding.entity.ttl, ttl_attribute(self.binding)
        if field is None or name == field.stored:
            return []
        after = self.source.use(timedelta(seconds=field.ttl_after_seconds or 0), "after")
        value = value_of(field.name, "m")
        line = f'item[{name!r}] = {{"N": {self.source.use(epoch, "epoch")}({value} + {after})}}'
        return [f"if {value} is not None:", f"    {line}"] if field.is_nullable else [line]

    def _index(self, key: IndexKey) -> list[str]:
        """The attributes of one index that templates fill, if the item is in it; a field's own is there already."""
        own = {attribute.stored for attribute in self.attributes} | set(self.binding.computed)
        if all(part.attribute in own for part in key.parts):
            return []
        given = next((one for one in item_of(self.binding).gsis if one.gsi.name == key.index), None)
        tests = [self._test(condition) for condition in conditions(given.where)] if given else []
        paths = (path for part in key.parts for path in needed(part.template, self.attributes))
        tests += [f"{value_of(path, 'm')} is not None" for path in dict.fromkeys(paths)]
        lines = [f"item[{part.attribute!r}] = {self._key_value(part.template, part.type)}" for part in key.parts]
        return [f"if {' and '.join(tests)}:", *(f"    {line}" for line in lines)] if tests else lines

    def _test(self, condition: Condition) -> str:
        value = f"{self.source.use(forms.plain, 'plain')}({value_of(condition.field, 'm')})"
        match condition.test:
            case "one_of":
                return f"{value} in {self.source.use(frozenset(condition.values), 'values')}"
            case "present":
                return f"{value} is not None"
            case test:
                sign = {"equals": "==", "at_least": ">=", "below": "<", "not": "!="}[test]
                return f"{value} {sign} {self.source.use(condition.values[0], 'constant')}"

    def _key_pairs(self, key: IndexKey, copy: str) -> list[str]:
        pairs = []
        for place, part in enumerate(key.parts):
            value = self._key_value(part.template, part.type, copy if place == 0 and self.copies > 1 else "")
            pairs.append(f"{part.attribute!r}: {value}")
        return pairs

    def _key_value(self, template: Template, type: str, copy: str = "") -> str:
        lone = template.lone
        found = self.binding.entity.attribute(lone.path) if lone else None
        if found is not None:
            return self._native(found.type, value_of(found.name, "m"), type)
        written = expression(template, self.attributes, "m", self.source)
        return f'{{"S": {written} + "#" + str({copy})}}' if copy else f'{{"S": {written}}}'

    def _native(self, type: Type, value: str, native: str) -> str:
        match type:
            case Scalar():
                return self._scalar(type, value, native)
            case Many():
                return self._many(type, value, native)
            case Map():
                inner = self._inner(type.value, "v", type.has_null_values)
                return f'{{"M": {{k: {inner} for k, v in {value}.items()}}}}'
            case Struct():
                return f'{{"M": {self._struct(type)}({value})}}'

    def _scalar(self, type: Scalar, value: str, native: str) -> str:
        if type.constants:
            value = f"{self.source.use(forms.plain, 'plain')}({value})"
        form = {
            ("datetime", "S"): "iso",
            ("datetime", "N"): "epoch" if self._is_expiry(value) else "epoch_exact",
            ("duration", "N"): "seconds",
            ("duration", "S"): "seconds",
            ("json", "JSON"): "json",
        }.get((type.kind, native))
        if form:
            written = f"{self.source.use(_FORMS[form], form)}({value})"
            return written if form == "json" else f'{{"{native}": {written}}}'
        if type.kind == "uuid" and native == "B":
            return f'{{"B": {value}.bytes}}'
        if type.kind in ("date", "time"):
            return f'{{"S": {value}.isoformat()}}'
        if type.kind in ("boolean", "bytes") or (type.kind == "string" and not type.is_converted):
            return f'{{"{native}": {value}}}'
        return f'{{"{native}": str({value})}}'

    def _is_expiry(self, value: str) -> bool:
        field = self.binding.entity.ttl
        return field is not None and value == value_of(field.name, "m")

    def _many(self, type: Many, value: str, native: str) -> str:
        if native == "L":
            return f'{{"L": [{self._inner(type.element, "v", type.has_null_elements)} for v in {value}]}}'
        inner = self._native(type.element, "v", native[0])
        return f'{{"{native}": sorted({inner}["{native[0]}"] for v in {value})}}'

    def _inner(self, type: Type, value: str, nullable: bool) -> str:
        written = self._native(type, value, native_type(type))
        return f'({{"NULL": True}} if {value} is None else {written})' if nullable else written

    def _struct(self, type: Struct) -> str:
        """Name of a function that makes the map of an embedded model."""
        name = self.source.fresh(type.name)
        body = ["made = {}"]
        for attribute in type.attributes:
            value = value_of(attribute.name, "e")
            line = f"made[{attribute.stored!r}] = {self._inner(attribute.type, value, nullable=False)}"
            body += [f"if {value} is not None:", f"    {line}"] if attribute.is_nullable else [line]
        self.source.define(f"{name}(e)", [*body, "return made"])
        return name
