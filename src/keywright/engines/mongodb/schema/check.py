"""Declarations that MongoDB rejects in every environment: names, types, expiry; `check_index.py` checks indexes."""

from collections.abc import Iterator
from decimal import Decimal

from keywright.declare.store import VERSION
from keywright.engines.interface import Rejection
from keywright.engines.nested_types import check_nested_types
from keywright.engines.time_precisions import check_without_precision
from keywright.errors import did_you_mean
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import element, resolve
from keywright.ir.text import counted

from ..declare.options import AnyCollection, Collection, CollectionView, MongoDatabase, TimeSeries
from .capabilities import DATABASE_NAME_BYTES, DATABASE_NAME_FORBIDS, SETTINGS
from .check_expiry import IN_RANGE, check_field, seconds_problem
from .check_index import check_indexes, refused_collation
from .check_view import check_view
from .codec import split_name
from .fields import ID, Field, chosen_type, fields, id_attribute
from .lower import series_seconds
from .typemap import DECIMAL_DIGITS, INT64, allowed_types, bounds


def check(design: Design[MongoDatabase, AnyCollection]) -> Iterator[Rejection]:
    """See `Engine.check`."""
    yield from _databases(design.physicals)
    for physical in design.physicals:
        yield from _shared(design.bindings_in(physical))
    for binding in design.bindings:
        spec = binding.spec
        yield from _collection_name(binding, spec.name)
        yield from check_nested_types(binding, "MongoDB")
        yield from check_without_precision(binding, "MongoDB", "milliseconds anyway")
        yield from _field_names(binding)
        for field in fields(binding):
            yield from _type(binding, field)
        if isinstance(spec, TimeSeries):
            yield from _series(binding, spec)
        elif isinstance(spec, CollectionView):
            yield from _types(binding, spec)
            yield from check_view(binding, spec, design.bindings_in(binding.physical))
        else:
            yield from _types(binding, spec)
            yield from _settings(binding, spec)
            yield from check_field(binding, spec)
        yield from check_indexes(binding)


def name_problem(name: str) -> str:
    """The problem of a database name; empty if there is none."""
    size = len(name.encode())
    if not 1 <= size <= DATABASE_NAME_BYTES.value:
        return (
            f'the database name "{name}" has {counted(size, "byte")}, MongoDB allows 1 to {DATABASE_NAME_BYTES.value}'
        )
    if wrong := sorted(DATABASE_NAME_FORBIDS.intersection(name)):
        return f'the database name "{name}" contains "{wrong[0]}", which MongoDB does not allow'
    return ""


def _databases(physicals: tuple[Physical, ...]) -> Iterator[Rejection]:
    names: dict[str, str] = {}
    for physical in physicals:
        if problem := name_problem(physical.name):
            yield Rejection("MDB111", problem, "use letters, digits, `_` and `-`", physical.name)
        first = names.setdefault(physical.name.lower(), physical.name)
        if first != physical.name:
            problem = f'the databases "{first}" and "{physical.name}" differ by upper and lower case only'
            yield Rejection("MDB111", problem, "rename one: MongoDB treats both as the same", physical.name)


def _shared(bindings: tuple[Binding[AnyCollection], ...]) -> Iterator[Rejection]:
    owners: dict[str, str] = {}
    for binding in bindings:
        name = binding.spec.name
        owner = owners.setdefault(name, binding.name)
        if owner != binding.name:
            problem = f'collection "{name}" already contains {owner}, without a discriminator'
            yield Rejection("GEN104", problem, "store it in a separate collection", binding.name)


def _collection_name(binding: Binding[AnyCollection], name: str) -> Iterator[Rejection]:
    if not name or "$" in name or "\0" in name or name.startswith((".", "system.")):
        problem = f'MongoDB does not allow the collection name "{name}"'
        help = 'a name is not empty, contains no "$", and starts neither with "." nor with "system."'
        yield Rejection("MDB111", problem, help, binding.name)
    elif split_name(name)[1] > 1:
        problem = f'the collection name "{name}" has the suffix of a generation'
        yield Rejection("MDB111", problem, "choose another name, and use generation=", binding.name)


def _field_names(binding: Binding[AnyCollection]) -> Iterator[Rejection]:
    stored_names = [(field.attribute.stored, field.path) for field in fields(binding)]
    for name, path in (*((name, "") for name in binding.computed), *stored_names):
        field, _, is_inside = path.partition(".")
        if not name or name.startswith("$") or "." in name or "\0" in name:
            problem = f'MongoDB cannot query the field name "{name}"'
            help = 'choose an alias without "." and without "$" in front'
            yield Rejection("MDB111", problem, help, binding.name, field=field)
        if name == VERSION and not is_inside:
            problem = f'"{VERSION}" contains the schema version, and is also a field of the model'
            help = "choose another alias for the field, and use schema_version= of the collection"
            yield Rejection("E0208", problem, help, binding.name, field=field)
        identity = id_attribute(binding)
        if name == ID and not is_inside and (identity is None or identity.stored != ID):
            problem = f'"{ID}" is filled by id=, and is also the alias of a field'
            yield Rejection("E0208", problem, "remove one of them", binding.name, field=field)


