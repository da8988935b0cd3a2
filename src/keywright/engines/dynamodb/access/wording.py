"""Names, values and key texts of a request in readable form."""

from itertools import count

from keywright.access.fill import Filled, Slot
from keywright.access.query import Condition
from keywright.ir.json import Json
from keywright.ir.template import Placeholder, Template

from .calls import Filling, ItemKey
from .layout import Layout

Request = dict[str, Json]


class ShownExpression:
    """Names and values of the expressions of one request."""

    def __init__(self, entity: Layout) -> None:
        self.entity = entity
        self.names: dict[str, Json] = {}
        self.values: dict[str, Json] = {}

    def name(self, path: tuple[str, ...]) -> str:
        """Placeholder of an attribute, or of a path into one."""
        for part in path:
            self.names[hashed(part)] = part
        return ".".join(hashed(part) for part in path)

    def value(self, word: str, native: str, text: Json) -> str:
        """Placeholder of a value with this name, and a number if another value has the name already."""
        free = (f"{word}{'_' * bool(at)}{at or ''}" for at in count())
        word = next(name for name in free if self.values.get(f":{name}", {native: text}) == {native: text})
        self.values[f":{word}"] = {native: text}
        return f":{word}"

    def condition(self, condition: Condition) -> str:
        """Text of a filter or guard."""
        if condition.kind == "any_of":
            return "(" + " OR ".join(" AND ".join(map(self.condition, part)) for part in condition.alternatives) + ")"
        path = self.entity.stored(condition.field)
        name, native, word = self.name(path), self.entity.native(condition.field), condition.field.replace(".", "_")
        if condition.kind == "present":
            return f"(attribute_exists({name}) AND NOT attribute_type({name}, {self.value('null', 'S', 'NULL')}))"
        if condition.kind == "length":
            return self._length(name, word, condition)
        native = native[0] if native in ("SS", "NS", "BS") else "S" if native == "L" else native
        constants: list[Json] = (
            [str(value) for value in condition.constants]
            if condition.constants is not None
            else [f":{condition.field}"]
        )
        if condition.kind == "between":
            low, high = (self.value(f"{word}_{end}", native, f":{condition.field}.{end}") for end in ("from", "to"))
            if condition.excludes:
                signs = (">" if condition.excludes_first else ">=", "<" if condition.excludes_last else "<=")
                return f"{name} {signs[0]} {low} AND {name} {signs[1]} {high}"
            return f"{name} BETWEEN {low} AND {high}"
        values = [
            self.value(word if len(constants) == 1 else f"{word}_{position}", native, text)
            for position, text in enumerate(constants)
        ]
        match condition.kind:
            case "one_of":
                return f"{name} IN ({', '.join(values)})"
            case "prefix":
                return f"begins_with({name}, {values[0]})"
            case "contains" | "all_of":
                return f"contains({name}, {values[0]})"
            case "not":
                return f"(attribute_not_exists({name}) OR {name} <> {values[0]})"
            case kind:
                return f"{name} {_SIGNS.get(kind, '=')} {values[0]}"

    def _length(self, name: str, word: str, condition: Condition) -> str:
        least, most = condition.constants or (None, None)
        is_set = self.entity.native(condition.field) in ("SS", "NS", "BS")
        bounds = ((">=", "least", least or 0 if most is None else least), ("<=", "most", most))
        tests = (
            f"size({name}) {sign} {self.value(f'{word}_{end}', 'N', str(bound))}"
            for sign, end, bound in bounds
            if bound is not None
        )
        text = " AND ".join(tests)
        return f"(attribute_not_exists({name}) OR {text})" if is_set and not least else text

    def parts(self) -> Request:
        """Names and values as parameters of the request."""
        parameters: Request = {}
        if self.names:
            parameters["ExpressionAttributeNames"] = self.names
        if self.values:
            parameters["ExpressionAttributeValues"] = self.values
        return parameters


_SIGNS = {"equals": "=", "at_least": ">=", "above": ">", "at_most": "<=", "below": "<"}


def hashed(name: str) -> str:
    """Name with `#`, which expressions accept even if it is a reserved word."""
    return "#" + "".join(sign if sign.isalnum() and sign.isascii() else "_" for sign in name)


def worded(name: str) -> str:
    """Name as part of a value's placeholder."""
    return hashed(name)[1:]


def key_of(place: ItemKey) -> Json:
    """The key of an item."""
    key: dict[str, Json] = {filling.attribute: {filling.native: filled_text(filling)} for filling in place.key}
    if place.copies > 1:
        first = place.key[0]
        key[first.attribute] = {first.native: f"{filled_text(first)}#{{copy of {place.copies}}}"}
    return key


def filled_text(filling: Filling) -> str:
    """Value of a key attribute: its text, or the placeholder of the caller's value."""
    lone = filling.filled.template.lone
    if lone is not None:
        slot = filling.filled.slots[0] if filling.filled.slots else None
        return _constant(slot) or f":{lone.path}"
    return _text(filling.filled)


def _text(filled: Filled) -> str:
    """Key text with constants, and braces for the caller's values."""
    slots = iter(filled.slots)
    text = ""
    for part in filled.template.parts:
        if isinstance(part, str):
            text += part
        else:
            slot = next(slots, None)
            text += (_constant(slot) if slot is not None else "") or placeholder(part)
    return text


def _constant(slot: Slot | None) -> str:
    """Value of a slot that a constant fills without a filter."""
    condition = slot.condition if slot is not None else None
    if (
        slot is None
        or condition is None
        or slot.placeholder.filters
        or condition.constants is None
        or len(condition.constants) != 1
    ):
        return ""
    return str(getattr(condition.constants[0], "value", condition.constants[0]))


def placeholder(part: Placeholder) -> str:
    """Placeholder in the syntax of templates."""
    filters = "".join(
        f":{filter}" if filter.format else f":{filter.name}" + (f"({filter.number})" if filter.number else "")
        for filter in part.filters
    )
    return f"{{{part.path}{filters}}}"


def prefix_of(template: Template, slots: tuple[Slot, ...]) -> str:
    """Text up to the first placeholder without a value."""
    prefix, position = "", 0
    for part in template.parts:
        if isinstance(part, str):
            prefix += part
        elif position == len(slots):
            break
        else:
            prefix += _constant(slots[position]) or placeholder(part)
            position += 1
    return prefix
