"""Indexes of Search: their definitions from declarations, as commands, and from what a server tells."""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.ir.attribute import Attribute, Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.text import exact

from ..declare.options import RedisHash, RedisJson, Structure
from ..declare.search import SearchField, SearchIndex
from .layout import json_path
from .search_target import Definition, SearchTarget

SEPARATOR = "\x1f"
"""The sign between values of a hash that texts do not contain: the separator of units in ASCII."""

_METRICS = {"cosine": "COSINE", "euclidean": "L2", "dot_product": "IP"}


def indexes_of(binding: Binding[Structure]) -> Iterator[SearchTarget]:
    """The declared indexes of an entity."""
    spec = binding.spec
    if isinstance(spec, (RedisHash, RedisJson)):
        for index in spec.indexes:
            yield SearchTarget(index.name, definition_of(index, binding))


def definition_of(index: SearchIndex, binding: Binding[Structure]) -> Definition:
    """The definition of a declared index."""
    is_json = isinstance(binding.spec, RedisJson)
    fields = {attribute_of(field, binding): _field(field, binding, is_json=is_json) for field in index.fields}
    definition: dict[str, Any] = {
        "on": "JSON" if is_json else "HASH",
        "prefixes": [binding.templates["key"].head],
        "fields": dict(sorted(fields.items())),
    }
    if index.stopwords is not None:
        definition["stopwords"] = sorted(index.stopwords)
    return definition if index.alias else {**definition, "direct": True}


def attribute_of(field: SearchField, binding: Binding[Structure]) -> str:
    """Name of a field in its index."""
    return field.attribute or "_".join(_stored(field.field, binding))


def place_of(field: SearchField, binding: Binding[Structure]) -> str | None:
    """Python path of the place whose degrees a computed attribute contains; None for any other field."""
    template = binding.computed.get(field.field)
    if template is None or len(template.parts) != 3 or template.parts[1] != ",":
        return None
    paths = [placeholder.path.rpartition(".") for placeholder in template.placeholders if not placeholder.filters]
    is_place = [end for _, _, end in paths] == ["longitude", "latitude"] and paths[0][0] == paths[1][0]
    return paths[0][0] if is_place else None


def path_of(field: SearchField, binding: Binding[Structure]) -> tuple[Attribute, ...]:
    """The attributes along a field's path; none for a computed attribute."""
    return resolve(binding.entity.attributes, field.field) or ()


def _stored(field: str, binding: Binding[Structure]) -> tuple[str, ...]:
    path = resolve(binding.entity.attributes, field)
    return tuple(attribute.stored for attribute in path) if path else (field,)


def _field(field: SearchField, binding: Binding[Structure], *, is_json: bool) -> dict[str, Any]:
    path, names = path_of(field, binding), _stored(field.field, binding)
    is_listed = bool(path) and isinstance(path[-1].type, Many) and field.kind != "vector"
    place = json_path(*names) + ("[*]" if is_listed else "") if is_json else names[-1]
    described: dict[str, Any] = {"path": place, "type": field.kind.upper()}
    if field.sortable:
        described["sortable"] = "normalized" if field.sortable == "normalized" else "exact"
    match field.kind:
        case "text":
            described |= {"weight": field.weight} if field.weight != 1 else {}
            described |= {} if field.stem else {"nostem": True}
        case "tag":
            described |= {} if field.ignores_case else {"casesensitive": True}
            described |= {} if is_json else {"separator": field.separator or SEPARATOR}
        case "vector":
            many = path[-1].type if path else None
            described |= {
                "algorithm": field.algorithm.upper(),
                "dim": many.max_items if isinstance(many, Many) else None,
                "metric": _METRICS[field.metric],
            }
            if field.algorithm == "hnsw":
                described |= {"m": field.neighbours, "ef_construction": field.construction}
    return described


def created(name: str, definition: Definition) -> list[str]:
    """The command that creates an index."""
    words = ["FT.CREATE", name, "ON", definition["on"]]
    words += ["PREFIX", str(len(definition["prefixes"])), *definition["prefixes"]]
    if "stopwords" in definition:
        words += ["STOPWORDS", str(len(definition["stopwords"])), *definition["stopwords"]]
    words.append("SCHEMA")
    for attribute, field in sorted(definition["fields"].items()):
        words += [field["path"], "AS", attribute, field["type"], *_options(field, definition["on"])]
    return words


