"""Conditions on the sort key in readable form: of one entity, or of several that one request reads."""

from collections.abc import Callable
from itertools import takewhile
from typing import TypeAlias

from keywright.access.path import AccessPath
from keywright.access.query import Condition, arguments_of_parts
from keywright.access.search import Planned

from ..schema.target import TableTarget
from .calls import QueryItems, Span
from .wording import ShownExpression, filled_text, placeholder, prefix_of, worded

Shown: TypeAlias = Callable[[ShownExpression], str]
"""Function that adds a condition to an expression; an empty text for no condition."""

_HIGHEST = "{highest}"
"""Stands for the last character of the Unicode order, after which no text with the prefix follows."""


def span_test(expression: ShownExpression, span: Span) -> str:
    """Condition on a sort key attribute; empty if the whole attribute is read."""
    reading, word = span.reading, worded(span.attribute)
    prefix, lone = prefix_of(reading.template, reading.slots), reading.template.lone
    if reading.is_one:
        text = prefix if lone is None else f":{lone.path}"
        return f"{expression.name((span.attribute,))} = {expression.value(word, span.native, text)}"
    if reading.range:
        ends = _ends(span, prefix)
        low, high = (
            expression.value(f"{word}_{end}", span.native, text) for end, text in zip(("from", "to"), ends, strict=True)
        )
        return f"{expression.name((span.attribute,))} BETWEEN {low} AND {high}"
    if reading.prefix is not None:
        prefix += _given_prefix(reading.prefix)
    if not prefix:
        return ""
    return f"begins_with({expression.name((span.attribute,))}, {expression.value(word, span.native, prefix)})"


def _given_prefix(condition: Condition) -> str:
    """The beginning that a caller passes, or that the declaration contains."""
    return f":{condition.field}" if condition.constants is None else str(condition.constants[0])


def _ends(span: Span, prefix: str) -> tuple[str, str]:
    """Texts of the two ends of a range."""
    reading = span.reading
    path = reading.range[0].field
    if reading.template.lone is not None or reading.next is None:
        return f":{path}.from", f":{path}.to"
    inner = placeholder(reading.next)[:-1]
    return f"{prefix}{inner} from}}", f"{prefix}{inner} to}}"


def together_test(planned: Planned[TableTarget], query: QueryItems) -> Shown:
    """Condition that covers the sort keys of all entities of one request."""
    attribute = query.sorts[len(query.equal)] if len(query.sorts) > len(query.equal) else ""
    if not attribute:
        return lambda expression: ""
    arguments = arguments_of_parts(planned.pattern.parts)
    paths = zip(planned.access_path.parts, arguments, strict=True)
    ends = list(dict.fromkeys(_ends_of(path, attribute, names) for path, names in paths))
    native = _native(planned.access_path.parts[0], attribute)

    def test(expression: ShownExpression) -> str:
        if any(end is None for end in ends):
            return ""
        lows, highs = ([end[side] for end in ends if end is not None] for side in (0, 1))
        name, word = expression.name((attribute,)), worded(attribute)
        if len(ends) == 1 and lows[0] == highs[0]:
            return f"{name} = {expression.value(word, native, lows[0])}"
        low, high = _outermost(lows, min), _outermost(highs, max)
        if high == low + _HIGHEST:
            return f"begins_with({name}, {expression.value(word, native, low)})" if low else ""
        from_ = expression.value(f"{word}_from", native, low)
        return f"{name} BETWEEN {from_} AND {expression.value(f'{word}_to', native, high)}"

    return test


def _ends_of(path: AccessPath, attribute: str, arguments: dict[str, str]) -> tuple[str, str] | None:
    """First and last text of one entity's sort keys, with arguments of the call; None for all texts."""
    call = path.call
    assert isinstance(call, QueryItems)
    filling = next((filling for filling in call.equal if filling.attribute == attribute), None)
    if filling is not None:
        text = _renamed(filled_text(filling), arguments)
        return text, text
    span = call.span
    if span is None or span.attribute != attribute:
        return None
    prefix = prefix_of(span.reading.template, span.reading.slots)
    if span.reading.range:
        low, high = (_renamed(text, arguments) for text in _ends(span, prefix))
        return low, high
    if span.reading.prefix is not None:
        prefix += _given_prefix(span.reading.prefix)
    return (_renamed(prefix, arguments), _renamed(prefix, arguments) + _HIGHEST) if prefix else None


def _renamed(text: str, arguments: dict[str, str]) -> str:
    for field, name in arguments.items():
        text = text.replace(f"{{{field}}}", f"{{{name}}}").replace(f"{{{field}:", f"{{{name}:")
        text = f":{name}" if text == f":{field}" else text
    return text


def _outermost(texts: list[str], choose: Callable[[list[str]], str]) -> str:
    """The first or last of some texts; if values of the call decide, all of them."""
    distinct = list(dict.fromkeys(texts))
    common = "".join(
        letters[0] for letters in takewhile(lambda letters: len(set(letters)) == 1, zip(*distinct, strict=False))
    )
    rests = [text[len(common) :] for text in distinct]
    is_inside = common.count("{") > common.count("}") or common.startswith(":")
    is_open = is_inside or any(rest.startswith(("{", ":")) and not rest.startswith(_HIGHEST) for rest in rests)
    if len(distinct) > 1 and is_open:
        return f"{{{'least' if choose is min else 'greatest'} of {', '.join(distinct)}}}"
    return choose(distinct)


def _native(path: AccessPath, attribute: str) -> str:
    call = path.call
    assert isinstance(call, QueryItems)
    filling = next((filling for filling in call.equal if filling.attribute == attribute), None)
    if filling is not None:
        return filling.native
    return call.span.native if call.span is not None and call.span.attribute == attribute else "S"
