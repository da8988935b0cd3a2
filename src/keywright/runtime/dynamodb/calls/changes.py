"""Updates: what a call's values make of one item, indexes and computed attributes included."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from random import randrange
from typing import Any

from keywright.access.request import Asked
from keywright.engines.dynamodb.access.calls import Made, Update
from keywright.engines.dynamodb.keys import field_type
from keywright.engines.dynamodb.target import TableTarget
from keywright.ir.attribute import Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Template
from keywright.runtime import text as forms
from keywright.runtime.fill import writer
from keywright.runtime.given import Given

from ..values import epoch
from .conditions import Expression, judge_of, stored
from .natives import Native, element_of, writer_of, written_number

Change = Callable[["Clauses", Given, Mapping[str, Any]], None]
"""Adds to the clauses of one update, with what is known of the item's fields."""


class Clauses:
    """The clauses of one update."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self.sets: list[str] = []
        self.removes: list[str] = []
        self.adds: list[str] = []
        self.guards: list[str] = []

    def set(self, name: str, native: Native | None) -> None:
        """Give an attribute a value, or remove it."""
        if native is None:
            self.removes.append(name)
        else:
            self.sets.append(f"{name} = {self.expression.value(native)}")

    def text(self) -> str:
        """All of them."""
        found = (("SET", self.sets), ("REMOVE", self.removes), ("ADD", self.adds))
        return " ".join(f"{word} {', '.join(some)}" for word, some in found if some)


class Changes:
    """The update of one pattern, of which all but the values is made once."""

    def __init__(self, target: TableTarget, binding: Binding, asked: tuple[Asked, ...], update: Update) -> None:
        self.update, self.first = update, update.place.key[0].attribute
        self.asked = asked
        keyed = {part.attribute for index in (*target.indexes, *target.local_indexes) for part in index.keys}
        self.judges = [judge_of(binding, one) for one in update.guards]
        self.changes: list[Change] = [_setting(binding, path, keyed) for path in update.sets]
        self.changes += [_removing(binding, path, keyed) for path in update.removes]
        if update.pushes is not None:
            self.changes.append(_pushing(binding, update.pushes, update.most))
        if update.adds is not None:
            self.changes.append(_adding(binding, update.adds))
        self.changes += [_making(binding, made) for made in update.made]

    def request(self, given: Given) -> dict[str, Any]:
        """Expressions of the request; its key and table are somebody else's."""
        expression = Expression()
        clauses = Clauses(expression)
        clauses.guards.append(f"attribute_exists({expression.name(self.first)})")
        clauses.guards += [judge(expression, given) for judge in self.judges]
        known = self._known(given)
        for change in self.changes:
            change(clauses, given, known)
        text = clauses.text()
        return {
            **({"UpdateExpression": text} if text else {}),
            "ConditionExpression": " AND ".join(clauses.guards),
            **expression.parts(),
        }

    def _known(self, given: Given) -> dict[str, Any]:
        """The values of fields after the update, as far as the call says them."""
        known = {one.field: given.of(one)[0] for one in self.asked if one.how == "equals"}
        known |= dict.fromkeys(self.update.removes)
        return known | {path: given.values[path] for path in self.update.sets}


def _setting(binding: Binding, path: str, keyed: set[str]) -> Change:
    found, names = resolve(binding.entity.attributes, path), stored(binding, path)
    assert found is not None
    last, write = found[-1], writer_of(binding, path)
    is_absent = last.is_required or (len(names) == 1 and names[0] in keyed)  # where null is not stored
    is_set = isinstance(last.type, Many) and last.type.kind == "set" and not last.is_nullable

    def change(clauses: Clauses, given: Given, known: Mapping[str, Any]) -> None:
        value, name = known[path], clauses.expression.name(*names)
        if value is None:
            clauses.set(name, None if is_absent else {"NULL": True})
            return
        native = write(value)
        # No empty set is stored; what `write` makes of one is for fields that may be null.
        clauses.set(name, None if is_set and native == {"L": []} and not value else native)

    return change


def _removing(binding: Binding, path: str, keyed: set[str]) -> Change:
    """None, as the model says it; a field that cannot be None goes, and is read as its default."""
    found, names = resolve(binding.entity.attributes, path), stored(binding, path)
    assert found is not None
    last = found[-1]
    is_absent = not last.is_nullable or last.is_required or (len(names) == 1 and names[0] in keyed)

    def change(clauses: Clauses, given: Given, known: Mapping[str, Any]) -> None:
        clauses.set(clauses.expression.name(*names), None if is_absent else {"NULL": True})

    return change


