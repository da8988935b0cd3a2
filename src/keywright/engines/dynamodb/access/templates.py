"""Key templates of a shape, with what computed attributes are made of in their place."""

from collections.abc import Callable
from functools import lru_cache

from keywright.engines.shape import EntityShape
from keywright.ir.template import Placeholder, Template
from keywright.ir.template import parse as parse_template


@lru_cache(maxsize=8192)
def parse(text: str) -> Template:
    """A template of a shape, which was parsed before."""
    return parse_template(text)


def computed_of(shape: EntityShape) -> dict[str, Template]:
    """The computed attributes of an entity, by name."""
    return {
        name.removeprefix('computed["').removesuffix('"]'): parse(text)
        for name, text in shape.keys
        if name.startswith('computed["')
    }


def named_of(shape: EntityShape, computed: dict[str, Template]) -> dict[str, str]:
    """The field or computed attribute that an attribute is, by its stored name."""
    return {one.stored: one.name for one in shape.fields if "." not in one.name} | {name: name for name in computed}


def expanded(template: Template, computed: dict[str, Template], kept: Callable[[str], bool] | None = None) -> Template:
    """A template with what computed attributes are made of in their place, as far as a template can say it.

    kept: whether a computed attribute stays as it is.
    """
    if not any(one.path in computed for one in template.placeholders):
        return template
    parts: list[str | Placeholder] = []
    for part in template.parts:
        if isinstance(part, str) or part.path not in computed or (kept is not None and kept(part.path)):
            parts.append(part)
            continue
        others = {name: one for name, one in computed.items() if name != part.path}
        inner = expanded(computed[part.path], others, kept).parts
        if not part.filters:
            parts += inner
        elif len(inner) == 1 and isinstance(inner[0], Placeholder):
            parts.append(Placeholder(inner[0].path, inner[0].filters + part.filters))
        else:
            parts.append(part)
    return Template(template.text, tuple(_joined(parts)))


def _joined(parts: list[str | Placeholder]) -> list[str | Placeholder]:
    """The parts with constants that touch made one."""
    found: list[str | Placeholder] = []
    for part in parts:
        if found and isinstance(part, str) and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return found
