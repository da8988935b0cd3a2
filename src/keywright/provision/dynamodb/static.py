"""Tables as a static program in Pulumi's YAML, for who runs Pulumi without Python.

Source: https://www.pulumi.com/docs/iac/languages-sdks/yaml/yaml-language-reference/, 2026-11-22.
"""

import re
from typing import Any

import yaml

from keywright.api.monitoring import alarms
from keywright.api.stack import Stack, resources_of
from keywright.compiler import plan_access
from keywright.engines.dynamodb import resources
from keywright.engines.dynamodb.beside import beside
from keywright.engines.dynamodb.engine import ENGINE as DYNAMODB
from keywright.engines.resource import Resource
from keywright.errors import UsageError
from keywright.ir.json import Json

FILE = "pulumi/Pulumi.yaml"
"""Where the program is, below `build/<environment>/`."""

_HEAD = """\
# The DynamoDB tables of "{environment}", made by `keywright compile --pulumi-yaml`.
# `pulumi up --stack {environment}` in this folder makes and changes them; do not edit.
"""


def program(project: str, stack: Stack, stacks: str) -> str:
    """The text of the program, the same for the same stack.

    project: the name of the Pulumi project that it belongs to; its own is another, since a stack of the same name would
    take the tables of the one for missing in the other. stacks: where the stack files are, from its folder. UsageError
    where there is no table.
    """
    name = stack.environment.name
    tables = {resources_of(one)[0].name: one for one in stack.targets if one.engine.name == "dynamodb"}
    if not tables:
        raise UsageError(f'there is no DynamoDB table in "{name}"', "leave --pulumi-yaml out")
    made: dict[str, Json] = {}
    for key, one in tables.items():
        placed: Any = one.placed
        made[key] = {
            "type": _short(resources.TABLE),
            "properties": _escaped(resources.to_resource(placed, stack.orders.get(one.declared.name, ()))),
            "options": resources.options(placed),
        }
        made |= {each.name: _beside(each) for each in beside(key, placed)}
    found = alarms(DYNAMODB, stack.targets, stack.environment, plan_access(stack.compiled))
    made |= {each.name: _beside(each) for each in found}
    outputs: Json = {
        "tables": {key: f"${{{_path(key)}.name}}" for key in tables},
        "table_arns": {key: f"${{{_path(key)}.arn}}" for key in tables},
    }
    told: Json = {
        "name": f"{project}-dynamodb", "runtime": "yaml", "stackConfigDir": stacks, "resources": made,
        "outputs": outputs,
    }  # fmt: skip
    text: str = yaml.dump(told, Dumper=_Dumper, sort_keys=False, width=10_000, allow_unicode=True, line_break="\n")
    return _HEAD.format(environment=name) + text


def _beside(one: Resource) -> Json:
    ignored: dict[str, Json] = {"ignoreChanges": list(one.ignores)} if one.ignores else {}
    after: dict[str, Json] = {"dependsOn": [f"${{{_path(one.within)}}}"]} if one.within else {}
    options: dict[str, Json] = {**after, **ignored}
    said: dict[str, Json] = {"type": _short(one.type), "properties": _escaped(one.inputs)}
    return {**said, "options": options} if options else said


def _short(type: str) -> str:
    """`aws:dynamodb:Table` for `aws:dynamodb/table:Table`."""
    return re.sub(r"/\w+", "", type)


def _path(key: str) -> str:
    """A resource as the first part of a reference."""
    return key if re.fullmatch(r"[\w-]+", key) else f'["{key}"]'


def _escaped(value: Json) -> Json:
    """A value without anything that would be filled in: `$` is written twice."""
    match value:
        case str():
            return value.replace("$", "$$")
        case dict():
            return {key: _escaped(one) for key, one in value.items()}
        case list():
            return [_escaped(one) for one in value]
    return value


class _Dumper(yaml.SafeDumper):
    """Quotes every text that does not begin with a letter: `1e3` and `0o17` are numbers for Pulumi, not for this."""

    def ignore_aliases(self, data: Any) -> bool:
        """See `yaml.SafeDumper`: equal values are written out."""
        return True


def _quoted(dumper: _Dumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text[:1].isalpha() else '"')


_Dumper.add_representer(str, _quoted)
