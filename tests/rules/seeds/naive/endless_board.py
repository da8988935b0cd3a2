"""A board that keeps every player."""

things = kw.RedisServer("things", role="primary")


class Score(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(things, key="leaderboard", member="{player}", score="points", kind="event")

    player: str
    points: int
