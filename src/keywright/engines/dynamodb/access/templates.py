"""Key templates of a shape, with computed attributes replaced by their templates."""

from collections.abc import Callable
from functools import lru_cache

from keywright.engines.contract.shape import EntityShape, by_path
from keywright.ir.template import Placeholder, Template
from keywright.ir.template import parse as parse_template

from ..schema.target import TableTarget


@lru_cache(maxsize=8192)
def parse(text: str) -> Template:
    """Parses a template of a shape, once per text."""
    return parse_template(text)


def computed_of(shape: EntityShape) -> dict[str, Template]:
    """Computed attributes of an entity, by name."""
    return {
        name.removeprefix('computed["').removesuffix('"]'): parse(text)
        for name, text in shape.keys
        if name.startswith('computed["')
    }


def named_of(shape: EntityShape, computed: dict[str, Template]) -> dict[str, str]:
    """Names of fields and computed attributes, by stored name."""
    top = {field.stored: name for name, field in by_path(shape).items() if "." not in name}
    return top | {name: name for name in computed}


def always(shape: EntityShape, table: TableTarget) -> dict[str, str]:
    """Templates of the attributes that every item of an entity has in addition to its fields: key and discriminator."""
    keys = dict(shape.keys)
    templates = {shape.discriminator.attribute: shape.discriminator.value} if shape.discriminator else {}
    for key in table.keys:
        if (text := keys.get("pk" if key.role == "HASH" else "sk")) is not None:
            templates[key.attribute] = text
    return templates


def expanded(
    template: Template, computed: dict[str, Template], is_kept: Callable[[str], bool] | None = None
) -> Template:
    """Template with computed attributes replaced by their templates, as far as a template can express it.

    is_kept: whether a computed attribute remains unexpanded.
    """
    if not any(placeholder.path in computed for placeholder in template.placeholders):
        return template
    parts: list[str | Placeholder] = []
    for part in template.parts:
        if isinstance(part, str) or part.path not in computed or (is_kept is not None and is_kept(part.path)):
            parts.append(part)
            continue
        others = {name: template for name, template in computed.items() if name != part.path}
        inner = expanded(computed[part.path], others, is_kept).parts
        if not part.filters:
            parts += inner
        elif len(inner) == 1 and isinstance(inner[0], Placeholder):
            parts.append(Placeholder(inner[0].path, inner[0].filters + part.filters))
        else:
            parts.append(part)
    return Template(template.text, tuple(_joined(parts)))


def _joined(parts: list[str | Placeholder]) -> list[str | Placeholder]:
    """Parts with adjacent constants joined."""
    joined: list[str | Placeholder] = []
    for part in parts:
        if joined and isinstance(part, str) and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return joined
