"""Index declarations that MongoDB rejects in every environment."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from keywright.declare.names import names, ordered
from keywright.engines.interface import Rejection
from keywright.errors import Place, did_you_mean
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.json import Json
from keywright.ir.pattern import ConstantCondition
from keywright.ir.text import counted

from ..declare.filters import TypeTest, simple_tests, tests_of
from ..declare.indexes import AnyIndex, GeoIndex, HashedIndex, Index, TextIndex, WildcardIndex
from ..declare.options import AnyCollection, CollectionView, TimeSeries
from .capabilities import FILTER_LEVELS, INDEX_FIELDS, INDEXES, LEAST_STRENGTHS, LOCALES, TEXT_LANGUAGES
from .check_expiry import check_index_expiry
from .check_wildcard import check_wildcard
from .fields import ID, array_prefixes, meta_path, stored
from .lower_index import implied, lowered
from .target import IndexTarget


def check_indexes(binding: Binding[AnyCollection]) -> Iterator[Rejection]:
    """Every index that the server rejects, when it is built or at the first insert."""
    spec = binding.spec
    if isinstance(spec, CollectionView):
        return
    targets = [(lowered(binding, index), index.at) for index in spec.indexes]
    targets += [(target, spec.at) for target in implied(binding)]
    for index, (target, at) in zip(spec.indexes, targets, strict=False):
        for code, problem, help in _wrong(binding, index, target):
            yield Rejection(code, f'index "{target.name}": {problem}', help, binding.name, index.name or "", at=at)
    for code, problem, help, at in (*_together(spec.indexes), *_clashes(targets)):
        yield Rejection(code, problem, help, binding.name, at=at)
    if len(targets) + 1 > INDEXES.value:
        problem = f'{counted(len(targets) + 1, "index", "indexes")} with that on "{ID}", MongoDB allows {INDEXES.value}'
        yield Rejection("MDB103", problem, "remove those that no pattern needs", binding.name)


Problem = tuple[str, str, str]


def _wrong(binding: Binding[AnyCollection], index: AnyIndex, target: IndexTarget) -> Iterator[Problem]:
    yield from _keys(target)
    yield from _filter(index, target)
    if target.keys in (((ID, 1),), ((ID, -1),)):
        if target.filter is not None or target.is_hidden or target.is_sparse:
            yield "MDB101", f'the index on "{ID}" contains every document and is never hidden', "remove it"
        else:
            yield "MDB105", f'"{ID}" already has its unique index', "remove it"
    elif target.is_sparse:
        yield from _sparse(binding, target)
    match index:
        case Index():
            yield from _ordinary(binding, index)
            if index.expire_after is not None:
                yield from check_index_expiry(binding, index)
        case TextIndex():
            yield from _text(index)
        case GeoIndex():
            yield from _place(binding, index.on)
        case HashedIndex():
            yield from _hashed(binding, index)
        case WildcardIndex():
            yield from check_wildcard(binding, index, target)


def _filter(index: AnyIndex, target: IndexTarget) -> Iterator[Problem]:
    for condition in (test for filter in index.filters() for test in simple_tests(filter)):
        if condition.test == "not":
            problem = f'"{condition.field}" is not "{condition.values[0]}", which MongoDB cannot test in an index'
            yield "MDB011", problem, "name the other values, where={...: kw.OneOf([...])}, or index a flag"
    if len(index.any_of) == 1 or not all(index.any_of):
        problem = "any_of= has only one alternative, or an alternative without conditions"
        yield "MDB011", problem, "write conditions of all documents in where="
    if _is_too_deep(target.filter):
        problem = (
            f"its filter has more than {FILTER_LEVELS.value} levels: tests of one field in an alternative to where="
        )
        yield "MDB011", problem, "write the conditions of where= in each alternative of any_of="


def _is_too_deep(filter: Json) -> bool:
    """Whether an alternative beside other conditions needs `$and` for several tests of one field, beside others."""
    alternatives = filter.get("$or") if isinstance(filter, dict) and len(filter) > 1 else None
    return isinstance(alternatives, list) and any(
        isinstance(alternative, dict) and "$and" in alternative and len(alternative) > 1 for alternative in alternatives
    )


def _sparse(binding: Binding[AnyCollection], target: IndexTarget) -> Iterator[Problem]:
    if target.filter is not None:
        paths = " or ".join(f'"{path}"' for path, _ in target.keys)
        help = "remove sparse=, and add a condition such as kw.Present() to where="
        yield "MDB101", f"it is sparse and partial: its documents have {paths}, and meet where=", help
    measured = [path for path, _ in target.keys if not _is_of_source(binding, path)]
    if measured:
        problem = f'it is sparse over the measured value "{measured[0]}", which time series do not support'
        yield "GEN106", problem, "remove sparse="


def _is_of_source(binding: Binding[AnyCollection], path: str) -> bool:
    """Whether a stored path is no measured value: the time of a time series or in its meta field, or any other path."""
    spec = binding.spec
    if not isinstance(spec, TimeSeries):
        return True
    meta = meta_path(binding, spec)
    return path == stored(binding, spec.time) or (meta is not None and f"{path}.".startswith(f"{meta}."))


def _keys(target: IndexTarget) -> Iterator[Problem]:
    paths = [path for path, _ in target.keys]
    if not paths:
        yield "MDB107", "it has no field", "name at least one"
    if len(paths) > INDEX_FIELDS.value:
        yield (
            "MDB104",
            f"it has {counted(len(paths), 'field')}, MongoDB allows {INDEX_FIELDS.value}",
            "remove the last ones",
        )
    for path in sorted({path for path in paths if paths.count(path) > 1}):
        yield "MDB107", f'it names "{path}" twice', "name it once"


def _ordinary(binding: Binding[AnyCollection], index: Index) -> Iterator[Problem]:
    arrays = [(name, array_prefixes(binding, name)) for name in ordered(index.keys)]
    for (first, first_arrays), (second, second_arrays) in combinations(arrays, 2):
        shared = min(len(first_arrays), len(second_arrays))
        if first_arrays[:shared] != second_arrays[:shared]:
            problem = f'"{first}" and "{second}" lead through two arrays, and a document may have one in an index'
            yield "MDB007", problem, "write an index for each"
    if isinstance(binding.spec, TimeSeries):
        if index.unique:
            yield "GEN106", "it is unique, which time series do not support", "remove unique="
        if (index.where or index.any_of) and index.collation:
            yield "MDB109", "a partial index of a time series has no collation", "remove collation= or where="
        yield from _measured(binding, index)
    rules = index.collation
    if rules and (refusal := refused_collation({"locale": rules.locale, "strength": rules.strength})):
        yield "MDB109", *refusal


def _measured(binding: Binding[AnyCollection], index: Index) -> Iterator[Problem]:
    """Tests of measured values that the server cannot make of buckets: for null, and of types."""
    for test in (test for filter in index.filters() for test in tests_of(filter)):
        is_null = isinstance(test, ConstantCondition) and None in test.values
        if (is_null or isinstance(test, TypeTest)) and not _is_of_source(binding, stored(binding, test.field)):
            problem = f'it tests the measured value "{test.field}" for {"null" if is_null else "its type"}'
            yield (
                "MDB011",
                f"{problem}, which time series do not support",
                f'write where={{"{test.field}": kw.Present()}}',
            )


def _text(index: TextIndex) -> Iterator[Problem]:
    if getattr(index, "collation", None) is not None:
        yield "MDB109", "a text index has no collation", "use language=, and remove collation="
    if index.language not in TEXT_LANGUAGES:
        help = did_you_mean(index.language, sorted(TEXT_LANGUAGES))
        yield "E0503", f'"{index.language}" is not a language of a text index', help


def _place(binding: Binding[AnyCollection], path: str) -> Iterator[Problem]:
    attributes = resolve(binding.entity.attributes, path)
    inner = element(attributes[-1].type) if attributes else None
    is_pair = attributes is not None and array_prefixes(binding, path) != ()
    if isinstance(inner, Scalar) and inner.kind != "json" and not is_pair:
        help = "declare it as a model with type: Literal['Point'] and coordinates: list[float]"
        yield "MDB107", f'"{path}" is not a place, but a {inner.kind}', help


def _hashed(binding: Binding[AnyCollection], index: HashedIndex) -> Iterator[Problem]:
    if getattr(index, "unique", False):
        problem = "a hashed index is never unique, since two values may have one hash"
        yield "MDB102", problem, f'add kw.Index("{index.on}", unique=True)'
    for name in (index.on, *ordered(index.before), *ordered(index.after)):
        if array_prefixes(binding, name):
            yield "MDB107", f'"{name}" is an array, which a hashed index does not contain', "use an Index"


def _together(indexes: "list[AnyIndex] | list[Index]") -> Iterator[tuple[str, str, str, Place]]:
    texts = [index for index in indexes if isinstance(index, TextIndex)]
    for index in texts[1:]:
        first = ", ".join(names(texts[0].fields))
        yield "MDB014", f"a second text index, besides the one on {first}", "merge their fields into one", index.at


def _clashes(targets: list[tuple[IndexTarget, Place]]) -> Iterator[tuple[str, str, str, Place]]:
    """Two indexes that the server treats as one: with the same name, or with equal keys and options."""
    for (first, _), (second, at) in combinations(targets, 2):
        is_same = _identity(first) == _identity(second)
        if is_same and not _is_text(first):
            expiring = first.expire_after_seconds is not None or second.expire_after_seconds is not None
            cause = (
                "the expiry already creates such an index" if expiring else "two indexes have the same keys and options"
            )
            yield "MDB105", f'index "{second.name}": {cause}', "remove one", at
        elif first.name == second.name and not is_same:
            help = "choose another name for one of them: name="
            yield "MDB105", f'two indexes with different options have the name "{first.name}"', help, at


def _identity(index: IndexTarget) -> tuple[object, ...]:
    return index.keys, index.is_unique, index.is_sparse, index.filter, index.collation, index.projection


def _is_text(index: IndexTarget) -> bool:
    return bool(index.weights)


def refused_collation(rules: Mapping[str, Any]) -> tuple[str, str] | None:
    """The reason why a server rejects a collation, and an alternative; None if the server accepts it.

    rules: `locale` and further options, under the server's names.
    """
    locale = str(rules.get("locale"))
    base = locale.partition("@")[0]
    if base not in LOCALES:
        return f'"{locale}" is not a locale of a collation', did_you_mean(base, sorted(LOCALES))
    option, least = LEAST_STRENGTHS.get(base, ("", 0))
    strength = rules.get("strength", 3)
    if strength < least and option not in rules:
        return f'"{locale}" has strength {strength}, and its {option} needs {least}', f"write strength={least}"
    return None
