"""Keys of items: the text of the template."""

from collections.abc import Callable
from typing import Any

from keywright.ir.template import Template
from keywright.runtime.items.fill import writer


def key_text(template: Template, value: Callable[[str], Any]) -> str:
    """The key of an item; value: returns the value of a field."""
    parts = (part if isinstance(part, str) else writer(part)(value(part.path)) for part in template.parts)
    return "".join(parts)
