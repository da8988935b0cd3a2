"""Previews of the links in messages."""

from datetime import timedelta
from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import ImageKey
from models.members import cache


class LinkPreview(BaseModel):
    """The title and picture of a page that somebody sent a link to."""

    __store__: ClassVar = kw.RedisHash(
        cache, key="preview:{url}", ttl=timedelta(days=1), expected=1_200_000, kind="cache"
    )

    url: Annotated[str, kw.Size(avg=320, max=2_000), Field(max_length=2_000)]
    title: Annotated[str, Field(max_length=120)]
    image: ImageKey | None = None
    fetched_at: AwareDatetime


keep_preview = kw.Put(LinkPreview, rate="15/s", peak="80/s", p99_ms=10)
link_preview = kw.Get(LinkPreview, eq="url", rate="150/s", peak="600/s", p99_ms=5)
