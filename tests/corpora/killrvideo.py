"""Reads the tables of `cassandra/killrvideo`, and the queries of its examples as patterns."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tests.corpora.killrvideo_patterns import PATTERNS
from tests.corpora.modelfile import CORPORA, Asking, Design, Entity

from keywright.record import Record, replace

FOLDER = CORPORA / "cassandra" / "killrvideo"
TABLE = re.compile(
    r"CREATE TABLE IF NOT EXISTS (?:killrvideo\.)?(\w+) \((.*?)\)\s*(?:WITH CLUSTERING ORDER BY \((.*?)\))?\s*;", re.S
)
INDEX = re.compile(r"CREATE INDEX IF NOT EXISTS (\w+) ON killrvideo\.(\w+)\((\w+)\);")
SELECT = re.compile(
    r"SELECT (?P<fields>.*?) FROM killrvideo\.(?P<table>\w+) WHERE (?P<where>.*?)"
    r"(?: ORDER BY (?P<order>.*?))?(?: LIMIT (?P<limit>\d+))?;"
)
_TYPES = {
    "text": "str", "uuid": "UUID", "timeuuid": "UUID", "timestamp": "datetime", "date": "date", "int": "int",
    "float": "float", "boolean": "bool", "counter": "int", "set<text>": "set[str]",
}  # fmt: skip
_CHOSEN = "timeuuid", "int", "float"
"""Types that are not the usual ones of their Python types."""


class Table(Record):
    """A table as CQL declares it."""

    name: str
    columns: dict[str, str]
    """CQL type by column."""
    partition: tuple[str, ...]
    clustering: tuple[str, ...]
    """With a minus where descending."""
    statics: tuple[str, ...]
    indexes: tuple[tuple[str, str], ...]
    """(name, column)."""

    @property
    def entity(self) -> str:
        """The name of its class."""
        return "".join(word.capitalize() for word in self.name.split("_"))


def design(version: str, *, repaired: bool = True) -> Design:
    """One version of the schema, with patterns of our own and, for 4, the queries of its examples.

    repaired: with a plain number for the one counter that stands beside other columns, which no server takes.
    """
    tables = [_repaired(table) for table in read(version)] if repaired else read(version)
    askings = tuple(examples(tables)) if version == "v4" else ()
    top = ("from uuid import UUID", "", 'video = kw.Keyspace("killrvideo")')
    return Design(top, tuple(map(_entity, tables)), askings, PATTERNS[version])


def read(version: str) -> list[Table]:
    """The tables of one version, in their order."""
    text = _plain(f"schema-{version}.cql")
    indexes = INDEX.findall(text)
    return [
        _table(name, columns, order, tuple((called, column) for called, of, column in indexes if of == name))
        for name, columns, order in TABLE.findall(text)
    ]


def _repaired(table: Table) -> Table:
    plain = [name for name, kind in table.columns.items() if kind != "counter"]
    if {*plain} <= {*table.partition, *(entry.removeprefix("-") for entry in table.clustering)}:
        return table
    return replace(table, columns={name: kind.replace("counter", "int") for name, kind in table.columns.items()})


def _plain(file: str) -> str:
    """A file without its comments, with single blanks."""
    text = re.sub(r"(--|//).*", "", (FOLDER / file).read_text(encoding="utf-8"))
    return re.sub(r"\s+", " ", text)


def _table(name: str, text: str, order: str, indexes: tuple[tuple[str, str], ...]) -> Table:
    columns: dict[str, str] = {}
    partition: tuple[str, ...] = ()
    clustering: list[str] = []
    lines = [line.strip() for line in re.split(r",(?![^(]*\))", text)]
    for line in lines:
        if key := re.fullmatch(r"PRIMARY KEY ?\((?:\((.*?)\)|(\w+))(.*)\)", line):
            partition = tuple(re.findall(r"\w+", key[1] or key[2]))
            clustering = re.findall(r"\w+", key[3])
            continue
        column, kind, *rest = line.split()
        columns[column] = kind
        if rest[:2] == ["PRIMARY", "KEY"]:
            partition = (column,)
    descending = set(re.findall(r"(\w+) DESC", order))
    statics = tuple(line.split()[0] for line in lines if line.lower().endswith(" static"))
    directed = tuple(f"-{entry}" if entry in descending else entry for entry in clustering)
    return Table(name, columns, partition, directed, statics, indexes)


def _entity(table: Table) -> Entity:
    key = {*table.partition, *(entry.removeprefix("-") for entry in table.clustering)}
    said: dict[str, object] = {
        "partition": list(table.partition),
        "clustering": list(table.clustering),
        "static": list(table.statics),
        "counters": [name for name, kind in table.columns.items() if kind == "counter"],
        "types": {name: kind for name, kind in table.columns.items() if kind in _CHOSEN},
    }
    options = [f"{name}={value!r}" for name, value in said.items() if value]
    if table.indexes:
        indexes = (f'kw.CqlIndex({column!r}, using="legacy", {name=})' for name, column in table.indexes)
        options.append(f"indexes=[{', '.join(indexes)}]")
    # Outside the key a column may have no value; a counter has none before its first step, and counts as 0.
    fields = {
        name: _TYPES[kind] if name in key or kind == "counter" else f"{_TYPES[kind]} | None = None"
        for name, kind in table.columns.items()
    }
    return Entity(table.entity, f"kw.CqlTable(video, {', '.join([repr(table.name), *options])})", fields)


def examples(tables: Iterable[Table]) -> Iterator[Asking]:
    """The queries of the examples, each named by its table and conditions."""
    by_name = {table.name: table for table in tables}
    counter: Counter[str] = Counter()
    for query in SELECT.finditer(_plain("schema-v4-query-examples.cql")):
        table = by_name[query["table"]]
        conditions = re.findall(r"(\w+) (=|>|CONTAINS) ", query["where"])
        name = f"{table.name}_by_{'_and_'.join(dict.fromkeys(field for field, _ in conditions))}"
        counter[name] += 1
        yield Asking(
            f"{name}_{counter[name]}" if counter[name] > 1 else name, "Read", table.entity, _options(table, query)
        )


def _options(table: Table, query: re.Match[str]) -> dict[str, object]:
    conditions = re.findall(r"(\w+) (=|>|CONTAINS) ", query["where"])
    fields = [field for field, how in conditions if how == "CONTAINS"]
    order = re.findall(r"(\w+) (DESC|ASC)", query["order"] or "")
    return {
        "eq": [field for field, how in conditions if how == "="],
        "range": next((field for field, how in conditions if how == ">"), None),
        "contains" if len(fields) == 1 else "all_of": next(iter(fields), None),
        "order": [f"-{field}" if how == "DESC" else field for field, how in order],
        "fields": [name for name in dict.fromkeys(re.findall(r"\w+", query["fields"])) if name in table.columns],
        "limit": int(query["limit"] or 100),
    }
