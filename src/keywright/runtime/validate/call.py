"""Validation of all values of a call before anything is sent, by one compiled validator for each pattern."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from pydantic import BaseModel
from pydantic_core import SchemaValidator, ValidationError, core_schema

from keywright.access.query import Condition, parameters, request
from keywright.ir.attribute import Attribute, Many, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import element, parts, resolve
from keywright.ir.pattern import Pattern
from keywright.record import Record

from ..errors import InvalidValue
from .arguments import argument
from .limits import LimitOf
from .strict import Strict
from .strict_values import Schema, checked, multiple_of
from .wording import problem_of

ArgumentValues: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Returns the values of a call to send; raises InvalidValue for a value that its field rejects."""

AnyInstance: TypeAlias = Callable[[Any], None]
"""Validates an instance before it is written; raises InvalidValue for a field that does not fit."""


class PatternSubject(Record):
    """One pattern, with its entity, class and limits."""

    pattern: Pattern
    """The pattern, or a part of a transaction."""
    binding: Binding
    """The entity in its store."""
    model: type[BaseModel]
    """Class of the entity's instances."""
    limit_of: LimitOf
    """Limits of the store."""
    key_fields: tuple[str, ...]
    """Fields that identify an item."""


def names_of(subject: PatternSubject) -> tuple[str, ...]:
    """Field paths of all values that a call passes, in order."""
    pattern = subject.pattern
    if pattern.kind == "put":
        return ()
    selected = (name for name, _ in parameters(request(pattern, subject.key_fields)))
    return tuple(dict.fromkeys((*selected, *pattern.sets, *([pattern.pushes] if pattern.pushes else []))))


