"""Calls of the same moment are one call."""

limits = kw.RedisServer("limits", role="limiter")


class Calls(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        limits, key="rate:{user_id}", limit=100, per=timedelta(seconds=60), window="sliding", member="{at:iso}"
    )

    user_id: str
    at: datetime


take = kw.Take(Calls, rate="1k/s")
