"""What no index of MongoDB can be, whatever the environment."""

from collections.abc import Iterator
from itertools import combinations

from keywright.declare.names import names, ordered
from keywright.declare.predicates import conditions
from keywright.engines.interface import Refusal
from keywright.errors import Place, did_you_mean
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve

from .capabilities import INDEX_FIELDS, INDEXES, LOCALES, TEXT_LANGUAGES
from .fields import ID, array_prefixes, store_of
from .indexes import WHOLE, AnyIndex, GeoIndex, HashedIndex, Index, TextIndex, WildcardIndex
from .lower_index import implied, lowered
from .options import TimeSeries
from .target import IndexTarget


def check_indexes(binding: Binding) -> Iterator[Refusal]:
    """Everything that the server refuses of a collection's indexes, at build or at the first insert."""
    spec = store_of(binding)
    made = [(lowered(binding, index), index.at) for index in spec.indexes]
    made += [(target, spec.at) for target in implied(binding)]
    for index, (target, at) in zip(spec.indexes, made, strict=False):
        for code, problem, help in _wrong(binding, index, target):
            yield Refusal(code, f'index "{target.name}": {problem}', help, binding.name, index.name or "", at=at)
    for code, problem, help, at in (*_together(spec.indexes), *_clashes(made)):
        yield Refusal(code, problem, help, binding.name, at=at)
    if len(made) + 1 > INDEXES.value:
        problem = f'{len(made) + 1} indexes with that on "{ID}", MongoDB allows {INDEXES.value}'
        yield Refusal("MDB103", problem, "remove those that no pattern needs", binding.name)


def locale_help(locale: str) -> str:
    """What to write in place of a language that no collation has; empty if there is one."""
    base = locale.partition("@")[0]
    return "" if base in LOCALES else did_you_mean(base, sorted(LOCALES))


Problem = tuple[str, str, str]


def _wrong(binding: Binding, index: AnyIndex, target: IndexTarget) -> Iterator[Problem]:
    yield from _keys(target)
    for condition in conditions(index.where):
        if condition.test == "not":
            problem = f'"{condition.field}" is not "{condition.values[0]}", which no index of MongoDB can test'
            yield "MDB011", problem, "name the other values, where={...: kw.OneOf([...])}, or index a flag"
    if target.keys in (((ID, 1),), ((ID, -1),)):
        if target.filter is not None or target.is_hidden:
            yield "MDB101", f'the index on "{ID}" holds every document and is never hidden', "leave it out"
        else:
            yield "MDB105", f'"{ID}" has its unique index already', "leave it out"
    match index:
        case Index():
            yield from _ordinary(binding, index)
        case TextIndex():
            yield from _text(index)
        case GeoIndex():
            yield from _place(binding, index.on)
        case HashedIndex():
            yield from _hashed(binding, index)
        case WildcardIndex():
            yield from _wildcard(index)


def _keys(target: IndexTarget) -> Iterator[Problem]:
    paths = [path for path, _ in target.keys]
    if not paths:
        yield "MDB107", "it has no field", "name at least one"
    if len(paths) > INDEX_FIELDS.value:
        yield "MDB104", f"it has {len(paths)} fields, MongoDB allows {INDEX_FIELDS.value}", "leave out the last ones"
    for path in sorted({path for path in paths if paths.count(path) > 1}):
        yield "MDB107", f'it names "{path}" twice', "name it once"


def _ordinary(binding: Binding, index: Index) -> Iterator[Problem]:
    arrays = [(name, array_prefixes(binding, name)) for name in ordered(index.keys)]
    for (one, left), (other, right) in combinations(arrays, 2):
        shared = min(len(left), len(right))
        if left[:shared] != right[:shared]:
            problem = f'"{one}" and "{other}" lead through two arrays, and a document may have one in an index'
            yield "MDB007", problem, "write an index for each"
    if isinstance(store_of(binding), TimeSeries):
        if index.unique:
            yield "GEN106", "it is unique, and time series have no such indexes", "leave out unique="
        if index.where and index.collation:
            yield "MDB109", "a partial index of a time series has no collation", "leave out collation= or where="
    if index.collation and (help := locale_help(index.collation.locale)):
        yield "MDB109", f'"{index.collation.locale}" is no language of a collation', help


def _text(index: TextIndex) -> Iterator[Problem]:
    if getattr(index, "collation", None) is not None:
        yield "MDB109", "a text index has no collation", "say language=, and leave out collation="
    if index.language not in TEXT_LANGUAGES:
        help = did_you_mean(index.language, sorted(TEXT_LANGUAGES))
        yield "E0503", f'"{index.language}" is no language of a text index', help


def _place(binding: Binding, path: str) -> Iterator[Problem]:
    found = resolve(binding.entity.attributes, path)
    inner = element(found[-1].type) if found else None
    is_pair = found is not None and array_prefixes(binding, path) != ()
    if isinstance(inner, Scalar) and inner.kind != "json" and not is_pair:
        help = "make it a model with type: Literal['Point'] and coordinates: list[float]"
        yield "MDB107", f'"{path}" is no place but a {inner.kind}', help


def _hashed(binding: Binding, index: HashedIndex) -> Iterator[Problem]:
    if getattr(index, "unique", False):
        problem = "a hashed index is never unique, since two values may have one hash"
        yield "MDB102", problem, f'add kw.Index("{index.on}", unique=True)'
    if array_prefixes(binding, index.on):
        yield "MDB107", f'"{index.on}" is an array, which has no hash', "use an ordinary Index"


def _wildcard(index: WildcardIndex) -> Iterator[Problem]:
    before = ordered(index.before)
    if getattr(index, "unique", False):
        yield "MDB108", "a wildcard index is never unique", "add a unique Index over the field"
    if before and index.on == WHOLE:
        problem = "over the whole document it holds the fields in front of it a second time"
        yield "MDB108", problem, "leave out before=, or name the field that it is on"
    inside = [name for name in before if f"{name}.".startswith(f"{index.on}.")]
    if inside:
        yield "MDB108", f'"{inside[0]}" in front of it is part of "{index.on}"', "leave it out of before="


def _together(indexes: "list[AnyIndex] | list[Index]") -> Iterator[tuple[str, str, str, Place]]:
    texts = [index for index in indexes if isinstance(index, TextIndex)]
    for index in texts[1:]:
        first = ", ".join(names(texts[0].fields))
        yield "MDB014", f"a second text index, beside that over {first}", "merge their fields into one", index.at


def _clashes(made: list[tuple[IndexTarget, Place]]) -> Iterator[tuple[str, str, str, Place]]:
    """Two indexes that the server takes for one: of one name, or with equal keys and options."""
    for (one, _), (other, at) in combinations(made, 2):
        is_same = _identity(one) == _identity(other)
        if is_same and not _is_text(one):
            expiring = one.expire_after_seconds is not None or other.expire_after_seconds is not None
            why = "the expiry makes such an index already" if expiring else "two indexes have the same keys and options"
            yield "MDB105", f'index "{other.name}": {why}', "remove one", at
        elif one.name == other.name and not is_same:
            help = "give one of them a name of its own: name="
            yield "MDB105", f'two indexes with different options are called "{one.name}"', help, at


def _identity(index: IndexTarget) -> tuple[object, ...]:
    return index.keys, index.is_unique, index.filter, index.collation


def _is_text(index: IndexTarget) -> bool:
    return bool(index.weights)
