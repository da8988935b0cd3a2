"""Ten million sessions of two kilobytes on one server that is too small, evicts any key and keeps nothing."""

sessions = kw.RedisServer("sessions", role="sessions", eviction="allkeys-lru", persistence=[])


class Session(BaseModel):
    __store__: ClassVar = kw.RedisString(
        sessions, key="session:{token}", expected=10_000_000, ttl=timedelta(hours=24), kind="session"
    )

    token: Annotated[str, kw.Size(avg=32, max=32)]
    data: Annotated[str, kw.Size(avg=2_000, max=2_000)]


session = kw.Get(Session, rate="100k/s")
put_session = kw.Put(Session, rate="20k/s")
