"""What MongoDB cannot hold, whatever the environment: names, types, expiry; check_index sees to the indexes."""

from collections.abc import Iterator
from decimal import Decimal

from keywright.declare.store import VERSION
from keywright.engines.interface import Refusal
from keywright.errors import did_you_mean
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import element, resolve
from keywright.ir.physical import Physical

from .capabilities import DATABASE_NAME_BYTES, DATABASE_NAME_FORBIDS, SETTINGS, TTL_SECONDS
from .check_index import check_indexes, locale_help
from .codec import split_name
from .fields import ID, Field, chosen_type, fields, id_attribute, store_of
from .lower import series_seconds
from .options import Collection, TimeSeries
from .typemap import DECIMAL_DIGITS, INT64, allowed_types, bounds


def check(design: Design) -> Iterator[Refusal]:
    """See `Engine.check`."""
    yield from _databases(design.physicals)
    for physical in design.physicals:
        yield from _shared(design.bindings_in(physical))
    for binding in design.bindings:
        spec = store_of(binding)
        yield from _collection_name(binding, spec.name)
        yield from _field_names(binding)
        for field in fields(binding):
            yield from _type(binding, field)
        if isinstance(spec, TimeSeries):
            yield from _series(binding, spec)
        else:
            yield from _types(binding, spec)
            yield from _settings(binding, spec)
            yield from _expiry(binding, spec)
        yield from check_indexes(binding)


def name_problem(name: str) -> str:
    """What is wrong with the name of a database; empty if nothing is."""
    size = len(name.encode())
    if not 1 <= size <= DATABASE_NAME_BYTES.value:
        return f'the database name "{name}" has {size} bytes, MongoDB allows 1 to {DATABASE_NAME_BYTES.value}'
    if wrong := sorted(DATABASE_NAME_FORBIDS.intersection(name)):
        return f'the database name "{name}" holds "{wrong[0]}", which MongoDB does not allow'
    return ""


def _databases(physicals: tuple[Physical, ...]) -> Iterator[Refusal]:
    seen: dict[str, str] = {}
    for physical in physicals:
        if problem := name_problem(physical.name):
            yield Refusal("MDB111", problem, "use letters, digits, `_` and `-`", physical.name)
        first = seen.setdefault(physical.name.lower(), physical.name)
        if first != physical.name:
            problem = f'the databases "{first}" and "{physical.name}" differ by upper and lower case only'
            yield Refusal("MDB111", problem, "rename one: MongoDB takes both for the same", physical.name)


def _shared(bindings: tuple[Binding, ...]) -> Iterator[Refusal]:
    first: dict[str, str] = {}
    for binding in bindings:
        name = store_of(binding).name
        owner = first.setdefault(name, binding.name)
        if owner != binding.name:
            problem = f'collection "{name}" holds {owner} already, and nothing tells their documents apart'
            yield Refusal("GEN104", problem, "give it a collection of its own", binding.name)


def _collection_name(binding: Binding, name: str) -> Iterator[Refusal]:
    if not name or "$" in name or "\0" in name or name.startswith((".", "system.")):
        problem = f'the collection name "{name}" is one that MongoDB does not allow'
        help = 'a name is not empty, holds no "$", and begins neither with "." nor with "system."'
        yield Refusal("MDB111", problem, help, binding.name)
    elif split_name(name)[1] > 1:
        problem = f'the collection name "{name}" ends as that of a generation does'
        yield Refusal("MDB111", problem, "leave the end to generation=", binding.name)


def _field_names(binding: Binding) -> Iterator[Refusal]:
    kept = [(one.attribute.stored, one.path) for one in fields(binding)]
    for name, path in (*((name, "") for name in binding.computed), *kept):
        field, _, is_inside = path.partition(".")
        if not name or name.startswith("$") or "." in name or "\0" in name:
            problem = f'the field name "{name}" is one that MongoDB cannot query'
            help = 'give it an alias without "." and without "$" in front'
            yield Refusal("MDB111", problem, help, binding.name, field=field)
        if name == VERSION and not is_inside:
            problem = f'"{VERSION}" holds the schema version, and is a field of the model too'
            help = "give the field another alias, and say schema_version= on the collection"
            yield Refusal("E0208", problem, help, binding.name, field=field)
        identity = id_attribute(binding)
        if name == ID and not is_inside and (identity is None or identity.stored != ID):
            problem = f'"{ID}" is filled by id=, and is the alias of a field too'
            yield Refusal("E0208", problem, "remove one of them", binding.name, field=field)


