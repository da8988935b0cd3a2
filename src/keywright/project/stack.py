"""A stack file as plain values that remember their line."""

from dataclasses import dataclass
from pathlib import Path

import yaml

from keywright.errors import DeclarationError, Place


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
        loader = yaml.SafeLoader(file.read_text())
        node = loader.get_single_node()
        return _value(loader, node, file) if node else Value({}, Place(str(file), 1), Place(str(file), 1))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f"not valid YAML: {error.problem or error.context}"
        place = Place(str(file), mark.line + 1 if mark else 0)
        raise DeclarationError("E0403", problem, place, "correct the indentation, quotes or braces") from None
    except yaml.YAMLError as error:
        raise DeclarationError("E0403", f"not valid YAML: {error}", Place(str(file), 0)) from None


def _value(loader: yaml.SafeLoader, node: yaml.Node, file: Path, key: yaml.Node | None = None) -> Value:
    at = Place(str(file), node.start_mark.line + 1)
    key_at = Place(str(file), key.start_mark.line + 1) if key else at
    if isinstance(node, yaml.MappingNode):
        loader.flatten_mapping(node)
        entries: dict[str, Value] = {}
        for name, inner in node.value:
            word = str(loader.construct_object(name))
            if word in entries:
                place = Place(str(file), name.start_mark.line + 1)
                raise DeclarationError("E0401", f'"{word}" is said twice', place, "keep one of them")
            entries[word] = _value(loader, inner, file, name)
        return Value(entries, at, key_at)
    if isinstance(node, yaml.SequenceNode):
        return Value([_value(loader, inner, file) for inner in node.value], at, key_at)
    return Value(loader.construct_object(node), at, key_at)
