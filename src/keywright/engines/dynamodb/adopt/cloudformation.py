"""Tables of CloudFormation and SAM templates, in the form of CreateTable."""

from collections.abc import Iterator, Mapping
from typing import Any

_TABLES = ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable")
_SIMPLE = "AWS::Serverless::SimpleTable"
_TYPES = {"String": "S", "Number": "N", "Binary": "B"}


def is_template(document: Any) -> bool:
    """Whether a document is a template of CloudFormation or SAM."""
    resources = document.get("Resources") if isinstance(document, dict) else None
    return isinstance(resources, dict) and all(
        isinstance(resource, dict) and isinstance(resource.get("Type"), str) for resource in resources.values()
    )


def tables_in_template(template: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The tables of a template; a name that the template computes is replaced by the logical id."""
    parameters = template.get("Parameters") or {}
    defaults = {name: parameter.get("Default") for name, parameter in parameters.items() if isinstance(parameter, dict)}
    for logical_id, resource in template["Resources"].items():
        properties = _resolved(resource.get("Properties") or {}, defaults)
        named = properties.get("TableName") if isinstance(properties, dict) else None
        name = named if isinstance(named, str) else logical_id
        if resource["Type"] in _TABLES and isinstance(properties, dict):
            yield {**properties, "TableName": name}
        elif resource["Type"] == _SIMPLE and isinstance(properties, dict):
            yield _simple_table(name, properties.get("PrimaryKey") or {})


def _simple_table(name: str, key: Mapping[str, Any]) -> dict[str, Any]:
    """A SAM table, which has a partition key only: `id` by default."""
    attribute, type = key.get("Name", "id"), _TYPES[key.get("Type", "String")]
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": type}],
        "KeySchema": [{"AttributeName": attribute, "KeyType": "HASH"}],
    }


def _resolved(value: Any, defaults: Mapping[str, Any]) -> Any:
    """A value in which references to parameters with a default are replaced; the name of a table stays computed."""
    match value:
        case {"Ref": str(name)} if len(value) == 1 and isinstance(defaults.get(name), str):
            return defaults[name]
        case dict():
            return {name: inner if name == "TableName" else _resolved(inner, defaults) for name, inner in value.items()}
        case list():
            return [_resolved(element, defaults) for element in value]
        case _:
            return value
