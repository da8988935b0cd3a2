"""What Cassandra cannot hold, whatever the environment."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta

from keywright.declare.names import names
from keywright.engines.interface import Refusal
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.physical import Physical

from .capabilities import NAME_LENGTH, NAME_PATTERN, TTL_SECONDS
from .check_access import check_indexes, check_views
from .check_options import check_options
from .columns import columns_of, key_problem, table_of
from .lower import index_name, structs
from .place import GENERATION
from .typemap import allowed_types, type_name


def check(design: Design) -> Iterator[Refusal]:
    """See `Engine.check`."""
    for physical in design.physicals:
        bindings = design.bindings_in(physical)
        yield from _named(physical, bindings)
        yield from _types_of_one_name(bindings)
        for binding in bindings:
            yield from _types(binding)
            yield from _key(binding)
            yield from _counters(binding)
            yield from _frozen(binding)
            yield from _times(binding)
            yield from check_options(binding)
            yield from check_indexes(binding)
            yield from check_views(binding)


def _named(physical: Physical, bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    """Names of keyspaces, tables, views and indexes; tables and views share theirs, and so do all indexes."""
    yield from _name("keyspace", physical.name, physical.name, "")
    if physical.name == "system" or physical.name.startswith("system_"):
        problem = f'the keyspace name "{physical.name}" belongs to the server'
        yield Refusal("CAS112", problem, "choose a name that does not begin with system", physical.name)
    stored: dict[str, str] = {}
    indexes: dict[str, str] = {}
    for binding in bindings:
        table = table_of(binding)
        named = [("table", table.name, "", stored)]
        named += [("view", view.name, view.name, stored) for view in table.views]
        named += [("index", index_name(binding, one), one.name or "", indexes) for one in table.indexes]
        for word, name, part, others in named:
            yield from _name(word, name, binding.name, part)
            if name in others:
                problem = (
                    f'the {word} "{name}" has the name of another one in keyspace "{physical.name}", of {others[name]}'
                )
                yield Refusal("E0110", problem, "give one of them another name", binding.name, part)
            others[name] = binding.name


def _name(word: str, name: str, subject: str, part: str) -> Iterator[Refusal]:
    if len(name) > NAME_LENGTH.value:
        problem = f'the {word} name "{name}" has {len(name)} characters, Cassandra allows {NAME_LENGTH.value}'
        yield Refusal("CAS112", problem, "give it a shorter name=" if word == "index" else "shorten it", subject, part)
    elif not re.fullmatch(NAME_PATTERN, name):
        problem = f'the {word} name "{name}" holds a character that Cassandra does not allow'
        yield Refusal("CAS112", problem, "use letters, digits and `_`", subject, part)
    elif word != "keyspace" and (end := GENERATION.search(name)):
        problem = f'the {word} name "{name}" ends in "{end[0]}", as only later generations of a table do'
        yield Refusal("CAS112", problem, "say generation= on the table, or choose another name", subject, part)


def _types_of_one_name(bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    """Two embedded models may not claim one user-defined type, and none may be empty."""
    first: dict[str, tuple[Struct, str]] = {}
    for binding in bindings:
        for struct in structs(binding.entity.attributes):
            other, owner = first.setdefault(type_name(struct), (struct, binding.name))
            if other.attributes != struct.attributes:
                problem = (
                    f'the models "{struct.name}" here and "{other.name}" in {owner} are one type "{type_name(struct)}"'
                )
                yield Refusal("E0110", problem, "give one of them another name", binding.name)
            if not struct.attributes:
                problem = f'the embedded model "{struct.name}" has no field, and a user-defined type needs one'
                yield Refusal("E0205", problem, "give it a field, or leave it out", binding.name)


def _types(binding: Binding) -> Iterator[Refusal]:
    for name, chosen in table_of(binding).types.items():
        attribute = binding.entity.attribute(name)
        if attribute is None:
            problem = f'types= names "{name}", which is not a field of {binding.entity.name} itself'
            yield Refusal(
                "E0205", problem, "name fields of the model; parts of embedded ones keep theirs", binding.name
            )
        elif chosen not in (allowed := allowed_types(attribute.type)):
            problem = f'"{name}" cannot be stored as {chosen}, it takes {" or ".join(allowed)}'
            yield Refusal("E0205", problem, "leave it out of types=", binding.name, field=name)
    for attribute in binding.entity.attributes:
        if _holds_null(attribute.type):
            problem = f'"{attribute.name}" may hold None inside a collection, which Cassandra cannot store'
            yield Refusal("E0205", problem, "leave out what has no value", binding.name, field=attribute.name)


def _holds_null(type: Type) -> bool:
    match type:
        case Many():
            return type.has_null_elements or _holds_null(type.element)
        case Map():
            return type.has_null_values or _holds_null(type.value)
        case Struct():
            return any(_holds_null(attribute.type) for attribute in type.attributes)
        case Scalar():
            return False


def _key(binding: Binding) -> Iterator[Refusal]:
    for column in columns_of(binding):
        if column.role not in ("partition", "clustering"):
            continue
        field = column.attribute.name if column.attribute else ""
        if problem := key_problem(column):
            yield Refusal("CAS102", problem[0], problem[1], binding.name, field=field)
        elif column.attribute and column.attribute.is_nullable:
            problem_ = f'"{field}" may be None, and a key needs all its parts'
            yield Refusal("E0308", problem_, "make it required, or leave it out", binding.name, field=field)


def _counters(binding: Binding) -> Iterator[Refusal]:
    table = table_of(binding)
    counters = names(table.counters)
    if not counters:
        return
    for name in counters:
        attribute = binding.entity.attribute(name)
        kind = attribute.type if attribute else None
        if not isinstance(kind, Scalar) or kind.kind != "integer":
            problem = f'the counter "{name}" is not a whole number'
            yield Refusal("CAS101", problem, "type it int", binding.name, field=name)
    others = [one for one in columns_of(binding) if one.role in ("static", "regular") and one.type != "counter"]
    for column in others:
        problem = f'"{column.name}" is no counter, in a table that has counters'
        help = "store it in a table of its own, or make it part of the key"
        field = column.attribute.name if column.attribute else ""
        yield Refusal("CAS101", problem, help, binding.name, field=field)
    given: tuple[tuple[str, object], ...] = (
        ("ttl=", table.ttl),
        ("Ttl()", binding.entity.ttl),
        ("indexes=", table.indexes),
        ("views=", table.views),
    )
    for word, value in given:
        if value:
            problem = f"a table with counters cannot have {word}"
            yield Refusal("CAS101", problem, f"leave out {word}", binding.name)


def _frozen(binding: Binding) -> Iterator[Refusal]:
    table = table_of(binding)
    for name in names(table.unfrozen):
        attribute = binding.entity.attribute(name)
        if attribute is None or not isinstance(attribute.type, Struct):
            problem = f'"{name}" cannot be unfrozen: {_where(attribute)}'
            help = "name a field that holds one embedded model, or leave it out of unfrozen="
            yield Refusal("CAS104", problem, help, binding.name, field=name.partition(".")[0])
    for name in names(table.frozen):
        attribute = binding.entity.attribute(name)
        if attribute is None or not isinstance(attribute.type, (Many, Map)):
            problem = f'"{name}" is no collection of the table and cannot be frozen'
            yield Refusal("E0205", problem, "leave it out of frozen=", binding.name, field=name.partition(".")[0])


def _where(attribute: Attribute | None) -> str:
    match attribute:
        case None:
            return "what is inside an embedded model is written whole"
        case Attribute(type=Many() | Map()):
            return "what is inside a collection is written whole"
        case _:
            return "it is no embedded model"


def _times(binding: Binding) -> Iterator[Refusal]:
    table = table_of(binding)
    seconds: Iterable[tuple[str, timedelta]] = (("ttl", table.ttl),) if table.ttl is not None else ()
    for word, time in (*seconds, ("gc_grace", table.gc_grace)):
        if time % timedelta(seconds=1):
            problem = f"{word}={time} is not a number of whole seconds"
            yield Refusal("CAS107", problem, "leave out the fraction", binding.name)
    if table.ttl is not None and not 1 <= table.ttl.total_seconds() <= TTL_SECONDS.value:
        problem = f"ttl is {table.ttl.total_seconds():.0f} seconds, Cassandra allows 1 to {TTL_SECONDS.value}"
        yield Refusal("CAS107", problem, "say a time of at most twenty years", binding.name)
    if not timedelta(0) <= table.gc_grace <= timedelta(seconds=2**31 - 1):
        problem = f"gc_grace is {table.gc_grace.total_seconds():.0f} seconds, Cassandra allows 0 to {2**31 - 1}"
        yield Refusal("CAS107", problem, "leave it out for ten days", binding.name)
    if table.views and not table.gc_grace:
        problem = "gc_grace is 0 in a table with materialized views, whose pending updates are kept for as long"
        yield Refusal("CAS106", problem, "leave it out for ten days", binding.name)
