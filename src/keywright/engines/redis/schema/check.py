"""What Redis cannot hold, whatever the environment."""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations

from keywright.engines.interface import Refusal
from keywright.errors import did_you_mean
from keywright.ir.attribute import Attribute, Scalar, Struct
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.keytext import Piece, can_begin, can_share
from keywright.ir.physical import Physical

from .capabilities import DIRECTIVES, MODULE_PREFIXES, NAME_PATTERN, OWN_WORDS, PROCESS
from .directive import canonical, written
from .layout import EXPIRING_KINDS, key_pieces, kind_of, lost_attributes, value_field
from .options import RedisCache
from .server import RedisServer
from .typemap import NUMBERS

_DIGITS = frozenset("0123456789")
_GENERATION = (Piece(frozenset("k"), 1), Piece(_DIGITS, 1), Piece(_DIGITS, None), Piece(frozenset(":"), 1))


def check(design: Design) -> Iterator[Refusal]:
    """See `Engine.check`."""
    for physical in design.physicals:
        server, bindings = physical.spec, design.bindings_in(physical)
        assert isinstance(server, RedisServer)
        yield from _name(physical)
        yield from _settings(physical, server)
        for binding in bindings:
            yield from _bytes(binding)
            yield from _value(binding)
            yield from _lost(binding)
            yield from _expiry(binding)
        yield from _collisions(bindings)


def _name(physical: Physical) -> Iterator[Refusal]:
    if not re.fullmatch(NAME_PATTERN, physical.name):
        problem = f'the server name "{physical.name}" cannot be part of a file name'
        yield Refusal("E0511", problem, "use letters, digits, `_`, `.` and `-`", physical.name)


def _settings(physical: Physical, server: RedisServer) -> Iterator[Refusal]:
    for name, value in server.settings.items():
        directive = DIRECTIVES.get(name)
        if name in OWN_WORDS:
            yield Refusal("E0503", f'settings= does not take "{name}"', OWN_WORDS[name], physical.name)
        elif name in PROCESS:
            problem = f'settings= does not take "{name}", which belongs to the process, not to its data'
            yield Refusal("E0503", problem, "say it where the server is started", physical.name)
        elif directive is None:
            if not name.startswith(tuple(MODULE_PREFIXES)):
                help = did_you_mean(name, DIRECTIVES)
                help = help if help.startswith("did") else "see the redis.conf of your version for its directives"
                yield Refusal("RED101", f'there is no directive "{name}"', help, physical.name)
        elif isinstance(value, Mapping):
            yield Refusal("RED101", f'directive "{name}" takes no mapping', "write its value as text", physical.name)
        else:
            try:
                canonical(directive, written(value))
            except ValueError as error:
                problem = f'directive "{name}" does not take "{written(value)}"'
                yield Refusal("RED101", problem, f"it takes {error}", physical.name)
        if directive and directive.renamed in server.settings:
            problem = f'"{name}" is the old name of "{directive.renamed}", which is set too'
            yield Refusal("RED101", problem, "keep one of them", physical.name)


def _bytes(binding: Binding) -> Iterator[Refusal]:
    for argument, template in binding.templates.items():
        for placeholder in template.placeholders:
            attribute = binding.entity.attribute(placeholder.path)
            if attribute and _word(attribute) == "bytes":
                problem = f'{argument}: "{attribute.name}" is bytes, a key or member is text here'
                yield Refusal(
                    "E0205", problem, "store it as text, such as hexadecimal", binding.name, field=attribute.name
                )


def _value(binding: Binding) -> Iterator[Refusal]:
    """The field that a structure makes a number or a place of."""
    name = value_field(binding)
    attribute = binding.entity.attribute(name) if name else None
    if attribute is None:
        return
    wants = {
        "string": ("a value", _is_anything),
        "counter": ("a whole number", _is_integer), "bitmap": ("a whole number", _is_integer),
        "sorted set": ("a number or a time", _is_score),
        "geo": ("a model with the floats longitude and latitude", _is_place),
    }.get(kind_of(binding))  # fmt: skip
    if wants and not (wants[1](attribute) and not attribute.is_nullable):
        word = "optional" if attribute.is_nullable else _word(attribute)
        problem = f'"{attribute.name}" is {word}, a {kind_of(binding)} needs {wants[0]}'
        help = "a score is a double: count money in int cents" if _word(attribute) == "decimal" else "change its type"
        yield Refusal("E0205", problem, help, binding.name, field=attribute.name)


def _is_anything(attribute: Attribute) -> bool:
    return True


def _is_integer(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind == "integer"


def _is_score(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind in NUMBERS


def _is_place(attribute: Attribute) -> bool:
    if not isinstance(attribute.type, Struct):
        return False
    return {(one.name, _word(one)) for one in attribute.type.attributes} == {
        ("longitude", "float"),
        ("latitude", "float"),
    }


def _word(attribute: Attribute) -> str:
    return attribute.type.kind if isinstance(attribute.type, Scalar) else "no single value"


def _lost(binding: Binding) -> Iterator[Refusal]:
    for attribute in lost_attributes(binding):
        problem = f'"{attribute.name}" would be lost: a {kind_of(binding)} keeps what its templates write, unshortened'
        help = f'write "{{{attribute.name}}}" into the key or the member, or keep the entity in a RedisHash'
        yield Refusal("E0311", problem, help, binding.name, field=attribute.name)


def _expiry(binding: Binding) -> Iterator[Refusal]:
    expiry = binding.entity.ttl
    if expiry is None:
        return
    if kind_of(binding) not in EXPIRING_KINDS:
        problem = f'"{expiry.name}" says when one entry of a {kind_of(binding)} ends, but only whole keys expire'
        yield Refusal("E0513", problem, "give the key a ttl=, or store each in a RedisHash", binding.name)
    elif getattr(binding.spec, "ttl", None) is not None and not isinstance(binding.spec, RedisCache):
        problem = f'the key expires by ttl= and by "{expiry.name}"'
        yield Refusal("E0206", problem, "keep one of them", binding.name)


def _collisions(bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    """Pairs of entities on one server that could have the same key."""
    keyed = [(binding, key_pieces(binding)) for binding in bindings]
    for (one, one_key), (other, other_key) in combinations(keyed, 2):
        if can_share(one_key, other_key):
            problem = f"its key could be the same as one of {one.name}"
            help = "begin the keys of each entity with a word of its own, such as session:"
            yield Refusal("GEN104", problem, help, other.name)
    for binding, key in keyed:
        head = tuple(piece for piece in key[:1] if piece.letters is not None and len(piece.letters) == 1)
        if head and can_begin(_GENERATION, key):
            problem = "its keys could begin with k2:, as the keys of a second generation do"
            yield Refusal("GEN104", problem, "begin them with another word", binding.name)
