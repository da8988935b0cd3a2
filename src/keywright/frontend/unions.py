"""Unions as logical types: of models that a field tells apart, and of JSON values that Pydantic tells apart."""

from collections.abc import Iterator, Sequence
from typing import Any

import pydantic

from keywright.ir.attribute import Attribute, Facts, Many, Map, Scalar, Struct, Type, Union, tags
from keywright.ir.text import counted
from keywright.record import Record, replace

from .no_logical_type import AlreadyReported, NoLogicalType

_JSON_FORMS = {"string": "text", "integer": "number", "float": "number", "boolean": "truth value"}
"""The JSON form of each kind of scalar whose values JSON holds without conversion."""


class Arm(Record):
    """One type of a union."""

    name: str
    """Its name in messages."""
    type: Type
    """Its logical type."""
    is_enum: bool
    """Whether its values are members of an Enum, which a stored value equals only after conversion."""


def discriminator_in(metadata: Sequence[Any]) -> str | None:
    """The field that tells the members of a union apart; the last declared counts."""
    names = [item.discriminator for item in metadata if isinstance(item, pydantic.Discriminator)]
    name = names[-1] if names else None
    if name is not None and not isinstance(name, str):
        problem = "a function tells the types of the union apart, and a stored value has only its fields"
        help = 'give each model a field such as kind: Literal["cat"], and write Field(discriminator="kind")'
        raise NoLogicalType(problem, help)
    return name


def union(arms: Sequence[Arm], discriminator: str | None, facts: Facts) -> Type:
    """The type of a union of two types or more; None is not among them."""
    structs = [arm.type for arm in arms if isinstance(arm.type, Struct)]
    if len(structs) < len(arms):
        return _of_values(arms, facts)
    return _of_models(
        [member for struct in structs for member in _members(struct, discriminator)], discriminator, facts
    )


def _members(struct: Struct, discriminator: str | None) -> tuple[Struct, ...]:
    """The models in an arm, which may be a union itself."""
    if not isinstance(struct, Union):
        return (struct,)
    if struct.discriminator != discriminator:
        problem = f'the inner union is told apart by "{struct.discriminator}", the outer by "{discriminator}"'
        raise NoLogicalType(problem, "give all its models one Literal field with different values")
    return struct.members


def _of_models(members: Sequence[Struct], discriminator: str | None, facts: Facts) -> Union:
    names = " | ".join(member.name for member in members)
    if discriminator is None:
        problem = f"nothing tells the {counted(len(members), 'model')} of the union {names} apart"
        field = next(_common_constants(members), "kind")
        help = f'write Annotated[{names}, Field(discriminator="{field}")], where each has its own {field}: Literal[...]'
        raise NoLogicalType(problem, help)
    if not all(tags(member, discriminator) for member in members):
        raise AlreadyReported  # of the discriminator's own field
    kinds = {type(tag) for member in members for tag in tags(member, discriminator)}
    if len(kinds) > 1:
        words = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise NoLogicalType(f'the values of "{discriminator}" are {words}', "write all of them as text")
    members = [_with_required(member, discriminator) for member in members]
    _reject_other_names(members)
    common = tuple(_common(members))
    is_closed = all(member.is_closed for member in members)
    return Union(names, common, facts, is_closed, discriminator=discriminator, members=tuple(members))


def _common_constants(members: Sequence[Struct]) -> Iterator[str]:
    """Fields that could tell the models apart."""
    for attribute in members[0].attributes:
        if all(tags(member, attribute.name) for member in members):
            yield attribute.name


def _with_required(member: Struct, discriminator: str) -> Struct:
    """The member with its discriminator, which is always stored although the model may have a default for it."""
    return replace(
        member,
        attributes=tuple(
            replace(attribute, is_required=True) if attribute.name == discriminator else attribute
            for attribute in member.attributes
        ),
    )


def _reject_other_names(members: Sequence[Struct]) -> None:
    """Two stored names of one field have no single path, for queries and for migrations."""
    stored: dict[str, tuple[str, str]] = {}
    for member in members:
        for attribute in member.attributes:
            other, owner = stored.setdefault(attribute.name, (attribute.stored, member.name))
            if other != attribute.stored:
                names = f'"{attribute.stored}" in {member.name} and as "{other}" in {owner}'
                problem = f'"{attribute.name}" is stored as {names}'
                raise NoLogicalType(problem, "give the field the same alias in both")


def _common(members: Sequence[Struct]) -> Iterator[Attribute]:
    """The attributes of all members, which paths reach."""
    for attribute in members[0].attributes:
        same = tuple(part for member in members for part in member.attributes if part.name == attribute.name)
        if len(same) < len(members) or (kind := _shared(same)) is None:
            continue
        yield replace(
            attribute,
            type=kind,
            is_nullable=any(part.is_nullable for part in same),
            is_required=all(part.is_required for part in same),
            is_none_by_default=all(part.is_none_by_default for part in same),
        )


def _shared(attributes: Sequence[Attribute]) -> Type | None:
    """The type that includes the values of all; None if there is none."""
    kinds = [attribute.type for attribute in attributes]
    if all(kind == kinds[0] for kind in kinds):
        return kinds[0]
    scalars = [kind for kind in kinds if isinstance(kind, Scalar)]
    if len(scalars) < len(kinds) or len({(kind.kind, kind.is_converted, kind.is_aware) for kind in scalars}) > 1:
        return None
    return _widest(scalars, scalars[0].facts)


def _widest(scalars: Sequence[Scalar], facts: Facts) -> Scalar:
    """A type without the bounds of its arms; with the constants of all if each has some."""
    constants = [constant for kind in scalars for constant in kind.constants]
    is_closed = all(kind.constants for kind in scalars)
    allowed = tuple(dict.fromkeys(constants)) if is_closed else ()
    first = scalars[0]
    return Scalar(first.kind, allowed, is_aware=first.is_aware, is_converted=first.is_converted, facts=facts)


def _of_values(arms: Sequence[Arm], facts: Facts) -> Scalar:
    """Values of one kind without the bounds of the types, or JSON if each type has a form of its own there."""
    scalars = [arm.type for arm in arms if isinstance(arm.type, Scalar) and not (arm.type.is_converted or arm.is_enum)]
    if len(scalars) == len(arms) and len({scalar.kind for scalar in scalars}) == 1 and scalars[0].kind != "json":
        return _widest(scalars, facts)
    forms = {None if arm.is_enum else _json_form(arm.type) for arm in arms}
    if None not in forms and len(forms) == len(arms):
        return Scalar("json", facts=facts)
    names = " and ".join(f'"{arm.name}"' for arm in arms)
    problem = f"values of {names} can have the same stored form, and would be read as another type than they had"
    raise NoLogicalType(problem, "use one of the types, or a model with an optional field for each")


def _json_form(kind: Type) -> str | None:
    """The form in JSON of values that JSON holds without conversion; None for other values."""
    match kind:
        case Scalar():
            return None if kind.is_converted else _JSON_FORMS.get(kind.kind)
        case Many(kind="list"):
            return "array" if kind.element == Scalar("json") or _json_form(kind.element) else None
        case Map():
            return "object" if kind.value == Scalar("json") or _json_form(kind.value) else None
        case _:
            return None
