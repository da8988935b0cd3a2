"""The schema of what the stand-in knows: Pulumi's host for YAML asks a provider which properties there are."""

import inspect
import json
import re
from typing import Any

from keywright.provision.resources import class_of

_ANY = {"$ref": "pulumi.json#/Any"}
_OWN = ("__self__", "__props__", "resource_name", "opts")


def schema(types: list[str], version: str) -> str:
    """As JSON: resources with the properties of the SDK, each of any value."""
    known = [type for type in types if ":lambda/" not in type]  # of a consumer, which no static program has
    return json.dumps({"name": "aws", "version": version, "resources": {type: _resource(type) for type in known}})


def _resource(type: str) -> dict[str, Any]:
    names = [name for name in inspect.signature(class_of(type)._internal_init).parameters if name not in _OWN]
    inputs = {re.sub(r"_([a-z])", lambda match: match[1].upper(), name): _ANY for name in names}
    outputs = {"arn": {"type": "string"}, "name": {"type": "string"}}
    return {"inputProperties": inputs, "properties": {**inputs, **outputs}, "required": list(outputs)}
