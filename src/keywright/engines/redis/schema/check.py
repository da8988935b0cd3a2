"""Declarations that Redis cannot store in any environment."""

import math
import re
from collections.abc import Iterator, Mapping
from itertools import combinations

from keywright.engines.interface import Rejection
from keywright.engines.nested_types import check_nested_types
from keywright.errors import closest
from keywright.ir.attribute import Attribute, Scalar, Struct
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.key_texts import Piece, can_begin, can_share

from ..declare.options import RedisCache, RedisSortedSet, RedisStream, Structure
from ..declare.server import RedisServer
from .capabilities import DIRECTIVES, MODULE_PREFIXES, NAME_PATTERN, OWN_WORDS, PROCESS, SCORE_WHOLE
from .check_indexes import check_indexes
from .directive import canonical, written
from .layout import (
    EXPIRING_KINDS,
    constant_key,
    dead_letters,
    delayed,
    has_path,
    key_pieces,
    kind_of,
    lost_attributes,
    stored_attributes,
    value_field,
)
from .packed_score import whole_bounds
from .typemap import NUMBERS
from .user_names import refused_users

_OF_MODULES = f"(?:{'|'.join(MODULE_PREFIXES)})[a-z0-9-]+"
"""Pattern of the directives of modules, which are not listed one by one."""

_DIGITS = frozenset("0123456789")
_GENERATION = (Piece(frozenset("k"), 1), Piece(_DIGITS, 1), Piece(_DIGITS, None), Piece(frozenset(":"), 1))


def check(design: Design[RedisServer, Structure]) -> Iterator[Rejection]:
    """See `Engine.check`."""
    for physical in design.physicals:
        server, bindings = physical.spec, design.bindings_in(physical)
        yield from _name(physical)
        yield from _settings(physical, server)
        for binding in bindings:
            yield from check_nested_types(binding, "Redis")
            yield from _bytes(binding)
            yield from _value(binding)
            yield from _due(binding)
            yield from _then(binding)
            yield from _lost(binding)
            yield from _unreachable(binding)
            yield from _expiry(binding)
        yield from _collisions(bindings)
        yield from check_indexes(bindings)
    yield from refused_users(design.patterns)


def _name(physical: Physical) -> Iterator[Rejection]:
    if not re.fullmatch(NAME_PATTERN, physical.name):
        problem = f'the server name "{physical.name}" cannot be part of a file name'
        yield Rejection("E0511", problem, "use letters, digits, `_`, `.` and `-`", physical.name)


def _settings(physical: Physical, server: RedisServer) -> Iterator[Rejection]:
    for name, value in server.settings.items():
        directive = DIRECTIVES.get(name)
        if name in OWN_WORDS:
            yield Rejection("E0503", f'settings= does not accept "{name}"', OWN_WORDS[name], physical.name)
        elif name in PROCESS:
            problem = f'settings= does not accept "{name}", which belongs to the process, not to its data'
            yield Rejection("E0503", problem, "set it where the server is started", physical.name)
        elif directive is None:
            if not re.fullmatch(_OF_MODULES, name):
                similar = closest(name, DIRECTIVES)
                help = (
                    f'did you mean "{similar}"?' if similar else "the redis.conf of your version lists its directives"
                )
                yield Rejection("RED101", f'there is no directive "{name}"', help, physical.name)
        elif isinstance(value, Mapping):
            yield Rejection(
                "RED101", f'directive "{name}" does not accept a mapping', "write its value as text", physical.name
            )
        else:
            try:
                canonical(directive, written(value))
            except ValueError as error:
                problem = f'directive "{name}" does not accept "{written(value)}"'
                yield Rejection("RED101", problem, f"it takes {error}", physical.name)
        if directive and directive.renamed in server.settings:
            problem = f'"{name}" is the old name of "{directive.renamed}", which is set too'
            yield Rejection("RED101", problem, "keep one of them", physical.name)


def _bytes(binding: Binding[Structure]) -> Iterator[Rejection]:
    for argument, template in binding.templates.items():
        for placeholder in template.placeholders:
            attribute = binding.entity.attribute(placeholder.path)
            if attribute and _word(attribute) == "bytes":
                problem = f'{argument}: "{attribute.name}" is bytes, but a key or member is text here'
                yield Rejection(
                    "E0205", problem, "store it as text, such as hexadecimal", binding.name, field=attribute.name
                )


def _value(binding: Binding[Structure]) -> Iterator[Rejection]:
    """Reject a wrong type of the field that a structure uses as a number or a place."""
    name = value_field(binding)
    attribute = binding.entity.attribute(name) if name else None
    if attribute is None:
        return
    expected = {
        "string": ("a value", _is_anything),
        "counter": ("a whole number", _is_integer), "bitmap": ("a whole number", _is_integer),
        "sorted set": ("a number or a time", _is_score),
        "geo": ("a model with the floats longitude and latitude", _is_place),
    }.get(kind_of(binding))  # fmt: skip
    if expected and not (expected[1](attribute) and not attribute.is_nullable):
        word = "optional" if attribute.is_nullable else _word(attribute)
        problem = f'"{attribute.name}" is {word}, a {kind_of(binding)} needs {expected[0]}'
        help = "a score is a double: count money in int cents" if _word(attribute) == "decimal" else "change its type"
        yield Rejection("E0205", problem, help, binding.name, field=attribute.name)


