"""Searches: queries of an index with the values of a call as parameters, page by page."""

import struct
from collections.abc import Callable
from typing import Any

from keywright.access.query import Condition
from keywright.declare.answers import Page
from keywright.engines.redis.access.search_calls import Search, SearchTerm
from keywright.errors import UsageError
from keywright.ir.attribute import Attribute, Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.residual_filter import Judge
from keywright.runtime.validate.arguments import Arguments, argument

from .. import values
from ..client_types import RedisClient
from ..write import Writer
from . import cursor
from .places import around

CHUNK = 100
"""The least number of items to request if conditions are checked on items, or if all are wanted."""

_WORDS_OF_QUERIES = frozenset(r",.<>{}[]\"':;!@#$%^&*()-+=~/|?`")
"""Signs between the words of a text, by which the server separates them too.
Source: https://redis.io/docs/latest/develop/ai/search-and-query/advanced-concepts/escaping, 2026-11-28."""

Params = list[Any]
"""Names and values in turn."""
Fill = Callable[[Arguments, Params], str]
"""Adds the values of a call to the parameters, and returns the text of the query; empty if nothing can be found."""


def searched(
    call: Search, pattern: Pattern, binding: Binding[Any], make: Callable[[Any], Any],
    test: Callable[[Arguments], Judge] | None,
) -> Callable[[RedisClient, Arguments], Page[Any]]:  # fmt: skip
    """A function from a client and a call to a page; a place is the number of results before it.

    make: a function from a key and the client's answer to an instance. test: the filter of conditions that are
    checked on items.
    """
    query = _query(call, binding)
    near = around(call) if call.near is not None else None

    def page(client: RedisClient, arguments: Arguments) -> Page[Any]:
        limit = arguments.limit
        if limit is not None and limit < 1:
            raise UsageError(f"a page has at least one item, not {limit}", "omit limit=, or raise it")
        params: Params = []
        text = query(arguments, params)
        offset = 0 if arguments.cursor is None else cursor.read(pattern, arguments.cursor)
        keep = test(arguments) if test else None
        items: list[Any] = []
        while text is not None:
            count = CHUNK if limit is None else limit - len(items) if test is None else max(limit, CHUNK)
            if call.nearest is not None:
                offset, count = 0, limit or CHUNK
            if near is not None:
                total, results = near(client, arguments, text, params, offset, count)
            else:
                total, results = _sent(client, call, text, params, offset, count)
            for at, (key, value) in enumerate(results, 1):
                item = make((key, value)) if value is not None else None  # None: it was removed in the meantime
                if item is not None and (keep is None or keep(item)):
                    items.append(item)
                if len(items) == limit and (at < len(results) or offset + at < total):
                    is_end = call.nearest is not None or offset + at >= total
                    return Page(tuple(items), None if is_end else cursor.written(pattern, offset + at))
            offset += len(results)
            if call.nearest is not None or not results or offset >= total:
                break
        return Page(tuple(items))

    return page


def counted_by(call: Search, binding: Binding[Any]) -> Callable[[RedisClient, Arguments], int]:
    """A function from a client and a call to the number of items that the index finds."""
    query = _query(call, binding)

    def count(client: RedisClient, arguments: Arguments) -> int:
        params: Params = []
        text = query(arguments, params)
        return 0 if text is None else _sent(client, call, text, params, 0, 0)[0]

    return count


def _sent(
    client: RedisClient, call: Search, text: str, params: Params, offset: int, count: int
) -> tuple[int, list[tuple[Any, Any]]]:
    """(number of all results, key and value of those in the page)."""
    words: list[Any] = ["FT.SEARCH", call.index, text]
    if call.nearest is not None:
        words += ["SORTBY", _DISTANCE]
    elif call.order:
        words += ["SORTBY", call.order, "DESC" if call.is_descending else "ASC"]
    words += ["LIMIT", offset, count]
    if params:
        words += ["PARAMS", len(params), *params]
    # Without TIMEOUT 0, a server that is busy answers with a part of the results, without an error.
    return _answer(client.execute_command(*words, "TIMEOUT", 0, "DIALECT", 2), is_json=call.structure.kind == "json")


_DISTANCE = "__distance"


def _answer(reply: Any, *, is_json: bool) -> tuple[int, list[tuple[Any, Any]]]:
    """The results in an answer of the second or the third version of the protocol."""
    if isinstance(reply, dict):
        plain = {values.to_text(name): value for name, value in reply.items()}
        results = [{values.to_text(name): value for name, value in result.items()} for result in plain["results"]]
        pairs = [(result["id"], result.get("extra_attributes")) for result in results]
        return int(plain["total_results"]), [(key, _value(fields, is_json=is_json)) for key, fields in pairs]
    total, *rest = reply
    if not rest:
        return int(total), []
    rows = zip(rest[::2], rest[1::2], strict=True)
    return int(total), [(key, _value(_mapping(fields), is_json=is_json)) for key, fields in rows]


def _mapping(fields: Any) -> dict[Any, Any] | None:
    return None if fields is None else dict(zip(fields[::2], fields[1::2], strict=True))


def _value(fields: dict[Any, Any] | None, *, is_json: bool) -> Any:
    """The stored item: the text of a document, or the fields of a hash; None for an item that is gone."""
    if not fields:
        return None
    named = {values.to_text(name): value for name, value in fields.items()}
    named.pop(_DISTANCE, None)
    return named.get("$") if is_json else named


