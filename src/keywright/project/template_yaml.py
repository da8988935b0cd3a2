"""YAML documents of other tools as JSON, with the short tags of CloudFormation."""

import json
from typing import Any

import yaml


class _NoAlias(yaml.YAMLError):
    """A document with aliases, which few lines can make too large to expand."""


class _Loader(yaml.SafeLoader):
    """A loader for untrusted text: unknown tags are names, times are texts, and aliases are rejected."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """See `yaml.composer.Composer.compose_node`."""
        if self.check_event(yaml.AliasEvent):
            raise _NoAlias
        node: yaml.Node | None = super().compose_node(parent, index)
        return node


def json_of_yaml(text: str) -> str | None:
    """A YAML mapping as JSON; None if the text is no such mapping.

    `!Ref a` becomes `{"Ref": "a"}`, and `!Sub a` becomes `{"Fn::Sub": "a"}`, as in the long form of CloudFormation.
    """
    try:
        document = yaml.load(text, _Loader)
        return json.dumps(document, default=str) if isinstance(document, dict) else None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return None


def _tagged(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    match node:
        case yaml.ScalarNode():
            value: Any = loader.construct_scalar(node)
        case yaml.SequenceNode():
            value = loader.construct_sequence(node, deep=True)
        case _:
            value = loader.construct_mapping(node, deep=True) if isinstance(node, yaml.MappingNode) else None
    name = suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}"
    return {name: value.split(".", 1) if suffix == "GetAtt" and isinstance(value, str) else value}


_Loader.add_multi_constructor("!", _tagged)


def _time_as_text(loader: _Loader, node: yaml.Node) -> str:
    return str(node.value)


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _time_as_text)
