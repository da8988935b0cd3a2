"""Naive answers to the usual questions: each is refused, or names the rules that have to find what is wrong with it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """One naive model, with the patterns that make it naive."""

    title: str
    """What is naive about it."""
    source: str
    """A model file, without its imports."""
    illegal: str = ""
    """The code of the error that it raises."""
    findings: tuple[str, ...] = ()
    """The rules that have to speak about it, once there are rules."""

    @property
    def slug(self) -> str:
        """The title as a file name."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.title.lower())


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
place_order = kw.Put(Order, rate="100/s")
""",
        findings=(
            "DDB002", "DDB004", "DDB010", "DDB015", "DDB016", "DDB023", "GEN002", "GEN004", "GEN021", "GEN107",
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
        findings=("DDB005", "DDB009", "GEN008"),
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

MONGODB = (
    Answer(
        "comments inside the post for ever",
        """
content = kw.MongoDatabase("content")


class Comment(BaseModel):
    text: str


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(content, "posts", id="{slug}")

    slug: str
    tags: list[str]
    related: Annotated[list[str], Field(max_length=20), kw.Ref("Post", on_missing="ignore")]
    comments: list[Comment]


related_to = kw.Read(Post, contains="related", limit=20, rate="1/s")
same_tags = kw.Read(Post, exactly="tags", limit=20, rate="1/s")
""",
        findings=("GEN011", "MDB001", "MDB006", "MDB016"),
    ),
    Answer(
        "one index over two arrays",
        """
content = kw.MongoDatabase("content")


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(
        content, "posts", id="{slug}", indexes=[kw.Index(["tags", "reader_ids"])]
    )

    slug: str
    tags: list[str]
    reader_ids: list[str]
""",
        illegal="MDB007",
    ),
    Answer(
        "a partial index with not equal",
        """
content = kw.MongoDatabase("content")


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(
        content,
        "orders",
        id="{order_id}",
        indexes=[kw.Index("user_id", where={"status": kw.Not("cancelled")})],
    )

    order_id: str
    user_id: str
    status: str
""",
        illegal="MDB011",
    ),
    Answer(
        "a report that joins before it matches",
        """
content = kw.MongoDatabase("content")


class Category(BaseModel):
    __store__: ClassVar = kw.Collection(content, "categories", id="{category_id}")

    category_id: str
    name: str


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(
        content,
        "orders",
        id="{order_id}",
        indexes=[kw.Index("user_id", where={"status": "open"})],
        cut_over=kw.CutOver("PostgreSQL", stage="switch-reads", done=["dual-write"]),
    )

    order_id: str
    user_id: str
    status: str
    category_id: str


orders_of_user = kw.Read(Order, eq="user_id", limit=20, rate="1/s")
revenue = kw.Aggregate(
    Order,
    group=["{category_id}"],
    measures={"orders": kw.Distinct("order_id")},
    joins=[kw.Join(Category, on={"category_id": "category_id"}, fields="name")],
    rate="24/day",
)
""",
        findings=("GEN013", "MDB012", "MDB019", "MDB020"),
    ),
    Answer(
        "all people inside their city",
        """
content = kw.MongoDatabase("content")


class City(BaseModel):
    __store__: ClassVar = kw.Collection(content, "cities", id="{city_id}")

    city_id: str
    person_ids: list[Annotated[str, kw.Ref("Person", on_missing="ignore", max_referrers=1)]]


class Person(BaseModel):
    __store__: ClassVar = kw.Collection(content, "people", id="{person_id}")

    person_id: str
    city_id: Annotated[str, kw.Ref(City, on_missing="ignore", max_referrers=36_000_000)]
    user_email: str
""",
        findings=("GEN006", "GEN007", "GEN020", "MDB004", "MDB005"),
    ),
    Answer(
        "an expiry that is no date",
        """
content = kw.MongoDatabase("content")


class Login(BaseModel):
    __store__: ClassVar = kw.Collection(content, "logins", id="{token}", kind="session")

    token: str
    expires_at: Annotated[str, kw.Ttl()]
""",
        illegal="MDB013",
    ),
    Answer(
        "one document per reading for ever",
        """
content = kw.MongoDatabase("content")


