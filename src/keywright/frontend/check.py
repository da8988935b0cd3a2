"""Compile errors that need all declarations but no engine: fields in keys, references and stored names."""

import sys
from collections.abc import Iterator

from keywright.declare.locate import place_in
from keywright.declare.store import Store
from keywright.declare.wording import NAME_HELP
from keywright.errors import DeclarationError, Place, did_you_mean
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import Entity, element, parts, resolve
from keywright.ir.key_texts import is_ambiguous, pieces
from keywright.ir.template import Placeholder, Template
from keywright.ir.text import is_one_line, one_line
from keywright.ir.time_format import has_fraction
from keywright.record import replace

from . import constants, upgrades
from .lower import models_of

TEXT_KINDS = ("string", "integer", "uuid", "datetime", "date", "boolean")
"""Kinds of value with a single text form, which can be part of a key."""


def check(design: Design, files: dict[str, str]) -> Iterator[DeclarationError]:
    """Yields the compile errors between declarations.

    files: path of each module, by dotted name, for the places of errors.
    """
    # Rejected models count too: references to them are correct.
    modules = [sys.modules[name] for name in files if name in sys.modules]
    names = {*models_of(modules), *(entity.name for entity in design.entities)}
    classes = (value for module in modules for value in vars(module).values() if isinstance(value, type))
    names |= {cls.__name__ for cls in classes if "__store__" in vars(cls)}
    for entity in design.entities:
        yield from _entity(entity, files, names)
    yield from constants.in_patterns(design)
    for binding in design.bindings:
        yield from upgrades.check(binding)
        yield from constants.in_store(binding)
        spec = binding.spec
        reported: set[tuple[Template, str]] = set()
        for argument, template in binding.templates.items():
            is_ordered = isinstance(spec, Store) and spec.is_ordered(argument)
            if isinstance(spec, Store) and argument in map('computed["{}"]'.format, spec.places_named()):
                continue  # numbers in a place, which the engine checks
            for code, problem, help in _template(binding, argument, template, is_ordered):
                if (template, problem) not in reported:  # a template that is used in two places is one mistake
                    yield DeclarationError(code, f"{argument}: {problem}", binding.at, help, binding.name)
                reported.add((template, problem))


def _entity(entity: Entity, files: dict[str, str], names: set[str]) -> Iterator[DeclarationError]:
    def wrong(code: str, attribute: Attribute, problem: str, help: str) -> DeclarationError:
        file = files.get(entity.context)
        at = place_in(file, entity.name, attribute.name) if file else Place("", 0)
        return DeclarationError(code, f'field "{one_line(attribute.name)}": {problem}', at, help, entity.name)

    for attribute in entity.attributes:
        for target in _targets(attribute):
            if target not in names:
                problem = f'it refers to "{target}", which is not the name of a stored model'
                yield wrong("E0107", attribute, problem, did_you_mean(target, sorted(names)))
    for attribute, twin in _stored_twice(entity.attributes):
        problem = f'its stored name "{attribute.stored}" is also the stored name of "{twin}"'
        yield wrong("E0207", attribute, problem, "give one of the two fields another alias")
    for attribute, text in _names(entity.attributes):
        if not is_one_line(text):
            problem = f'its stored name "{one_line(text)}" contains a control character'
            yield wrong("E0518", attribute, problem, NAME_HELP)
    yield from (wrong(*expiry) for expiry in _expiries(entity))


def _names(attributes: tuple[Attribute, ...]) -> Iterator[tuple[Attribute, str]]:
    """(field, stored name of the field or of a part of it), embedded models included."""
    for attribute in attributes:
        yield attribute, attribute.stored
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            yield from ((attribute, text) for _, text in _names(inner.parts))


def _stored_twice(attributes: tuple[Attribute, ...]) -> Iterator[tuple[Attribute, str]]:
    """(field, earlier field with the same stored name), embedded models included."""
    stored: dict[str, str] = {}
    for attribute in attributes:
        if attribute.stored in stored:
            yield attribute, stored[attribute.stored]
        stored.setdefault(attribute.stored, attribute.name)
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            members = inner.members if isinstance(inner, Union) else (inner,)
            twins = (twin for member in members for twin in _stored_twice(member.attributes))
            yield from ((replace(attribute, stored=part.stored), twin) for part, twin in twins)


def _expiries(entity: Entity) -> Iterator[tuple[str, Attribute, str, str]]:
    """(code, field, problem, help) of each error of an expiry."""
    for attribute in entity.attributes:
        inner = element(attribute.type)
        if isinstance(inner, Struct) and (name := _expiry_in(inner)):
            problem = f'"{name}" inside "{inner.name}" is an expiry, but only whole entities expire'
            yield "E0210", attribute, problem, f'put Ttl() on a field of "{entity.name}" itself'
    expiries = [attribute for attribute in entity.attributes if attribute.ttl_after_seconds is not None]
    for attribute in expiries[1:]:
        problem = f'it is a second expiry; the model already has "{expiries[0].name}"'
        yield "E0206", attribute, problem, "keep one Ttl() per model"
    for attribute in expiries:
        kind = attribute.type
        if not isinstance(kind, Scalar) or kind.kind != "datetime":
            yield "MDB013", attribute, f"an expiry must be a datetime, not {_word(kind)}", "type it AwareDatetime"
        elif kind.is_aware is False:
            problem = "an expiry without a time zone is a different moment on each machine"
            yield "GEN103", attribute, problem, "type it AwareDatetime"


