"""Indexes of Search as declarations of the entities whose keys they contain."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.contract.adoption import NotExpressed
from keywright.errors import gathering
from keywright.ir.attribute import Attribute, Many, Scalar, Struct
from keywright.ir.binding import Binding
from keywright.record import replace

from ..declare.options import RedisHash, RedisJson, Structure
from ..declare.search import SearchField, SearchIndex
from ..schema.check_indexes import check_indexes
from ..schema.layout import json_path
from ..schema.search_index import SEPARATOR, attribute_of, definition_of
from ..schema.search_target import SearchTarget
from ..schema.target import ServerTarget

_METRICS = {"COSINE": "cosine", "L2": "euclidean", "IP": "dot_product"}
_ON: Mapping[type, str] = {RedisHash: "HASH", RedisJson: "JSON"}


def with_indexes(
    bindings: Sequence[Binding[Structure]], target: ServerTarget
) -> tuple[tuple[Binding[Structure], ...], tuple[NotExpressed, ...]]:
    """(the entities with the indexes over their keys, the indexes that no entity can have)."""
    adopted, missing = list(bindings), []
    for index in target.indexes:
        at = next((at for at, binding in enumerate(adopted) if _contains(index, binding)), None)
        reason = "its prefixes are not the beginning of one entity's keys"
        if at is not None:
            changed = _with_index(adopted[at], index, adopted)
            if not isinstance(changed, str):
                adopted[at] = changed
                continue
            reason = changed
        missing.append(NotExpressed(f"indexes/{index.name}", reason))
    return tuple(adopted), tuple(missing)


def _contains(index: SearchTarget, binding: Binding[Structure]) -> bool:
    has_type = _ON.get(type(binding.spec)) == index.definition["on"]
    return has_type and list(index.definition["prefixes"]) == [binding.templates["key"].head]


def _with_index(
    binding: Binding[Structure], index: SearchTarget, bindings: Sequence[Binding[Structure]]
) -> Binding[Structure] | str:
    """The entity with the index; the reason why it cannot have it."""
    definition = index.definition
    if "others" in definition:
        return f"it has {', '.join(definition['others'])}"
    paths = dict(_paths(binding))
    fields: list[SearchField] = []
    attributes = binding.entity.attributes
    for name, described in definition["fields"].items():
        if "others" in described:
            return f'"{name}" has {", ".join(described["others"])}'
        field = paths.get(described["path"])
        if field is None:
            return f'no sampled item has "{described["path"]}"'
        attributes = tuple(_typed(attribute, field, described) for attribute in attributes)
        fields.append(_field(field, name, described))
    entity = replace(binding.entity, attributes=attributes)
    options: dict[str, Any] = {"alias": not index.is_direct}
    if "stopwords" in definition:
        options["stopwords"] = definition["stopwords"]
    declared = SearchIndex(index.name, [_shortened(field, binding) for field in fields], **options)
    changed = _redeclared(replace(binding, entity=entity), declared)
    if isinstance(changed, str):
        return changed
    others = tuple(other for other in bindings if other is not binding)
    if (rejection := next(check_indexes((changed, *others)), None)) is not None:
        return rejection.problem
    same = {**definition_of(declared, changed)} == {**definition}
    return changed if same else "its options have no word"


def _redeclared(binding: Binding[Structure], index: SearchIndex) -> Binding[Structure] | str:
    spec = binding.spec
    assert isinstance(spec, (RedisHash, RedisJson))
    options = {name: value for name, value in vars(spec).items() if name in type(spec).__options__.kinds}
    with gathering() as errors:
        changed = type(spec)(**{**options, "indexes": [*spec.indexes, index]})
    return errors[0].problem if errors else replace(binding, spec=changed)


def _paths(binding: Binding[Structure]) -> Iterator[tuple[str, str]]:
    """(path in an index, dotted Python path) of every field and part."""
    is_json = isinstance(binding.spec, RedisJson)

    def along(attributes: Sequence[Attribute], names: tuple[str, ...], start: str) -> Iterator[tuple[str, str]]:
        for attribute in attributes:
            path = (*names, attribute.stored)
            place = json_path(*path) if is_json else attribute.stored
            yield place, start + attribute.name
            if is_json and isinstance(attribute.type, Many):
                yield f"{place}[*]", start + attribute.name
            if is_json and isinstance(attribute.type, Struct):
                yield from along(attribute.type.attributes, path, f"{start}{attribute.name}.")

    yield from along(binding.entity.attributes, (), "")


def _typed(attribute: Attribute, field: str, described: Mapping[str, Any]) -> Attribute:
    """The attribute with the type that its index shows: a vector, or a number that a hash has as text."""
    if attribute.name != field:
        return attribute
    if described["type"] == "VECTOR":
        length = described["dim"]
        vector = Many("list", Scalar("float"), min_items=length, max_items=length, is_vector=True)
        return replace(attribute, type=vector)
    if described["type"] == "NUMERIC" and isinstance(attribute.type, Scalar) and attribute.type.kind == "decimal":
        return replace(attribute, type=replace(attribute.type, kind="float"))
    return attribute


def _field(field: str, name: str, described: Mapping[str, Any]) -> SearchField:
    options: dict[str, Any] = {"attribute": name}
    if "sortable" in described:
        options["sortable"] = True if described["sortable"] == "exact" else "normalized"
    if described["type"] == "TEXT":
        options |= {"weight": described.get("weight", 1.0), "stem": not described.get("nostem")}
    if described["type"] == "TAG":
        options["ignores_case"] = not described.get("casesensitive")
        separator = described.get("separator", SEPARATOR)
        options |= {"separator": separator} if separator != SEPARATOR else {}
    if described["type"] == "VECTOR":
        options |= {"algorithm": described["algorithm"].lower(), "metric": _METRICS[described["metric"]]}
        if "m" in described:
            options |= {"neighbours": described["m"], "construction": described["ef_construction"]}
    return SearchField(field, described["type"].lower(), **options)


def _shortened(field: SearchField, binding: Binding[Structure]) -> SearchField:
    """The field without a name in the index that is the default one."""
    options = {name: value for name, value in vars(field).items() if name in type(field).__options__.kinds}
    plain = SearchField(**{**options, "attribute": None})
    return plain if attribute_of(plain, binding) == field.attribute else field
