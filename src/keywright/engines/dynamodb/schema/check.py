"""What DynamoDB cannot hold, whatever the environment."""

import re
from collections.abc import Iterator
from itertools import combinations

from keywright.declare.names import names
from keywright.engines.interface import Refusal
from keywright.errors import did_you_mean
from keywright.ir.attribute import Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import element
from keywright.ir.keytext import Piece, can_begin, can_share, pieces
from keywright.ir.physical import Physical

from .capabilities import (
    DIGITS,
    LOCAL_INDEXES,
    NAME_LENGTH,
    NAME_LENGTH_LEAST,
    NAME_PATTERN,
    NESTING,
    PROJECTED_NAMES,
)
from .keys import IndexKey, field_type, index_keys, item_of, table_key, table_of
from .lower import ttl_attribute
from .options import DynamoTable, Gsi, Lsi
from .place import GENERATION
from .typemap import KEY_TYPES, allowed_types


def check(design: Design) -> Iterator[Refusal]:
    """See `Engine.check`."""
    for physical in design.physicals:
        table, bindings = physical.spec, design.bindings_in(physical)
        assert isinstance(table, DynamoTable)
        yield from _names(physical, table)
        yield from _indexes(physical, table, bindings)
        if physical.name not in design.damaged:
            yield from _unfilled(physical, table, bindings)
        for binding in bindings:
            yield from _types(binding)
            yield from _values(binding)
        yield from _key_types(bindings)
        yield from _expiries(bindings)
        yield from _collisions(bindings)


def _names(physical: Physical, table: DynamoTable) -> Iterator[Refusal]:
    least, most = NAME_LENGTH_LEAST.value, NAME_LENGTH.value
    for word, name in (("table", table.name), *(("index", index.name) for index in _all(table))):
        part = "" if word == "table" else name
        if not least <= len(name) <= most:
            problem = f'the {word} name "{name}" has {len(name)} characters, DynamoDB allows {least} to {most}'
            yield Refusal("DDB113", problem, "choose another name", physical.name, part)
        elif not re.fullmatch(NAME_PATTERN, name):
            problem = f'the {word} name "{name}" holds a character that DynamoDB does not allow'
            yield Refusal("DDB113", problem, "use letters, digits, `_`, `.` and `-`", physical.name, part)
    if GENERATION.search(table.name):
        problem = f'the table name "{table.name}" ends like that of a later generation'
        yield Refusal("DDB113", problem, "choose another name, and count generations by generation=", physical.name)


def _all(table: DynamoTable) -> tuple[Gsi | Lsi, ...]:
    return (*table.gsis, *table.lsis)


