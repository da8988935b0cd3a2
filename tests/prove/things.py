"""A few instances to compute answers on."""

from datetime import UTC, datetime, timedelta
from typing import Literal

from pydantic import BaseModel

from keywright.errors import NOWHERE
from keywright.ir.binding import Binding, Physical
from keywright.ir.entity import Entity
from keywright.ir.template import parse
from keywright.prove.values import reading

START = datetime(2026, 1, 30, 12, tzinfo=UTC)


class Line(BaseModel):
    """A part of a thing."""

    kind: str
    amount: int


class Thing(BaseModel):
    """What is asked for."""

    id: str
    owner: str = "ann"
    state: Literal["new", "paid"] = "new"
    size: int = 0
    at: datetime = START
    note: str | None = None
    tags: list[str] = []
    lines: list[Line] = []


THINGS = [Thing(id=f"t{n}", owner="ann" if n % 3 else "bob", size=n, at=START + timedelta(days=n)) for n in range(6)]

BINDING = Binding(
    "Thing",
    Entity("Thing", "models.case", "", ()),
    Physical("mongodb", "things", "things", None, NOWHERE),
    None,
    {},
    {"month": parse("{at:month}")},
    NOWHERE,
)
"""A binding with a computed attribute; nothing else of it is read."""

READ = reading(BINDING)