def _expiry_in(struct: Struct) -> str:
    """Name of an expiry in an embedded model, at any depth; empty if there is none."""
    for attribute in struct.parts:
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
        case Struct():
            for attribute in kind.parts:
                yield from _targets(attribute)
        case _:
            for part in parts(kind):
                yield from _references(part)


def _template(binding: Binding, argument: str, template: Template, is_ordered: bool) -> Iterator[tuple[str, str, str]]:
    """(code, problem, help) of each error of a template."""
    entity = binding.entity
    problems: list[tuple[str, str, str]] = []
    for placeholder in template.placeholders:
        attributes = resolve(entity.attributes, placeholder.path) if placeholder.path else None
        if attributes is not None:
            problems += _placeholder(placeholder, attributes, template, argument, is_ordered)
    yield from problems
    if not problems and is_ambiguous(pieces(template, entity.attributes)):
        yield (
            "GEN101",
            f'two items could share the key "{template.text}": more than one value may contain its separator',
            'restrict the values to others, such as by Field(pattern="^[a-z0-9-]+$"), a Literal or a UUID',
        )


def _placeholder(
    placeholder: Placeholder, attributes: tuple[Attribute, ...], template: Template, argument: str, is_ordered: bool
) -> Iterator[tuple[str, str, str]]:
    """(code, problem, help) of one placeholder whose field exists."""
    path, kind = placeholder.path, attributes[-1].type
    many = next((part for part in attributes if isinstance(part.type, (Many, Map))), attributes[-1])
    if not isinstance(many.type, Scalar) or not isinstance(kind, Scalar):
        help = "use a field with a single value"
        if isinstance(many.type, Struct) and many.type.attributes:
            help += f", such as {{{path}.{many.type.attributes[0].name}}}"
        yield "E0309", f'"{many.name}" is {_word(many.type)}, which cannot be part of a key', help
        return
    if kind.kind not in TEXT_KINDS and not (template.lone and kind.kind in ("bytes", "decimal")):
        help = "use text, a whole number, a date, a datetime or a UUID"
        yield "E0309", f'"{path}" is {_word(kind)}, which has no single text form', help
    if any(part.is_nullable for part in attributes) and not argument.startswith("gsi "):
        help = f"make the field required, or remove {{{path}}} from the key"
        yield "E0308", f'"{path}" may be None, and a key needs all its parts', help
    has_width = placeholder.width is not None
    is_open = not kind.constants or len({len(str(constant)) for constant in kind.constants}) > 1
    if kind.kind == "integer" and is_open and not has_width and is_ordered and not template.lone:
        yield "GEN102", f'"{path}" is a number in a text key, where 10 sorts before 9', f"write {{{path}:pad(12)}}"
    yield from _digits_of_time(placeholder, kind)
    yield from _cut_time(placeholder, kind)
    if kind.kind == "datetime" and kind.is_aware is False:
        yield "GEN103", f'"{path}" has no time zone, but keys are in UTC', "type it AwareDatetime"


def _digits_of_time(placeholder: Placeholder, kind: Scalar) -> Iterator[tuple[str, str, str]]:
    """Errors of `:pad` on a time: it needs a precision, and digits for its number since 1970."""
    width = next((filter.number or 0 for filter in placeholder.filters if filter.name == "pad"), None)
    if kind.kind != "datetime" or width is None:
        return
    path = placeholder.path
    if kind.precision is None:
        help = f'type the field Annotated[datetime, kw.Precision("milliseconds")], or write {{{path}:iso}}'
        yield "E0304", f'filter ":pad" needs an int, or a datetime with a precision, and "{path}" has none', help
    elif width < (needed := _EPOCH_DIGITS[kind.precision]):
        problem = f'filter ":pad({width})" is too short for "{path}", whose number since 1970 has {needed} digits'
        yield "E0315", problem, f"write {{{path}:pad({needed})}}"


def _cut_time(placeholder: Placeholder, kind: Scalar) -> Iterator[tuple[str, str, str]]:
    """Errors of a format that ends with seconds, for a time with parts of them."""
    path = placeholder.path
    for filter in placeholder.filters:
        is_cut = filter.name == "iso" and filter.format and not has_fraction(filter.format)
        if is_cut and kind.precision != "seconds":
            format = replace(filter, precision=None)
            problem = f'filter ":{format}" cuts "{path}" to seconds, so that two times have one key'
            longer = f"{{{path}:strftime(%Y%m%d%H%M%S%f)}}"
            help = f'type the field Annotated[datetime, kw.Precision("seconds")], or write {longer}'
            yield "E0320", problem, help


_EPOCH_DIGITS = {"milliseconds": 13, "seconds": 10}
"""Digits of the times from 2001 to 2286."""


def _word(kind: Type) -> str:
    match kind:
        case Scalar():
            article = "an" if kind.kind[0] in "aeiou" else "a"
            return f"{article} {kind.kind}"
        case Many():
            return f"a {kind.kind}"
        case Tuple():
            return "a tuple"
        case Map():
            return "a mapping"
        case Struct():
            return f"the model {kind.name}"
