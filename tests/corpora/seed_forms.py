"""Designs of the seed guides as the guides write them, with the patterns that they name and some that they forget."""

from collections.abc import Mapping

from tests.projects import with_imports

_ID = 'Annotated[str, Field(pattern=r"^[a-z0-9]+$")]'
_STATUS = 'Literal["pending", "paid", "shipped"]'

_SHOP = f"""
gsi1 = kw.Gsi("GSI1", pk="GSI1PK", sk="GSI1SK")
shop = kw.DynamoTable("shop", pk="PK", sk="SK", gsis=[gsi1])

class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{{user_id}}", sk="PROFILE#{{user_id}}")
    user_id: {_ID}
    name: str

class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        shop, pk="USER#{{user_id}}", sk="ORDER#{{placed_on:date}}#{{order_id}}",
        gsis=[gsi1.key(pk="STATUS#{{status}}", sk="{{placed_at:iso}}")],
    )
    user_id: {_ID}
    order_id: {_ID}
    placed_on: date
    placed_at: datetime
    status: {_STATUS}

class OrderItem(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="ORDER#{{order_id}}", sk="ITEM#{{sku}}")
    order_id: {_ID}
    sku: {_ID}
    quantity: int

class Product(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="PRODUCT#{{sku}}", sk="METADATA")
    sku: {_ID}
    name: str

user_by_id = kw.Get(User, eq="user_id")
orders_for_user = kw.Read(Order, eq="user_id", limit=50)
orders_for_user_by_day = kw.Read(Order, eq="user_id", order="-placed_on", limit=50)
orders_for_user_by_time = kw.Read(Order, eq="user_id", order="-placed_at", limit=50)
orders_between_days = kw.Read(Order, eq="user_id", range="placed_on", limit=50)
items_for_order = kw.Read(OrderItem, eq="order_id", limit=50)
orders_with_sku = kw.Read(OrderItem, eq="sku", limit=50)
orders_by_status = kw.Read(Order, eq="status", order="placed_at", limit=50)
all_orders_of_a_day = kw.Read(Order, eq="placed_on", limit=50)
all_orders_by_time = kw.Read(Order, range="placed_at", order="placed_at", limit=50)
order_by_number = kw.Get(Order, eq="order_id")
ship = kw.Update(Order, eq=["user_id", "placed_on", "order_id", "placed_at"], sets="status")
ship_by_number = kw.Update(Order, eq=["user_id", "order_id"], sets="status")
product_by_sku = kw.Get(Product, eq="sku")
"""

_LESSON = f"""
gsi1 = kw.Gsi("GSI1", pk="GSI1PK")
app = kw.DynamoTable("AppTable", pk="PK", sk="SK", gsis=[gsi1])

class User(BaseModel):
    __store__: ClassVar = kw.Item(app, pk="USER#{{user_id}}", sk="PROFILE", gsis=[gsi1.key(pk="EMAIL#{{email}}")])
    user_id: {_ID}
    email: str

class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        app, pk="USER#{{user_id}}", sk="ORDER#{{order_id}}", gsis=[gsi1.key(pk="STATUS#{{status}}")]
    )
    user_id: {_ID}
    order_id: {_ID}
    placed_at: datetime
    status: {_STATUS}

user_by_id = kw.Get(User, eq="user_id")
user_by_email = kw.Get(User, eq="email")
list_orders = kw.Read(Order, eq="user_id", limit=50)
list_orders_by_time = kw.Read(Order, eq="user_id", order="-placed_at", limit=50)
shipped_orders = kw.Read(Order, where={{"status": "shipped"}}, limit=50)
shipped_orders_by_time = kw.Read(Order, where={{"status": "shipped"}}, order="placed_at", limit=50)
orders_today = kw.Read(Order, range="placed_at", limit=50)
"""

_MESSAGES = f"""
chat = kw.DynamoTable("chat")

class Message(BaseModel):
    __store__: ClassVar = kw.Item(chat, pk="CONV#{{conversation_id}}", sk="MSG#{{sent_at:iso}}#{{message_id}}")
    conversation_id: {_ID}
    message_id: {_ID}
    sent_at: datetime

class Membership(BaseModel):
    __store__: ClassVar = kw.Item(chat, pk="USER#{{user_id}}", sk="CONV#{{last_message_at:iso}}#{{conversation_id}}")
    user_id: {_ID}
    conversation_id: {_ID}
    last_message_at: datetime

messages = kw.Read(Message, eq="conversation_id", order="sent_at", limit=50)
conversations = kw.Read(Membership, eq="user_id", order="-last_message_at", limit=50)
touch = kw.Update(Membership, eq=["user_id", "conversation_id"], sets="last_message_at")
touch_knowing_it = kw.Update(Membership, eq=["user_id", "last_message_at", "conversation_id"], sets="last_message_at")
is_member = kw.Get(Membership, eq=["user_id", "conversation_id"])
members = kw.Read(Membership, eq="conversation_id", limit=50)
"""

_ROWS = """
metrics = kw.Keyspace("metrics")

class Reading(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        metrics, "sensor_readings", partition=["sensor_id", "bucket"], clustering="-timestamp",
        computed={"bucket": "{timestamp:month}"},
    )
    sensor_id: str
    timestamp: datetime
    value: float

class WideReading(BaseModel):
    __store__: ClassVar = kw.CqlTable(metrics, "wide_readings", partition="device_id", clustering="timestamp")
    device_id: str
    timestamp: datetime
    value: float

class Post(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        metrics, "user_posts", partition=["user_id", "month"], clustering="-post_id", types={"post_id": "timeuuid"}
    )
    user_id: str
    month: str
    post_id: str
    content: str

of_month = kw.Read(Reading, eq="sensor_id", range="timestamp", span=timedelta(days=28), order="-timestamp", limit=100)
of_a_quarter = kw.Read(Reading, eq="sensor_id", range="timestamp", span=timedelta(days=91), limit=100)
latest = kw.Read(Reading, eq="sensor_id", order="-timestamp", limit=100)
latest_of_two_months = kw.Read(Reading, eq="sensor_id", order="-timestamp", limit=100, fan_out=2)
hot_values = kw.Read(Reading, eq="sensor_id", range="timestamp", where={"value": kw.AtLeast(100)}, limit=100, fan_out=2)
latest_of_device = kw.Read(WideReading, eq="device_id", order="-timestamp", limit=100)
posts_of_month = kw.Read(Post, eq=["user_id", "month"], order="-post_id", limit=50)
posts_of_user = kw.Read(Post, eq="user_id", order="-post_id", limit=50)
"""

FORMS: Mapping[str, str] = {
    "a shop in one table": with_imports(_SHOP),
    "a lesson on keys": with_imports(_LESSON),
    "messages and conversations": with_imports(_MESSAGES),
    "rows in buckets": with_imports(_ROWS),
}