def _options(field: Mapping[str, Any], on: str) -> Iterator[str]:
    if field["type"] == "VECTOR":
        pairs = {"TYPE": "FLOAT32", "DIM": field["dim"], "DISTANCE_METRIC": field["metric"]}
        if field["algorithm"] == "HNSW":
            pairs |= {"M": field["m"], "EF_CONSTRUCTION": field["ef_construction"]}
        yield from (field["algorithm"], str(2 * len(pairs)))
        yield from (str(word) for pair in pairs.items() for word in pair)
    if "weight" in field:
        yield from ("WEIGHT", exact(field["weight"]))
    if field.get("nostem"):
        yield "NOSTEM"
    if "separator" in field and on == "HASH":
        yield from ("SEPARATOR", field["separator"])
    if field.get("casesensitive"):
        yield "CASESENSITIVE"
    if "sortable" in field:
        yield "SORTABLE"
        if field["sortable"] == "exact" and field["type"] in ("TEXT", "TAG"):
            yield "UNF"


def from_info(info: Mapping[str, Any]) -> dict[str, Any]:
    """The definition of an index from the answer to FT.INFO, as a mapping of texts; `building` while it is built.

    What no declaration has stands in `others`, so that the definition equals no declared one.
    """
    about = info["index_definition"]
    on = str(about["key_type"])
    definition: dict[str, Any] = {
        "on": on,
        "prefixes": [str(prefix) for prefix in about["prefixes"]],
        "fields": dict(sorted(_field_from(words, on) for words in info["attributes"])),
    }
    if "stopwords_list" in info:
        definition["stopwords"] = sorted(map(str, info["stopwords_list"]))
    others = [name for name in ("filter", "default_language", "language_field", "score_field") if name in about]
    others += [str(option) for option in info.get("index_options") or ()]
    if float(about.get("default_score", 1)) != 1:
        others.append("default_score")
    if others:
        definition["others"] = sorted(others)
    if int(info.get("indexing") or 0):
        definition["building"] = True
    return definition


_FLAGS = ("SORTABLE", "UNF", "NOSTEM", "CASESENSITIVE")
_VALUES = ("WEIGHT", "SEPARATOR", "algorithm", "data_type", "dim", "distance_metric", "M", "ef_construction")
_HEAD = ("identifier", "attribute", "type")


def _field_from(words: list[Any], on: str) -> tuple[str, dict[str, Any]]:
    """(name, definition) of a field; words: pairs of names and values, and flags without a value."""
    values: dict[str, Any] = {}
    flags: list[str] = []
    at = 0
    while at < len(words):
        word = str(words[at])
        if word in (*_HEAD, *_VALUES):
            values[word] = words[at + 1]
            at += 2
        else:
            flags.append(word)
            at += 1
    kind = str(values["type"])
    described: dict[str, Any] = {"path": str(values["identifier"]), "type": kind}
    if "SORTABLE" in flags:
        is_exact = kind == "NUMERIC" or "UNF" in flags
        described["sortable"] = "exact" if is_exact else "normalized"
    if float(values.get("WEIGHT", 1)) != 1:
        described["weight"] = float(values["WEIGHT"])
    described |= {"nostem": True} if "NOSTEM" in flags else {}
    described |= {"casesensitive": True} if "CASESENSITIVE" in flags else {}
    if kind == "TAG" and on == "HASH":
        described["separator"] = str(values["SEPARATOR"])
    if kind == "VECTOR":
        described |= {
            "algorithm": str(values["algorithm"]), "dim": int(values["dim"]), "metric": str(values["distance_metric"]),
        }  # fmt: skip
        described |= {"m": int(values["M"])} if "M" in values else {}
        described |= {"ef_construction": int(values["ef_construction"])} if "ef_construction" in values else {}
        if values.get("data_type") != "FLOAT32":
            flags.append(str(values.get("data_type")))
    if others := sorted(set(flags) - set(_FLAGS)):
        described["others"] = others
    return str(values["attribute"]), described
