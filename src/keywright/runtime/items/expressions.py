"""Generated expressions of every engine: an instance of the values that were read, and sets as ordered lists."""

from pydantic import BaseModel

from keywright.ir.attribute import Many, Scalar

from ..function_source import FunctionSource
from . import text as forms


def instance(model: type[BaseModel], source: FunctionSource) -> str:
    """Python text that makes an instance of the dict `values`.

    The values come from a valid instance, in plain types and under `Attribute.given`. The model's settings for
    strictness and aliases are overridden, because they are meant for external input.
    """
    validate = source.use(model.model_validate, "validate")
    return f"{validate}(values, strict=False, by_alias=True, by_name=True)"


def in_order(type: Many, value: str, source: FunctionSource) -> str:
    """Python text for the ordered elements of `value`, so that equal sets are stored alike.

    The value is unchanged for a list, or if the elements have no order.
    """
    element = type.element
    if type.kind != "set" or type.has_null_elements or not isinstance(element, Scalar) or element.kind == "json":
        return value
    if element.constants:
        return f"sorted({value}, key={source.use(forms.plain, 'plain')})"
    return f"sorted({value}, key=str)" if element.is_converted else f"sorted({value})"
