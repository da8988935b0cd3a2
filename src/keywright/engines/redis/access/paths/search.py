"""Reads through indexes of Search."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

from keywright.access.path import AccessPath, By, Candidate, Rejected, Similarity
from keywright.access.query import Condition, Query
from keywright.ir.attribute import Attribute, Many, Map, Scalar
from keywright.ir.entity import resolve

from ...schema.search_index import attribute_of, place_of
from ...schema.search_target import SearchTarget
from ..layout import Layout
from ..search_calls import Search, SearchTerm

_METRICS: Mapping[str, Similarity] = {"COSINE": "cosine", "L2": "euclidean", "IP": "dot_product"}
_ANSWERS = {
    "TAG": ("equals", "one_of", "contains", "all_of", "not"),
    "NUMERIC": ("equals", "one_of", "between", "at_least", "above", "at_most", "below", "not", "contains"),
}
"""Conditions that each kind of field answers."""

_EXACT = ("uuid", "boolean", "date", "datetime")
"""Kinds of values without blanks around them, which an index of hashes ignores."""

_KINDS = ("get", "read", "count")


def search_paths(layout: Layout, indexes: tuple[SearchTarget, ...], query: Query) -> Iterator[Candidate]:
    """A candidate for each index of the entity."""
    if query.pattern.kind not in _KINDS:
        return
    declared = {index.name: index for index in getattr(layout.binding.spec, "indexes", ())}
    for target in indexes:
        index = declared.get(target.name.removeprefix(layout.prefix))
        if index is not None:
            # A geo field is named by the place that its text is made of.
            names = {
                name: attribute_of(field, layout.binding)
                for field in index.fields
                if (name := place_of(field, layout.binding) if field.kind == "geo" else field.field)
            }
            yield _candidate(layout, target, query, names)


def _candidate(layout: Layout, target: SearchTarget, query: Query, names: Mapping[str, str]) -> Candidate:
    by, fields = By("index", target.name), target.definition["fields"]
    terms: list[SearchTerm] = []
    residual: list[Condition] = []
    nearest: SearchTerm | None = None
    for condition in query.conditions:
        term = _words(condition, names, fields) if condition.kind == "search" else _term(condition, names, fields)
        if isinstance(term, str):
            if condition.kind in ("search", "near"):
                return Rejected(by, term)
            residual.append(condition)
        elif condition.kind == "near":
            nearest = term
        else:
            terms.append(term)
    if not terms and nearest is None:
        listed = ", ".join(f'"{condition.field}"' for condition in residual)
        reason = f"it answers no condition of the pattern: add {listed or 'a field'} to it"
        return Rejected(by, reason, is_unrelated=True)
    if (problem := _unchecked(layout, residual)) is not None:
        return Rejected(by, problem)
    if nearest is not None and nearest.kind == "GEO":
        return _around(layout, target, query, terms, residual, nearest)
    if nearest is not None:
        return _nearest(layout, target, query, terms, residual, nearest)
    return _found(layout, target, query, names, terms, residual)


def _found(
    layout: Layout, target: SearchTarget, query: Query, names: Mapping[str, str], terms: list[SearchTerm],
    residual: list[Condition],
) -> Candidate:  # fmt: skip
    by, pattern = By("index", target.name), query.pattern
    order = _order(layout, target, query, names)
    if isinstance(order, Rejected):
        return order
    verified = tuple(term.condition for term in terms if _is_inexact(layout, term))
    is_count = pattern.kind == "count" and not residual and not verified
    call = Search(layout.structure, target.name, tuple(terms), *order, verified=verified, is_count=is_count)
    notes: tuple[str, ...] = ()
    if verified:
        notes += ("texts are compared again, because an index of hashes ignores blanks around them",)
    if any(term.kind == "TEXT" for term in terms):
        notes += ("items with one of the words; by default the best match first",)
    is_ordered = bool(order[0])
    return AccessPath(
        by, call, order="index" if is_ordered else "none", residual=tuple(residual), consistency=layout.freshness,
        notes=notes,
    )  # fmt: skip


def _nearest(
    layout: Layout, target: SearchTarget, query: Query, terms: list[SearchTerm], residual: list[Condition],
    nearest: SearchTerm,
) -> Candidate:  # fmt: skip
    by, pattern = By("index", target.name), query.pattern
    if residual or any(_is_inexact(layout, term) for term in terms):
        remaining = residual[0] if residual else next(t.condition for t in terms if _is_inexact(layout, t))
        return Rejected(by, f'a search of the nearest vectors has one page, and "{remaining}" is checked after it')
    if pattern.kind != "read" or query.order or pattern.limit is None:
        return Rejected(by, "the nearest vectors are read in the order of similarity: use kw.Read with limit=")
    field = target.definition["fields"][nearest.attribute]
    call = Search(layout.structure, target.name, tuple(terms), nearest=nearest)
    notes = ("approximate: the graph may miss some of the nearest",) if field["algorithm"] == "HNSW" else ()
    return AccessPath(
        by, call, order="index", consistency=layout.freshness, notes=notes, similarity=_METRICS[field["metric"]]
    )


def _around(
    layout: Layout, target: SearchTarget, query: Query, terms: list[SearchTerm], residual: list[Condition],
    near: SearchTerm,
) -> Candidate:  # fmt: skip
    by = By("index", target.name)
    if query.pattern.kind != "read" or query.order:
        return Rejected(by, "places are read in the order of their distance: use kw.Read without order=")
    verified = tuple(term.condition for term in terms if _is_inexact(layout, term))
    call = Search(layout.structure, target.name, tuple(terms), near=near, verified=verified)
    notes = ("two requests: the keys in the order of distance, then the items",)
    return AccessPath(by, call, order="index", residual=tuple(residual), consistency=layout.freshness, notes=notes)


def _term(condition: Condition, names: Mapping[str, str], fields: Mapping[str, Any]) -> SearchTerm | str:
    """The term of a condition; the reason why the index has none."""
    attribute = names.get(condition.field, "")
    field = fields.get(attribute)
    if field is None:
        return f'it does not contain "{condition.field}"'
    kind = field["type"]
    if condition.kind == "near":
        if kind not in ("VECTOR", "GEO"):
            return f'"{condition.field}" is indexed as {kind.lower()}, and near= needs a vector or a place'
        return SearchTerm(condition, attribute, cast(Literal["VECTOR", "GEO"], kind))
    if condition.kind not in _ANSWERS.get(kind, ()) or (kind == "TAG" and not field.get("casesensitive")):
        return f'"{condition.field}" is indexed as {kind.lower()}, which does not answer "{condition}"'
    if condition.constants is not None and None in condition.constants:
        return f'it does not contain items without "{condition.field}"'
    return SearchTerm(condition, attribute, cast(Literal["TAG", "NUMERIC"], kind), field.get("separator", ""))


def _words(condition: Condition, names: Mapping[str, str], fields: Mapping[str, Any]) -> SearchTerm | str:
    searched = condition.field.split(" ")
    attributes = [names.get(field, "") for field in searched]
    for field, attribute in zip(searched, attributes, strict=True):
        if fields.get(attribute, {}).get("type") != "TEXT":
            return f'"{field}" is not indexed as text, which a search for words needs'
    return SearchTerm(condition, "|".join(attributes), "TEXT")


def _order(layout: Layout, target: SearchTarget, query: Query, names: Mapping[str, str]) -> tuple[str, bool] | Rejected:
    by = By("index", target.name)
    order = [ordering for ordering in query.order if query.fixed(ordering.field) is None]
    if not order:
        return "", False
    if len(order) > 1:
        return Rejected(by, f'results have one order: remove "{order[1].field}" from order=')
    (ordering,) = order
    attribute = names.get(ordering.field, "")
    path = resolve(layout.attributes, ordering.field)
    if target.definition["fields"].get(attribute, {}).get("sortable") != "exact":
        return Rejected(by, f'"{ordering.field}" is not sortable in it: write kw.SearchField(..., sortable=True)')
    if not path or any(part.is_nullable for part in path):
        return Rejected(by, f'"{ordering.field}" may be None, which has no order')
    return attribute, ordering.is_descending


def _is_inexact(layout: Layout, term: SearchTerm) -> bool:
    """Whether the index finds other values too: texts of hashes with other blanks around them."""
    if term.kind != "TAG" or layout.kind == "json":
        return False
    path = resolve(layout.attributes, term.condition.field)
    if not path:
        return False  # a computed attribute, which no instance has
    kind = path[-1].type
    kind = kind.element if isinstance(kind, Many) else kind
    return not (isinstance(kind, Scalar) and (kind.kind in _EXACT or kind.constants))


def _unchecked(layout: Layout, residual: list[Condition]) -> str | None:
    """The reason why a remaining condition cannot be checked on items; None if all can."""
    for condition in residual:
        path: tuple[Attribute, ...] | None = resolve(layout.attributes, condition.field)
        if not path or any(isinstance(part.type, (Many, Map)) for part in path[:-1]):
            return f'it does not answer "{condition}"'
    return None
