"""Identifiers, measures and stores that the subjects share."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

TenantId = Annotated[
    str, Field(pattern=r"^[a-z0-9-]{3,32}$", max_length=32), kw.Size(avg=12, max=32), kw.Cardinality(distinct=1_200)
]
VideoId = Annotated[UUID, kw.Cardinality(distinct=40_000_000)]
SessionId = Annotated[UUID, kw.Cardinality(distinct=350_000_000)]
ViewerId = Annotated[
    str,
    Field(pattern=r"^[A-Za-z0-9_-]{22}$", min_length=22, max_length=22),
    kw.Cardinality(distinct=120_000_000),
    kw.Pii(),
]
CampaignId = Annotated[UUID, kw.Cardinality(distinct=60_000)]
MemberId = Annotated[UUID, kw.Cardinality(distinct=30_000)]
Country = Annotated[str, Field(min_length=2, max_length=2), kw.Cardinality(distinct=240)]
DeviceClass = Literal["tv", "phone", "tablet", "desktop", "console", "stick"]
Cdn = Literal["aurora", "borealis", "cirrus", "own"]
Count = Annotated[int, Field(ge=0)]
Millis = Annotated[int, Field(ge=0, le=2_000_000_000)]

playback = kw.Keyspace("playback", owner="ingest")
rollups = kw.Keyspace("rollups", owner="analytics")
console = kw.MongoDatabase("console", owner="console")


class Player(BaseModel):
    """What plays: a user-defined type in the rows of sessions."""

    name: Annotated[str, Field(max_length=30)]
    version: Annotated[str, Field(max_length=20)]
    device: DeviceClass
    system: Annotated[str, Field(max_length=30)]
