"""Naive answers on Redis."""

from .answer import Answer

REDIS = (
    Answer(
        "ten million sessions without end",
        """
sessions = kw.RedisServer("sessions", role="sessions", eviction="allkeys-lru", persistence=[])


class Session(BaseModel):
    __store__: ClassVar = kw.RedisHash(sessions, key="session:{token}", expected=10_000_000, kind="session")

    token: str
    data: Annotated[str, kw.Size(avg=2_000)]
""",
        findings=("RED002", "RED003", "RED004", "RED006", "RED015"),
    ),
    Answer(
        "a profile as one text",
        """
things = kw.RedisServer("things", role="primary", persistence=[])


class Profile(BaseModel):
    __store__: ClassVar = kw.RedisString(things, key="user:{user_id}")

    user_id: str
    name: str


rename = kw.Update(Profile, sets="name", rate="10/s")
""",
        findings=("RED005", "RED008"),
    ),
    Answer(
        "a cache without end and source",
        """
things = kw.RedisServer("things", role="cache")


class CachedProduct(BaseModel):
    __store__: ClassVar = kw.RedisString(things, key="product:{sku}", kind="cache")

    sku: str
    price: str
""",
        findings=("RED004", "RED005"),
    ),
    Answer(
        "calls of one moment as one member",
        """
things = kw.RedisServer("things", role="limiter")


class Call(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        things, key="rate:{user_id}", limit=100, per=timedelta(seconds=60), window="sliding", member="{at:iso}"
    )

    user_id: str
    at: datetime
""",
        findings=("RED012",),
    ),
    Answer(
        "a log that only grows",
        """
things = kw.RedisServer("things", role="queue")


class OrderEvent(BaseModel):
    __store__: ClassVar = kw.RedisStream(things, key="events:orders", keep=None)

    order_id: str
""",
        findings=("RED010",),
    ),
    Answer(
        "a board that keeps every player",
        """
things = kw.RedisServer("things", role="primary")


class Score(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(things, key="leaderboard", member="{player}", score="points", kind="event")

    player: str
    points: int
""",
        findings=("GEN008", "RED011"),
    ),
)
