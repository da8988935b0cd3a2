"""Types inside others in stores whose only compound values are lists and maps with text keys."""

from collections.abc import Iterator

from keywright.ir.attribute import Map, Struct, Tuple, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import parts

from .interface import Rejection

KINDS_WITH_SINGLE_TEXT = frozenset(("string", "integer", "boolean", "uuid", "datetime", "date", "time"))
"""Kinds whose equal values have the same text. 1.0 and 1.00 are one decimal with two texts."""


def check_nested_types(binding: Binding, engine: str) -> Iterator[Rejection]:
    """Mappings whose keys no text represents, and models in tuples. engine: its name in the message."""
    for attribute in binding.entity.attributes:
        for problem, help in _problems(attribute.type, engine):
            yield Rejection("E0205", f'"{attribute.name}" {problem}', help, binding.name, field=attribute.name)


def _problems(type: Type, engine: str) -> Iterator[tuple[str, str]]:
    """(problem, help) of a type and the types inside it."""
    if isinstance(type, Map) and (kind := type.key.kind) not in KINDS_WITH_SINGLE_TEXT:
        article = "an" if kind[0] in "aeiou" else "a"
        yield (
            f"has keys of type {kind}; in {engine} keys are text, and {article} {kind} has several texts",
            "use text as keys, such as dict[str, ...], or a list of models with the key as a field",
        )
    if isinstance(type, Tuple) and (struct := _struct(type)) is not None:
        # Migrations follow the fields of a model by their names, and a position in a tuple has none.
        yield f"has the model {struct.name} inside a tuple", "replace the tuple by a model with named fields"
    for part in parts(type):
        yield from _problems(part, engine)


def _struct(type: Type) -> Struct | None:
    """A model inside a type."""
    if isinstance(type, Struct):
        return type
    return next(filter(None, map(_struct, parts(type))), None)
