"""All pending orders by time: an index with a partition for each status, a list without end."""

by_status = kw.Gsi("by_status", pk="status", sk="placed_at")
orders = kw.DynamoTable("orders", gsis=[by_status])


class Order(BaseModel):
    __store__: ClassVar = kw.Item(orders, pk="ORDER#{order_id}", sk="ORDER")

    order_id: str
    placed_at: datetime
    status: Literal["pending", "paid", "shipped"]


place_order = kw.Put(Order, rate="2k/s")
pending_orders = kw.Read(Order, where={"status": "pending"}, order="placed_at", rate="1/s")


sharded = kw.Gsi("sharded", pk="shard_pk", sk="shard_sk")
parcels = kw.DynamoTable("parcels", gsis=[sharded])


class Parcel(BaseModel):
    __store__: ClassVar = kw.Item(
        parcels, pk="PARCEL#{parcel_id}", sk="PARCEL",
        gsis=[sharded.key(pk="STATUS#{status}#{parcel_id:shard(8)}", sk="{sent_at:iso}")],
    )  # fmt: skip

    parcel_id: str
    sent_at: datetime
    status: Literal["waiting", "sent"]


waiting_parcels = kw.Read(Parcel, where={"status": "waiting"}, order="sent_at", limit=100, rate="1/s")
