"""Updates: the clauses for the values of a call, including index keys and computed attributes."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from random import randrange
from typing import Any

from keywright.access.partial_write import Versions
from keywright.access.query import Condition
from keywright.declare.store import VERSION
from keywright.engines.dynamodb.access.calls import TemplateAttribute, UpdateItem
from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.capabilities import DIGITS
from keywright.engines.dynamodb.schema.keys import field_type
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.ir.attribute import Many, Map, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.key_texts import value_piece
from keywright.ir.template import Placeholder, Template
from keywright.runtime.items import text as forms
from keywright.runtime.items.fill import writer
from keywright.runtime.items.fit import fit
from keywright.runtime.validate.arguments import Arguments
from keywright.runtime.validate.increments import room_of
from keywright.runtime.validate.limits import StoreLimit

from ..values import epoch
from .conditions import RequestExpression, filter_of, stored
from .natives import ToNative, element_of, writer_of, written_number

ClauseChange = Callable[["Clauses", Arguments, Mapping[str, Any]], None]
"""Adds to the clauses of one update, given the values of the item's fields that the call determines."""


class Clauses:
    """The clauses of one update."""

    def __init__(self, expression: RequestExpression) -> None:
        self.expression = expression
        self.sets: list[str] = []
        self.removes: list[str] = []
        self.adds: list[str] = []
        self.guards: list[str] = []

    def set(self, name: str, native: ToNative | None) -> None:
        """Set an attribute to a value, or remove it."""
        if native is None:
            self.removes.append(name)
        else:
            self.sets.append(f"{name} = {self.expression.value(native)}")

    def text(self) -> str:
        """Text of the update expression."""
        clauses = (("SET", self.sets), ("REMOVE", self.removes), ("ADD", self.adds))
        return " ".join(f"{keyword} {', '.join(parts)}" for keyword, parts in clauses if parts)


class Changes:
    """Update of one pattern, prepared except for the values."""

    def __init__(
        self, target: TableTarget, binding: Binding[Item], conditions: tuple[Condition, ...], update: UpdateItem
    ) -> None:
        self.update, self.first = update, update.place.key[0].attribute
        self.conditions = conditions
        keyed = {part.attribute for index in (*target.indexes, *target.local_indexes) for part in index.keys}
        self.admit = _version_guard(update.versions)
        self.guards = [filter_of(binding, guard) for guard in update.guards]
        self.changes: list[ClauseChange] = [_set_change(binding, path, keyed) for path in update.sets]
        self.changes += [_remove_change(binding, path, keyed) for path in update.removes]
        if update.pushes is not None:
            self.changes.append(_push_change(binding, update.pushes, update.most))
        if update.adds is not None:
            self.changes.append(_add_change(binding, update.adds))
        self.changes += [_template_change(binding, attribute) for attribute in update.template_attributes]

    def request(self, arguments: Arguments) -> dict[str, Any]:
        """Expressions of the request, without key and table."""
        expression = RequestExpression()
        admitted = self.admit(expression)
        clauses = Clauses(expression)
        clauses.guards.append(f"attribute_exists({expression.name(self.first)})")
        clauses.guards += [write_guard(expression, arguments) for write_guard in self.guards]
        clauses.guards += admitted
        values = self._values_after(arguments)
        for change in self.changes:
            change(clauses, arguments, values)
        text = clauses.text()
        return {
            **({"UpdateExpression": text} if text else {}),
            "ConditionExpression": " AND ".join(clauses.guards),
            **expression.parts(),
            **({"ReturnValuesOnConditionCheckFailure": "ALL_OLD"} if self.update.versions else {}),
        }

    def _values_after(self, arguments: Arguments) -> dict[str, Any]:
        """Values of fields after the update, as far as the call determines them."""
        values = {
            condition.field: arguments.of(condition)[0] for condition in self.conditions if condition.kind == "equals"
        }
        values |= dict.fromkeys(self.update.removes)
        return values | {path: arguments.values[path] for path in self.update.sets}


