"""Generated pairs of targets near each other: the second is the first with some of the changes to a third."""

import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from hypothesis import strategies as st

from keywright.engines.cassandra.cql import plain
from keywright.engines.change import Change
from keywright.engines.diff import diff, patch
from keywright.engines.in_place import is_rebuild
from keywright.engines.interface import Engine
from keywright.ir.json import canonical

VERSIONS = {"dynamodb": "3.3.1", "mongodb": "6.0", "cassandra": "5.0.9", "redis": "7.0.15"}
"""What a local server of each engine says of itself."""

Native = dict[str, Any]


def pairs(engine: Engine[Any, Any], environment: Any = None) -> st.SearchStrategy[tuple[Any, Any]]:
    """Two placed targets of one name, one of which can become the other in place."""
    here = environment or engine.localise(None, VERSIONS[engine.name])
    return near(engine).map(lambda pair: tuple(engine.place(one, here) for one in pair))  # type: ignore[return-value]


@st.composite
def near(draw: st.DrawFn, engine: Engine[Any, Any]) -> tuple[Any, Any]:
    """The same, declared."""
    targets = import_module(f"tests.properties.{engine.name}").targets
    a, b = (json.loads(canonical(engine.describe(draw(targets())))) for _ in range(2))
    if draw(st.booleans()):
        b["native"] = _named_alike(b["native"], a["native"])
    found = list(changes(engine, a["native"], b["native"]))
    some = [one for one in found if draw(st.booleans())]
    made = patch({"generated": {"native": a["native"]}}, some)["generated"]["native"]
    native = LEGAL[engine.name](made, a["native"], b["native"])
    told = (
        {"name": "generated", "generation": a["generation"], "native": one, "shape": {}}
        for one in (a["native"], native)
    )
    before, after = map(engine.parse, told)
    return before, after


def changes(engine: Engine[Any, Any], before: Native, after: Native) -> Iterator[Change]:
    """The changes of native halves that are possible in place."""
    return (
        change
        for change in diff("store", engine.parts, {"native": before}, {"native": after}, ("generated",))
        if not is_rebuild(engine.classes, change)
    )


def _named_alike(native: Native, like: Native) -> Native:
    """Collections and indexes under the names of another database or table, the first by the first and so on."""
    if "collections" in native:
        names = _names(native["collections"], like["collections"])
        indexes = {names[name]: native["indexes"].get(name, {}) for name in names}
        indexes = {name: _renamed(one, like["indexes"].get(name, {})) for name, one in indexes.items()}
        return {"collections": _renamed(native["collections"], like["collections"]), "indexes": indexes}
    if "indexes" in native and "keys" in native:
        return {**native, "indexes": _renamed(native["indexes"], like.get("indexes", {}))}
    return native


def _names(parts: Native, like: Native) -> dict[str, str]:
    """A new name by each former one; where there are too few, it keeps its own."""
    free = [name for name in like if name not in parts]
    return {name: name if name in like or not free else free.pop(0) for name in parts}


def _renamed(parts: Native, like: Native) -> Native:
    names = _names(parts, like)
    return {names[name]: one for name, one in parts.items()}


def _dynamodb(made: Native, a: Native, b: Native) -> Native:
    """Without indexes that give an attribute another type, or project more than a local server lets them."""
    types: dict[str, str] = {}
    kept: Native = {}
    free = 20 - sum(_projected(one) for one in made.get("local_indexes", {}).values())
    fixed = [part for one in made.get("local_indexes", {}).values() for part in one["keys"]]
    types |= {attribute: type for attribute, type, _ in (*made["keys"], *fixed)}
    for name, index in made.get("indexes", {}).items():
        is_one_type = all(types.get(attribute, type) == type for attribute, type, _ in index["keys"])
        if is_one_type and _projected(index) <= free and name not in made.get("local_indexes", {}):
            kept[name] = index
            free -= _projected(index)
            types |= {attribute: type for attribute, type, _ in index["keys"]}
    return {**made, "indexes": kept}


def _projected(index: Native) -> int:
    return len(index["projection"]) if isinstance(index["projection"], list) else 0


