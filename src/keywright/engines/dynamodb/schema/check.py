"""Declarations that DynamoDB cannot store in any environment."""

import re
from collections.abc import Iterator
from itertools import combinations

from keywright.declare.names import names
from keywright.engines.interface import Rejection
from keywright.engines.nested_types import check_nested_types
from keywright.errors import did_you_mean, quoted
from keywright.ir.attribute import Scalar, Struct, Type
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import element, parts
from keywright.ir.key_texts import Piece, can_begin, can_share, pieces
from keywright.ir.text import counted

from ..declare.options import DynamoTable, Gsi, Item, Lsi
from .capabilities import DIGITS, LOCAL_INDEXES, NAME_LENGTH, NAME_LENGTH_LEAST, NAME_PATTERN, NESTING, PROJECTED_NAMES
from .keys import IndexKey, attributes_always, field_type, index_keys, table_key
from .lower import ttl_attribute
from .place import GENERATION
from .typemap import KEY_TYPES, allowed_types


def check(design: Design[DynamoTable, Item]) -> Iterator[Rejection]:
    """See `Engine.check`."""
    for physical in design.physicals:
        table, bindings = physical.spec, design.bindings_in(physical)
        yield from _names(physical, table)
        yield from _indexes(physical, table)
        if physical.name not in design.damaged:
            yield from _unknown_projections(physical, table, bindings)
            yield from _unfilled_indexes(physical, table, bindings)
        for binding in bindings:
            yield from check_nested_types(binding, "DynamoDB")
            yield from _types(binding)
            yield from _values(binding)
            yield from _precision_of_expiry(binding)
        yield from _key_types(bindings)
        yield from _expiries(bindings)
        yield from _collisions(bindings)


def _names(physical: Physical, table: DynamoTable) -> Iterator[Rejection]:
    least, most = NAME_LENGTH_LEAST.value, NAME_LENGTH.value
    for word, name in (("table", table.name), *(("index", index.name) for index in _all_indexes(table))):
        part = "" if word == "table" else name
        if not least <= len(name) <= most:
            letters = "character" if len(name) == 1 else "characters"
            problem = f'the {word} name "{name}" has {len(name)} {letters}, DynamoDB allows {least} to {most}'
            yield Rejection("DDB113", problem, "choose another name", physical.name, part)
        elif not re.fullmatch(NAME_PATTERN, name):
            problem = f'the {word} name "{name}" contains a character that DynamoDB does not allow'
            yield Rejection("DDB113", problem, "use letters, digits, `_`, `.` and `-`", physical.name, part)
    if GENERATION.search(table.name):
        problem = f'the table name "{table.name}" has the suffix of a generation'
        yield Rejection(
            "DDB113", problem, "choose another name, and number generations with generation=", physical.name
        )


def _all_indexes(table: DynamoTable) -> tuple[Gsi | Lsi, ...]:
    return (*table.gsis, *table.lsis)


def _indexes(physical: Physical, table: DynamoTable) -> Iterator[Rejection]:
    if len(table.lsis) > LOCAL_INDEXES.value:
        problem = f"{len(table.lsis)} local secondary indexes, DynamoDB allows {LOCAL_INDEXES.value}"
        yield Rejection("DDB028", problem, "make the others global: Gsi(...)", physical.name)
    if table.lsis and table.sk is None:
        problem = f'table "{table.name}" has local indexes and no sort key'
        yield Rejection("DDB105", problem, "declare a sort key for the table, or use Gsi(...)", physical.name)
    included = [len(index.project) for index in _all_indexes(table) if isinstance(index.project, list)]
    if sum(included) > PROJECTED_NAMES.value:
        problem = (
            f"its indexes project {counted(sum(included), 'name')} in all, DynamoDB allows {PROJECTED_NAMES.value}"
        )
        yield Rejection("DDB012", problem, 'project "all" in one of them, or fewer names', physical.name)
    taken: set[str] = set()
    for index in _all_indexes(table):
        if index.name in taken:
            problem = f'two indexes of table "{table.name}" have the name "{index.name}"'
            yield Rejection("E0514", problem, "give one of them another name", physical.name, index.name)
        taken.add(index.name)


def _unknown_projections(
    physical: Physical, table: DynamoTable, bindings: tuple[Binding[Item], ...]
) -> Iterator[Rejection]:
    """Fields that indexes project although no entity has them."""
    fields = _fields_of(bindings)
    for index in _all_indexes(table):
        for name in index.project if isinstance(index.project, list) else ():
            if bindings and name not in fields:
                problem = f'index "{index.name}" projects the unknown field "{name}"'
                yield Rejection("E0303", problem, did_you_mean(name, fields), physical.name, index.name)


