"""A statement of CQL that reads or writes rows, as a request without values."""

from collections.abc import Collection, Iterator

from keywright.engines.contract.requests import SeenRequest
from keywright.record import Record

from .cql_tokens import Cursor, UnexpectedToken, statements

_ENDS = frozenset(("", "and", "order", "limit", "allow", "per", "group", "if", "using", "where", "set", ",", "with"))
"""Words before which a value ends."""

_BEFORE_TABLE = {"select": "from", "insert": "into", "update": "update", "delete": "from"}
"""The word before the table, by the first word of a statement."""

_COMPARISONS = frozenset(("=", "in", "<", "<=", ">", ">=", "contains"))
"""Operators that patterns have."""

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class _Condition(Record):
    """A condition of a WHERE clause."""

    column: str
    """The column."""
    operator: str
    """Comparison in small letters."""


def read_statement(text: str, counters: Collection[str]) -> SeenRequest | None:
    """The request of a text; None for statements of other kinds; UnexpectedToken for a form without a pattern.

    counters: columns whose additions are increments.
    """
    statement = next(statements(text), None)
    cursor = Cursor(statement.tokens if statement else ())
    if cursor.skips("select"):
        return _select(cursor)
    if cursor.skips("insert", "into"):
        return _insert(cursor)
    if cursor.skips("update"):
        return _update(cursor, counters)
    if cursor.skips("delete"):
        return _delete(cursor)
    return None


def table_of(text: str) -> tuple[str, str]:
    """(keyspace, table) of a statement; the keyspace is empty if the text does not name it, both for other texts."""
    statement = next(statements(text), None)
    cursor = Cursor(statement.tokens if statement else ())
    kind = cursor.peek()
    cursor.skips("insert")
    try:
        while kind in _BEFORE_TABLE and not cursor.skips(_BEFORE_TABLE[kind]):
            cursor.next()
        return cursor.qualified_name() if kind in _BEFORE_TABLE else ("", "")
    except UnexpectedToken:
        return "", ""


def _select(cursor: Cursor) -> SeenRequest:
    selected: list[str] = []
    while cursor.peek() != "from":
        selected.append(cursor.next().text.lower())
    cursor.expect("from")
    cursor.qualified_name()
    conditions = list(_where(cursor))
    near, order = _order(cursor)
    limit = _limit(cursor)
    cursor.skips("allow", "filtering")
    _end(cursor)
    is_count = selected[:2] == ["count", "("]
    if selected[:1] in (["distinct"], ["json"]) or ("(" in selected and not is_count):
        raise UnexpectedToken(f'a selection of "{selected[0]}"')
    shown = _shown("SELECT COUNT(*)" if is_count else "SELECT", conditions, order, near)
    return _request("count" if is_count else "read", shown, conditions, order=order, near=near, limit=limit)


def _insert(cursor: Cursor) -> SeenRequest:
    cursor.qualified_name()
    if not cursor.skips("json"):
        cursor.names()
    if_absent = is_ttl_given = False
    while not cursor.is_at_end:
        if_absent = cursor.skips("if", "not", "exists") or if_absent
        is_ttl_given = cursor.skips("ttl") or is_ttl_given
        if not cursor.is_at_end:
            cursor.next()
    words = ("INSERT", "IF NOT EXISTS" if if_absent else "", "USING TTL ?" if is_ttl_given else "")
    shown = " ".join(filter(None, words))
    return _request("put", shown, [], if_absent=if_absent, is_ttl_given=is_ttl_given)


def _update(cursor: Cursor, counters: Collection[str]) -> SeenRequest:
    cursor.qualified_name()
    is_ttl_given = False
    while cursor.peek() != "set":
        is_ttl_given = cursor.next().text.lower() == "ttl" or is_ttl_given
    cursor.expect("set")
    columns: list[str] = []
    is_counter = False
    while True:
        columns.append(cursor.name())
        cursor.expect("=")
        first = cursor.peek()
        size = _skip_value(cursor)
        is_counter = columns[-1] in counters
        if first == columns[-1] and size > 1 and not is_counter:
            raise UnexpectedToken("a change of a part of a collection")
        if not cursor.skips(","):
            break
    conditions = list(_where(cursor))
    _end(cursor)
    shown = _shown(f"UPDATE{' USING TTL ?' if is_ttl_given else ''} SET {', '.join(columns)}", conditions)
    if is_counter and len(columns) == 1:
        return _request("increment", shown, conditions, field=columns[0])
    return _request("update", shown, conditions, sets=tuple(columns), is_ttl_given=is_ttl_given)


