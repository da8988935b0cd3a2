"""Models of four engines with times in keys in formats of other programs."""

COMMON = """
Second = Annotated[AwareDatetime, kw.Precision("seconds")]
Id = Annotated[str, Field(pattern="^[a-z0-9]{1,8}$"), kw.Cardinality(distinct=6)]
Number = Annotated[str, Field(pattern="^[0-9]{3}$")]
"""

DYNAMODB = """
by_day = kw.Gsi("by_day", pk="gsi1pk", sk="gsi1sk")
by_hour = kw.Gsi("by_hour", pk="gsi2pk", sk="gsi2sk")
app = kw.DynamoTable("app", gsis=[by_day, by_hour])


class Visit(BaseModel):
    __store__: ClassVar = kw.Item(
        app,
        pk="USER#{user_id}",
        sk="VISIT#{at:strftime(%Y%m%dT%H%M%SZ)}#{number}",
        gsis=[
            by_day.key(pk="DAY#{at:strftime(%Y/%m/%d)}", sk="{exact:strftime(%Y%m%d%H%M%S%f)}#{number}"),
            by_hour.key(pk="HOUR#{exact:strftime(%Y%m%d%H)}", sk="{exact:strftime(%Y-%m-%d %H:%M:%S.%f)}"),
        ],
    )

    user_id: Id
    number: Number
    at: Second
    exact: AwareDatetime
    note: str | None = None


class Day(BaseModel):
    __store__: ClassVar = kw.Item(app, pk="TEAM#{team}", sk="DAY#{day:strftime(%Y%m%d)}")

    team: Id
    day: date


put = kw.Put(Visit)
visit = kw.Get(Visit, eq=["user_id", "at", "number"])
visits = kw.Read(Visit, eq="user_id", range="at", order="at", limit=7)
newest = kw.Read(Visit, eq="user_id", order="-at", limit=5)
of_days = kw.Read(Visit, range="at", span=timedelta(days=30), limit=7)
of_hours = kw.Read(Visit, range="exact", span=timedelta(hours=30), order="exact", limit=7)
write_note = kw.Update(Visit, sets="note")
put_day = kw.Put(Day)
day = kw.Get(Day, eq=["team", "day"])
days = kw.Read(Day, eq="team", range="day", order="-day", limit=7)
"""

REDIS = """
server = kw.RedisServer("app", role="primary", eviction="noeviction", persistence=[])


class Visit(BaseModel):
    __store__: ClassVar = kw.RedisHash(
        server, key="visit:{user_id}:{at:strftime(%Y%m%d%H%M%S)}", ttl=timedelta(days=1)
    )

    user_id: Id
    at: Second
    note: str = ""


class Exact(BaseModel):
    __store__: ClassVar = kw.RedisString(
        server, key="exact:{user_id}:{at:strftime(%Y-%m-%dT%H:%M:%S.%f)}:{day:strftime(%Y%m%d)}", ttl=timedelta(days=1)
    )

    user_id: Id
    at: AwareDatetime
    day: date


visit = kw.Get(Visit, eq=["user_id", "at"])
put_visit = kw.Put(Visit)
exact = kw.Get(Exact, eq=["user_id", "at", "day"])
put_exact = kw.Put(Exact)
"""

CASSANDRA = """
app = kw.Keyspace("app")


class Visit(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        app,
        "visits",
        partition=["user_id", "day"],
        clustering="moment",
        computed={"day": "{at:strftime(%Y%m%d)}", "moment": "{at:strftime(%Y%m%d%H%M%S%f)}#{number}"},
    )

    user_id: Id
    number: Number
    at: AwareDatetime


put = kw.Put(Visit)
visits = kw.Read(Visit, eq="user_id", range="at", span=timedelta(days=9), limit=9)
"""

MONGODB = """
app = kw.MongoDatabase("app")


class Visit(BaseModel):
    __store__: ClassVar = kw.Collection(
        app, "visits", id="{user_id}#{at:strftime(%Y%m%d%H%M%S%f)}", computed={"day": "{at:strftime(%Y%m%d)}"},
        indexes=[kw.Index(["user_id", "day"])],
    )

    user_id: Id
    at: AwareDatetime
    total: int


put = kw.Put(Visit)
visit = kw.Get(Visit, eq=["user_id", "at"])
of_day = kw.Read(Visit, eq=["user_id", "day"], limit=9)
"""
