"""Reads the CREATE statements of `cassandra` as models; each table has a put, a get, and a read of a partition."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from tests.corpora.modelfile import CORPORA, Asking, Design, Entity

FOLDER = CORPORA / "cassandra"
FILES: Mapping[str, Sequence[Path]] = {
    "temporal": [FOLDER / "temporal" / "schema.cql"],
    "thingsboard": sorted((FOLDER / "thingsboard").glob("*.cql")),
    "zipkin": [FOLDER / "zipkin" / f"zipkin2-schema{part}.cql" for part in ("", "-indexes")],
    **{f"jaeger {number}": [FOLDER / "jaeger" / f"v00{number}.cql.tmpl"] for number in range(1, 5)},
    **{f"manual {file.stem}": [file] for file in sorted((FOLDER / "doc-examples").glob("*.cql"))},
}
"""The files of each schema."""

_TYPES = {
    "text": "str", "varchar": "str", "ascii": "str", "inet": "str", "uuid": "UUID", "timeuuid": "UUID",
    "timestamp": "datetime", "date": "date", "int": "int", "bigint": "int", "tinyint": "int", "smallint": "int",
    "float": "float", "double": "float", "decimal": "Decimal", "boolean": "bool", "counter": "int", "blob": "bytes",
}  # fmt: skip
_CHOSEN = "ascii", "inet", "timeuuid", "int", "tinyint", "smallint", "float"
"""Types that are not the usual ones of their Python types."""

_VARIABLES = {
    "trace_ttl": "172800", "dependencies_ttl": "0", "compaction_window_size": "1",
    "compaction_window_unit": "HOURS",
}  # fmt: skip
"""Values for the variables of templates."""

_NAMED = r"(?:IF NOT EXISTS )?(?:\w+\.)?(\w+) ?\("
_STRATEGIES = {
    "LeveledCompactionStrategy": "kw.Leveled()",
    "SizeTieredCompactionStrategy": "kw.SizeTiered()",
    "TimeWindowCompactionStrategy": "kw.TimeWindow(window=timedelta({unit}={size}))",
}


class NotRead(Exception):
    """A type or clause that models do not have."""


def designs() -> Iterator[tuple[str, Design]]:
    """Every schema that models can declare."""
    for name in FILES:
        with suppress(NotRead):
            yield name, design(name)


def design(name: str) -> Design:
    """The tables of a schema; raises NotRead if it has none that models can declare."""
    text = "\n".join(file.read_text(encoding="utf-8") for file in FILES[name])
    text = re.sub(r"\$\{(\w+)\}", lambda match: _VARIABLES.get(match[1], "0"), text.replace("${keyspace}.", ""))
    text = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/|(--|//)[^\n]*", "", text, flags=re.DOTALL))
    top, types = ["from uuid import UUID", "", 'space = kw.Keyspace("space")'], set[str]()
    tables: dict[str, tuple[Entity, list[Asking]]] = {}
    for statement in map(str.strip, text.split(";")):
        if result := re.match(f"CREATE TYPE {_NAMED}(.*)\\)$", statement, re.IGNORECASE):
            top += ["", f"class {_class(result[1])}Type(BaseModel):"]
            top += [f"    {field}: {_python(kind, types)} | None = None" for field, kind in _columns(result[2])]
            types.add(result[1].lower())
        elif result := re.match(f"CREATE TABLE {_NAMED}(.*)$", statement, re.IGNORECASE):
            body, rest = _body(result[2])
            entity = _entity(result[1].lower(), body, rest, types)
            tables[entity.name] = entity, [*_askings(entity, body)]  # some files create a table twice
    if not tables:
        raise NotRead(name)
    entities, askings = zip(*tables.values(), strict=True)
    return Design(tuple(top), entities, tuple(chain.from_iterable(askings)))


def _body(text: str) -> tuple[str, str]:
    """(what is in the parentheses of a table, what follows them)."""
    depth = 1
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth:
            return text[:at], text[at + 1 :]
    raise NotRead(text)


def _columns(body: str) -> Iterator[tuple[str, str]]:
    """(name, type and clauses) of each column."""
    for line in map(str.strip, re.split(r",(?![^(<]*[)>])", body)):
        if line and not re.match(r"PRIMARY KEY", line, re.IGNORECASE):
            column, _, kind = line.partition(" ")
            kind = kind.lower()
            yield (
                "pass_" if column == "pass" else column.lower(),
                re.sub(r" ?PRIMARY KEY| static", "", kind, flags=re.I),
            )


def _key(body: str) -> tuple[list[str], list[str]]:
    """(partition key, clustering columns)."""
    if result := re.search(r"PRIMARY KEY ?\( ?(?:\(([^)]*)\)|(\w+))([^)]*)\)", body, re.IGNORECASE):
        halves = result[1] or result[2], result[3]
        partition, clustering = (re.sub(r"\bpass\b", "pass_", half) for half in halves)
        return re.findall(r"\w+", partition), re.findall(r"\w+", clustering)
    return re.findall(r"(\w+) [^,]*? PRIMARY KEY", body, re.IGNORECASE), []


def _class(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _python(kind: str, types: set[str]) -> str:
    """The annotation of a type; keys of maps are texts in models."""
    kind = kind.strip().lower()
    if result := re.fullmatch(r"(frozen|set|list|map) ?<(.*)>", kind):
        *_, inner = re.split(r", ?(?![^<]*>)", result[2])
        python = _python(inner, types)
        return {"frozen": python, "map": f"dict[str, {python}]"}.get(result[1], f"{result[1]}[{python}]")
    if kind not in _TYPES and kind not in types:
        raise NotRead(kind)
    return _TYPES.get(kind, f"{_class(kind)}Type")


def _entity(name: str, body: str, rest: str, types: set[str]) -> Entity:
    columns, (partition, clustering) = dict(_columns(body)), _key(body)
    descending = re.findall(r"(\w+) DESC", rest, re.IGNORECASE)
    options: dict[str, object] = {
        "partition": partition,
        "clustering": [f"-{column}" if column in descending else column for column in clustering],
        "static": re.findall(r"(\w+) [^,]*? static", body, re.IGNORECASE),
        "counters": [column for column, kind in columns.items() if kind == "counter"],
        "types": {column: kind for column, kind in columns.items() if kind in _CHOSEN},
    }
    said = [f"{option}={value!r}" for option, value in options.items() if value]
    for option, setting in (("ttl", "default_time_to_live"), ("gc_grace", "gc_grace_seconds")):
        if (result := re.search(rf"{setting} ?= ?(\d+)", rest, re.IGNORECASE)) and int(result[1]):
            said.append(f"{option}=timedelta(seconds={result[1]})")
    if result := re.search(r"compaction ?= ?(\{.*?\})", rest, re.IGNORECASE):
        given = json.loads(result[1].replace("'", '"'))
        size, unit = given.get("compaction_window_size", 1), given.get("compaction_window_unit", "DAYS").lower()
        said.append(f"compaction={_STRATEGIES[given['class'].rpartition('.')[2]].format(size=size, unit=unit)}")
    required = {*partition, *clustering, *(column for column, kind in columns.items() if kind == "counter")}
    fields = {
        column: _python(kind, types) + ("" if column in required else " | None = None")
        for column, kind in columns.items()
    }
    return Entity(_class(name), f"kw.CqlTable(space, {', '.join([repr(name), *said])})", fields)


def _askings(entity: Entity, body: str) -> Iterator[Asking]:
    (partition, clustering), name = _key(body), entity.name.lower()
    if "counters=" not in entity.store:
        yield Asking(f"put_{name}", "Put", entity.name, {})
    yield Asking(f"get_{name}", "Get", entity.name, {"eq": partition + clustering})
    if clustering:
        yield Asking(f"read_{name}", "Read", entity.name, {"eq": partition, "limit": 100})
