"""Errors that need all declarations but no engine: what keys may be made of, and names that must lead somewhere."""

from collections.abc import Iterator

from keywright.declare.store import Store
from keywright.errors import DeclarationError, Place, did_you_mean
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import Entity, resolve
from keywright.ir.keytext import is_ambiguous, pieces
from keywright.ir.template import Placeholder, Template

from .locate import place_in

TEXT_KINDS = ("string", "integer", "uuid", "datetime", "date", "boolean")
"""Kinds of value that have one text form, so that they may stand in a key."""


def check(design: Design, files: dict[str, str]) -> Iterator[DeclarationError]:
    """Everything that is wrong between declarations.

    files: path of each module, by dotted name; fields are found there when something is reported.
    """
    names = {entity.name for entity in design.entities} | {binding.name for binding in design.bindings}
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

    stored: dict[str, str] = {}
    for attribute in entity.attributes:
        if attribute.stored in stored:
            first = stored[attribute.stored]
            problem = f'it is stored as "{attribute.stored}", and so is "{first}"'
            yield wrong("E0207", attribute, problem, "give one of them another alias")
        stored[attribute.stored] = attribute.name
        for target in _targets(attribute):
            if target not in names:
                yield wrong("E0107", attribute, f'it refers to "{target}", which no model is called',
                            did_you_mean(target, sorted(names)))  # fmt: skip
    expiries = [attribute for attribute in entity.attributes if attribute.ttl_after_seconds is not None]
    for attribute in expiries[1:]:
        yield wrong("E0206", attribute, f'a second expiry, beside "{expiries[0].name}"', "keep one Ttl() in a model")
    for attribute in expiries:
        kind = attribute.type
        if not isinstance(kind, Scalar) or kind.kind != "datetime":
            yield wrong("MDB013", attribute, f"an expiry is a datetime, this is {_word(kind)}", "type it datetime")
        elif kind.is_aware is False:
            yield wrong("GEN103", attribute, "an expiry without a time zone means another moment on each machine",
                        "type it AwareDatetime, or datetime with values in UTC")  # fmt: skip


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

    if is_ambiguous(pieces(template, entity.attributes)):
        yield wrong(
            "GEN101",
            f'two items could share the key "{template.text}": more than one value may hold its separator',
            "bound the values by Literal, UUID or Field(pattern=...), or put those of one width last",
        )
    for placeholder in template.placeholders:
        found = resolve(entity.attributes, placeholder.path) if placeholder.path else None
        if found is not None:
            yield from (wrong(*one) for one in _placeholder(placeholder, found, template, argument, is_ordered))


def _placeholder(
    placeholder: Placeholder, found: tuple[Attribute, ...], template: Template, argument: str, is_ordered: bool
) -> Iterator[tuple[str, str, str]]:
    """(code, problem, help) of one placeholder whose field exists."""
    path, kind = placeholder.path, found[-1].type
    if any(isinstance(part.type, (Many, Map)) for part in found) or not isinstance(kind, Scalar):
        yield "E0309", f'"{path}" is {_word(kind)}, which cannot be part of a key', "use a single value"
        return
    if kind.kind not in TEXT_KINDS and not (template.lone and kind.kind in ("bytes", "decimal")):
        yield "E0309", f'"{path}" is {_word(kind)}, which has no one text form', "use text, a whole number or a time"
    if any(part.is_nullable for part in found) and "gsi" not in argument:
        yield "E0308", f'"{path}" may be None, and a key needs all its parts', "make it required, or leave it out"
    has_width = placeholder.width is not None
    if kind.kind == "integer" and not kind.constants and not has_width and is_ordered and not template.lone:
        yield "GEN102", f'"{path}" is a number in a text key, where 10 sorts before 9', f"write {{{path}:pad(12)}}"
    if kind.kind == "datetime" and kind.is_aware is False:
        yield "GEN103", f'"{path}" has no time zone, a key is written in UTC', "type it AwareDatetime or datetime"


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
