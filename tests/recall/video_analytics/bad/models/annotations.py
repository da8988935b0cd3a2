"""Notes that members write at a moment of a chart; they are kept here alone."""

from datetime import timedelta
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import MemberId

annotations = kw.RedisServer(
    "annotations",
    role="primary",
    owner="console",
    eviction="allkeys-lru",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
)


class ChartNote(BaseModel):
    """A note at a moment of a chart of a dashboard."""

    __store__: ClassVar = kw.RedisSortedSet(
        annotations,
        key="notes:{dashboard_id:tag}",
        member="{note_id}:{author_id}:{text}",
        score="at",
        max_length=500,
        ttl=timedelta(days=800),
        expected=600_000,
        active=0.05,
    )

    dashboard_id: Annotated[UUID, kw.Cardinality(distinct=25_000)]
    note_id: UUID
    author_id: MemberId
    text: Annotated[str, Field(max_length=200), kw.Size(avg=60, max=400)]
    at: AwareDatetime


write_note = kw.Put(ChartNote, rate="2k/day", p99_ms=20)
notes_of_dashboard = kw.Read(ChartNote, eq="dashboard_id", range="at", order="-at", limit=100, rate="8/s", p99_ms=20)
