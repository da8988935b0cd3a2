"""Reads the designs of `dynamodb/mcp`: tables, entities with key templates, and access patterns."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from tests.corpora.modelfile import CORPORA, Asking, Design, Entity

FOLDER = CORPORA / "dynamodb" / "mcp"
Given: TypeAlias = dict[str, Any]
"""An object of a design's JSON."""

REPAIRS: Mapping[tuple[str, str], str] = {
    ("TenantCertificate", "issued_date"): ":pad(12)",
    ("TenantEnrollment", "enrollment_date"): ":pad(12)",
    ("TenantLesson", "lesson_order"): ":pad(12)",
    ("TenantProgress", "attempt_date"): ":pad(12)",
    ("UserTask", "due_date"): "required",
}
"""What keywright refuses in the designs, by entity and field, and the help line that is followed."""

_TYPES = {
    "string": "str", "integer": "int", "decimal": "Decimal", "boolean": "bool", "array": "list[str]",
    "object": "dict[str, str]", "moment": "datetime",
}  # fmt: skip
_IN_KEY = {"string": 'Annotated[str, Field(pattern=r"^[A-Za-z0-9:.-]+$", max_length=40)]'}
"""Texts in keys: without the separator, as all sample values are; else keys of two entities could be the same."""

_KINDS = {"GetItem": "Get", "Query": "Read", "Scan": "Read", "PutItem": "Put", "UpdateItem": "Update"}
_ORDERS = {"get_top_scores": "-score", "get_tournament_rankings": "ranking", "get_course_lessons": "lesson_order"}
"""Orders that descriptions ask for in other words than `sorted by`."""


def design(name: str, *, repaired: bool = True, dated: bool = False, without: str = "") -> Design:
    """One design, by the name of its folder.

    repaired: with the changes that keywright's own messages ask for. dated: with moments in place of texts that hold
    moments in the sample values. without: an index that is left out.
    """
    tables: list[Given] = _read("valid_schemas", name)["tables"]
    for table in tables:
        table["gsi_list"] = [entry for entry in table.get("gsi_list", []) if entry["name"] != without]
        for called, entity in table["entities"].items():
            repairs = {field: how for (of, field), how in REPAIRS.items() if of == called and repaired}
            _change(entity, repairs, _moments(name, called) if dated else set())
    entities = [(table, called, entity) for table in tables for called, entity in table["entities"].items()]
    return Design(
        tuple(line for table in tables for line in _top(table)),
        tuple(_entity(table, called, entity) for table, called, entity in entities),
        tuple(_asking(*entity, requests) for entity in entities for requests in entity[2]["access_patterns"]),
    )


def _read(folder: str, name: str) -> Given:
    (file,) = (FOLDER / folder / name).glob("*.json")
    document: Given = json.loads(file.read_text(encoding="utf-8"))
    return document


def _moments(name: str, entity: str) -> set[str]:
    """Fields of which the sample value is a moment."""
    samples: Given = _read("usage_data", name)["entities"][entity]["sample_data"]
    return {field for field, value in samples.items() if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]{8}Z", str(value))}


def _change(entity: Given, repairs: Mapping[str, str], moments: set[str]) -> None:
    """Change types of fields, and how they stand in keys that are made of several parts."""
    for field in entity["fields"]:
        repair = repairs.get(field["name"], "")
        field["required"] = field["required"] or repair == "required"
        if field["name"] in moments:
            field["type"], repair = "moment", ":iso"
        for keyed in (entity, *entity.get("gsi_mappings", [])):
            for part in ("pk_template", "sk_template"):
                lone = f"{{{field['name']}}}"
                if repair.startswith(":") and keyed.get(part) not in (None, lone):
                    keyed[part] = keyed[part].replace(lone, f"{{{field['name']}{repair}}}")


def _top(table: Given) -> Iterator[str]:
    """The declarations of a table and its indexes."""
    config = table["table_config"]
    fields = {field["name"] for entity in table["entities"].values() for field in entity["fields"]}
    indexes = table["gsi_list"]
    for index in indexes:
        yield f"{_variable(index['name'])} = kw.Gsi({_index(index, fields)})"
    named = ", ".join(_variable(index["name"]) for index in indexes)
    mark = "" if len(table["entities"]) > 1 else ", discriminator=None"
    yield (
        f"{_variable(config['table_name'])} = kw.DynamoTable({config['table_name']!r}, pk={config['partition_key']!r}, "
        f"sk={config.get('sort_key')!r}, gsis=[{named}]{mark})"
    )