def _fields_of(bindings: tuple[Binding[Item], ...]) -> set[str]:
    """Fields and computed attributes of all entities of a table."""
    fields = {attribute.name for binding in bindings for attribute in binding.entity.attributes}
    return fields | {name for binding in bindings for name in binding.computed}


def _unfilled_indexes(
    physical: Physical, table: DynamoTable, bindings: tuple[Binding[Item], ...]
) -> Iterator[Rejection]:
    """Indexes on attributes that no entity has: the server accepts such a definition, and the index stays empty."""
    fields = _fields_of(bindings)
    filled = {key.index for binding in bindings for key in index_keys(binding)}
    always = {name for binding in bindings for name in attributes_always(binding)}
    for gsi in table.gsis if bindings else ():
        if gsi.name not in filled:
            keyed = [*names(gsi.pk), *names(gsi.sk)]
            absent = [name for name in keyed if name not in fields | always]
            who = "which no entity" if absent else "of which no entity has all"
            problem = f'index "{gsi.name}" is keyed by {quoted(absent or keyed)}, {who}'
            problem += f' of "{table.name}" has' if absent else f' in "{table.name}"'
            help = f"add {gsi.name}.key(...) to the gsis of an entity, or key the index by fields"
            yield Rejection("DDB101", problem, help, physical.name, gsi.name)
    for lsi in table.lsis:
        if bindings and lsi.sk not in fields:
            problem = f'index "{lsi.name}" is sorted by "{lsi.sk}", which no entity of "{table.name}" has'
            yield Rejection("DDB101", problem, did_you_mean(lsi.sk, fields), physical.name, lsi.name)


def _types(binding: Binding[Item]) -> Iterator[Rejection]:
    for name, chosen in binding.spec.types.items():
        attribute = binding.entity.attribute(name)
        allowed = allowed_types(attribute.type) if attribute else ()
        if attribute and attribute.ttl_after_seconds == 0:
            allowed = ("N",)  # expiry times are epoch seconds
        if attribute and chosen not in allowed:
            problem = f'"{name}" cannot be stored as {chosen}, it takes {" or ".join(allowed)}'
            yield Rejection(
                "E0205", problem, f'remove "{name}" from types=, or name one of these', binding.name, field=name
            )
    for key in (table_key(binding), *index_keys(binding)):
        for part in key.parts:
            if part.type not in KEY_TYPES:
                where = f'index "{key.index}"' if key.index else "the table"
                problem = f'"{part.attribute}" of type {part.type} is part of the key of {where}'
                help = "a key contains text, numbers or bytes: use another field"
                if part.type == "BOOL":
                    help = _boolean_key_help(part.attribute, key.index)
                yield Rejection("DDB105", problem, help, binding.name, key.index)
    for lsi in binding.spec.table.lsis:
        if binding.entity.attribute(lsi.sk) and (kind := field_type(binding, lsi.sk)) not in KEY_TYPES:
            problem = f'"{lsi.sk}" of type {kind} is the sort key of index "{lsi.name}"'
            help = "an index is sorted by text, numbers or bytes: use another field"
            if kind == "BOOL":
                help = f'type it as text, such as {lsi.sk}: Literal["yes", "no"]'
            yield Rejection("DDB105", problem, help, binding.name, field=lsi.sk)


def _boolean_key_help(field: str, index: str) -> str:
    """Help line that makes a key of a boolean field."""
    template = f'"{field.upper()}#{{{field}}}"'
    if not index:
        return f"write it into a template: pk={template}"
    other = f'key the index by another attribute, such as "{index}_pk"'
    return f"{other}, and convert the field to text: {index}.key(pk={template})"


def _values(binding: Binding[Item]) -> Iterator[Rejection]:
    """Fields whose declared type allows values that the service rejects."""
    for attribute in binding.entity.attributes:
        if (depth := _depth(attribute.type)) > NESTING.value:
            problem = f'"{attribute.name}" is nested {counted(depth, "level")} deep, DynamoDB allows {NESTING.value}'
            yield Rejection(
                "DDB113", problem, "declare the inner part as an entity", binding.name, field=attribute.name
            )
        if (digits := _digits(attribute.type)) > DIGITS.value and field_type(binding, attribute.name) != "S":
            problem = f'"{attribute.name}" may have {counted(digits, "digit")}, DynamoDB stores {DIGITS.value}'
            help = f'lower max_digits, or store it as text: types={{"{attribute.name}": "S"}}'
            yield Rejection("DDB113", problem, help, binding.name, field=attribute.name)


def _depth(type: Type) -> int:
    """Levels of nesting as the service counts them: lists, maps, and the innermost value."""
    match type:
        case Scalar():
            return 1
        case _:
            return 1 + max(map(_depth, parts(type)), default=0)


