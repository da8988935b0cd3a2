"""Entities: user models without Pydantic."""

from keywright.record import Record

from .attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type


class Entity(Record):
    """A model that is stored somewhere."""

    name: str
    """Class name, unique in a project."""
    context: str
    """Dotted name of the module that declares it: its bounded context."""
    doc: str
    """First sentence of its docstring; empty if it has none."""
    attributes: tuple[Attribute, ...]
    """Its attributes in declared order."""
    is_closed: bool = False
    """Whether it forbids undeclared fields."""

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of that Python name, if there is one."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)

    @property
    def ttl(self) -> Attribute | None:
        """The attribute at whose time the entity expires, if there is one."""
        return next((attribute for attribute in self.attributes if attribute.ttl_after_seconds is not None), None)


def resolve(attributes: tuple[Attribute, ...], path: str) -> tuple[Attribute, ...] | None:
    """The attributes along a dotted path of Python names, entering lists on the way; None if there is no such path."""
    if "." not in path:  # most paths: the planner resolves many of them
        for attribute in attributes:
            if attribute.name == path:
                return (attribute,)
        return None
    attributes_of_path: list[Attribute] = []
    for part in path.split("."):
        part_attribute = next((attribute for attribute in attributes if attribute.name == part), None)
        if part_attribute is None:
            return None
        attributes_of_path.append(part_attribute)
        inner = element(part_attribute.type)
        attributes = inner.attributes if isinstance(inner, Struct) else ()
    return tuple(attributes_of_path)


def element(type: Type) -> Type:
    """The type of a list's elements or a map's values, at any depth, or the type itself."""
    while isinstance(type, (Many, Map)):
        type = type.element if isinstance(type, Many) else type.value
    return type


def parts(type: Type) -> tuple[Type, ...]:
    """The types directly inside a type: elements, keys and values, or fields."""
    match type:
        case Scalar():
            return ()
        case Many():
            return (type.element,)
        case Tuple():
            return type.elements
        case Map():
            return (type.key, type.value)
        case Struct():
            return tuple(attribute.type for attribute in type.parts)


def stored_path(attributes: tuple[Attribute, ...], path: str) -> str:
    """The dotted path in stored names; a path of no attribute is returned unchanged."""
    attributes_of_path = resolve(attributes, path)
    return ".".join(attribute.stored for attribute in attributes_of_path) if attributes_of_path else path
