"""Reads models of `dynamodb/workbench`: entities from their sample items, patterns from the table beside the models."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tests.corpora.modelfile import CORPORA, Asking, Design, Entity
from tests.corpora.workbench_keys import ENTITIES, MEANT, Kept

FOLDER = CORPORA / "dynamodb" / "workbench" / "schema-examples"
Given: TypeAlias = dict[str, Any]
"""An object of a model's JSON."""

_KINDS = {
    "PutItem": "Put", "DeleteItem": "Delete", "UpdateItem": "Update", "GetItem": "Get", "Query": "Read", "Scan": "Read",
}  # fmt: skip
_ID = 'Annotated[str, Field(pattern=r"^[A-Za-z0-9]+$", max_length=40)]'
_MOMENT = r"\d+-\d\d-\d\dT[\d:.]+Z?"
_TYPES = {"S": "str", "N": "int", "SS": "set[str]", "M": "dict[str, Any]"}


def design(name: str, *, without: str = "", repaired: bool = True) -> Design:
    """One model with its documented patterns.

    without: an index that is left out. repaired: with the keys that keywright's own messages ask for.
    """
    table = model(name)
    indexes = [_index(entry) for entry in table.get("GlobalSecondaryIndexes", []) if entry["IndexName"] != without]
    patterns = {entry["name"]: entry for entry in _documented(f"{name}Schema.json")}
    askings = [
        _asking(patterns.pop(pattern), called, entity, table)
        for called, entity in ENTITIES[name].items()
        for pattern in entity.asked
    ]
    assert not patterns, f"no entity for {', '.join(patterns)}"
    entities = (
        _entity(called, entity, (repaired and entity.repaired) or entity.sk, table, indexes)
        for called, entity in ENTITIES[name].items()
    )
    return Design(tuple(_top(table, indexes)), tuple(entities), tuple(askings), MEANT.get(name, ()))


def model(name: str) -> Given:
    """The one table of a model."""
    (table,) = json.loads((FOLDER / f"{name}Schema.json").read_text(encoding="utf-8"))["DataModel"]
    result: Given = table
    return result


def _documented(file: str) -> list[Given]:
    models = json.loads((FOLDER / "access_patterns.json").read_text(encoding="utf-8"))["models"]
    return next(entry["patterns"] for entry in models if entry["file"] == file)


def samples(table: Given) -> Iterator[dict[str, tuple[str, Any]]]:
    """(native type, value) by attribute, of each sample item of a table."""
    for items in (table.get("TableData", []), *(facet["TableData"] for facet in table.get("TableFacets", []))):
        for item in items:
            yield {name: next(iter(value.items())) for name, value in item.items()}


def is_of(kept: Kept, item: Mapping[str, tuple[str, Any]]) -> bool:
    """Whether an item is keyed as an entity is."""
    return all(
        re.fullmatch(_as_regex(template), item[attribute][1])
        for attribute, template in (("PK", kept.pk), ("SK", kept.sk))
    )


def _as_regex(template: str) -> str:
    texts = re.split(r"\{\w+(:iso)?\}", template)
    parts = (re.escape(text) for text in texts[::2])
    values = (_MOMENT if how else "[^#:]+" for how in texts[1::2])
    return "".join(part + value for part, value in zip(parts, [*values, ""], strict=True))


def _index(given: Given) -> Given:
    """An index with its key, and whether its key attributes are those of the table."""
    key = [attribute["AttributeName"] for attribute in given["KeyAttributes"].values()]
    project: object = "all"
    if given["Projection"]["ProjectionType"] == "INCLUDE":
        # Some models repeat the key of the table, which is in every index.
        project = [name for name in given["Projection"]["NonKeyAttributes"] if name not in ("PK", "SK")]
    return {"name": given["IndexName"], "key": key, "project": project, "is_turned": set(key) <= {"PK", "SK"}}


def _variable(name: str) -> str:
    return re.sub(r"\W", "_", name).lower()


