"""A join of orders and users."""

flat = kw.DynamoTable("flat")


class User(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="USER#{user_id}", sk="PROFILE")

    user_id: str
    name: str


class Order(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="USER#{user_id}", sk="ORDER#{order_id}")

    user_id: str
    order_id: str


with_user = kw.Read(Order, eq="user_id", limit=50, joins=[kw.Join(User, on={"user_id": "user_id"}, fields=["name"])])
