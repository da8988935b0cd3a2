"""Names, values and key texts of a request as a person would write them."""

from keywright.access.fill import Filled, Slot
from keywright.access.request import Asked
from keywright.ir.json import Json
from keywright.ir.template import Placeholder, Template

from .calls import Filling, Place
from .layout import Entity

Request = dict[str, Json]


class Expression:
    """Names and values of the expressions of one request."""

    def __init__(self, entity: Entity) -> None:
        self.entity = entity
        self.names: dict[str, Json] = {}
        self.values: dict[str, Json] = {}

    def name(self, path: tuple[str, ...]) -> str:
        """The sign of an attribute, or of a path into one."""
        for one in path:
            self.names[hashed(one)] = one
        return ".".join(hashed(one) for one in path)

    def value(self, word: str, native: str, text: Json) -> str:
        """The sign of a value that is called so."""
        self.values[f":{word}"] = {native: text}
        return f":{word}"

    def condition(self, one: Asked) -> str:
        """A filter or guard."""
        path = self.entity.stored(one.field)
        name, native, word = self.name(path), self.entity.native(one.field), one.field.replace(".", "_")
        if one.how == "present":
            return f"(attribute_exists({name}) AND NOT attribute_type({name}, {self.value('null', 'S', 'NULL')}))"
        native = native[0] if native in ("SS", "NS", "BS") else "S" if native == "L" else native
        constants: list[Json] = (
            [str(value) for value in one.constants] if one.constants is not None else [f":{one.field}"]
        )
        if one.how == "between":
            low, high = (self.value(f"{word}_{end}", native, f":{one.field}.{end}") for end in ("from", "to"))
            return f"{name} BETWEEN {low} AND {high}"
        values = [
            self.value(word if len(constants) == 1 else f"{word}_{at}", native, text)
            for at, text in enumerate(constants)
        ]
        match one.how:
            case "one_of":
                return f"{name} IN ({', '.join(values)})"
            case "prefix":
                return f"begins_with({name}, {values[0]})"
            case "contains" | "all_of":
                return f"contains({name}, {values[0]})"
            case "not":
                return f"(attribute_not_exists({name}) OR {name} <> {values[0]})"
            case how:
                return f"{name} {_SIGNS.get(how, '=')} {values[0]}"

    def parts(self) -> Request:
        """Names and values as the request carries them."""
        found: Request = {}
        if self.names:
            found["ExpressionAttributeNames"] = self.names
        if self.values:
            found["ExpressionAttributeValues"] = self.values
        return found


_SIGNS = {"equals": "=", "at_least": ">=", "below": "<"}


def hashed(name: str) -> str:
    """A name as expressions take it, whether or not it is a reserved word."""
    return "#" + "".join(sign if sign.isalnum() and sign.isascii() else "_" for sign in name)


def worded(name: str) -> str:
    """A name as part of the sign of a value."""
    return hashed(name)[1:]


def key_of(place: Place) -> Json:
    """The key of an item."""
    made: dict[str, Json] = {one.attribute: {one.native: filled_text(one)} for one in place.key}
    if place.copies > 1:
        first = place.key[0]
        made[first.attribute] = {first.native: f"{filled_text(first)}#{{copy of {place.copies}}}"}
    return made


def filled_text(filling: Filling) -> str:
    """The value of a key attribute: its text, or the word for what the caller gives."""
    lone = filling.filled.template.lone
    if lone is not None:
        slot = filling.filled.slots[0] if filling.filled.slots else None
        return _constant(slot) or f":{lone.path}"
    return _text(filling.filled)


def _text(filled: Filled) -> str:
    """A key text, with constants in it and braces for what the caller gives."""
    slots = iter(filled.slots)
    found = ""
    for part in filled.template.parts:
        if isinstance(part, str):
            found += part
        else:
            slot = next(slots, None)
            found += (_constant(slot) if slot is not None else "") or placeholder(part)
    return found


def _constant(slot: Slot | None) -> str:
    """The value of a slot that a constant fills without a filter."""
    asked = slot.asked if slot is not None else None
    if (
        slot is None
        or asked is None
        or slot.placeholder.filters
        or asked.constants is None
        or len(asked.constants) != 1
    ):
        return ""
    return str(getattr(asked.constants[0], "value", asked.constants[0]))


def placeholder(part: Placeholder) -> str:
    """A placeholder as it is written in a template."""
    filters = "".join(f":{one.name}" + (f"({one.number})" if one.number else "") for one in part.filters)
    return f"{{{part.path}{filters}}}"


def prefix_of(template: Template, slots: tuple[Slot, ...]) -> str:
    """The text up to the first placeholder that nothing fills."""
    found, at = "", 0
    for part in template.parts:
        if isinstance(part, str):
            found += part
        elif at == len(slots):
            break
        else:
            found += _constant(slots[at]) or placeholder(part)
            at += 1
    return found