def _query(call: Search, binding: Binding[Any]) -> Callable[[Arguments, Params], str | None]:
    """A function from a call to the text of its query; None if nothing can be found."""
    fills = [_fill(term, number, binding) for number, term in enumerate(call.terms)]
    nearest = call.nearest

    def query(arguments: Arguments, params: Params) -> str | None:
        texts = [fill(arguments, params) for fill in fills]
        if not all(texts):
            return None
        text = " ".join(texts) or "*"
        if nearest is None:
            return text
        (vector,) = arguments.of(nearest.condition)
        if vector is None:
            name = nearest.condition.field
            raise UsageError(f'"{name}" is None, and a search needs a vector', f"write {name}=[...]")
        params += ["vector", struct.pack(f"<{len(vector)}f", *vector), "count", arguments.limit or CHUNK]
        return f"({text})=>[KNN $count @{nearest.attribute} $vector AS {_DISTANCE}]"

    return query


def _fill(term: SearchTerm, number: int, binding: Binding[Any]) -> Fill:
    if term.kind == "TEXT":
        return lambda arguments, params: _words(term, number, arguments, params)
    path = resolve(binding.entity.attributes, term.condition.field)
    convert = _text_of(path[-1], binding) if path else str
    if term.kind == "TAG":
        return lambda arguments, params: _tags(term, number, convert, arguments, params)
    return lambda arguments, params: _numbers(term, number, arguments, params)


def _text_of(attribute: Attribute, binding: Binding[Any]) -> Callable[[Any], Any]:
    """A function from a value to its text in an index."""
    source = FunctionSource()
    kind = attribute.type.element if isinstance(attribute.type, Many) else attribute.type
    return source.compile(Writer(binding, source).text(kind))


def _words(term: SearchTerm, number: int, arguments: Arguments, params: Params) -> str:
    """A search for any of the words of a text."""
    text = str(arguments.of(term.condition)[0])
    words = "".join(" " if sign in _WORDS_OF_QUERIES else sign for sign in text).split()
    names = [f"w{number}x{at}" for at in range(len(words))]
    params += [part for pair in zip(names, words, strict=True) for part in pair]
    return f"@{term.attribute}:({'|'.join(f'${name}' for name in names)})" if names else ""


def _tags(term: SearchTerm, number: int, convert: Callable[[Any], Any], arguments: Arguments, params: Params) -> str:
    operands = [convert(value) for value in arguments.of(term.condition) if _is_given(value, term.condition)]
    # An index contains no empty text. Of a hash, it ignores blanks around one.
    stripped = [value.strip(" \t\n\v\f\r") for value in operands] if term.separator else operands
    texts = [text for text in stripped if text]
    if len(texts) < len(operands):
        problem = f'"{term.condition.field}" is an empty text, which an index does not contain'
        raise UsageError(problem, f"pass another value for {argument(term.condition.field)}")
    if term.separator and any(term.separator in text for text in texts):
        problem = f'"{term.condition.field}" contains {term.separator!r}, which separates values in its index'
        raise UsageError(problem, "declare another separator= of its kw.SearchField")
    names = [f"t{number}x{at}" for at in range(len(texts))]
    params += [part for pair in zip(names, texts, strict=True) for part in pair]
    start = f"@{term.attribute}"
    if term.condition.kind == "all_of":
        return " ".join(f"{start}:{{${name}}}" for name in names)
    sign = "-" if term.condition.kind == "not" else ""
    return f"{sign}{start}:{{{'|'.join(f'${name}' for name in names)}}}" if names else ""


def _is_given(value: Any, condition: Condition) -> bool:
    if value is None and condition.kind != "one_of":
        name = condition.field
        raise UsageError(f'"{name}" is None, which an index does not contain', f"pass a value for {argument(name)}")
    return value is not None


def _numbers(term: SearchTerm, number: int, arguments: Arguments, params: Params) -> str:
    condition, start = term.condition, f"@{term.attribute}"
    operands = list(arguments.of(condition))
    if condition.kind == "between":
        first, last = operands
        low = "-inf" if first is None else f"{'(' if condition.excludes_first else ''}$n{number}x0"
        high = "+inf" if last is None else f"{'(' if condition.excludes_last else ''}$n{number}x1"
        for at, end in enumerate((first, last)):
            params += [] if end is None else [f"n{number}x{at}", _real(end)]
        return f"{start}:[{low} {high}]"
    numbers = [_real(value) for value in operands if _is_given(value, condition)]
    names = [f"n{number}x{at}" for at in range(len(numbers))]
    params += [part for pair in zip(names, numbers, strict=True) for part in pair]
    if not names:
        return ""
    name = f"${names[0]}"
    match condition.kind:
        case "at_least":
            return f"{start}:[{name} +inf]"
        case "above":
            return f"{start}:[({name} +inf]"
        case "at_most":
            return f"{start}:[-inf {name}]"
        case "below":
            return f"{start}:[-inf ({name}]"
        case "not":
            return f"-{start}:[{name} {name}]"
    return "(" + "|".join(f"{start}:[${name} ${name}]" for name in names) + ")"


def _real(value: Any) -> str:
    return repr(float(value)) if isinstance(value, float) else str(value)
