"""Naive answers on DynamoDB."""

from .answer import Answer

FLAT = """
by_any = kw.Gsi("by_any", pk="gsi1pk", sk="gsi1sk")
flat = kw.DynamoTable("flat", discriminator=None, gsis=[by_any])


class Login(BaseModel):
    __store__: ClassVar = kw.Item(
        flat, pk="LOGIN#{login}", sk="LOGIN", gsis=[by_any.key(pk="LOGIN#{login}", sk="LOGIN")]
    )

    login: str


"""

DYNAMODB = (
    Answer(
        "orders by status in one partition",
        FLAT
        + """
class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        flat,
        pk="USER#{user_id}",
        sk="ORDER#{order_id}",
        gsis=[by_any.key(pk="STATUS#{status}", sk="{placed_at:iso}")],
    )

    user_id: str
    order_id: str
    placed_at: datetime
    status: Annotated[str, kw.Cardinality(distinct=5)]
    total: float


order_by_id = kw.Get(Order, eq="order_id")
pending_orders = kw.Read(Order, where={"status": "pending"}, order="placed_at")
orders_today = kw.Read(Order, range="placed_at", span=timedelta(days=1), rate="1/s")
orders_of_user = kw.Read(Order, eq="user_id", range="placed_at", limit=20, rate="5/s")
place_order = kw.Put(Order, rate="100/s")
""",
        findings=(
            "DDB002", "DDB010", "DDB015", "DDB016", "DDB023", "GEN002", "GEN004", "GEN021",
        ),
    ),
    Answer(
        "a bare e-mail as a key",
        FLAT
        + """
class User(BaseModel):
    __store__: ClassVar = kw.Item(
        flat, pk="USER#{user_id}", sk="PROFILE", gsis=[by_any.key(pk="{email}", sk="USER")]
    )

    user_id: str
    email: str


user_by_email = kw.Get(User, eq="email", rate="10/s")
""",
        findings=("DDB014",),
    ),
    Answer(
        "a join of orders and users",
        """
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
""",
        findings=("GEN005",),
    ),
    Answer(
        "money read through an index",
        FLAT
        + """
class Balance(BaseModel):
    __store__: ClassVar = kw.Item(
        flat, pk="USER#{user_id}", sk="BALANCE", gsis=[by_any.key(pk="ACCOUNT#{account}", sk="BALANCE")], kind="money"
    )

    user_id: str
    account: str
    cents: int


balance = kw.Get(Balance, eq="user_id", rate="50/s")
balance_by_account = kw.Get(Balance, eq="account", consistency="strong", rate="50/s")
""",
        findings=("DDB017", "GEN010"),
    ),
    Answer(
        "one hot product",
        """
flat = kw.DynamoTable("flat")


class Product(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="PRODUCT#{sku}", sk="DETAILS")

    sku: str
    stock: int


product = kw.Get(Product, eq="sku", rate="1k/s", peak="60k/s", hot_key="50k/s")
take_one = kw.Increment(Product, "stock", by=-1, rate="100/s", hot_key="5k/s")
""",
        findings=("DDB006", "DDB007", "DDB020"),
    ),
    Answer(
        "one settings item for everybody",
        """
flat = kw.DynamoTable("flat")


class Settings(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="CONFIG#GLOBAL", sk="CONFIG")

    banner: str


settings = kw.Get(Settings, rate="3k/s")
""",
        findings=("DDB019",),
    ),
    Answer(
        "a day alone as partition key",
        """
flat = kw.DynamoTable("flat")


class Measurement(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="{at:date}", sk="{at:iso}", kind="reading")

    at: datetime
    value: float


record = kw.Put(Measurement, rate="2k/s")
""",
        findings=("DDB005", "GEN008"),
    ),
    Answer(
        "all readings of a sensor under one key",
        """
flat = kw.DynamoTable("flat")


class Measurement(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="SENSOR#{sensor_id}", sk="{at:iso}", kind="reading")

    sensor_id: str
    at: datetime
    value: float


record = kw.Put(Measurement, rate="2k/s")
""",
        findings=("DDB009", "GEN008"),
    ),
    Answer(
        "a time that changes in the key",
        """
flat = kw.DynamoTable("flat")


class Conversation(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="USER#{user_id}", sk="CONV#{last_message_at:iso}")

    user_id: str
    conversation_id: str
    last_message_at: datetime


new_message = kw.Update(Conversation, sets="last_message_at", rate="2k/s")
""",
        findings=("DDB022",),
    ),
    Answer(
        "unpadded page numbers",
        """
flat = kw.DynamoTable("flat")


class Page(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="BOOK#{book}", sk="PAGE#{number}")

    book: str
    number: int
""",
        illegal="GEN102",
    ),
    Answer(
        "a price as float in the key",
        """
flat = kw.DynamoTable("flat")


class Product(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="CATEGORY#{category}", sk="PRICE#{price}")

    category: str
    price: float
""",
        illegal="E0309",
    ),
)  # fmt: skip