def _top(table: Given, indexes: Iterable[Given]) -> Iterator[str]:
    for index in indexes:
        pk, sk = index["key"] if index["is_turned"] else ([name] for name in index["key"])
        yield f"{_variable(index['name'])} = kw.Gsi({index['name']!r}, {pk=}, {sk=}, project={index['project']!r})"
    named = ", ".join(_variable(index["name"]) for index in indexes)
    yield f"table = kw.DynamoTable({table['TableName']!r}, pk='PK', sk='SK', gsis=[{named}])"


def _entity(name: str, kept: Kept, sk: str, table: Given, indexes: Iterable[Given]) -> Entity:
    turned = [
        f"{_variable(index['name'])}.key(pk={sk!r}, sk={kept.pk!r})" for index in indexes if index["is_turned"]
    ]  # the only models that do so turn both round
    items = [item for item in samples(table) if is_of(kept, item)]
    result = {attribute: None for item in items for attribute in item if attribute.isidentifier()}
    fields = {
        attribute: _annotation([item.get(attribute) for item in items])
        for attribute in result
        if attribute not in ("PK", "SK")
    }
    for path, form in re.findall(r"\{(\w+)(:iso)?\}", kept.pk + kept.sk):
        fields[path] = "datetime" if form else _ID
    keys = f", gsis=[{', '.join(turned)}]" if turned else ""
    return Entity(name, f"kw.Item(table, pk={kept.pk!r}, {sk=}{keys})", fields)


def _annotation(values: Sequence[tuple[str, Any] | None]) -> str:
    """The type of an attribute that has these values; optional where an item lacks it."""
    present = [value for value in values if value is not None]
    kind = _TYPES[present[0][0]]
    for form, python in ((_MOMENT, "datetime"), (r"\d{4}-\d\d-\d\d", "date")):
        if kind == "str" and all(re.fullmatch(form, text) for _, text in present):
            kind = python
    return kind if len(present) == len(values) else f"{kind} | None = None"


def _asking(given: Given, entity: str, kept: Kept, table: Given) -> Asking:
    kind = _KINDS[given["operation"]]
    sort = given["sort"] or {"attribute": None, "operator": ""}
    key = _paths(kept.pk) + _paths(kept.sk)
    equal = _fields(given["partition"]["attribute"], kept) if given["partition"] else []
    equal += _fields(sort["attribute"], kept) if sort["operator"] == "=" else []
    filtered = [] if kind == "Put" else re.findall(r"[A-Za-z_]+(?= and | =|$)", given.get("filter", ""))
    options: dict[str, object] = {"eq": equal + filtered if kind != "Put" else None}
    match kind:
        case "Put":
            options["if_absent"] = given.get("filter") == "if not exists" or None
        case "Update":
            fields = _entity(entity, kept, kept.sk, table, ()).fields
            options["sets"] = [name for name in fields if name not in key]
        case "Read":
            options["range"] = sort["attribute"] if sort["operator"] in (">", "between") else None
            options["limit"] = given.get("limit", 100)
            options["order"] = None if given.get("forward", True) else f"-{_sorted(given, table)}"
    served = "not served" if given["scan"] else f"gsi {given['served_by']}"
    if given["served_by"] == "base" and not given["scan"]:
        served = f"table {table['TableName']}"
    return Asking(_slug(given["name"]), kind, entity, options, served)


def _slug(name: str) -> str:
    return re.sub(r"\W+", "_", name.replace("'", "")).strip("_")


def _paths(template: str) -> list[str]:
    return re.findall(r"\{(\w+)", template)


def _fields(attribute: str, kept: Kept) -> list[str]:
    """The fields that an attribute is made from, or the one that it is."""
    return {"PK": _paths(kept.pk), "SK": _paths(kept.sk)}.get(attribute, [attribute])


def _sorted(given: Given, table: Given) -> str:
    """The field by which an index is sorted."""
    key = next(index for index in table["GlobalSecondaryIndexes"] if index["IndexName"] == given["served_by"])
    name: str = key["KeyAttributes"]["SortKey"]["AttributeName"]
    return name