class Reading(BaseModel):
    __store__: ClassVar = kw.Collection(content, "readings", indexes=[kw.Index(["sensor", "at"])], kind="reading")

    sensor: str
    at: datetime
    value: float
""",
        findings=("GEN008", "MDB015"),
    ),
)

CASSANDRA = (
    Answer(
        "a compaction strategy by its nickname",
        """
history = kw.Keyspace("history")


class Viewing(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        history,
        "viewing",
        partition="user_id",
        clustering="watched_at",
        settings={"compaction": {"class": "TWCS", "compaction_window_unit": "DAYS", "compaction_window_size": "1"}},
    )

    user_id: str
    watched_at: datetime
""",
        illegal="CAS007",
    ),
    Answer(
        "a partition that grows for ever",
        """
history = kw.Keyspace("history")


class Viewing(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        history, "viewing", partition="user_id", clustering="watched_at", gc_grace=timedelta(hours=1), kind="event"
    )

    user_id: Annotated[str, kw.Cardinality(distinct=1_000)]
    watched_at: datetime


latest = kw.Read(Viewing, eq="user_id", order="-watched_at", limit=50, rate="50k/s")
watch = kw.Put(Viewing, consistency="eventual", rate="1M/s")
latest_strong = kw.Read(Viewing, eq="user_id", limit=50, consistency="strong", rate="1/s")
clean_up = kw.Delete(Viewing, because="expiry", rate="10k/s")
""",
        findings=("CAS002", "CAS003", "CAS005", "CAS006", "CAS011", "CAS012", "CAS013", "CAS016"),
    ),
    Answer(
        "seven hundred windows",
        """
history = kw.Keyspace("history")


class Daily(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        history,
        "daily",
        partition=["user_id", "month"],
        clustering="-at",
        computed={"month": "{at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
    )

    user_id: str
    at: datetime


all_of_user = kw.Read(Daily, eq="user_id", order="-at", limit=100, fan_out=25, rate="1/s")
""",
        findings=("CAS004", "CAS009"),
    ),
)

REDIS = (
    Answer(
        "ten million sessions without end",
        """
sessions = kw.RedisServer("sessions", role="sessions", eviction="allkeys-lru", persistence=[])


class Session(BaseModel):
    __store__: ClassVar = kw.RedisHash(sessions, key="session:{token}", expected=10_000_000, kind="session")

    token: str
    data: Annotated[str, kw.Size(avg=2_000)]
""",
        findings=("RED002", "RED003", "RED004", "RED006", "RED015"),
    ),
    Answer(
        "a profile as one text",
        """
things = kw.RedisServer("things", role="primary", persistence=[])


class Profile(BaseModel):
    __store__: ClassVar = kw.RedisString(things, key="user:{user_id}")

    user_id: str
    name: str


rename = kw.Update(Profile, sets="name", rate="10/s")
""",
        findings=("RED005", "RED008"),
    ),
    Answer(
        "a cache without end and source",
        """
things = kw.RedisServer("things", role="cache")


class CachedProduct(BaseModel):
    __store__: ClassVar = kw.RedisString(things, key="product:{sku}", kind="cache")

    sku: str
    price: str
""",
        findings=("RED004", "RED005"),
    ),
    Answer(
        "calls of one moment as one member",
        """
things = kw.RedisServer("things", role="limiter")


class Call(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        things, key="rate:{user_id}", limit=100, per=timedelta(seconds=60), window="sliding", member="{at:iso}"
    )

    user_id: str
    at: datetime
""",
        findings=("RED012",),
    ),
    Answer(
        "a log that only grows",
        """
things = kw.RedisServer("things", role="queue")


class OrderEvent(BaseModel):
    __store__: ClassVar = kw.RedisStream(things, key="events:orders", keep=None)

    order_id: str
""",
        findings=("RED010",),
    ),
    Answer(
        "a board that keeps every player",
        """
things = kw.RedisServer("things", role="primary")


class Score(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(things, key="leaderboard", member="{player}", score="points", kind="event")

    player: str
    points: int
""",
        findings=("GEN008", "RED011"),
    ),
)

ANSWERS = (*DYNAMODB, *MONGODB, *CASSANDRA, *REDIS)
