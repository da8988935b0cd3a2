"""Python functions written as text and compiled once: faster than looking at types for every item."""

from collections.abc import Callable
from typing import Any


class Source:
    """The text of some functions and the names that it uses."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._names: dict[str, Any] = {}

    def use(self, value: object, hint: str = "value") -> str:
        """A name for a value in the text; the same value has one name."""
        for name, known in self._names.items():
            if known is value:
                return name
        stem = "".join(sign if sign.isalnum() else "_" for sign in hint)
        name = f"_{stem}_{len(self._names)}"
        self._names[name] = value
        return name

    def fresh(self, hint: str) -> str:
        """A name that nothing else has."""
        return self.use(object(), hint)

    def define(self, head: str, body: list[str]) -> None:
        """Add a function: `def <head>:` with the lines of its body."""
        self._lines += [f"def {head}:", *(f"    {line}" for line in body or ["pass"])]

    def compile(self, name: str) -> Callable[..., Any]:
        """The function of that name."""
        scope = dict(self._names)
        exec(compile("\n".join(self._lines), f"<keywright {name}>", "exec"), scope)
        made: Callable[..., Any] = scope[name]
        return made
