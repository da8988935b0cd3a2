"""A log that only grows."""

events = kw.RedisServer("events", role="queue")


class OrderEvent(BaseModel):
    __store__: ClassVar = kw.RedisStream(events, key="events:orders", keep=None)

    order_id: str


put_event = kw.Put(OrderEvent, rate="100/s")