def _due(binding: Binding[Structure]) -> Iterator[Rejection]:
    """Reject a wait until something else than a time."""
    name = getattr(binding.spec, "due", None)
    attribute = binding.entity.attribute(name) if name else None
    if attribute is not None and _word(attribute) != "datetime":
        problem = f'"{attribute.name}" is {_word(attribute)}, due= needs a time'
        yield Rejection("E0205", problem, "change its type to datetime", binding.name, field=attribute.name)


def _then(binding: Binding[Structure]) -> Iterator[Rejection]:
    """Reject two numbers that one score cannot hold."""
    spec = binding.spec
    if not isinstance(spec, RedisSortedSet) or spec.then is None:
        return
    sizes: list[int] = []
    for name in (spec.score, spec.then.removeprefix("-")):
        attribute = binding.entity.attribute(name)
        if attribute is None:
            return
        bounds = whole_bounds(attribute)
        if bounds is None:
            problem = f'then= packs "{name}" into a score, and "{name}" is no whole number with bounds'
            help = "write Annotated[int, Field(ge=..., le=...)]; a time as its seconds since 1970"
            yield Rejection("E0205", problem, help, binding.name, field=name)
            return
        sizes.append(max(abs(bounds[0]), abs(bounds[1]) + 1) if not sizes else bounds[1] - bounds[0] + 1)
    if math.prod(sizes) > SCORE_WHOLE.value:
        bits = (math.prod(sizes) - 1).bit_length()
        problem = f'"{spec.score}" and "{spec.then}" need {bits} bits, a score holds 53 exactly'
        yield Rejection("E0205", problem, "narrow their bounds", binding.name, field=spec.score)


def _is_anything(attribute: Attribute) -> bool:
    return True


def _is_integer(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind == "integer"


def _is_score(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind in NUMBERS


def _is_place(attribute: Attribute) -> bool:
    if not isinstance(attribute.type, Struct):
        return False
    return {(part.name, _word(part)) for part in attribute.type.attributes} == {
        ("longitude", "float"),
        ("latitude", "float"),
    }


def _word(attribute: Attribute) -> str:
    return attribute.type.kind if isinstance(attribute.type, Scalar) else "no single value"


def _lost(binding: Binding[Structure]) -> Iterator[Rejection]:
    for attribute in lost_attributes(binding):
        problem = f'"{attribute.name}" would be lost: a {kind_of(binding)} stores only full fields of its templates'
        help = f'write "{{{attribute.name}}}" into the key or the member, or store the entity in a RedisHash'
        yield Rejection("E0311", problem, help, binding.name, field=attribute.name)


def _unreachable(binding: Binding[Structure]) -> Iterator[Rejection]:
    """Reject names of a JSON document that no path can contain."""
    if kind_of(binding) != "json":
        return
    for attribute in stored_attributes(binding):
        if (name := next((name for name in _names(attribute) if not has_path(name)), None)) is not None:
            problem = f"the stored name {name!r} cannot be part of a path in a JSON document"
            help = "leave out backslashes, control characters and mixed quotes"
            yield Rejection("E0311", problem, help, binding.name, field=attribute.name)


def _names(attribute: Attribute) -> Iterator[str]:
    """The stored names of a field and of the parts of embedded models."""
    yield attribute.stored
    if isinstance(attribute.type, Struct):
        for part in attribute.type.attributes:
            yield from _names(part)


def _expiry(binding: Binding[Structure]) -> Iterator[Rejection]:
    expiry = binding.entity.ttl
    if expiry is None:
        return
    if kind_of(binding) not in EXPIRING_KINDS:
        problem = f'"{expiry.name}" is the expiry of one entry of a {kind_of(binding)}, but only whole keys expire'
        yield Rejection("E0513", problem, "set ttl= for the key, or store each in a RedisHash", binding.name)
    elif getattr(binding.spec, "ttl", None) is not None and not isinstance(binding.spec, RedisCache):
        problem = f'the key expires by ttl= and by "{expiry.name}"'
        yield Rejection("E0206", problem, "keep one of them", binding.name)


def _beside(binding: Binding[Structure]) -> Iterator[tuple[Piece, ...]]:
    """The keys of the dead letters, and of the waiting entries, of a stream with groups."""
    key = constant_key(binding)
    if isinstance(binding.spec, RedisStream) and binding.spec.groups and key is not None:
        for other in (dead_letters(key), *([delayed(key)] if binding.spec.due else [])):
            yield tuple(Piece(frozenset(letter), 1) for letter in other)


def _collisions(bindings: tuple[Binding[Structure], ...]) -> Iterator[Rejection]:
    """Reject pairs of entities on one server that could have the same key."""
    keyed = [(binding, key) for binding in bindings for key in (key_pieces(binding), *_beside(binding))]
    for (first, first_key), (second, second_key) in combinations(keyed, 2):
        if first is not second and can_share(first_key, second_key):
            problem = f"its key could be the same as one of {first.name}"
            help = "start the keys of each entity with its own prefix, such as session:"
            yield Rejection("GEN104", problem, help, second.name)
    for binding, key in keyed:
        head = tuple(piece for piece in key[:1] if piece.letters is not None and len(piece.letters) == 1)
        if head and can_begin(_GENERATION, key):
            problem = "its keys could start with k2:, as the keys of a second generation do"
            yield Rejection("GEN104", problem, "start them with another prefix", binding.name)
