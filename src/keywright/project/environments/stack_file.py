"""A stack file as plain values that remember their line."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from keywright.errors import NOWHERE, DeclarationError, Place


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a YAML file."""

    data: "str | int | float | bool | list[Value] | dict[str, Value] | None"
    """What it is."""
    at: Place
    """Where it stands."""
    key_at: Place
    """Where its key stands; the value's own place if it has none."""


def read_stack(file: Path) -> Value:
    """The file's contents; a DeclarationError names the line of what is not valid YAML."""
    try:
        loader = yaml.SafeLoader(file.read_text(encoding="utf-8"))
        node = loader.get_single_node()
        return _Reading(loader, file).value(node) if node else Value({}, Place(str(file), 1), Place(str(file), 1))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f"the file is not valid YAML: {_sentence(error)}"
        place = Place(str(file), mark.line + 1 if mark else 0)
        raise DeclarationError("E0403", problem, place, "correct the indentation, quotes or braces") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        problem = "the file is not text in UTF-8, or holds characters that YAML forbids"
        raise DeclarationError("E0403", problem, Place(str(file), 0), "save it as UTF-8") from None


def plain_value(told: object) -> Value:
    """Plain data as values that stand nowhere."""
    if isinstance(told, dict):
        data: Any = {str(key): plain_value(one) for key, one in told.items()}
    else:
        data = [plain_value(one) for one in told] if isinstance(told, list) else told
    return Value(data, NOWHERE, NOWHERE)


def _sentence(error: yaml.MarkedYAMLError) -> str:
    """What is wrong, in one sentence; some of the parser's begin in its context."""
    problem = error.problem or error.context or "it cannot be parsed"
    return f"{error.context}, {problem}" if problem.startswith("but ") else problem


class _Reading:
    """Nodes of one file into values."""

    def __init__(self, loader: yaml.SafeLoader, file: Path) -> None:
        self._loader, self._file = loader, file
        self._open: set[int] = set()

    def value(self, node: yaml.Node, key: yaml.Node | None = None) -> Value:
        """A node with what is below it; key: the node of its key, if it has one."""
        if id(node) in self._open:
            problem = "an anchor is used inside what it names"
            raise DeclarationError("E0403", problem, self._at(node), "write the value out, without the alias")
        self._open.add(id(node))
        try:
            return Value(self._data(node), self._at(node), self._at(key or node))
        finally:
            self._open.discard(id(node))

    def _data(self, node: yaml.Node) -> "str | int | float | bool | list[Value] | dict[str, Value] | None":
        if isinstance(node, yaml.MappingNode):
            self._refuse_twins(node)
            self._loader.flatten_mapping(node)  # puts what `<<` merges in first, so that the mapping's own keys win
            return {str(self._loader.construct_object(name)): self.value(inner, name) for name, inner in node.value}
        if isinstance(node, yaml.SequenceNode):
            return [self.value(inner) for inner in node.value]
        plain: str | int | float | bool | None = self._loader.construct_object(node)
        return plain

    def _refuse_twins(self, node: yaml.MappingNode) -> None:
        seen: set[str] = set()
        for name, _ in node.value:
            word = str(name.value)
            if word in seen:
                raise DeclarationError("E0404", f'"{word}" is said twice', self._at(name), "keep one of them")
            seen.add(word)

    def _at(self, node: yaml.Node) -> Place:
        return Place(str(self._file), node.start_mark.line + 1)