def _index(index: Given, fields: set[str]) -> str:
    key = {"pk": _listed(index["partition_key"]), "sk": _listed(index.get("sort_key"))}
    is_plain = all(name in fields for names in key.values() for name in names)
    said = {part: names if is_plain else names[0] for part, names in key.items() if names}
    project = {"KEYS_ONLY": "keys", "INCLUDE": index.get("included_attributes")}.get(index.get("projection", ""), "all")
    return ", ".join([repr(index["name"]), *(f"{part}={value!r}" for part, value in said.items()), f"{project=}"])


def _listed(names: str | list[str] | None) -> list[str]:
    return [] if names is None else [names] if isinstance(names, str) else names


def _variable(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _entity(table: Given, name: str, entity: Given) -> Entity:
    config = table["table_config"]
    fields = {field["name"] for field in entity["fields"]}
    said = [
        f"{part}={entity[f'{part}_template']!r}"
        for part, attribute in (("pk", config["partition_key"]), ("sk", config.get("sort_key")))
        if attribute and entity[f"{part}_template"] != f"{{{attribute}}}"
    ]
    mappings = entity.get("gsi_mappings", [])
    created = {entry["name"] for entry in table["gsi_list"] if not {*_listed(entry["partition_key"])} <= fields}
    keys = [
        f"{_variable(mapping['name'])}.key(pk={mapping['pk_template']!r}, sk={mapping['sk_template']!r})"
        for mapping in mappings
        if mapping["name"] in created
    ]
    said += [f"gsis=[{', '.join(keys)}]"] if keys else []
    in_keys = {path for keyed in (entity, *mappings) for path in _placeholders(keyed)}
    return Entity(
        name,
        f"kw.Item({', '.join([_variable(config['table_name']), *said])})",
        {field["name"]: _annotation(field, is_key=field["name"] in in_keys) for field in entity["fields"]},
    )


def _annotation(field: Given, *, is_key: bool) -> str:
    kind = _IN_KEY.get(field["type"], _TYPES[field["type"]]) if is_key else _TYPES[field["type"]]
    return kind if field["required"] else f"{kind} | None = None"


def _placeholders(keyed: Given) -> list[str]:
    """The fields of key templates, in order."""
    return [path for part in ("pk_template", "sk_template") for path in re.findall(r"\{(\w+)", keyed.get(part) or "")]


def _asking(table: Given, name: str, entity: Given, given: Given) -> Asking:
    index = next((entry for entry in entity.get("gsi_mappings", []) if entry["name"] == given.get("index_name")), None)
    key = _placeholders(entity)
    parameters = [parameter["name"] for parameter in given["parameters"] if parameter["type"] != "entity"]
    options: dict[str, object] = {}
    kind = _KINDS[given["operation"]]
    match kind:
        case "Get":
            options = {"eq": parameters, "consistency": "strong" if given.get("consistent_read") else None}
        case "Update":
            named = [parameter for parameter in parameters if parameter not in key]
            every = [field["name"] for field in entity["fields"] if field["name"] not in key]
            options = {"eq": [parameter for parameter in parameters if parameter in key], "sets": named or every}
        case "Read":
            options = {**_selecting(_placeholders(index) if index else key, given, parameters), "limit": 100}
    by = f"gsi {given['index_name']}" if index else f"table {table['table_config']['table_name']}"
    return Asking(given["name"], kind, name, options, "not served" if given["operation"] == "Scan" else by)


def _selecting(key: list[str], given: Given, parameters: list[str]) -> dict[str, object]:
    """Equality for all parameters, but for those that the range of a key is for."""
    how = given.get("range_condition")
    bounds = {None: 0, "between": 2}.get(how, 1)
    equal = parameters[: len(parameters) - bounds]
    behind = [path for path in key if path not in equal]
    _, is_sorted, fields = given["description"].partition("sorted by")
    order = behind[: 1 + fields.count(" and ")] if is_sorted else _ORDERS.get(given["name"])
    ranged = "prefix" if how == "begins_with" else "range"
    return {"eq": equal, ranged: behind[0] if how else None, "order": order}
