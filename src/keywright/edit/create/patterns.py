"""Access patterns as statements: the inverse of `frontend/patterns`, for the kinds that `adopt` finds."""

from collections.abc import Sequence

from keywright.declare.declared import Declared
from keywright.engines.contract.naming import camel_case
from keywright.ir.pattern import ConstantCondition, Pattern

from .expression import Bracketed, Expression, call, laid_out
from .values import literal, number, text

_NAMED = ("eq", "one_of", "range", "prefix", "contains", "search", "near", "order", "sets", "unset")
"""Options that name fields."""

_ORDER = (
    "eq", "one_of", "range", "excludes", "prefix", "contains", "search", "near", "where", "group", "order", "scan",
    "limit", "sets", "unset", "if_absent", "ttl", "consistency",
)  # fmt: skip
"""The options in the order in which they are written."""


def statement(pattern: Pattern, variable: str, model: str, width: int, comment: str, group: str = "") -> str:
    """The assignment of a pattern to its variable, with a comment above it or beside it.

    model: the class of its entity. group: the variable of its consumer group.
    """
    words: dict[str, Expression] = {name: _names(value) for name in _NAMED if (value := _of(pattern, name))}
    if pattern.where:
        tests = ((f"{text(condition.field)}: ", _condition(condition)) for condition in pattern.where)
        words["where"] = Bracketed("", "{}", tuple(tests))
    is_default = pattern.kind == "take" and pattern.limit == 1
    words |= {"limit": number(pattern.limit)} if pattern.limit is not None and not is_default else {}
    words |= {"consistency": text(pattern.consistency)} if pattern.consistency != "eventual" else {}
    words |= {"scan": "True"} if pattern.scans else {}
    words |= {"group": group} if group else {}
    words |= {"excludes": text(pattern.excludes)} if pattern.excludes else {}
    words |= {"if_absent": "True"} if pattern.if_absent else {}
    words |= {"ttl": text("given")} if pattern.is_ttl_given else {}
    words = {name: words[name] for name in _ORDER if name in words}
    subjects = (model, text(pattern.field)) if pattern.field else (model,)
    lines = laid_out(f"{variable} = ", call(f"kw.{pattern.kind.capitalize()}", *subjects, **words), "", width)
    beside = f"{lines}  # {comment}"
    if not comment or ("\n" not in lines and len(beside) <= width):
        return beside if comment else lines
    parts = [comment] if len(f"# {comment}") <= width else comment.split("; ")
    return "\n".join((*(f"# {part}" for part in parts), lines))


def _of(pattern: Pattern, name: str) -> tuple[str, ...]:
    """The fields of an option."""
    value: str | tuple[str, ...] | None = getattr(pattern, name)
    return (value,) if isinstance(value, str) else value or ()


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
