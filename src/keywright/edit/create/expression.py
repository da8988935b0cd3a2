"""Python expressions as trees, laid out within a line length as the usual formatters do."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from keywright.record import Record, replace

from ..source import INDENT


class Bracketed(Record):
    """A call, a subscript, a list or a dictionary."""

    head: str
    """Text before the opening bracket, such as `kw.Item`; empty for a list or a dictionary."""
    brackets: Literal["()", "[]", "{}"]
    """The brackets."""
    elements: tuple[tuple[str, "Expression"], ...]
    """(prefix such as `pk=` or `"name": `, expression) in order."""
    tail: str = ""
    """Text after the closing bracket, such as ` | None`."""


Expression: TypeAlias = str | Bracketed
"""An expression: an atom as text, or elements between brackets."""


def call(function: str, *positional: Expression, **named: Expression) -> Bracketed:
    """A call of a function."""
    elements = [("", value) for value in positional] + [(f"{name}=", value) for name, value in named.items()]
    return Bracketed(function, "()", tuple(elements))


def subscript(head: str, *elements: Expression) -> Bracketed:
    """A type with arguments, such as `Annotated[str, ...]`."""
    return Bracketed(head, "[]", tuple(("", element) for element in elements))


def flat(expression: Expression) -> str:
    """The expression on one line."""
    if isinstance(expression, str):
        return expression
    opening, closing = expression.brackets
    inner = ", ".join(f"{prefix}{flat(element)}" for prefix, element in expression.elements)
    return f"{expression.head}{opening}{inner}{closing}{expression.tail}"


def laid_out(before: str, expression: Expression, after: str, width: int, indent: str = "") -> str:
    """Statement or element `before expression after`; its elements go on further lines if it is longer than `width`."""
    text = f"{indent}{before}{flat(expression)}{after}"
    if len(text) <= width or isinstance(expression, str) or not expression.elements:
        return text
    if expression.tail:
        return _in_parentheses(before, expression, after, width, indent)
    opening, closing = expression.brackets
    lines = [f"{indent}{before}{expression.head}{opening}", *_inner(expression, width, indent + INDENT)]
    return "\n".join((*lines, f"{indent}{closing}{after}"))


def _in_parentheses(before: str, expression: Bracketed, after: str, width: int, indent: str) -> str:
    """An expression with a tail, such as ` | None`, which has its own line if both are too long for a single line."""
    inner = indent + INDENT
    together = f"{inner}{flat(expression)}"
    if len(together) > width:
        alone = laid_out("", replace(expression, tail=""), "", width, inner)
        together = f"{alone}\n{inner}{expression.tail.strip()}"
    return f"{indent}{before}(\n{together}\n{indent}){after}"


def _inner(expression: Bracketed, width: int, indent: str) -> Iterator[str]:
    """The elements on one line, or each on its own."""
    together = indent + ", ".join(f"{prefix}{flat(element)}" for prefix, element in expression.elements)
    is_display = not expression.head  # formatters put each element of a list or dictionary on its own line
    if len(together) + is_display <= width and (not is_display or len(expression.elements) == 1):
        yield f"{together}," if is_display else together
    else:
        yield from (laid_out(prefix, element, ",", width, indent) for prefix, element in expression.elements)
