"""Models, indexes and patterns drawn at random, for a proof that whatever is called served is answered rightly."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel

import keywright as kw
from keywright.access.query import Condition
from keywright.declare.names import names
from keywright.prove.values import ReadValues

drawn = kw.MongoDatabase("drawn")


class Inner(BaseModel):
    number: int
    word: str | None = None


class Row(BaseModel):
    word: str
    number: int


FIELDS: dict[str, Any] = {
    "key": int, "number": int, "word": str, "other": str, "at": datetime, "flag": bool, "maybe": str | None,
    "may_count": int | None, "amount": Decimal, "ident": UUID, "kind": Literal["p", "q", "r"], "words": list[str],
    "numbers": list[int], "inner": Inner, "rows": list[Row],
}  # fmt: skip

SINGLE = ("number", "word", "other", "at", "flag", "maybe", "may_count", "amount", "ident", "kind", "inner.number",
          "inner.word")  # fmt: skip
LISTS = ("words", "numbers", "rows.word", "rows.number")
SORTABLE = ("number", "word", "other", "at", "may_count", "maybe", "amount", "kind", "inner.number", "key")
RANGES = (
    "number",
    "word",
    "at",
    "may_count",
    "amount",
    "other",
    "numbers",
    "rows.number",
    "maybe",
    "inner.number",
    "key",
)
NULLABLE = ("maybe", "may_count", "inner.word")

CONSTANTS: dict[str, list[Any]] = {
    "number": [1, 2, 3], "word": ["a", "b"], "flag": [True, False], "kind": ["p", "q"], "maybe": ["x", "y"],
    "may_count": [1, 2], "inner.number": [0, 1], "other": ["aa", "ab"],
}  # fmt: skip

TYPES: dict[str, Any] = {
    "number": ["int", "long"], "word": "string", "maybe": "string", "may_count": "number", "inner.number": "number",
}  # fmt: skip
"""BSON types of fields, and one that not all integers have."""

IDS = ("{key}", "{key}", "{word}#{key:pad(4)}", "{kind}/{number:pad(2)}/{key:pad(3)}")


def model(rng: Random, indexes: list[Any]) -> type[BaseModel]:
    """A model with these indexes and some id."""
    store = kw.Collection(drawn, "things", id=rng.choice(IDS), indexes=indexes, validation="off")
    body = {"__module__": __name__, "__annotations__": {**FIELDS, "__store__": ClassVar}, "__store__": store}
    return type("Thing", (BaseModel,), body)


def index(rng: Random) -> Any:
    """An index over one to three fields, of some documents or all."""
    special = rng.random()
    if special < 0.08:
        on, *others = rng.sample(SINGLE, 3)
        before, after = rng.choice([([], []), ([others[0]], []), ([], [f"-{others[0]}"]), ([others[0]], [others[1]])])
        return kw.HashedIndex(on, before=before, after=after, name=f"hash_{rng.randrange(10**9)}")
    if special < 0.12:
        fields = rng.sample(["number", "word", "inner", "may_count", "inner.number"], 2)
        side = {rng.choice(["only", "without"]): fields[: 1 if "inner" in fields else 2]}
        return kw.WildcardIndex("*", name=f"wild_{rng.randrange(10**9)}", **side)
    if special < 0.16:
        where, name = condition(rng, for_index=True), f"ttl_{rng.randrange(10**9)}"
        return kw.Index(rng.choice(["at", "-at"]), expire_after=timedelta(days=9_000), where=where, name=name)
    fields = rng.sample((*SINGLE, *LISTS), rng.choice([1, 1, 2, 2, 3]))
    keys = [f"-{field}" if rng.random() < 0.4 else field for field in fields]
    drawn = rng.random()
    where = condition(rng, for_index=True) if drawn < 0.35 else {}
    any_of = [condition(rng, for_index=True), condition(rng, for_index=True)] if drawn < 0.1 else []
    return kw.Index(keys, name=f"drawn_{rng.randrange(10**9)}", where=where, any_of=any_of, sparse=0.35 <= drawn < 0.55)


def condition(rng: Random, *, for_index: bool = False) -> dict[str, Any]:
    """A condition with constants on one field."""
    field = rng.choice([*CONSTANTS])
    constants, drawn = CONSTANTS[field], rng.random()
    if drawn < 0.2 and field != "flag":
        return {field: kw.OneOf(constants[: rng.choice([2, 2, 3])])}
    if drawn < 0.35:
        return {field: kw.Present()}
    if drawn < 0.6 and field in ("number", "may_count", "inner.number"):
        return {field: rng.choice([kw.AtLeast, kw.AtLeast, kw.Above, kw.AtMost, kw.Below])(rng.choice(constants))}
    if drawn < 0.7 and for_index and field in TYPES:
        least = [kw.AtLeast(0), kw.OfType(TYPES[field])] if TYPES[field] != "string" else [kw.OfType("string")]
        return {field: kw.AllOf(least)}
    if drawn < 0.7 and not for_index:
        return {field: kw.Not(constants[0])}
    return {field: rng.choice(constants)}


def pattern(rng: Random, cls: type[BaseModel], indexes: list[Any]) -> Any:
    """A read: often one that an index could serve, sometimes any."""
    limit = rng.choice([3, 5, 8])
    ordinary = [entry for entry in indexes if isinstance(entry, (kw.Index, kw.HashedIndex))]
    if ordinary and rng.random() < 0.6:
        return kw.Read(cls, limit=limit, **_like(rng, rng.choice(ordinary)))
    return kw.Read(cls, limit=limit, **_any(rng))


def _like(rng: Random, one: Any) -> dict[str, Any]:
    keys = _keys(one)
    split = rng.randrange(len(keys) + 1)
    said: dict[str, Any] = {}
    for field in (key.removeprefix("-") for key in keys[:split]):
        if field in ("words", "numbers"):
            said[rng.choice(["contains", "all_of", "exactly"])] = field
        elif rng.random() < 0.25 and field not in LISTS:
            said.setdefault("one_of", []).append(field)
        else:
            said.setdefault("eq", []).append(field)
    rest = keys[split:]
    order = rest[: rng.randrange(len(rest) + 1)]
    if order and not any(key.removeprefix("-") in LISTS for key in order):
        said["order"] = [_turned(key) for key in order] if rng.random() < 0.5 else order
    if rest and rng.random() < 0.4 and rest[0].removeprefix("-") in RANGES:
        said["range"] = rest[0].removeprefix("-")
    where = _where(rng, one.where) if rng.random() < 0.7 else condition(rng) if rng.random() < 0.3 else {}
    named = {field for value in said.values() for field in ([value] if isinstance(value, str) else value)}
    return said | ({"where": where} if where and not named & where.keys() else {})


def _keys(one: Any) -> list[str]:
    return names(one.keys) if isinstance(one, kw.Index) else [*one.before, one.on, *one.after]


def _where(rng: Random, filter: Any) -> dict[str, Any]:
    """The conditions of an index as a pattern has them: a constant in place of a test of types."""
    is_of_types = {field: isinstance(test, (kw.AllOf, kw.OfType)) for field, test in filter.items()}
    return {field: rng.choice(CONSTANTS[field]) if is_of_types[field] else test for field, test in filter.items()}


def _turned(key: str) -> str:
    return key[1:] if key.startswith("-") else f"-{key}"


def _any(rng: Random) -> dict[str, Any]:
    fields = rng.sample(SINGLE, 4)
    said: dict[str, Any] = {"eq": fields[: rng.choice([0, 1, 1, 2])]}
    if rng.random() < 0.3:
        said["one_of"] = fields[2:3]
    if rng.random() < 0.3:
        said["range"] = next(field for field in rng.sample(RANGES, len(RANGES)) if field not in fields)
    elif rng.random() < 0.2 and "inner.word" not in fields:
        said["prefix"] = "inner.word"
    if rng.random() < 0.25:
        said[rng.choice(["contains", "all_of", "exactly"])] = rng.choice(["words", "numbers"])
    if rng.random() < 0.4:
        where = condition(rng)
        said |= {} if where.keys() & {*fields, said.get("range")} else {"where": where}
    if rng.random() < 0.5:
        said["order"] = [
            f"-{entry}" if rng.random() < 0.5 else entry for entry in rng.sample(SORTABLE, rng.choice([1, 1, 2]))
        ]
    return said


def instance(rng: Random, cls: type[BaseModel], key: int) -> Any:
    """A thing with values that many others have too."""
    return cls(
        key=key, number=rng.randrange(4), word=rng.choice("abc") + rng.choice(["", "#", "b"]),
        at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=rng.randrange(60)), flag=rng.random() < 0.5,
        maybe=rng.choice([None, "x", "y", "xz"]), may_count=rng.choice([None, 1, 2, 3]),
        amount=Decimal(rng.randrange(5)), ident=UUID(int=rng.randrange(4)),
        kind=rng.choice("pqr"), words=rng.sample(["a", "b", "c"], rng.randrange(4)),
        numbers=rng.sample(range(4), rng.randrange(3)), other=rng.choice(["aa", "ab", "b", "ba"]),
        inner=Inner(number=rng.randrange(3), word=rng.choice([None, "x", "y"])),
        rows=[Row(word=rng.choice("ab"), number=rng.randrange(3)) for _ in range(rng.randrange(3))],
    )  # fmt: skip


def values(rng: Random, conditions: tuple[Condition, ...], data: list[Any], read: ReadValues) -> dict[str, Any]:
    """What a call gives: of some thing, or of several."""
    subject = rng.choice(data)
    return {entry.field: _value(rng, entry, subject, data, read) for entry in conditions if entry.is_given}


def _value(rng: Random, one: Condition, subject: Any, data: list[Any], read: ReadValues) -> Any:
    own = _flat(read(subject, one.field))
    some = [value for _ in range(4) for value in _flat(read(rng.choice(data), one.field))]
    known = [value for thing in data for value in _flat(read(thing, one.field))]
    match one.kind:
        case "equals":
            return own[0] if own else None if one.field in NULLABLE else known[0]
        case "one_of":
            return some[:3]
        case "between":
            ends = sorted(some or known[:1])
            return rng.choice([ends[0], ends[0], None]), ends[-1] if rng.random() < 0.7 else None
        case "prefix":
            return str((own or known)[0])[:1]
        case "contains":
            return (own or known)[0]
        case "all_of":
            return own[:2] or known[:1]
        case _:
            return own


def _flat(found: list[Any]) -> list[Any]:
    return [inner for value in found for inner in (value if isinstance(value, list) else [value])]