def _mongodb(made: Native, a: Native, b: Native) -> Native:
    """Collections that are of another kind in the one and in the other stay as they were, and so do their indexes."""
    for name in a["collections"].keys() & b["collections"].keys() & made["collections"].keys():
        if any(a["collections"][name].get(word) != b["collections"][name].get(word) for word in _KINDS):
            made["collections"][name] = a["collections"][name]
            made["indexes"][name] = a["indexes"].get(name, {})
    return {**made, "indexes": {name: _apart(indexes) for name, indexes in made["indexes"].items()}}


_KINDS = ("timeseries", "capped", "size", "max", "collation")


def _apart(indexes: Native) -> Native:
    """Those that can stand side by side."""
    kept: Native = {}
    seen: list[Any] = []
    for name, index in indexes.items():
        mark = {key: value for key, value in index.items() if key not in ("expireAfterSeconds", "hidden")}
        mark = {"text": True} if any(way == "text" for _, way in index["key"]) else mark
        if mark not in seen:
            seen.append(mark)
            kept[name] = index
    return kept


_WORD = re.compile(r'"(?:[^"]|"")+"|\w+')


def _cassandra(made: Native, a: Native, b: Native) -> Native:
    """Columns, types, indexes and views that fit together."""
    tables = made.get("tables", {})
    for name, table in tables.items():
        key = {column[0] for part in ("partition", "clustering") for column in table.get(part, ())}
        was = a.get("tables", {}).get(name, {})
        for part, other in (("columns", "static"), ("static", "columns")):
            wrong = key | was.get(other, {}).keys()
            table[part] = {column: type for column, type in table.get(part, {}).items() if column not in wrong}
        table["columns"] = {one: type for one, type in table["columns"].items() if one not in table["static"]}
        if not table.get("clustering"):
            table["static"] = {}
    made["types"] = _types({**b.get("types", {}), **a.get("types", {})}, tables)
    seen: set[tuple[str, str]] = set()
    indexes, made["indexes"] = made.get("indexes", {}), {}
    for name, index in indexes.items():
        source = b if b.get("indexes", {}).get(name) == index else a
        column, table = plain(index["target"].partition("(")[2].rstrip(")") or index["target"]), _table(index)
        if _column(made, table, column) == _column(source, table, column) is not None:
            if (table, column) not in seen:
                made["indexes"][name] = index
            seen.add((table, column))
    views = made.get("views", {})
    made["views"] = {name: view for name, view in views.items() if _fits(view, tables.get(_table(view)))}
    return made


def _table(held: Native) -> str:
    """What the table of an index or view is described under."""
    generation = held.get("generation", 1)
    return f"{held['table']}_k{generation}" if generation > 1 else str(held["table"])


def _column(native: Native, table: str, column: str) -> Any:
    """Type and place of a column."""
    found = native.get("tables", {}).get(table, {})
    places = {part: found.get(part, {}) for part in ("static", "columns")}
    places |= {part: {one[0]: one[1] for one in found.get(part, ())} for part in ("partition", "clustering")}
    return next(((part, columns[column]) for part, columns in places.items() if column in columns), None)


def _fits(view: Native, table: Native | None) -> bool:
    """Whether a view can be one of a table."""
    if table is None:
        return False
    key = {column[0] for part in ("partition", "clustering") for column in table.get(part, ())}
    own = {*view["partition"], *(name for name, _ in view["clustering"])}
    columns = table["columns"]
    known = key | columns.keys()
    more = own - key
    is_plain = all(
        re.fullmatch(r"[a-z]+", columns[one]) and columns[one] != "duration" for one in more if one in columns
    )
    shows_static = "columns" not in view and bool(table["static"])
    is_whole = key <= own <= known and set(view.get("columns", own)) <= known
    return is_whole and len(more) <= 1 and is_plain and not shows_static


def _types(known: Native, tables: Native) -> Native:
    """The types that tables need, with what those need."""
    needed: Native = {}
    waiting = [type for table in tables.values() for part in ("static", "columns") for type in table[part].values()]
    waiting += [
        column[1] for table in tables.values() for part in ("partition", "clustering") for column in table.get(part, ())
    ]
    while waiting:
        for word in map(plain, _WORD.findall(waiting.pop())):
            if word in known and word not in needed:
                needed[word] = known[word]
                waiting += [type for _, type in known[word]]
    return needed


LEGAL: dict[str, Callable[[Native, Native, Native], Native]] = {
    "dynamodb": _dynamodb,
    "mongodb": _mongodb,
    "cassandra": _cassandra,
    "redis": lambda made, a, b: made,
}
"""A patched native half of each engine as a server can hold it."""
