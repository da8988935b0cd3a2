"""Users and orders in one table: untyped keys, a date that no key has, money as text and as float, no discriminator."""

by_status = kw.Gsi("by_status", pk="gsi1pk", sk="gsi1sk")
flat = kw.DynamoTable("flat", discriminator=None, gsis=[by_status])


class User(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="USER#{user_id}", sk="PROFILE", gsis=[by_status.key(pk="{email}", sk="USER")])

    user_id: str
    email: str


class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        flat, pk="USER#{user_id}", sk="ORDER#{order_id}", gsis=[by_status.key(pk="STATUS#{status}", sk="{placed_at:iso}")]
    )

    user_id: str
    order_id: str
    placed_at: datetime
    status: Literal["placed", "paid", "shipped"]
    total: float
    tax_total: str


user_by_email = kw.Get(User, eq="email", rate="10/s")
orders_by_status = kw.Read(Order, eq="status", order="placed_at", limit=50, rate="10/s")
orders_of_user_between = kw.Read(Order, eq="user_id", range="placed_at", span=timedelta(days=7), limit=50, rate="10/s")