def _type(binding: Binding, field: Field) -> Iterator[Refusal]:
    """Numbers that no native type holds."""
    kind = element(field.attribute.type)
    if not isinstance(kind, Scalar) or chosen_type(binding, field.path) is not None:
        return
    top = field.path.partition(".")[0]
    if kind.kind == "integer" and any(side is not None and side not in INT64 for side in bounds(kind)):
        problem = f'"{field.path}" may be a number beyond 64 bits, which no whole number of MongoDB is'
        yield Refusal("E0205", problem, f'bound it, or say types={{"{field.path}": "string"}}', binding.name, field=top)
    if kind.kind == "decimal" and (kind.max_digits or 0) > DECIMAL_DIGITS:
        problem = f'"{field.path}" has up to {kind.max_digits} digits, MongoDB allows {DECIMAL_DIGITS}'
        yield Refusal("E0205", problem, f'say types={{"{field.path}": "string"}}', binding.name, field=top)


def _types(binding: Binding, spec: Collection) -> Iterator[Refusal]:
    for path, chosen in spec.types.items():
        found = resolve(binding.entity.attributes, path)
        allowed = allowed_types(found[-1].type) if found else (chosen,)
        if chosen not in allowed:
            known = f"it takes {' or '.join(allowed)}" if allowed else "a model takes its own fields' types"
            problem = f'"{path}" cannot be stored as {chosen}, {known}'
            top = path.partition(".")[0]
            yield Refusal("E0205", problem, "leave it out of types=", binding.name, field=top)


def _settings(binding: Binding, spec: Collection) -> Iterator[Refusal]:
    for name, value in spec.settings.items():
        if name not in SETTINGS:
            problem = f'settings= has no option "{name}" that MongoDB takes here'
            yield Refusal("E0501", problem, did_you_mean(name, SETTINGS), binding.name)
        elif isinstance(value, Decimal) or (name == "collation") != isinstance(value, dict):
            yield Refusal("E0503", f'settings["{name}"] is {value!r}', f"it takes {SETTINGS[name]}", binding.name)
    rules = spec.settings.get("collation")
    if isinstance(rules, dict) and (help := locale_help(str(rules.get("locale")))):
        problem = f'"{rules.get("locale")}" is no language of a collation'
        yield Refusal("MDB109", problem, help, binding.name)
    if spec.settings.get("capped"):
        if not isinstance(spec.settings.get("size"), int):
            yield Refusal("E0502", "a capped collection needs its size", 'add "size": 1_000_000', binding.name)
        if binding.entity.ttl is not None:
            problem = f'documents expire by "{binding.entity.ttl.name}", and the collection is capped'
            yield Refusal("MDB013", problem, "a capped collection drops its oldest: remove one", binding.name)


def _expiry(binding: Binding, spec: Collection) -> Iterator[Refusal]:
    expiry = binding.entity.ttl
    if expiry is None:
        return
    if expiry is id_attribute(binding):
        problem = f'documents expire by "{expiry.name}", which is stored as "{ID}"'
        yield Refusal("MDB013", problem, "let them expire by another field", binding.name, field=expiry.name)
    if spec.types.get(expiry.name, "date") != "date":
        problem = f'documents expire by "{expiry.name}", which is stored as {spec.types[expiry.name]}'
        yield Refusal("MDB013", problem, "leave it out of types=: only a date expires", binding.name, field=expiry.name)
    yield from _seconds(binding, expiry.ttl_after_seconds or 0, expiry)


def _seconds(binding: Binding, seconds: int, expiry: Attribute | None) -> Iterator[Refusal]:
    if not 0 <= seconds <= TTL_SECONDS.value:
        problem = f"documents expire after {seconds} seconds, MongoDB allows 0 to {TTL_SECONDS.value}"
        name = expiry.name if expiry else ""
        yield Refusal("MDB013", problem, "choose a time within 68 years", binding.name, field=name)


def _series(binding: Binding, spec: TimeSeries) -> Iterator[Refusal]:
    time, expiry = binding.entity.attribute(spec.time), binding.entity.ttl
    if time and not (isinstance(time.type, Scalar) and time.type.kind == "datetime" and not time.is_nullable):
        problem = f'time="{spec.time}" is not a datetime that is always there'
        yield Refusal("E0205", problem, "type it datetime", binding.name, field=spec.time)
    if spec.time == spec.meta:
        yield Refusal(
            "E0503", f'time and meta are both "{spec.time}"', "meta says whose measurement it is", binding.name
        )
    if expiry is not None and (expiry.name != spec.time or spec.ttl is not None):
        problem = f'measurements expire by "{expiry.name}", a time series by ttl= after its time "{spec.time}"'
        yield Refusal(
            "MDB013", problem, "remove Ttl() and say ttl= on the time series", binding.name, field=expiry.name
        )
    yield from _seconds(binding, series_seconds(binding, spec) or 0, None)
