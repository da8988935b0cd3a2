"""Errors that need all declarations but no engine: what keys may be made of, and names that must lead somewhere."""

import sys
from collections.abc import Iterator
from dataclasses import replace

from keywright.declare.locate import place_in
from keywright.declare.store import Store
from keywright.errors import DeclarationError, Place, did_you_mean
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import Entity, element, resolve
from keywright.ir.keytext import is_ambiguous, pieces
from keywright.ir.template import Placeholder, Template

from .lower import models_of

TEXT_KINDS = ("string", "integer", "uuid", "datetime", "date", "boolean")
"""Kinds of value that have one text form, so that they may stand in a key."""


def check(design: Design, files: dict[str, str]) -> Iterator[DeclarationError]:
    """Everything that is wrong between declarations.

    files: path of each module, by dotted name; fields are found there when something is reported.
    """
    # Models that were refused count too: what refers to them is not wrong.
    names = set(models_of(sys.modules[name] for name in files if name in sys.modules))
    names |= {entity.name for entity in design.entities}
    for entity in design.entities:
        yield from _entity(entity, files, names)
    for binding in design.bindings:
        spec = binding.spec
        for argument, template in binding.templates.items():
            is_ordered = isinstance(spec, Store) and spec.is_ordered(argument)
            yield from _template(binding, argument, template, is_ordered)


def _entity(entity: Entity, files: dict[str, str], names: set[str]) -> Iterator[DeclarationError]:
    def wrong(code: str, attribute: Attribute, problem: str, help: str) -> DeclarationError:
        file = files.get(entity.context)
        at = place_in(file, entity.name, attribute.name) if file else Place("", 0)
        return DeclarationError(code, f'field "{attribute.name}": {problem}', at, help, entity.name)

    for attribute in entity.attributes:
        for target in _targets(attribute):
            if target not in names:
                problem = f'it refers to "{target}", and no model in a store is called so'
                yield wrong("E0107", attribute, problem, did_you_mean(target, sorted(names)))
    for attribute, twin in _stored_twice(entity.attributes):
        problem = f'it is stored as "{attribute.stored}", and so is "{twin}"'
        yield wrong("E0207", attribute, problem, "give one of them another alias")
    yield from (wrong(*one) for one in _expiries(entity))


def _stored_twice(attributes: tuple[Attribute, ...]) -> Iterator[tuple[Attribute, str]]:
    """(field, the earlier one that has the same name in the store), embedded models included."""
    stored: dict[str, str] = {}
    for attribute in attributes:
        if attribute.stored in stored:
            yield attribute, stored[attribute.stored]
        stored.setdefault(attribute.stored, attribute.name)
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            yield from ((replace(attribute, stored=one.stored), twin) for one, twin in _stored_twice(inner.attributes))


def _expiries(entity: Entity) -> Iterator[tuple[str, Attribute, str, str]]:
    """(code, field, problem, help) of what is wrong with the expiry."""
    for attribute in entity.attributes:
        inner = element(attribute.type)
        if isinstance(inner, Struct) and (name := _expiry_in(inner)):
            problem = f'"{name}" inside "{inner.name}" is an expiry, but only whole entities expire'
            yield "E0210", attribute, problem, f'put Ttl() on a field of "{entity.name}" itself'
    expiries = [attribute for attribute in entity.attributes if attribute.ttl_after_seconds is not None]
    for attribute in expiries[1:]:
        yield "E0206", attribute, f'a second expiry, beside "{expiries[0].name}"', "keep one Ttl() in a model"
    for attribute in expiries:
        kind = attribute.type
        if not isinstance(kind, Scalar) or kind.kind != "datetime":
            yield "MDB013", attribute, f"an expiry is a datetime, this is {_word(kind)}", "type it AwareDatetime"
        elif kind.is_aware is False:
            problem = "an expiry without a time zone means another moment on each machine"
            yield "GEN103", attribute, problem, "type it AwareDatetime"


