"""Python functions as text, compiled once, which is faster than inspecting types for every item."""

from collections.abc import Callable
from typing import Any


class FunctionSource:
    """The text of functions and the names that it uses; these begin with `_`, local names do not."""

    def __init__(self) -> None:
        self._functions: list[str] = []
        self._names: dict[str, Any] = {}
        self._scope: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The source text of all functions."""
        return "\n\n\n".join(self._functions) + "\n"

    def use(self, value: object, hint: str = "value") -> str:
        """The name of a value in the text, made from the hint; the same value always gets the same name."""
        for name, used_value in self._names.items():
            if used_value is value:
                return name
        stem = "_" + "".join(character if character.isalnum() and character.isascii() else "_" for character in hint)
        name = stem if stem not in self._names else f"{stem}_{len(self._names)}"
        self._names[name] = value
        return name

    def fresh(self, hint: str) -> str:
        """A new unique name."""
        return self.use(object(), hint)

    def define(self, head: str, body: list[str]) -> None:
        """Add a function: `def <head>:` with the lines of its body."""
        self._functions.append("\n".join([f"def {head}:", *(f"    {line}" for line in body or ["pass"])]))

    def compile(self, name: str) -> Callable[..., Any]:
        """The compiled function of a name; all functions must be defined before."""
        if self._scope is None:
            self._scope = dict(self._names)
            exec(compile(self.text, "<keywright codec>", "exec"), self._scope)
        function: Callable[..., Any] = self._scope[name]
        return function


def display(name: str, body: list[str]) -> list[str]:
    """Lines that fill a new dictionary: unconditional entries in a literal, which is faster, then the other lines."""
    assignment, between = f"{name}[", "] = "
    unconditional = [line for line in body if line.startswith(assignment)]
    pairs = (line.removeprefix(assignment).partition(between) for line in unconditional)
    entries = [f"    {key}: {value}," for key, _, value in pairs]
    literal = [f"{name} = {{", *entries, "}"] if entries else [f"{name} = {{}}"]
    return [*literal, *(line for line in body if not line.startswith(assignment))]
