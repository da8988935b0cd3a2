"""Sets that are stored as lists: their elements in order, so that equal sets are stored the same."""

from keywright.ir.attribute import Many, Scalar
from keywright.runtime import text as forms
from keywright.runtime.source import Source


def in_order(type: Many, value: str, source: Source) -> str:
    """Python text for the elements of `value` in order; the text as it is for a list, or where elements have none."""
    element = type.element
    if type.kind != "set" or type.has_null_elements or not isinstance(element, Scalar) or element.kind == "json":
        return value
    if element.constants:
        return f"sorted({value}, key={source.use(forms.plain, 'plain')})"
    return f"sorted({value}, key=str)" if element.is_converted else f"sorted({value})"