def _pushing(binding: Binding, path: str, most: int | None) -> Change:
    names, write = stored(binding, path), element_of(binding, path)

    def change(clauses: Clauses, given: Given, known: Mapping[str, Any]) -> None:
        expression = clauses.expression
        name, native = expression.name(*names), write(given.values[path])
        ((kind, value),) = native.items()
        is_set = is_native_set(binding, path)
        if is_set:
            clauses.adds.append(f"{name} {expression.value({f'{kind}S': [value]})}")
        else:
            empty, pushed = expression.value({"L": []}), expression.value({"L": [native]})
            clauses.sets.append(f"{name} = list_append(if_not_exists({name}, {empty}), {pushed})")
        if most is not None:
            has_room = f"attribute_not_exists({name}) OR size({name}) < {expression.value({'N': str(most)})}"
            held = f" OR contains({name}, {expression.value(native)})" if is_set else ""
            clauses.guards.append(f"({has_room}{held})")

    return change


def is_native_set(binding: Binding, path: str) -> bool:
    """Whether a field is stored as one of the service's own sets."""
    return field_type(binding, path) in ("SS", "NS", "BS")


def _adding(binding: Binding, path: str) -> Change:
    names = stored(binding, path)

    def change(clauses: Clauses, given: Given, known: Mapping[str, Any]) -> None:
        value = clauses.expression.value(written_number(given.by))
        clauses.adds.append(f"{clauses.expression.name(*names)} {value}")

    return change


def _making(binding: Binding, made: Made) -> Change:
    """Attributes that templates make, written anew, or removed where the item has no part in the index any more."""
    writes = [(name, _written(binding, template, native)) for name, native, template in made.attributes]
    if made.after_seconds is not None:
        field, after = made.optional[0], timedelta(seconds=made.after_seconds)
        writes = [(name, lambda known: {"N": epoch(known[field] + after)}) for name, _, _ in made.attributes]

    def change(clauses: Clauses, given: Given, known: Mapping[str, Any]) -> None:
        reached = _Reached(binding, known)
        is_there = all(reached[path] is not None for path in made.optional)
        is_there = is_there and all(_holds(one, reached) for one in made.where)
        for name, write in writes:
            clauses.set(clauses.expression.name(name), write(reached) if is_there else None)

    return change


class _Reached(Mapping[str, Any]):
    """Values by path, those inside of embedded models that are known as a whole included."""

    def __init__(self, binding: Binding, known: Mapping[str, Any]) -> None:
        self._binding, self._known = binding, known

    def __getitem__(self, path: str) -> Any:
        if path in self._known:
            return forms.plain(self._known[path])
        if path in self._binding.computed:
            return _text(self._binding.computed[path], self)
        outer, _, name = path.rpartition(".")
        value = self[outer]
        return None if value is None else forms.plain(getattr(value, name))

    def __iter__(self) -> Any:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def _text(template: Template, known: Mapping[str, Any]) -> str:
    return "".join(part if isinstance(part, str) else writer(part)(known[part.path]) for part in template.parts)


def _written(binding: Binding, template: Template, native: str) -> Callable[[Mapping[str, Any]], Native]:
    """How an attribute is made of known values."""
    lone = template.lone
    if lone is not None and resolve(binding.entity.attributes, lone.path):
        write = writer_of(binding, lone.path, native)
        return lambda known: write(known[lone.path])
    parts = [part if isinstance(part, str) else (part.path, writer(part), part) for part in template.parts]

    def made(known: Mapping[str, Any]) -> Native:
        found = ""
        for part in parts:
            if isinstance(part, str):
                found += part
            else:
                path, write, placeholder = part
                found += write(known[path]) if path else _drawn(placeholder.shards or 1)
        return {"S": found}

    return made


def _drawn(count: int) -> str:
    return forms.shard_text(randrange(count), count)


def _holds(one: Asked, known: Mapping[str, Any]) -> bool:
    """Whether an item whose fields have these values fulfils a condition of an index."""
    value, constants = known[one.field], [forms.plain(constant) for constant in one.constants or ()]
    match one.how:
        case "present":
            return value is not None
        case "equals" | "one_of":
            return value in constants
        case "not":
            return value not in constants
        case "at_least":
            return value is not None and bool(value >= constants[0])
        case _:
            return value is not None and bool(value < constants[0])
