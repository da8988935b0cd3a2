"""Tables as a static program in Pulumi's YAML, for Pulumi without Python.

Source: https://www.pulumi.com/docs/iac/languages-sdks/yaml/yaml-language-reference/, 2026-11-22.
"""

import json
import re
from typing import Any

import yaml

from keywright.api.monitoring import alarms
from keywright.api.stack.desired import Stack
from keywright.compiler import plan_access
from keywright.engines.contract.resource import StackResource
from keywright.engines.dynamodb.engine import ENGINE as DYNAMODB
from keywright.engines.dynamodb.schema import resources
from keywright.engines.dynamodb.schema.companion_resources import companion_resources
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.ir.text import is_one_line, one_line

FILE = "pulumi/Pulumi.yaml"
"""Path of the program in `build/<environment>/`."""

_HEAD = """\
# The DynamoDB tables of "{environment}", written by `keywright compile --pulumi-yaml`.
# `pulumi up --stack {environment}` in this folder creates and changes them; do not edit.
"""


def program(project: str, stack: Stack, stacks: str) -> str:
    """The text of the program, the same for the same stack.

    project: name of the main Pulumi project. The static program has another name, because in a stack with the same name
    each program would delete the tables of the other. stacks: path of the stack files from its folder. Raises
    UsageError if there are no tables.
    """
    name = stack.environment.name
    tables = {target.resources[0].name: target for target in stack.targets if target.engine.name == "dynamodb"}
    if not tables:
        raise UsageError(f'there is no DynamoDB table in "{name}"', "remove --pulumi-yaml")
    entries: dict[str, Json] = {}
    for key, table in tables.items():
        placed: Any = table.placed
        entries[key] = {
            "type": _short(resources.TABLE),
            "properties": _escaped(resources.to_resource(placed, stack.orders.get(table.declared.name, ()))),
            "options": resources.options(placed),
        }
        entries |= {resource.name: _entry(resource) for resource in companion_resources(key, placed)}
    stack_resources = alarms(DYNAMODB, stack.targets, stack.environment, plan_access(stack.compiled))
    entries |= {resource.name: _entry(resource) for resource in stack_resources}
    outputs: Json = {
        "tables": {key: f"${{{_path(key)}.name}}" for key in tables},
        "table_arns": {key: f"${{{_path(key)}.arn}}" for key in tables},
    }
    document: Json = {
        "name": f"{project}-dynamodb", "runtime": "yaml", "stackConfigDir": stacks, "resources": entries,
        "outputs": outputs,
    }  # fmt: skip
    return _HEAD.format(environment=one_line(name)) + dumped(document)


def dumped(value: Json) -> str:
    """A value as YAML text, which Pulumi and PyYAML read alike."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, width=10_000, allow_unicode=True, line_break="\n")
    return text


def _entry(resource: StackResource) -> Json:
    ignored: dict[str, Json] = {"ignoreChanges": list(resource.ignores)} if resource.ignores else {}
    after: dict[str, Json] = {"dependsOn": [f"${{{_path(resource.within)}}}"]} if resource.within else {}
    options: dict[str, Json] = {**after, **ignored}
    entry: dict[str, Json] = {"type": _short(resource.type), "properties": _escaped(resource.inputs)}
    return {**entry, "options": options} if options else entry


def _short(type: str) -> str:
    """`aws:dynamodb:Table` for `aws:dynamodb/table:Table`."""
    return re.sub(r"/\w+", "", type)


def _path(key: str) -> str:
    """A resource as the start of a reference."""
    return key if re.fullmatch(r"[\w-]+", key) else f"[{json.dumps(key)}]"


def _escaped(value: Json) -> Json:
    """A value without interpolation: `$` is doubled, also in keys."""
    match value:
        case str():
            return value.replace("$", "$$")
        case dict():
            return {key.replace("$", "$$"): _escaped(inner) for key, inner in value.items()}
        case list():
            return [_escaped(inner) for inner in value]
    return value


class _Dumper(yaml.SafeDumper):
    """Quotes texts that do not start with a letter, because `1e3` and `0o17` are numbers for Pulumi, not for PyYAML."""

    def ignore_aliases(self, data: Any) -> bool:
        """See `yaml.SafeDumper`: equal values are repeated."""
        return True


def _quoted(dumper: _Dumper, text: str) -> yaml.Node:
    is_plain = text[:1].isalpha() and is_one_line(text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if is_plain else '"')


_Dumper.add_representer(str, _quoted)
