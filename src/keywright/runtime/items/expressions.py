"""Generated expressions of every engine: an instance of the values that were read, and sets as ordered lists."""

from collections.abc import Callable

from pydantic import BaseModel

from keywright.ir.attribute import Many, Scalar, Struct, Union

from ..function_source import FunctionSource
from ..validate.stored_types import refuse
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


def by_class(union: Union, value: str, tag: str, convert: Callable[[Struct], str], source: FunctionSource) -> str:
    """Python text that converts a value of a union by the function of its class.

    tag: the text of the discriminator's plain value, for the value `v`. convert: the name of a member's function.
    """
    name, tests = source.fresh(union.discriminator), []
    for constant, member in union.by_tag.items():
        tests += [f"if tag == {constant!r}:", f"    return {convert(member)}(v)"]
    # Writers and readers reject another value, which belongs to no declared class.
    source.define(f"{name}(v)", [f"tag = {tag}", *tests, f"return {source.use(refuse, 'refuse')}(tag)"])
    return f"{name}({value})"


def tag_of(union: Union, source: FunctionSource) -> str:
    """Python text of the discriminator's plain value, for the instance `v`."""
    return f"{source.use(forms.plain, 'plain')}(v.{union.discriminator})"
