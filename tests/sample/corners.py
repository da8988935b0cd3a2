"""Models with everything that the worked example lacks."""

from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

db = kw.MongoDatabase("corners")
map_server = kw.RedisServer("map", role="primary")
table = kw.DynamoTable("plain", pk="code", sk=None)
space = kw.Keyspace("corners")


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Place(BaseModel):
    country: Annotated[str, Field(max_length=2, min_length=2)]
    zip: Annotated[str, Field(pattern=r"^\d{5}$", alias="postalCode")]
    position: Annotated[list[float], Field(min_length=2, max_length=2)]


class Shelf(BaseModel):
    __store__: ClassVar = kw.Collection(
        db, "shelves", id="{place.country}-{place.zip}", indexes=[kw.GeoIndex("place.position")], expected=40
    )

    place: Place
    label: Annotated[str, Field(alias="shelfLabel")]
    note: str | None
    remark: str = "none"
    colours: Annotated[set[Colour], Field(min_length=2)]
    numbers: Annotated[frozenset[Annotated[int, Field(ge=1, le=6)]], Field(min_length=6, max_length=6)]
    words: Annotated[dict[str, Annotated[int, Field(lt=0)]], Field(max_length=2)]
    gaps: list[int | None]
    anything: Any
    digest: bytes
    corner: tuple[int, int, int]


class Employee(BaseModel):
    __store__: ClassVar = kw.Collection(db, "employees", id="{id}")

    id: UUID
    manager_id: Annotated[UUID, kw.Ref("Employee", on_missing="hide")] | None
    deputy_id: Annotated[UUID, kw.Ref("Employee", on_missing="hide")]
    name: Annotated[str, Field(max_length=30)]
    manager_name: Annotated[str, Field(max_length=8), kw.CopiedFrom("Employee", "name", sync="job")]


class Left(BaseModel):
    __store__: ClassVar = kw.Collection(db, "lefts", id="{left_id}")

    left_id: Annotated[str, kw.Ref("Right", on_missing="fail")]
    word: Annotated[str, kw.CopiedFrom("Right", "word", sync="job")]


class Right(BaseModel):
    __store__: ClassVar = kw.Collection(db, "rights", id="{right_id}")

    right_id: Annotated[str, kw.Ref("Left", on_missing="fail")]
    word: Annotated[str, kw.CopiedFrom("Left", "word", sync="job")]


class Passport(BaseModel):
    __store__: ClassVar = kw.Collection(db, "passports", id="{number}")

    number: Annotated[str, Field(max_length=9)]
    employee_id: Annotated[UUID, kw.Ref(Employee, on_missing="fail", max_referrers=1)]


class Switch(BaseModel):
    __store__: ClassVar = kw.Item(table)

    code: Literal["a", "b", "c"]
    level: Annotated[int, Field(ge=-3)] = 0


class Cell(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        space, "cells", partition="row", clustering=["-at"], types={"row": "tinyint", "host": "inet"}
    )

    row: int
    at: datetime
    host: str
    price: Annotated[Decimal, Field(gt=0, max_digits=5, decimal_places=3)]


class Position(BaseModel):
    longitude: float
    latitude: float


class Kiosk(BaseModel):
    __store__: ClassVar = kw.RedisGeo(map_server, key="kiosks", member="{name}", place="position")

    name: str
    position: Position
