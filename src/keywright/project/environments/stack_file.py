"""Reads a stack file as plain values with their lines."""

from pathlib import Path
from typing import Any

import yaml

from keywright.errors import NOWHERE, DeclarationError, Place
from keywright.record import Record


class YamlValue(Record):
    """One value of a YAML file."""

    data: "str | int | float | bool | list[YamlValue] | dict[str, YamlValue] | None"
    """The value itself."""
    at: Place
    """Its place."""
    key_at: Place
    """Place of its key; the value's own place if it has no key."""


def read_stack(file: Path) -> YamlValue:
    """The file's contents; a DeclarationError names the line of invalid YAML."""
    try:
        loader = yaml.SafeLoader(file.read_text(encoding="utf-8"))
        node = loader.get_single_node()
        return _Reader(loader, file).value(node) if node else YamlValue({}, Place(str(file), 1), Place(str(file), 1))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f"the file is not valid YAML: {_sentence(error)}"
        place = Place(str(file), mark.line + 1 if mark else 0)
        raise DeclarationError("E0403", problem, place, "correct the indentation, quotes or braces") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        problem = "the file is not text in UTF-8, or contains characters that YAML forbids"
        raise DeclarationError("E0403", problem, Place(str(file), 0), "save it as UTF-8") from None


def plain_value(source: object) -> YamlValue:
    """Plain data as values without a place."""
    if isinstance(source, dict):
        data: Any = {str(key): plain_value(value) for key, value in source.items()}
    else:
        data = [plain_value(value) for value in source] if isinstance(source, list) else source
    return YamlValue(data, NOWHERE, NOWHERE)


def _sentence(error: yaml.MarkedYAMLError) -> str:
    """The parser's error in one sentence, with its context if the problem alone is incomplete."""
    problem = error.problem or error.context or "it cannot be parsed"
    return f"{error.context}, {problem}" if problem.startswith("but ") else problem


class _Reader:
    """Converts the nodes of one file to values."""

    def __init__(self, loader: yaml.SafeLoader, file: Path) -> None:
        self._loader, self._file = loader, file
        self._open: set[int] = set()

    def value(self, node: yaml.Node, key: yaml.Node | None = None) -> YamlValue:
        """A node with all nodes below it; key: the node of its key, if it has one."""
        if id(node) in self._open:
            problem = "an anchor is used inside its own value"
            raise DeclarationError("E0403", problem, self._at(node), "write the value out, without the alias")
        self._open.add(id(node))
        try:
            return YamlValue(self._data(node), self._at(node), self._at(key or node))
        finally:
            self._open.discard(id(node))

    def _data(self, node: yaml.Node) -> "str | int | float | bool | list[YamlValue] | dict[str, YamlValue] | None":
        if isinstance(node, yaml.MappingNode):
            self._reject_duplicate_keys(node)
            # This puts the keys of `<<` first, so that the mapping's own keys take precedence.
            self._loader.flatten_mapping(node)
            return {str(self._loader.construct_object(name)): self.value(inner, name) for name, inner in node.value}
        if isinstance(node, yaml.SequenceNode):
            return [self.value(inner) for inner in node.value]
        plain: str | int | float | bool | None = self._loader.construct_object(node)
        return plain

    def _reject_duplicate_keys(self, node: yaml.MappingNode) -> None:
        keys: set[str] = set()
        for name, _ in node.value:
            key = str(name.value)
            if key in keys:
                raise DeclarationError("E0404", f'the key "{key}" occurs twice', self._at(name), "keep one of them")
            keys.add(key)

    def _at(self, node: yaml.Node) -> Place:
        return Place(str(self._file), node.start_mark.line + 1)
