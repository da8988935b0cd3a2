"""Access patterns as statements: the inverse of `frontend/patterns`, for reads."""

from collections.abc import Sequence

from keywright.declare.declared import Declared
from keywright.engines.contract.naming import camel_case
from keywright.ir.pattern import ConstantCondition, Pattern

from .expression import Bracketed, Expression, call, laid_out
from .values import literal, number, text


def statement(pattern: Pattern, width: int, comment: str) -> str:
    """The assignment of a pattern to its variable, with a comment above it or beside it."""
    words: dict[str, Expression] = {}
    words |= {"eq": _names(pattern.eq)} if pattern.eq else {}
    words |= {"range": text(pattern.range)} if pattern.range is not None else {}
    if pattern.where:
        tests = ((f"{text(condition.field)}: ", _condition(condition)) for condition in pattern.where)
        words["where"] = Bracketed("", "{}", tuple(tests))
    words |= {"order": _names(pattern.order)} if pattern.order else {}
    words |= {"limit": number(pattern.limit)} if pattern.limit is not None else {}
    created = call(f"kw.{pattern.kind.capitalize()}", pattern.binding, **words)
    lines = laid_out(f"{pattern.name} = ", created, "", width)
    beside = f"{lines}  # {comment}"
    if not comment or ("\n" not in lines and len(beside) <= width):
        return beside if comment else lines
    return f"# {comment}\n{lines}"


def _names(names: Sequence[str]) -> Expression:
    return text(names[0]) if len(names) == 1 else Bracketed("", "[]", tuple(("", text(name)) for name in names))


def _condition(condition: ConstantCondition) -> Expression:
    values = [literal(value, _no_variable) for value in condition.values]
    match condition.test:
        case "equals":
            return values[0]
        case "one_of":
            return call("kw.OneOf", Bracketed("", "[]", tuple(("", value) for value in values)))
        case _:
            return call(f"kw.{camel_case(condition.test)}", *values)


def _no_variable(declared: Declared) -> None:
    return None
