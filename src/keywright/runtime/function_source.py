"""Python functions written as text and compiled once: faster than looking at types for every item."""

from collections.abc import Callable
from typing import Any


class Source:
    """The text of some functions and the names that it uses; every such name begins with `_`, local ones do not."""

    def __init__(self) -> None:
        self._functions: list[str] = []
        self._names: dict[str, Any] = {}
        self._scope: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The functions as a person would read them."""
        return "\n\n\n".join(self._functions) + "\n"

    def use(self, value: object, hint: str = "value") -> str:
        """A name for a value in the text, like the hint if that is free; the same value has one name."""
        for name, known in self._names.items():
            if known is value:
                return name
        stem = "_" + "".join(sign if sign.isalnum() and sign.isascii() else "_" for sign in hint)
        name = stem if stem not in self._names else f"{stem}_{len(self._names)}"
        self._names[name] = value
        return name

    def fresh(self, hint: str) -> str:
        """A name that nothing else has."""
        return self.use(object(), hint)

    def define(self, head: str, body: list[str]) -> None:
        """Add a function: `def <head>:` with the lines of its body."""
        self._functions.append("\n".join([f"def {head}:", *(f"    {line}" for line in body or ["pass"])]))

    def compile(self, name: str) -> Callable[..., Any]:
        """The function of that name; all are defined by then."""
        if self._scope is None:
            self._scope = dict(self._names)
            exec(compile(self.text, "<keywright codec>", "exec"), self._scope)
        made: Callable[..., Any] = self._scope[name]
        return made


def display(name: str, body: list[str]) -> list[str]:
    """The lines that fill a new dictionary: what is always there as one display, which is faster, then all else."""
    start, between = f"{name}[", "] = "
    always = [line for line in body if line.startswith(start)]
    pairs = (line.removeprefix(start).partition(between) for line in always)
    shown = [f"    {key}: {value}," for key, _, value in pairs]
    made = [f"{name} = {{", *shown, "}"] if shown else [f"{name} = {{}}"]
    return [*made, *(line for line in body if not line.startswith(start))]