def _version_guard(versions: Versions | None) -> Callable[[RequestExpression], tuple[str, ...]]:
    """Function that writes the condition on schema versions, which needs no placeholders of its own."""
    if versions is None:
        return lambda expression: ()
    least, most = versions.least, versions.most
    values = {":kw_most": {"N": str(most)}} | ({":kw_least": {"N": str(least)}} if 1 < least < most else {})
    condition_text = "#kw_v BETWEEN :kw_least AND :kw_most" if least < most else "#kw_v = :kw_most"
    condition = ("(attribute_not_exists(#kw_v) OR #kw_v <= :kw_most)" if least == 1 else condition_text,)

    def admit(expression: RequestExpression) -> tuple[str, ...]:
        expression.names["#kw_v"] = VERSION
        expression.values |= values
        return condition

    return admit


def _set_change(binding: Binding[Item], path: str, keyed: set[str]) -> ClauseChange:
    attributes, names = resolve(binding.entity.attributes, path), stored(binding, path)
    assert attributes is not None
    last, write = attributes[-1], writer_of(binding, path)
    is_absent = last.is_none_where_absent or (len(names) == 1 and names[0] in keyed)  # null is not stored there
    is_set = isinstance(last.type, Many) and last.type.kind == "set" and not last.is_nullable

    def change(clauses: Clauses, arguments: Arguments, values: Mapping[str, Any]) -> None:
        value, name = values[path], clauses.expression.name(*names)
        if value is None:
            clauses.set(name, None if is_absent else {"NULL": True})
            return
        native = write(value)
        # An empty set is not stored; the empty list of `write` is for nullable fields.
        clauses.set(name, None if is_set and native == {"L": []} and not value else native)

    return change


def _remove_change(binding: Binding[Item], path: str, keyed: set[str]) -> ClauseChange:
    """Sets None as the model does; a field that cannot be None is removed, and read as its default."""
    attributes, names = resolve(binding.entity.attributes, path), stored(binding, path)
    assert attributes is not None
    last = attributes[-1]
    is_absent = not last.is_nullable or last.is_none_where_absent or (len(names) == 1 and names[0] in keyed)

    def change(clauses: Clauses, arguments: Arguments, values: Mapping[str, Any]) -> None:
        clauses.set(clauses.expression.name(*names), None if is_absent else {"NULL": True})

    return change


def _push_change(binding: Binding[Item], path: str, max_items: int | None) -> ClauseChange:
    names, write = stored(binding, path), element_of(binding, path)

    def change(clauses: Clauses, arguments: Arguments, values: Mapping[str, Any]) -> None:
        expression = clauses.expression
        name, native = expression.name(*names), write(arguments.values[path])
        ((kind, value),) = native.items()
        is_set = is_native_set(binding, path)
        if is_set:
            clauses.adds.append(f"{name} {expression.value({f'{kind}S': [value]})}")
        else:
            empty, pushed = expression.value({"L": []}), expression.value({"L": [native]})
            clauses.sets.append(f"{name} = list_append(if_not_exists({name}, {empty}), {pushed})")
        if max_items is not None:
            room_test = f"attribute_not_exists({name}) OR size({name}) < {expression.value({'N': str(max_items)})}"
            member_test = f" OR contains({name}, {expression.value(native)})" if is_set else ""
            clauses.guards.append(f"({room_test}{member_test})")

    return change


def is_native_set(binding: Binding[Item], path: str) -> bool:
    """Whether a field is stored as a native set."""
    return field_type(binding, path) in ("SS", "NS", "BS")


def _digits_of(binding: Binding[Item], path: str, kind: Scalar | Map | Many) -> StoreLimit:
    """Integers that the service stores exactly: it rejects others with an error of its own."""
    return StoreLimit(1 - 10**DIGITS.value, 10**DIGITS.value - 1)