def _expiry_in(struct: Struct) -> str:
    """Name of an expiry in an embedded model, however deep; empty if it has none."""
    for attribute in struct.attributes:
        inner = element(attribute.type)
        if attribute.ttl_after_seconds is not None:
            return attribute.name
        if isinstance(inner, Struct) and (name := _expiry_in(inner)):
            return name
    return ""


def _targets(attribute: Attribute) -> Iterator[str]:
    if attribute.copied_from:
        yield attribute.copied_from.entity
    if attribute.overflow:
        yield attribute.overflow.entity
    yield from _references(attribute.type)


def _references(kind: Type) -> Iterator[str]:
    if kind.facts.reference:
        yield kind.facts.reference.entity
    match kind:
        case Many():
            yield from _references(kind.element)
        case Map():
            yield from _references(kind.value)
        case Struct():
            for attribute in kind.attributes:
                yield from _targets(attribute)
        case Scalar():
            pass


def _template(binding: Binding, argument: str, template: Template, is_ordered: bool) -> Iterator[DeclarationError]:
    entity = binding.entity

    def wrong(code: str, problem: str, help: str) -> DeclarationError:
        return DeclarationError(code, f"{argument}: {problem}", binding.at, help, binding.name)

    problems: list[tuple[str, str, str]] = []
    for placeholder in template.placeholders:
        found = resolve(entity.attributes, placeholder.path) if placeholder.path else None
        if found is not None:
            problems += _placeholder(placeholder, found, template, argument, is_ordered)
    yield from (wrong(*one) for one in problems)
    if not problems and is_ambiguous(pieces(template, entity.attributes)):
        yield wrong(
            "GEN101",
            f'two items could share the key "{template.text}": more than one value may hold its separator',
            'bound the values so that they cannot hold it, such as Field(pattern="^[a-z0-9-]+$"), a Literal or a UUID',
        )


def _placeholder(
    placeholder: Placeholder, found: tuple[Attribute, ...], template: Template, argument: str, is_ordered: bool
) -> Iterator[tuple[str, str, str]]:
    """(code, problem, help) of one placeholder whose field exists."""
    path, kind = placeholder.path, found[-1].type
    many = next((part for part in found if isinstance(part.type, (Many, Map))), found[-1])
    if not isinstance(many.type, Scalar) or not isinstance(kind, Scalar):
        help = "use a field with a single value"
        if isinstance(many.type, Struct) and many.type.attributes:
            help += f", such as {{{path}.{many.type.attributes[0].name}}}"
        yield "E0309", f'"{many.name}" is {_word(many.type)}, which cannot be part of a key', help
        return
    if kind.kind not in TEXT_KINDS and not (template.lone and kind.kind in ("bytes", "decimal")):
        help = "use text, a whole number, a date, a datetime or a UUID"
        yield "E0309", f'"{path}" is {_word(kind)}, which has no one text form', help
    if any(part.is_nullable for part in found) and not argument.startswith("gsi "):
        help = f"make it required, or take {{{path}}} out of the key"
        yield "E0308", f'"{path}" may be None, and a key needs all its parts', help
    has_width = placeholder.width is not None
    is_open = not kind.constants or len({len(str(constant)) for constant in kind.constants}) > 1
    if kind.kind == "integer" and is_open and not has_width and is_ordered and not template.lone:
        yield "GEN102", f'"{path}" is a number in a text key, where 10 sorts before 9', f"write {{{path}:pad(12)}}"
    if kind.kind == "datetime" and kind.is_aware is False:
        yield "GEN103", f'"{path}" has no time zone, a key is written in UTC', "type it AwareDatetime"


def _word(kind: Type) -> str:
    match kind:
        case Scalar():
            article = "an" if kind.kind[0] in "aeiou" else "a"
            return f"{article} {kind.kind}"
        case Many():
            return f"a {kind.kind}"
        case Map():
            return "a mapping"
        case Struct():
            return f"the model {kind.name}"