def _delete(cursor: Cursor) -> SeenRequest:
    columns: list[str] = []
    while not cursor.skips("from"):
        columns.append(cursor.name())
        cursor.skips(",")
    cursor.qualified_name()
    while cursor.peek() not in ("where", ""):
        cursor.next()  # USING TIMESTAMP
    conditions = list(_where(cursor))
    _end(cursor)
    shown = _shown(" ".join(("DELETE", ", ".join(columns))).strip(), conditions)
    return _request("update" if columns else "delete", shown, conditions, unset=tuple(columns))


def _end(cursor: Cursor) -> None:
    """The end of the statement; conditions of lightweight transactions contain values that a pattern would need."""
    if not cursor.is_at_end:
        raise UnexpectedToken(f'"{cursor.peek()}"')


def _where(cursor: Cursor) -> Iterator[_Condition]:
    is_first = True
    while cursor.skips("where" if is_first else "and"):
        is_first = False
        column = cursor.name()
        operator = cursor.next().text.lower()
        if operator in ("<", ">") and cursor.skips("="):
            operator += "="
        if operator == "contains" and cursor.peek() == "key":
            raise UnexpectedToken("a key of a map")
        _skip_value(cursor)
        yield _Condition(column, operator)


def _order(cursor: Cursor) -> tuple[str | None, tuple[str, ...]]:
    """(vector column of ANN OF, columns of the order)."""
    if not cursor.skips("order", "by"):
        return None, ()
    columns: list[str] = []
    while True:
        column = cursor.name()
        if cursor.skips("ann", "of"):
            _skip_value(cursor)
            return column, ()
        columns.append(f"-{column}" if cursor.skips("desc") else column)
        cursor.skips("asc")
        if not cursor.skips(","):
            return None, tuple(columns)


def _limit(cursor: Cursor) -> int | None:
    """The number of a LIMIT; None without one, or for a parameter."""
    if not cursor.skips("limit"):
        return None
    text = cursor.peek()
    _skip_value(cursor)
    return int(text) if text.isdigit() and int(text) > 0 else None


def _skip_value(cursor: Cursor) -> int:
    """Skip a parameter or a constant, and return the number of its tokens."""
    depth = size = 0
    while depth or (size == 0 or cursor.peek() not in _ENDS):
        text = cursor.next().text
        depth += (text in _OPENING) - (text in _CLOSING)
        size += 1
    return size


def _request(kind: str, shown: str, conditions: list[_Condition], **words: object) -> SeenRequest:
    """The request with the conditions by their operators."""
    by_operator: dict[str, list[str]] = {}
    for condition in conditions:
        by_operator.setdefault(condition.operator, []).append(condition.column)
    ranged = {column for operator in ("<", "<=", ">", ">=") for column in by_operator.get(operator, ())}
    contained = by_operator.get("contains", [])
    if len(ranged) > 1 or len(contained) > 1 or by_operator.keys() - _COMPARISONS:
        raise UnexpectedToken("conditions without a pattern")
    first, last = ">" in by_operator, "<" in by_operator
    return SeenRequest(
        kind=kind,  # type: ignore[arg-type]
        evidence=f"from a prepared statement: {shown}",
        eq=tuple(by_operator.get("=", ())),
        one_of=tuple(by_operator.get("in", ())),
        range=next(iter(ranged), None),
        excludes="both" if first and last else "first" if first else "last" if last else "",
        contains=contained[0] if contained else None,
        **words,  # type: ignore[arg-type]
    )


def _shown(words: str, conditions: list[_Condition], order: tuple[str, ...] = (), near: str | None = None) -> str:
    """A statement in short, without values."""
    tests = " AND ".join(f"{part.column} {part.operator.upper()} ?" for part in conditions)
    columns = ", ".join(f"{path.removeprefix('-')} DESC" if path.startswith("-") else path for path in order)
    parts = (words, f"WHERE {tests}" if tests else "", f"ORDER BY {columns}" if columns else "")
    return " ".join((*filter(None, parts), *((f"ORDER BY {near} ANN OF ?",) if near else ())))