def _add_change(binding: Binding[Item], path: str) -> ClauseChange:
    names, room_for = stored(binding, path), room_of(binding, path, _digits_of)

    def change(clauses: Clauses, arguments: Arguments, values: Mapping[str, Any]) -> None:
        name, room = clauses.expression.name(*names), room_for(arguments.by)
        clauses.adds.append(f"{name} {clauses.expression.value(written_number(arguments.by))}")
        if room is not None:
            sign = ("<" if room.is_upper else ">") + ("" if room.is_open else "=")
            test = f"{name} {sign} {clauses.expression.value(written_number(room.bound))}"
            clauses.guards.append(f"(attribute_not_exists({name}) OR {test})" if room.has_zero else test)

    return change


def _template_change(binding: Binding[Item], attribute: TemplateAttribute) -> ClauseChange:
    """Attributes of templates: recomputed, or removed if the item is no longer in the index."""
    writes = [(name, _computed(binding, template, native)) for name, native, template in attribute.attributes]
    if attribute.after_seconds is not None:
        field, after = attribute.optional[0], timedelta(seconds=attribute.after_seconds)
        writes = [(name, lambda values: {"N": epoch(values[field] + after)}) for name, _, _ in attribute.attributes]

    def change(clauses: Clauses, arguments: Arguments, values: Mapping[str, Any]) -> None:
        available = _FieldValues(binding, values)
        is_indexed = all(available[path] is not None for path in attribute.optional)
        is_indexed = is_indexed and all(_holds(condition, available) for condition in attribute.where)
        if is_indexed and attribute.is_kept:
            return
        for name, write in writes:
            clauses.set(clauses.expression.name(name), write(available) if is_indexed else None)

    return change


class _FieldValues(Mapping[str, Any]):
    """Values by path, including fields of embedded models whose whole value is known."""

    def __init__(self, binding: Binding[Item], values: Mapping[str, Any]) -> None:
        self._binding, self._values = binding, values

    def __getitem__(self, path: str) -> Any:
        if path in self._values:
            return forms.plain(self._values[path])
        if path in self._binding.computed:
            return _text(self._binding, self._binding.computed[path], self)
        outer, _, name = path.rpartition(".")
        value = self[outer]
        return None if value is None else forms.plain(getattr(value, name))

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _text(binding: Binding[Item], template: Template, values: Mapping[str, Any]) -> str:
    return "".join(
        part if isinstance(part, str) else _writer(binding, template, part)(values[part.path])
        for part in template.parts
    )


def _writer(binding: Binding[Item], template: Template, part: Placeholder) -> Callable[[Any], str]:
    return writer(part, fit(template.text, part, value_piece(part, binding.entity.attributes)))


def _computed(binding: Binding[Item], template: Template, native: str) -> Callable[[Mapping[str, Any]], ToNative]:
    """Function that computes an attribute from field values."""
    lone = template.lone
    if lone is not None and resolve(binding.entity.attributes, lone.path):
        write = writer_of(binding, lone.path, native)
        return lambda values: write(values[lone.path])
    parts = [
        part if isinstance(part, str) else (part.path, _writer(binding, template, part), part)
        for part in template.parts
    ]

    def compute(values: Mapping[str, Any]) -> ToNative:
        text = ""
        for part in parts:
            if isinstance(part, str):
                text += part
            else:
                path, write, placeholder = part
                text += write(values[path]) if path else _drawn_shard(placeholder.shards or 1)
        return {"S": text}

    return compute


def _drawn_shard(count: int) -> str:
    return forms.shard_text(randrange(count), count)


def _holds(condition: Condition, values: Mapping[str, Any]) -> bool:
    """Whether an item with these field values fulfils a condition of an index."""
    value, constants = values[condition.field], [forms.plain(constant) for constant in condition.constants or ()]
    match condition.kind:
        case "present":
            return value is not None
        case "equals" | "one_of":
            return value in constants
        case "not":
            return value not in constants
        case "at_least":
            return value is not None and bool(value >= constants[0])
        case "above":
            return value is not None and bool(value > constants[0])
        case "at_most":
            return value is not None and bool(value <= constants[0])
        case _:
            return value is not None and bool(value < constants[0])
