"""A profile as one text, a board that keeps everybody, tags as a text, a queue that evicts."""

things = kw.RedisServer("things", role="primary", persistence=[kw.Aof(fsync="everysec"), kw.Rdb()])
jobs = kw.RedisServer("jobs", role="queue", eviction="allkeys-lru")


class Profile(BaseModel):
    __store__: ClassVar = kw.RedisString(things, key="user:{user_id}")

    user_id: str
    name: Annotated[str, Field(max_length=80)]


class Score(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(
        things, key="leaderboard", member="{player}", score="points", kind="event", expected=5_000_000
    )

    player: str
    points: int


class Visits(BaseModel):
    __store__: ClassVar = kw.RedisString(things, key="visits:{page}")

    page: str
    count: int


class Job(BaseModel):
    __store__: ClassVar = kw.RedisList(jobs, key="jobs:{queue}")

    queue: str
    payload: Annotated[str, Field(max_length=200)]


rename = kw.Update(Profile, sets="name", rate="10/s")
top_ten = kw.Read(Score, order="-points", limit=10, rate="100/s")
count_visit = kw.Increment(Visits, "count", rate="100/s")
take_job = kw.Take(Job, rate="10/s")