def _digits(type: Type) -> int:
    """Largest `max_digits` of the numbers in a type; 0 if none is declared."""
    match element(type):
        case Struct(parts=parts):
            return max((_digits(attribute.type) for attribute in parts), default=0)
        case Scalar(max_digits=int(digits)):
            return digits
        case _:
            return 0


def _key_types(bindings: tuple[Binding[Item], ...]) -> Iterator[Rejection]:
    """Key attributes with different types in two entities: the first entity's type counts."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for binding in bindings:
        for key in (table_key(binding), *index_keys(binding)):
            for part in key.parts:
                type, owner = first.setdefault((key.index, part.attribute), (part.type, binding.name))
                if type != part.type:
                    where = f'index "{key.index}"' if key.index else "the table"
                    problem = f'"{part.attribute}" in the key of {where} is {part.type} here and {type} in {owner}'
                    help = "write the number or bytes into a text template in both"
                    yield Rejection("DDB104", problem, help, binding.name, key.index)
    for binding in bindings:
        own = {part.attribute for key in (table_key(binding), *index_keys(binding)) for part in key.parts}
        for attribute in binding.entity.attributes:
            clash = next((key for key in first if key[1] == attribute.stored), None)
            if clash and attribute.stored not in own and first[clash][0] != field_type(binding, attribute.name):
                type, owner = first[clash]
                kind = field_type(binding, attribute.name)
                problem = (
                    f'"{attribute.name}" is {kind} here and {type} as a key of "{clash[0] or "the table"}" ({owner})'
                )
                help = (
                    "DynamoDB rejects items whose key attribute has another type: rename the field, or declare an alias"
                )
                yield Rejection("DDB104", problem, help, binding.name, field=attribute.name)


def _precision_of_expiry(binding: Binding[Item]) -> Iterator[Rejection]:
    field = binding.entity.ttl
    if field and field.ttl_after_seconds == 0 and isinstance(field.type, Scalar) and field.type.precision:
        problem = f'"{field.name}" is the expiry, which DynamoDB reads as whole seconds, rounded up here'
        help = f'remove kw.Precision("{field.type.precision}"): the number has no fraction anyway'
        yield Rejection("E0214", problem, help, binding.name, field=field.name)


def _expiries(bindings: tuple[Binding[Item], ...]) -> Iterator[Rejection]:
    expiring = [(binding, name) for binding in bindings if (name := ttl_attribute(binding))]
    for binding, name in expiring[1:]:
        if name != expiring[0][1]:
            problem = f'items expire by "{name}" here and by "{expiring[0][1]}" in {expiring[0][0].name}'
            help = "a table has one TTL attribute: use one name or alias for both fields"
            yield Rejection("E0508", problem, help, binding.name)


def _collisions(bindings: tuple[Binding[Item], ...]) -> Iterator[Rejection]:
    """Pairs of entities whose items could share a key, and pairs where a range read of one would return the other."""
    keyed = [(binding, _key_pieces(binding, table_key(binding))) for binding in bindings]
    for (first, first_key), (second, second_key) in combinations(keyed, 2):
        if not can_share(first_key[0], second_key[0]):
            continue
        if len(first_key) == 1 or can_share(first_key[1], second_key[1]):
            problem = f"an item could have the same key as one of {first.name}"
            help = "start the key of each entity with its own prefix, such as ORDER#"
            yield Rejection("GEN104", problem, help, second.name)
        else:
            yield from _prefix_collisions((first, first_key[1]), (second, second_key[1]))


def _prefix_collisions(
    first: tuple[Binding[Item], tuple[Piece, ...]], second: tuple[Binding[Item], tuple[Piece, ...]]
) -> Iterator[Rejection]:
    """Prefixes of one entity that are also the beginning of another's keys."""
    for (reader, key), (caught, caught_key) in ((first, second), (second, first)):
        prefix = _constant_prefix(key)
        if len(prefix) < len(key) and can_begin(prefix, caught_key):
            text = _text(prefix)
            problem = (
                f'a read of all {reader.name} of a partition, by the prefix "{text}", would also read {caught.name}'
            )
            help = "end each prefix with a separator, such as ORDER# and ORDERLINE#"
            yield Rejection("GEN104", problem, help, caught.name)


def _key_pieces(binding: Binding[Item], key: IndexKey) -> tuple[tuple[Piece, ...], ...]:
    return tuple(pieces(part.template, binding.entity.attributes) for part in key.parts)


def _constant_prefix(key: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Constant beginning of a key template."""
    end = next(
        (position for position, piece in enumerate(key) if piece.letters is None or len(piece.letters) > 1), len(key)
    )
    return key[:end]


def _text(prefix: tuple[Piece, ...]) -> str:
    return "".join(next(iter(piece.letters)) for piece in prefix if piece.letters)