def values_of(subject: PatternSubject) -> ArgumentValues:
    """The validator of a call's values by field path."""
    fields = _Fields(subject)
    schemas = dict(fields.all())
    if not schemas:
        return lambda values: values
    validate = _compiled(fields.strict, _values_schema(schemas)).validate_python
    # An instance is written unchanged, because its validators ran when it was made.
    names = tuple(name for name in schemas if fields.holds_model(name))
    error_of = _error_maker(subject, lambda loc: (argument(str(loc[0])), loc[1:], fields.kind(str(loc[0]))))

    def values(arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            validated: dict[str, Any] = validate(arguments)
        except ValidationError as error:
            problem = error_of(error)
        else:
            for name in names:
                validated[name] = arguments[name]
            return validated
        raise problem

    return values


def instance_of(subject: PatternSubject) -> AnyInstance:
    """The validator of an instance that a pattern writes; the validated copy is discarded."""
    strict = Strict(subject.binding, subject.model, subject.limit_of)
    struct = Struct(subject.binding.entity.name, subject.binding.entity.attributes)
    validators: list[Callable[[Any], Any]] = []
    error_of = _error_maker(subject, lambda loc: ("", loc, struct))

    def validate(instance: Any) -> None:
        if not validators:  # compiled on first use, because most processes use few of a project's writes
            validators.append(_compiled(strict, strict.instance()).validate_python)
        try:
            validators[0](instance)
            return
        except ValidationError as error:
            problem = error_of(error)
        raise problem

    return validate


def step_of(subject: PatternSubject) -> Callable[[Any], Any]:
    """The validator of an increment's step: a number of the field's type that keeps a multiple a multiple."""
    attributes = resolve(subject.binding.entity.attributes, subject.pattern.field or "")
    kind = element(attributes[-1].type) if attributes else Scalar("integer")
    schema: Any = _STEPS.get(kind.kind if isinstance(kind, Scalar) else "integer", core_schema.int_schema(strict=True))
    if attributes and subject.pattern.field and isinstance(kind, Scalar):
        schema = _step_within(subject, attributes, kind, schema)
    validate = SchemaValidator(schema).validate_python
    error_of = _error_maker(subject, lambda loc: ("by", (), kind))

    def step(by: Any) -> Any:
        try:
            return validate(by)
        except ValidationError as error:
            problem = error_of(error)
        raise problem

    return step


def _step_within(subject: PatternSubject, attributes: tuple[Attribute, ...], kind: Scalar, schema: Any) -> Any:
    """The schema of a step within the store's limits that keeps a multiple a multiple."""
    path = subject.pattern.field or ""
    limit = subject.limit_of(subject.binding, path, kind)
    steps: list[Any] = [schema]
    if limit is not None and kind.kind == "integer" and (limit.low is not None or limit.high is not None):
        steps.append(core_schema.int_schema(strict=True, ge=limit.low, le=limit.high))
    if limit is not None and limit.check is not None:
        steps[-1] = checked(steps[-1], limit.check)
    field_schema = Strict(subject.binding, subject.model, subject.limit_of).field(path, attributes)
    if (multiple := multiple_of(field_schema)) is not None:
        steps.append({"type": _MULTIPLES[kind.kind], "multiple_of": multiple})
    return core_schema.chain_schema(steps)


_MULTIPLES = {"integer": "int", "float": "float", "decimal": "decimal"}


def _number(*kinds: type) -> Any:
    choices: list[Any] = [core_schema.int_schema(strict=True), *map(core_schema.is_instance_schema, kinds)]
    message = f"a whole number or a {kinds[0].__name__} is expected"
    return core_schema.union_schema(
        choices, mode="left_to_right", custom_error_type="kw_type", custom_error_message=message
    )


_STEPS: dict[str, Any] = {
    "float": core_schema.chain_schema([_number(float), core_schema.float_schema(allow_inf_nan=False)]),
    "decimal": core_schema.chain_schema([_number(Decimal), core_schema.decimal_schema(allow_inf_nan=False)]),
}


_TEXT: Any = core_schema.str_schema(strict=True, max_length=2**40)
"""Text of any length; Pydantic rejects halves of surrogate pairs only when it counts characters."""


class _Fields:
    """The schemas of all values of a call, by field path."""

    def __init__(self, subject: PatternSubject) -> None:
        self.subject, self.binding = subject, subject.binding
        self.strict = Strict(subject.binding, subject.model, subject.limit_of)

    def all(self) -> Iterator[tuple[str, Schema]]:
        """(field path, schema) of each value that a call passes."""
        pattern = self.subject.pattern
        for condition in request(pattern, self.subject.key_fields).conditions:
            if condition.is_given:
                yield ("search" if condition.kind == "search" else condition.field), self._condition_schema(condition)
        for name in pattern.sets:
            yield name, self._field(name)
        if pattern.pushes is not None:
            yield pattern.pushes, self._element(pattern.pushes)

    def kind(self, name: str) -> Type:
        """The logical type of a field; text if it is computed."""
        attributes = self._attributes(name)
        return attributes[-1].type if attributes else Scalar("string")

    def holds_model(self, name: str) -> bool:
        """Whether the values of a field are or contain instances."""
        attributes = resolve(self.binding.entity.attributes, name)
        return attributes is not None and _holds_model(attributes[-1].type)

    def _attributes(self, name: str) -> tuple[Attribute, ...]:
        return resolve(self.binding.entity.attributes, self._field_name(name)) or ()

    def _field_name(self, name: str) -> str:
        """The field behind a name: the only field of a computed attribute, else the name itself."""
        template = self.binding.computed.get(name)
        return template.lone.path if template is not None and template.lone is not None else name

    def _condition_schema(self, condition: Condition) -> Schema:
        match condition.kind:
            case "search":
                return _WORDS
            case "near":
                kind = self.kind(condition.field)
                is_vector = isinstance(kind, Many) and kind.is_vector
                return self._field(condition.field) if is_vector else _PLACE
            case "between":
                end = core_schema.nullable_schema(self._single(condition.field))
                return _pair(end)
            case "prefix":
                return _TEXT
            case "contains":
                return self._element(condition.field)
            case "all_of" | "exactly":
                return _list_of(self._element(condition.field))
            case "one_of":
                return _list_of(self._or_none(condition.field, self._single(condition.field)))
            case _:
                return self._or_none(condition.field, self._comparable(condition.field))

    def _comparable(self, name: str) -> Schema:
        """The schema of a comparison with a field: its value or, for a list, also one of its elements."""
        attributes = self._attributes(name)
        if attributes and isinstance(attributes[-1].type, Many):
            choices: list[Any] = [self._element(name), self._field(name)]
            return core_schema.union_schema(choices, mode="left_to_right")
        return self._single(name)

    def _single(self, name: str) -> Schema:
        attributes = self._attributes(name)
        if not attributes:
            return _TEXT
        if isinstance(attributes[-1].type, Many):
            return self._element(name)
        field_schema = self._field(self._field_name(name))
        if name in self.binding.computed:  # compared with its field's value or with the text of the value
            text: Any = _TEXT
            return core_schema.union_schema([field_schema, text], mode="left_to_right")
        return field_schema

    def _or_none(self, name: str, schema: Schema) -> Schema:
        is_nullable = any(attribute.is_nullable for attribute in self._attributes(name))
        return core_schema.nullable_schema(schema) if is_nullable else schema

    def _field(self, name: str) -> Schema:
        return self.strict.field(name, self._attributes(name))

    def _element(self, name: str) -> Schema:
        return self.strict.element(self._field_name(name), self._attributes(name))


def _pair(end: Any) -> Schema:
    as_list = core_schema.list_schema(end, min_length=2, max_length=2, strict=True)
    as_tuple = core_schema.tuple_schema([end, end], strict=True)
    return core_schema.union_schema([as_tuple, as_list], mode="left_to_right")


def _list_of(element: Any) -> Schema:
    return core_schema.list_schema(element, strict=False)


_WORDS: Any = core_schema.union_schema([_TEXT, core_schema.list_schema(_TEXT, strict=False)], mode="left_to_right")


def _coordinate(maximum: float) -> Any:
    return core_schema.float_schema(ge=-maximum, le=maximum, allow_inf_nan=False, strict=True)


_POINT: Any = core_schema.tuple_schema([_coordinate(180), _coordinate(90)], strict=False)
_AREA: Any = core_schema.tuple_schema(
    [_coordinate(180), _coordinate(90), core_schema.float_schema(ge=0, allow_inf_nan=False, strict=True)], strict=False
)
_SEQUENCE: Any = core_schema.union_schema([core_schema.is_instance_schema(tuple), core_schema.is_instance_schema(list)])
_PLACE: Any = core_schema.union_schema(
    [core_schema.chain_schema([_SEQUENCE, form]) for form in (_POINT, _AREA)],
    mode="left_to_right",
    custom_error_type="kw_type",
    custom_error_message="(longitude, latitude) or (longitude, latitude, metres) is expected, in degrees and metres",
)


def _values_schema(schemas: Mapping[str, Schema]) -> Schema:
    fields: Any = {name: core_schema.typed_dict_field(schema) for name, schema in schemas.items()}
    return core_schema.typed_dict_schema(fields, total=True)


def _compiled(strict: Strict, schema: Any) -> SchemaValidator:
    if strict.definitions:
        schema = core_schema.definitions_schema(schema, list(strict.definitions.values()))
    return SchemaValidator(schema, strict.config)


_Locate: TypeAlias = Callable[[tuple[int | str, ...]], tuple[str, tuple[int | str, ...], Type]]
"""(location of an error): the argument, the location inside it, and its logical type."""


def _error_maker(subject: PatternSubject, locate: _Locate) -> Callable[[ValidationError], InvalidValue]:
    """A function from an error of Pydantic to the error of the call."""
    name = subject.pattern.name

    def error_of(error: ValidationError) -> InvalidValue:
        first = error.errors(include_url=False, include_context=False)[0]
        argument_name, place, kind = locate(first["loc"])
        path, reason = problem_of(first, place, kind)
        return InvalidValue(name, f"{argument_name}{path}".lstrip("."), type(first["input"]).__name__, reason)

    return error_of


def _holds_model(kind: Type) -> bool:
    return isinstance(kind, Struct) or any(map(_holds_model, parts(kind)))
