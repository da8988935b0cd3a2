"""Entities: user models without Pydantic."""

from dataclasses import dataclass

from .attribute import Attribute, Many, Map, Struct, Type


@dataclass(frozen=True, slots=True)
class Entity:
    """A model that is stored somewhere."""

    name: str
    """Class name, unique in a project."""
    context: str
    """Dotted name of the module that declares it: its bounded context."""
    doc: str
    """First sentence of its docstring; empty if it has none."""
    attributes: tuple[Attribute, ...]
    """Its attributes in declared order."""

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of that Python name, if there is one."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)

    @property
    def ttl(self) -> Attribute | None:
        """The attribute at whose time the entity expires, if there is one."""
        return next((one for one in self.attributes if one.ttl_after_seconds is not None), None)


def resolve(attributes: tuple[Attribute, ...], path: str) -> tuple[Attribute, ...] | None:
    """The attributes along a dotted path of Python names, entering lists on the way; None if there is no such path."""
    if "." not in path:  # most paths: planning asks for them so often that it shows
        for attribute in attributes:
            if attribute.name == path:
                return (attribute,)
        return None
    found: list[Attribute] = []
    for part in path.split("."):
        one = next((attribute for attribute in attributes if attribute.name == part), None)
        if one is None:
            return None
        found.append(one)
        inner = element(one.type)
        attributes = inner.attributes if isinstance(inner, Struct) else ()
    return tuple(found)


def element(type: Type) -> Type:
    """The type of a list's elements or a map's values, however deep, or of the thing itself."""
    while isinstance(type, (Many, Map)):
        type = type.element if isinstance(type, Many) else type.value
    return type


def stored_path(attributes: tuple[Attribute, ...], path: str) -> str:
    """The dotted path in stored names; a path that is no attribute's is returned as it is."""
    found = resolve(attributes, path)
    return ".".join(attribute.stored for attribute in found) if found else path
