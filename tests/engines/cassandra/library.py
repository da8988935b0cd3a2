"""Models with every kind of key and index, and rows for them: what patterns are run against on a real server."""

import random
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from keywright.engines.cassandra.engine import ENGINE
from keywright.frontend.lower import binding_of
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.record import replace

library = kw.Keyspace("library")

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""The moment about which everything happens."""

NOW = NOON + timedelta(days=4)
"""The present of all calls."""

WORDS = ("a", "b", "ab", "abc", "é", "z", "a#", "\U0001f600")
"""Texts whose order in UTF-8 is that of their characters."""


class Shelf(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        library,
        "shelf",
        partition="shelf",
        clustering=["-rank", "title"],
        static="owner",
        indexes=[kw.CqlIndex("colour"), kw.CqlIndex("pages"), kw.CqlIndex("tags")],
    )

    shelf: str
    rank: int
    title: str
    owner: str
    colour: Literal["red", "blue", "green"]
    pages: int
    tags: set[str]
    words: list[str]
    note: str | None = None


class Old(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        library,
        "old",
        partition=["a", "b"],
        clustering=["c", "-d"],
        indexes=[kw.CqlIndex("kind", using="legacy")],
    )

    a: int
    b: str
    c: str
    d: datetime
    kind: Literal["x", "y"]
    n: float


class Series(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        library,
        "series",
        partition=["s", "day", "shard"],
        clustering=["-at", "id"],
        computed={"day": "{at:date}", "shard": "{id:shard(3)}"},
    )

    s: str
    at: datetime
    id: str
    v: int


class Texty(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        library, "texty", partition="k", clustering="sorted", computed={"sorted": "{kind}#{at:iso}#{id}"}
    )

    k: str
    kind: Literal["p", "q"]
    at: datetime
    id: str
    v: int


class Plain(BaseModel):
    __store__: ClassVar = kw.CqlTable(library, "plain", partition="k", computed={"low": "{name:lower}"})

    k: str
    name: str
    day: date
    v: int | None


class Daily(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        library, "daily", partition=["u", "on"], clustering="id", computed={"on": "{day:date}"}
    )

    u: str
    day: date
    id: int
    v: bool


class Seen(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        library,
        "seen",
        partition="who",
        clustering="what",
        views=[kw.View("seen_by_time", partition="who", clustering=["-at", "what"])],
    )

    who: str
    what: str
    at: datetime


class Comment(BaseModel):
    __store__: ClassVar = kw.CqlTable(library, "comments", partition="post", clustering="-id", types={"id": "timeuuid"})

    post: str
    id: UUID


class Place(BaseModel):
    street: str
    town: str | None = None


class Order(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        library,
        "orders",
        partition=["shop", "month"],
        clustering=["-at", "id"],
        computed={"month": "{at:month}", "label": "{state}/{total}"},
        static="manager",
        unfrozen="loose",
    )

    shop: str
    at: datetime
    id: str
    state: Literal["new", "paid"] = "new"
    total: int = 0
    note: str | None = None
    place: Place = Place(street="-")
    loose: Place = Place(street="-")
    tags: list[str] = []
    few: Annotated[list[str], Field(max_length=2)] = []
    marks: set[int] = set()
    manager: str = "m"


class Token(BaseModel):
    __store__: ClassVar = kw.CqlTable(library, "tokens", partition="token")

    token: str
    uses: int
    ends: Annotated[datetime, kw.Ttl()]


class Hits(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        library, "hits", partition=["page", "shard"], counters="n", computed={"shard": "{:shard(3)}"}
    )

    page: str
    n: int


class Tally(BaseModel):
    __store__: ClassVar = kw.CqlTable(library, "tally", partition="page", clustering="-day", counters=["n", "m"])

    page: str
    day: str
    n: int
    m: int


MODELS: tuple[type[BaseModel], ...] = (
    Shelf, Old, Series, Texty, Plain, Daily, Seen, Comment, Order, Token, Hits, Tally,
)  # fmt: skip
"""All models."""

READ: tuple[type[BaseModel], ...] = MODELS[:6]
"""Those that `rows` has rows of."""


def bindings() -> dict[str, Binding]:
    """The binding of each model, by its name."""
    result = [binding_of(model.__name__, model) for model in MODELS]
    known = [binding for binding in result if binding is not None]
    return {binding.name: replace(binding, physical=known[0].physical) for binding in known}


def a_design(tables: dict[str, Binding]) -> Design:
    """All of them in one keyspace."""
    (physical,) = {id(table.physical): table.physical for table in tables.values()}.values()
    return Design(tuple(table.entity for table in tables.values()), (physical,), tuple(tables.values()))


def rows(draw: random.Random) -> dict[str, list[BaseModel]]:
    """Rows of each model that is read, every key once."""

    def moment() -> datetime:
        return NOON + timedelta(hours=draw.randrange(72), milliseconds=draw.randrange(3))

    def few() -> list[str]:
        return draw.sample("abcd", draw.randrange(4))

    instances: dict[str, list[BaseModel]] = {
        "Shelf": [
            Shelf(shelf=shelf, rank=draw.randrange(4), title=draw.choice(WORDS), owner=f"of {shelf}",
                  colour=draw.choice(["red", "blue", "green"]), pages=draw.randrange(5), tags=set(few()), words=few(),
                  note=draw.choice([None, "n", "m"]))
            for shelf in ("s1", "s2", "s3") for _ in range(25)
        ],
        "Old": [
            Old(a=draw.randrange(2), b=draw.choice("uv"), c=draw.choice(WORDS), d=moment(), kind=draw.choice("xy"),
                n=draw.random())
            for _ in range(120)
        ],
        "Series": [
            Series(s=draw.choice("ab"), at=moment(), id=f"i{draw.randrange(9)}", v=draw.randrange(5))
            for _ in range(150)
        ],
        "Texty": [
            Texty(k=draw.choice("ab"), kind=draw.choice("pq"), at=moment(), id=draw.choice(WORDS[:5]), v=1)
            for _ in range(100)
        ],
        "Plain": [
            Plain(k=f"k{at}", name=draw.choice(["A", "a", "B"]), day=date(2026, 1, 1 + at % 3),
                  v=draw.choice([None, 1, 2]))
            for at in range(15)
        ],
        "Daily": [
            Daily(u=draw.choice("ab"), day=date(2026, 11, draw.randrange(16, 21)), id=draw.randrange(6),
                  v=draw.random() < 0.5)
            for _ in range(60)
        ],
    }  # fmt: skip
    keys = {name: ENGINE.key_fields(ENGINE.lower(a_design(tables))[0], tables[name]) for tables in [bindings()]
            for name in instances}  # fmt: skip
    return {
        name: list({tuple(getattr(instance, field) for field in keys[name]): instance for instance in several}.values())
        for name, several in instances.items()
    }
