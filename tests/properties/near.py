"""Generated pairs of similar targets: the second is the first with some of the changes to a third."""

import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from hypothesis import strategies as st

from keywright.engines.cassandra.schema.cql import plain
from keywright.engines.contract.change import Change
from keywright.engines.contract.diff import diff, patch
from keywright.engines.contract.in_place import is_rebuild
from keywright.engines.interface import Engine
from keywright.ir.json import canonical

VERSIONS = {"dynamodb": "3.3.1", "mongodb": "6.0", "cassandra": "5.0.9", "redis": "7.0.15"}
"""The version that a local server of each engine reports."""

Native = dict[str, Any]


def version_of(engine: Engine[Any, Any]) -> str:
    """What a local server of an engine says of itself; an engine of another package has a first version."""
    return VERSIONS.get(engine.name, "1")


def pairs(engine: Engine[Any, Any], environment: Any = None) -> st.SearchStrategy[tuple[Any, Any]]:
    """Two placed targets with one name, of which the first can become the second in place."""
    here = environment or engine.localise(None, version_of(engine))
    return near(engine).map(lambda pair: tuple(engine.place(target, here) for target in pair))  # type: ignore[return-value]


@st.composite
def near(draw: st.DrawFn, engine: Engine[Any, Any]) -> tuple[Any, Any]:
    """Two declared targets, as in `pairs`."""
    targets = import_module(f"tests.properties.{engine.name}").targets
    a, b = (json.loads(canonical(engine.describe(draw(targets())))) for _ in range(2))
    if draw(st.booleans()):
        b["native"] = _named_alike(b["native"], a["native"])
    possible = list(changes(engine, a["native"], b["native"]))
    some = [change for change in possible if draw(st.booleans())]
    patched = patch({"generated": {"native": a["native"]}}, some)["generated"]["native"]
    legal = LEGAL.get(engine.name)
    native = legal(patched, a["native"], b["native"]) if legal else patched
    descriptions = (
        {"name": "generated", "generation": a["generation"], "native": half, "shape": {}}
        for half in (a["native"], native)
    )
    before, after = map(engine.parse, descriptions)
    return before, after


def changes(engine: Engine[Any, Any], before: Native, after: Native) -> Iterator[Change]:
    """The changes of native halves that are possible in place."""
    return (
        change
        for change in diff("store", engine.parts, {"native": before}, {"native": after}, ("generated",))
        if not is_rebuild(engine.classes, change)
    )


def _named_alike(native: Native, like: Native) -> Native:
    """Collections and indexes with the names of another database or table, matched by position."""
    if "collections" in native:
        names = _names(native["collections"], like["collections"])
        indexes = {names[name]: native["indexes"].get(name, {}) for name in names}
        indexes = {name: _renamed(index, like["indexes"].get(name, {})) for name, index in indexes.items()}
        return {"collections": _renamed(native["collections"], like["collections"]), "indexes": indexes}
    if "indexes" in native and "keys" in native:
        return {**native, "indexes": _renamed(native["indexes"], like.get("indexes", {}))}
    return native


def _names(parts: Native, like: Native) -> dict[str, str]:
    """A new name by each former name; without free names, the former name."""
    free = [name for name in like if name not in parts]
    return {name: name if name in like or not free else free.pop(0) for name in parts}


def _renamed(parts: Native, like: Native) -> Native:
    names = _names(parts, like)
    return {names[name]: part for name, part in parts.items()}


def _dynamodb(patched: Native, a: Native, b: Native) -> Native:
    """Drops indexes that give an attribute another type, or project more than a local server allows."""
    types: dict[str, str] = {}
    accepted: Native = {}
    free = 20 - sum(_projected(index) for index in patched.get("local_indexes", {}).values())
    fixed = [part for index in patched.get("local_indexes", {}).values() for part in index["keys"]]
    types |= {attribute: type for attribute, type, _ in (*patched["keys"], *fixed)}
    for name, index in patched.get("indexes", {}).items():
        is_one_type = all(types.get(attribute, type) == type for attribute, type, _ in index["keys"])
        if is_one_type and _projected(index) <= free and name not in patched.get("local_indexes", {}):
            accepted[name] = index
            free -= _projected(index)
            types |= {attribute: type for attribute, type, _ in index["keys"]}
    return {**patched, "indexes": accepted}


def _projected(index: Native) -> int:
    return len(index["projection"]) if isinstance(index["projection"], list) else 0


