"""Instances of items that lack fields: what is there is read, nothing is validated, the rest is not set."""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import BaseModel, TypeAdapter

from keywright.ir.attribute import Attribute, Scalar


def partial_instance(model: type[BaseModel], attributes: Iterable[Attribute]) -> Callable[[dict[str, Any]], Any]:
    """A function from values, by the names under which the model takes them, to an instance with these fields alone."""
    names = {one.given: one.name for one in attributes}
    shaped = {one.name for one in attributes if _is_shaped(one)}
    makers: dict[str, Callable[[Any], Any]] = {}

    def maker(name: str) -> Callable[[Any], Any]:
        """What makes an embedded model, an enum or a set of plain values; made when the first is needed."""
        if name not in makers:
            shape: Any = model.model_fields[name].annotation
            adapter: TypeAdapter[Any] = TypeAdapter(shape)
            makers[name] = lambda value: adapter.validate_python(value, strict=False, by_alias=True, by_name=True)
        return makers[name]

    def made(values: dict[str, Any]) -> Any:
        fields = {names[given]: value for given, value in values.items()}
        for name in shaped & fields.keys():
            if fields[name] is not None:
                fields[name] = maker(name)(fields[name])
        instance = model.__new__(model)
        for attribute, value in (
            ("__dict__", fields), ("__pydantic_fields_set__", set(fields)), ("__pydantic_extra__", None),
            ("__pydantic_private__", None),
        ):  # fmt: skip
            object.__setattr__(instance, attribute, value)
        return instance

    return made


def _is_shaped(attribute: Attribute) -> bool:
    """Whether Python holds something else than the plain value."""
    kind = attribute.type
    return not isinstance(kind, Scalar) or bool(kind.constants) or kind.is_converted