def _indexes(physical: Physical, table: DynamoTable, bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    if len(table.lsis) > LOCAL_INDEXES.value:
        problem = f"{len(table.lsis)} local secondary indexes, DynamoDB allows {LOCAL_INDEXES.value}"
        yield Refusal("DDB028", problem, "make the others global: Gsi(...)", physical.name)
    if table.lsis and table.sk is None:
        problem = f'table "{table.name}" has local indexes and no sort key'
        yield Refusal("DDB105", problem, "give the table a sort key, or use Gsi(...)", physical.name)
    included = [len(index.project) for index in _all(table) if isinstance(index.project, list)]
    if sum(included) > PROJECTED_NAMES.value:
        problem = f"its indexes project {sum(included)} names in all, DynamoDB allows {PROJECTED_NAMES.value}"
        yield Refusal("DDB012", problem, 'project "all" in one of them, or fewer names', physical.name)
    known = _known(bindings)
    seen: set[str] = set()
    for index in _all(table):
        if index.name in seen:
            problem = f'two indexes of table "{table.name}" are called "{index.name}"'
            yield Refusal("E0514", problem, "give one of them another name", physical.name, index.name)
        seen.add(index.name)
        for name in index.project if isinstance(index.project, list) else ():
            if bindings and name not in known:
                problem = f'index "{index.name}" projects the unknown field "{name}"'
                yield Refusal("E0303", problem, did_you_mean(name, known), physical.name, index.name)


def _known(bindings: tuple[Binding, ...]) -> set[str]:
    """Fields and computed attributes of all entities of a table."""
    known = {attribute.name for binding in bindings for attribute in binding.entity.attributes}
    return known | {name for binding in bindings for name in binding.computed}


def _unfilled(physical: Physical, table: DynamoTable, bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    """Indexes over attributes that no entity has: the server would take a definition that nothing ever fills."""
    known = _known(bindings)
    filled = {key.gsi.name for binding in bindings for key in item_of(binding).gsis}
    for gsi in table.gsis:
        for name in (*names(gsi.pk), *names(gsi.sk)):
            if bindings and gsi.name not in filled and name not in known:
                problem = f'index "{gsi.name}" is keyed by "{name}", which no entity of "{table.name}" has'
                help = f"give an entity {gsi.name}.key(...) in its gsis, or key the index by fields"
                yield Refusal("DDB101", problem, help, physical.name, gsi.name)
    for lsi in table.lsis:
        if bindings and lsi.sk not in known:
            problem = f'index "{lsi.name}" is sorted by "{lsi.sk}", which no entity of "{table.name}" has'
            yield Refusal("DDB101", problem, did_you_mean(lsi.sk, known), physical.name, lsi.name)


def _types(binding: Binding) -> Iterator[Refusal]:
    for name, chosen in item_of(binding).types.items():
        attribute = binding.entity.attribute(name)
        allowed = allowed_types(attribute.type) if attribute else ()
        if attribute and attribute.ttl_after_seconds == 0:
            allowed = ("N",)  # what it expires by is epoch seconds
        if attribute and chosen not in allowed:
            problem = f'"{name}" cannot be stored as {chosen}, it takes {" or ".join(allowed)}'
            yield Refusal(
                "E0205", problem, f'leave "{name}" out of types=, or name one of these', binding.name, field=name
            )
    for key in (table_key(binding), *index_keys(binding)):
        for part in key.parts:
            if part.type not in KEY_TYPES:
                where = f'index "{key.index}"' if key.index else "the table"
                problem = f'"{part.attribute}" of type {part.type} is part of the key of {where}'
                help = "a key holds text, numbers or bytes: use another field, or a template"
                yield Refusal("DDB105", problem, help, binding.name, key.index)
    for lsi in table_of(binding).lsis:
        if binding.entity.attribute(lsi.sk) and (kind := field_type(binding, lsi.sk)) not in KEY_TYPES:
            problem = f'"{lsi.sk}" of type {kind} is the sort key of index "{lsi.name}"'
            help = "an index is sorted by text, numbers or bytes: use another field"
            yield Refusal("DDB105", problem, help, binding.name, field=lsi.sk)


def _values(binding: Binding) -> Iterator[Refusal]:
    """Fields whose declared type allows values that the service refuses."""
    for attribute in binding.entity.attributes:
        if (depth := _depth(attribute.type)) > NESTING.value:
            problem = f'"{attribute.name}" is nested {depth} levels deep, DynamoDB allows {NESTING.value}'
            yield Refusal("DDB113", problem, "make the inner part an entity", binding.name, field=attribute.name)
        if (digits := _digits(attribute.type)) > DIGITS.value and field_type(binding, attribute.name) != "S":
            problem = f'"{attribute.name}" may have {digits} digits, DynamoDB keeps {DIGITS.value}'
            help = f'lower max_digits, or store it as text: types={{"{attribute.name}": "S"}}'
            yield Refusal("DDB113", problem, help, binding.name, field=attribute.name)


def _depth(type: Type) -> int:
    """Levels of nesting as the service counts them: lists, maps, and the value inside."""
    match type:
        case Scalar():
            return 1
        case Many():
            return 1 + _depth(type.element)
        case Map():
            return 1 + _depth(type.value)
        case Struct():
            return 1 + max((_depth(attribute.type) for attribute in type.attributes), default=0)


def _digits(type: Type) -> int:
    """The most digits of a number in it."""
    match element(type):
        case Struct(attributes=attributes):
            return max((_digits(attribute.type) for attribute in attributes), default=0)
        case Scalar(max_digits=int(digits)):
            return digits
        case _:
            return 0


def _key_types(bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    """One attribute, one type: the first entity decides, the others must agree."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for binding in bindings:
        for key in (table_key(binding), *index_keys(binding)):
            for part in key.parts:
                type, owner = first.setdefault((key.index, part.attribute), (part.type, binding.name))
                if type != part.type:
                    where = f'index "{key.index}"' if key.index else "the table"
                    problem = f'"{part.attribute}" in the key of {where} is {part.type} here and {type} in {owner}'
                    help = "write the number or bytes into a text template in both"
                    yield Refusal("DDB104", problem, help, binding.name, key.index)
    for binding in bindings:
        own = {part.attribute for key in (table_key(binding), *index_keys(binding)) for part in key.parts}
        for attribute in binding.entity.attributes:
            clash = next((one for one in first if one[1] == attribute.stored), None)
            if clash and attribute.stored not in own and first[clash][0] != field_type(binding, attribute.name):
                type, owner = first[clash]
                kind = field_type(binding, attribute.name)
                problem = (
                    f'"{attribute.name}" is {kind} here and {type} as a key of "{clash[0] or "the table"}" ({owner})'
                )
                help = (
                    "DynamoDB refuses items whose key attribute has another type: rename the field or give it an alias"
                )
                yield Refusal("DDB104", problem, help, binding.name, field=attribute.name)


def _expiries(bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    found = [(binding, name) for binding in bindings if (name := ttl_attribute(binding))]
    for binding, name in found[1:]:
        if name != found[0][1]:
            problem = f'items expire by "{name}" here and by "{found[0][1]}" in {found[0][0].name}'
            help = "a table has one TTL attribute: give both fields one name or alias"
            yield Refusal("E0508", problem, help, binding.name)


def _collisions(bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    """Pairs of entities that could share a key, or of which a range read of one would catch the other."""
    keyed = [(binding, _written(binding, table_key(binding))) for binding in bindings]
    for (one, one_key), (other, other_key) in combinations(keyed, 2):
        if not can_share(one_key[0], other_key[0]):
            continue
        if len(one_key) == 1 or can_share(one_key[1], other_key[1]):
            problem = f"an item could have the same key as one of {one.name}"
            help = "begin the key of each entity with a word of its own, such as ORDER#"
            yield Refusal("GEN104", problem, help, other.name)
        else:
            yield from _caught((one, one_key[1]), (other, other_key[1]))


def _caught(one: tuple[Binding, tuple[Piece, ...]], other: tuple[Binding, tuple[Piece, ...]]) -> Iterator[Refusal]:
    """A read of all items of one entity begins with its constant text; no other entity's may begin so."""
    for (reader, key), (caught, caught_key) in ((one, other), (other, one)):
        head = _head(key)
        if len(head) < len(key) and can_begin(head, caught_key):
            problem = (
                f'a read of all {reader.name} of a partition, by the prefix "{_text(head)}", would catch {caught.name}'
            )
            help = "end each prefix with a sign of its own, such as ORDER# and ORDERLINE#"
            yield Refusal("GEN104", problem, help, caught.name)


def _written(binding: Binding, key: IndexKey) -> tuple[tuple[Piece, ...], ...]:
    return tuple(pieces(part.template, binding.entity.attributes) for part in key.parts)


def _head(written: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The constant beginning."""
    end = next(
        (at for at, piece in enumerate(written) if piece.letters is None or len(piece.letters) > 1), len(written)
    )
    return written[:end]


def _text(head: tuple[Piece, ...]) -> str:
    return "".join(next(iter(piece.letters)) for piece in head if piece.letters)
