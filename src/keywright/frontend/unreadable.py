"""Forms of Pydantic whose stored value would be read as another value, or not at all."""

from collections.abc import Iterator, Sequence
from typing import Any

import pydantic
from pydantic.fields import FieldInfo
from pydantic.types import EncodedBytes, EncodedStr

from keywright.declare.fields import fields_of
from keywright.ir.attribute import Scalar, Type
from keywright.record import Record

from .no_logical_type import NoLogicalType

_JSON_ONLY = ("json", "json-unless-none")
"""Values of `when_used` of a serializer that changes only the JSON of an application."""


class UnreadableForm(Record):
    """A declaration of a model that loses or changes stored values."""

    field: str
    """Name of its field; empty for the model itself."""
    problem: str
    """The effect on stored values."""
    help: str
    """Help line with the form to write instead."""


def forms_of(cls: type) -> Iterator[UnreadableForm]:
    """The forms of a model, or of a dataclass of Pydantic, beyond the annotations of its fields."""
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}
    if config.get("extra") == "allow":
        problem = 'extra="allow" keeps undeclared fields, which would not be stored'
        yield UnreadableForm(
            "", problem, 'write extra="ignore", or declare a field for them: more: dict[str, Any] = {}'
        )
    yield from _serializers(cls)
    yield from _aliases(fields_of(cls))


def _serializers(cls: type) -> Iterator[UnreadableForm]:
    decorators = getattr(cls, "__pydantic_decorators__", None)
    if decorators is None:  # a dataclass of the standard library, or a named tuple
        return
    for name, decorator in decorators.model_serializers.items():
        if decorator.info.when_used not in _JSON_ONLY:
            yield UnreadableForm("", f'the serializer "{name}" {_UNUSED}', _JSON_HELP.format("model_serializer"))
    for name, decorator in decorators.field_serializers.items():
        if decorator.info.when_used not in _JSON_ONLY:
            field = next((field for field in decorator.info.fields if field in fields_of(cls)), "")
            yield UnreadableForm(field, f'the serializer "{name}" {_UNUSED}', _JSON_HELP.format("field_serializer"))


_UNUSED = "is not used for stored values, which have the declared type"
_JSON_HELP = 'write {}(..., when_used="json") if it is for the JSON of an application, or declare the stored type'


def _aliases(fields: dict[str, FieldInfo]) -> Iterator[UnreadableForm]:
    """Aliases of a field under which a stored value of another field would be read."""
    inputs = {input_name(name, info): name for name, info in fields.items()}
    for name, info in fields.items():
        for key in _keys(info.validation_alias):
            other = inputs.get(key, name)
            if other != name:
                problem = f'its alias "{key}" is also the name of "{other}", whose value would be read into both'
                yield UnreadableForm(name, problem, f'remove the alias, or copy "{other}" in a model_validator')
        if info.exclude and info.is_required():
            problem = "it is excluded and therefore not stored, but required when an item is read"
            yield UnreadableForm(name, problem, "give it a default, or remove exclude=True")


def input_name(name: str, info: FieldInfo) -> str:
    """The name under which a model takes the value of a field: its first alias of one part, or its own name."""
    if info.validation_alias is None:
        return info.alias or name
    choices = getattr(info.validation_alias, "choices", [info.validation_alias])
    return next((choice for choice in choices if isinstance(choice, str)), name)


def _keys(alias: Any) -> Iterator[str]:
    """The first parts of all alternatives of an alias."""
    for choice in getattr(alias, "choices", [alias]):
        key = choice if isinstance(choice, str) else next(iter(getattr(choice, "path", ())), None)
        if isinstance(key, str):
            yield key


def reject(metadata: Sequence[Any], kind: Type) -> None:
    """Raise NoLogicalType for metadata that changes values when they are read or written."""
    for item in metadata:
        if item is pydantic.Json or isinstance(item, pydantic.Json):
            problem = "Json[...] parses text, but the stored value is parsed already"
            help = (
                'annotate the parsed type, such as dict[str, int], and parse text in a field_validator(mode="before")'
            )
            raise NoLogicalType(problem, help)
        if isinstance(item, (EncodedBytes, EncodedStr)):
            problem = "its text is decoded when a model reads it, but the stored value is decoded already"
            raise NoLogicalType(problem, "annotate the decoded type, bytes or str")
        if isinstance(item, (pydantic.PlainSerializer, pydantic.WrapSerializer)) and item.when_used not in _JSON_ONLY:
            raise NoLogicalType(f"its serializer {_UNUSED}", _JSON_HELP.format(type(item).__name__))
        if isinstance(item, pydantic.SerializeAsAny):
            help = "remove it, or list the subclasses in a union with Field(discriminator=...)"
            raise NoLogicalType("SerializeAsAny keeps fields of subclasses, which would not be stored", help)
        if isinstance(item, (pydantic.SkipValidation, pydantic.InstanceOf)) and not _is_returned(kind):
            problem = f"{type(item).__name__} takes no stored value, which validation makes a value of the class"
            raise NoLogicalType(problem, "remove it")


def _is_returned(kind: Type) -> bool:
    """Whether every store returns a value of the class that the model has, without its validation."""
    return isinstance(kind, Scalar) and not (kind.constants or kind.is_converted or kind.kind == "json")