def _type(binding: Binding[AnyCollection], field: Field) -> Iterator[Rejection]:
    """Numbers beyond the range of every native type."""
    kind = element(field.attribute.type)
    if not isinstance(kind, Scalar) or chosen_type(binding, field.path) is not None:
        return
    top = field.path.partition(".")[0]
    if kind.kind == "integer" and any(side is not None and side not in INT64 for side in bounds(kind)):
        problem = f'"{field.path}" may be a number beyond 64 bits, the most of whole numbers in MongoDB'
        yield Rejection(
            "E0205", problem, f'limit it, or write types={{"{field.path}": "string"}}', binding.name, field=top
        )
    if kind.kind == "decimal" and (kind.max_digits or 0) > DECIMAL_DIGITS:
        problem = f'"{field.path}" has up to {counted(kind.max_digits or 0, "digit")}, MongoDB allows {DECIMAL_DIGITS}'
        yield Rejection("E0205", problem, f'write types={{"{field.path}": "string"}}', binding.name, field=top)


def _types(binding: Binding[AnyCollection], spec: Collection | CollectionView) -> Iterator[Rejection]:
    for path, chosen in spec.types.items():
        attributes = resolve(binding.entity.attributes, path)
        allowed = allowed_types(attributes[-1].type) if attributes else (chosen,)
        if chosen not in allowed:
            alternatives = f"it takes {' or '.join(allowed)}" if allowed else "a model takes its own fields' types"
            problem = f'"{path}" cannot be stored as {chosen}, {alternatives}'
            top = path.partition(".")[0]
            yield Rejection("E0205", problem, "remove it from types=", binding.name, field=top)


def _settings(binding: Binding[AnyCollection], spec: Collection) -> Iterator[Rejection]:
    for name, value in spec.settings.items():
        if name not in SETTINGS:
            problem = f'settings= does not support the option "{name}" here'
            yield Rejection("E0501", problem, did_you_mean(name, SETTINGS), binding.name)
        elif isinstance(value, Decimal) or (name == "collation") != isinstance(value, dict):
            yield Rejection("E0503", f'settings["{name}"] is {value!r}', f"it takes {SETTINGS[name]}", binding.name)
    rules = spec.settings.get("collation")
    if isinstance(rules, dict) and (refusal := refused_collation(rules)):
        yield Rejection("MDB109", *refusal, binding.name)
    if spec.clustered == "":
        yield Rejection("E0503", "clustered= is an empty name", "write clustered=True", binding.name)
    if spec.clustered and spec.settings.get("capped"):
        problem = "the collection is clustered and capped, which MongoDB does not combine"
        yield Rejection("GEN106", problem, "remove clustered=, or capped from settings=", binding.name)
    if spec.settings.get("capped"):
        if not isinstance(spec.settings.get("size"), int):
            yield Rejection("E0502", "a capped collection needs its size", 'add "size": 1_000_000', binding.name)
        if binding.entity.ttl is not None:
            problem = f'documents expire by "{binding.entity.ttl.name}", and the collection is capped'
            yield Rejection(
                "MDB013", problem, "a capped collection drops its oldest documents: remove one of both", binding.name
            )


def _series(binding: Binding[AnyCollection], spec: TimeSeries) -> Iterator[Rejection]:
    time, expiry = binding.entity.attribute(spec.time), binding.entity.ttl
    if time and not (isinstance(time.type, Scalar) and time.type.kind == "datetime" and not time.is_nullable):
        problem = f'time="{spec.time}" is not a required datetime'
        yield Rejection("E0205", problem, "type it datetime", binding.name, field=spec.time)
    if spec.time == spec.meta:
        yield Rejection(
            "E0503",
            f'time and meta are both "{spec.time}"',
            "meta identifies the source of a measurement",
            binding.name,
        )
    if expiry is not None and (expiry.name != spec.time or spec.ttl is not None):
        problem = f'measurements expire by "{expiry.name}", a time series by ttl= after its time "{spec.time}"'
        yield Rejection(
            "MDB013", problem, "remove Ttl() and use ttl= of the time series", binding.name, field=expiry.name
        )
    if problem := seconds_problem(series_seconds(binding, spec) or 0):
        yield Rejection("MDB013", problem, IN_RANGE, binding.name)