def _mongodb(patched: Native, a: Native, b: Native) -> Native:
    """Restores collections of different kinds, with their indexes."""
    for name in a["collections"].keys() & b["collections"].keys() & patched["collections"].keys():
        if any(a["collections"][name].get(word) != b["collections"][name].get(word) for word in _KINDS):
            patched["collections"][name] = a["collections"][name]
            patched["indexes"][name] = a["indexes"].get(name, {})
    return {**patched, "indexes": {name: _apart(indexes) for name, indexes in patched["indexes"].items()}}


_KINDS = ("timeseries", "capped", "size", "max", "collation")


def _apart(indexes: Native) -> Native:
    """The indexes that can exist together."""
    accepted: Native = {}
    identities: list[Any] = []
    for name, index in indexes.items():
        identity = {key: value for key, value in index.items() if key not in ("expireAfterSeconds", "hidden")}
        identity = {"text": True} if any(way == "text" for _, way in index["key"]) else identity
        if identity not in identities:
            identities.append(identity)
            accepted[name] = index
    return accepted


_WORD = re.compile(r'"(?:[^"]|"")+"|\w+')


def _cassandra(patched: Native, a: Native, b: Native) -> Native:
    """Makes columns, types, indexes and views fit together."""
    tables = patched.get("tables", {})
    for name, table in tables.items():
        key = {column[0] for part in ("partition", "clustering") for column in table.get(part, ())}
        former = a.get("tables", {}).get(name, {})
        for part, other in (("columns", "static"), ("static", "columns")):
            wrong = key | former.get(other, {}).keys()
            table[part] = {column: type for column, type in table.get(part, {}).items() if column not in wrong}
        table["columns"] = {column: type for column, type in table["columns"].items() if column not in table["static"]}
        if not table.get("clustering"):
            table["static"] = {}
    patched["types"] = _types({**b.get("types", {}), **a.get("types", {})}, tables)
    indexed_columns: set[tuple[str, str]] = set()
    indexes, patched["indexes"] = patched.get("indexes", {}), {}
    for name, index in indexes.items():
        source = b if b.get("indexes", {}).get(name) == index else a
        column, table = plain(index["target"].partition("(")[2].rstrip(")") or index["target"]), _table(index)
        if _column(patched, table, column) == _column(source, table, column) is not None:
            if (table, column) not in indexed_columns:
                patched["indexes"][name] = index
            indexed_columns.add((table, column))
    views = patched.get("views", {})
    patched["views"] = {name: view for name, view in views.items() if _fits(view, tables.get(_table(view)))}
    return patched


def _table(part: Native) -> str:
    """The key of an index's or view's table in a description."""
    generation = part.get("generation", 1)
    return f"{part['table']}_k{generation}" if generation > 1 else str(part["table"])


def _column(native: Native, table: str, column: str) -> Any:
    """Place and type of a column."""
    table_parts = native.get("tables", {}).get(table, {})
    places = {part: table_parts.get(part, {}) for part in ("static", "columns")}
    places |= {
        part: {key_column[0]: key_column[1] for key_column in table_parts.get(part, ())}
        for part in ("partition", "clustering")
    }
    return next(((part, columns[column]) for part, columns in places.items() if column in columns), None)


def _fits(view: Native, table: Native | None) -> bool:
    """Whether a view can belong to a table."""
    if table is None:
        return False
    key = {column[0] for part in ("partition", "clustering") for column in table.get(part, ())}
    own = {*view["partition"], *(name for name, _ in view["clustering"])}
    columns = table["columns"]
    table_columns = key | columns.keys()
    more = own - key
    is_plain = all(
        re.fullmatch(r"[a-z]+", columns[name]) and columns[name] != "duration" for name in more if name in columns
    )
    shows_static = "columns" not in view and bool(table["static"])
    has_whole_key = key <= own <= table_columns and set(view.get("columns", own)) <= table_columns
    return has_whole_key and len(more) <= 1 and is_plain and not shows_static


def _types(types: Native, tables: Native) -> Native:
    """The types that tables need, with their own types."""
    needed: Native = {}
    waiting = [type for table in tables.values() for part in ("static", "columns") for type in table[part].values()]
    waiting += [
        column[1] for table in tables.values() for part in ("partition", "clustering") for column in table.get(part, ())
    ]
    while waiting:
        for word in map(plain, _WORD.findall(waiting.pop())):
            if word in types and word not in needed:
                needed[word] = types[word]
                waiting += [type for _, type in types[word]]
    return needed


LEGAL: dict[str, Callable[[Native, Native, Native], Native]] = {
    "dynamodb": _dynamodb,
    "mongodb": _mongodb,
    "cassandra": _cassandra,
    "redis": lambda patched, a, b: patched,
}
"""Functions that turn a patched native half into one that a server accepts, by engine."""
