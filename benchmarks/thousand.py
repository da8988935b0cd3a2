"""A generated project of a thousand models, and the same models in plain Pydantic."""

from pathlib import Path

FILES, PER_FILE = 100, 10

_HEAD = """
from datetime import datetime
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

{imports}
"""

_FIELDS = """
    owner_id: Annotated[str, Field(max_length=26)]
    item_id: str
    created_at: datetime
    status: Literal["new", "open", "done"]
    total: Decimal
    count: int
    note: str | None = None
    tags: Annotated[list[str], Field(max_length=20)] = []
    is_active: bool = True
    score: float = 0.0
"""

_STORES = (
    'kw.Item(table, pk="OWNER#{{owner_id}}", sk="M{n:04d}#{{created_at:iso}}#{{item_id}}")',
    'kw.Collection(database, "m{n}", id="{{item_id}}", indexes=[kw.Index(["owner_id", "-created_at"])])',
    'kw.CqlTable(keyspace, "m{n}", partition="owner_id", clustering=["-created_at", "item_id"])',
    'kw.RedisHash(server, key="m{n}:{{item_id}}")',
)

_SHARED = """
table = kw.DynamoTable("table{f}")
database = kw.MongoDatabase("database{f}")
keyspace = kw.Keyspace("keyspace{f}")
server = kw.RedisServer("server{f}", role="primary")
"""

_STACK = """
config:
  keywright:environment:
    mode: dev
    dynamodb: {flavour: dynamodb}
    mongodb: {flavour: mongodb, version: "8.0"}
    cassandra: {flavour: cassandra, version: "5.0", datacentres: {dc1: 3}, repair-every-days: 7}
    redis: {flavour: redis, version: "7.4", ram: 1gb}
"""


_ONE = ('kw.Get(M{n}, rate="10/s", p99_ms=20)',)

TEN = (
    *_ONE,
    'kw.Read(M{n}, eq="owner_id", order="-created_at", limit=20)',
    'kw.Read(M{n}, eq="owner_id", range="created_at", limit=20)',
    'kw.Count(M{n}, eq="owner_id")',
    'kw.Read(M{n}, eq="status", limit=20)',
    "kw.Put(M{n}, if_absent=True)",
    "kw.Put(M{n})",
    'kw.Update(M{n}, sets="note")',
    'kw.Increment(M{n}, "count")',
    "kw.Delete(M{n})",
)
"""Patterns on one model: most of them served, in any engine."""


def write_project(folder: Path, files: int = FILES, patterns: tuple[str, ...] = _ONE) -> None:
    """The models on keywright.Model, a quarter in each engine, each with these access patterns."""
    (folder / "models").mkdir(parents=True)
    (folder / "stacks").mkdir()
    (folder / "pyproject.toml").write_text('[tool.keywright]\n[tool.keywright.rules]\nignore = ["GEN001"]\n')
    (folder / "stacks" / "Pulumi.dev.yaml").write_text(_STACK)
    head = _HEAD.format(imports="import keywright as kw\nfrom pydantic import Field")
    for file in range(files):
        parts = [head, _SHARED.format(f=file)]
        for place in range(PER_FILE):
            number = file * PER_FILE + place
            store = _STORES[number % len(_STORES)].format(n=number)
            parts.append(f"\n\nclass M{number}(kw.Model):\n    __store__: ClassVar = {store}\n{_FIELDS}")
            parts += (f"\n\np{at}_{number} = {text.format(n=number)}" for at, text in enumerate(patterns))
        (folder / "models" / f"part{file}.py").write_text("".join(parts))


def write_plain(folder: Path, files: int = FILES) -> None:
    """The same models in plain Pydantic, and a file that imports them all."""
    (folder / "plain").mkdir(parents=True)
    head = _HEAD.format(imports="from pydantic import BaseModel, Field")
    for file in range(files):
        numbers = range(file * PER_FILE, (file + 1) * PER_FILE)
        text = head + "".join(f"\n\nclass M{number}(BaseModel):\n{_FIELDS}" for number in numbers)
        (folder / "plain" / f"part{file}.py").write_text(text)
    (folder / "plain" / "__init__.py").write_text("".join(f"import plain.part{file}\n" for file in range(files)))
