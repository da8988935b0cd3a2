"""Seventy-four typical mistakes in a model file, and the code of each: an error now, or a finding of a later stage."""

from dataclasses import dataclass

SETTING = """
lookup = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk")
by_region = kw.Gsi("by_region", pk=["tenant", "region"], sk="placed_at")
elsewhere = kw.Gsi("elsewhere", pk="gsi1pk", sk="gsi1sk")
shop = kw.DynamoTable("shop", gsis=[lookup, by_region])
content = kw.MongoDatabase("content")
metrics = kw.Keyspace("metrics")
cache = kw.RedisServer("cache", role="cache")


class Line(BaseModel):
    sku: str


class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        shop,
        pk="USER#{user_id}",
        sk="ORDER#{placed_at:iso}#{order_id}",
        gsis=[lookup.key(pk="ORDER#{order_id}", sk="ORDER")],
    )

    user_id: str
    order_id: str
    tenant: str
    region: str
    placed_at: AwareDatetime
    status: Literal["placed", "paid"]
    total: int
    lines: Annotated[list[Line], Field(max_length=100)]


place_order = kw.Put(Order, rate="100/s")
order_by_id = kw.Get(Order, eq="order_id", rate="1/s")
"""
"""What most of the mistakes are made in; it is legal."""


@dataclass(frozen=True)
class Mistake:
    """One mistake."""

    title: str
    """What is wrong, in words."""
    source: str
    """The lines below the setting."""
    code: str
    """The error that it raises; empty where it is legal and a later stage finds it."""
    later: str = ""
    """The rule that finds it."""

    @property
    def slug(self) -> str:
        """The title as a file name."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.title.lower())


OPTIONS = (
    Mistake("an option is misspelt", 'events = kw.DynamoTable("events", gsi=[lookup])', "E0501"),
    Mistake(
        "a cache without ttl",
        'copied = kw.bind(Order, kw.RedisCache(cache, key="order:{order_id}", source_of_truth=Order))',
        "E0502",
    ),
    Mistake(
        "a table of rows without partition key",
        'rows = kw.bind(Order, kw.CqlTable(metrics, "orders", clustering="-placed_at"))',
        "E0502",
    ),
    Mistake(
        "compaction on an item",
        'copied = kw.bind(Order, kw.Item(shop, pk="COPY#{order_id}", sk="COPY", compaction=kw.Leveled()))',
        "E0501",
    ),
    Mistake("a collection in a table", 'copied = kw.bind(Order, kw.Collection(shop, "orders"))', "E0503"),
    Mistake(
        "an index of another engine",
        'rows = kw.bind(Order, kw.CqlTable(metrics, "orders", partition="user_id", indexes=[kw.Index("status")]))',
        "E0503",
    ),
    Mistake("a unique text index", 'words = kw.TextIndex("title", unique=True)', "E0501"),
    Mistake(
        "a ttl on an item",
        'copied = kw.bind(Order, kw.Item(shop, pk="COPY#{order_id}", sk="COPY", ttl=timedelta(days=1)))',
        "E0501",
    ),
    Mistake("an option without its keyword", 'by_email = kw.Gsi("by_email", "gsi2pk", "gsi2sk")', "E0504"),
    Mistake("memory in the model", 'others = kw.RedisServer("others", role="cache", maxmemory="30gb")', "E0501"),
    Mistake("a declaration is changed afterwards", 'shop.owner = "shop"', "E0505"),
)

VALUES = (
    Mistake(
        "a validation level that does not exist",
        'copied = kw.bind(Order, kw.Collection(content, "orders", validation="strickt"))',
        "E0503",
    ),
    Mistake("a role that does not exist", 'others = kw.RedisServer("others", role="caching")', "E0503"),
    Mistake("a projected field as bare text", 'by_total = kw.Gsi("by_total", pk="total", project="total")', "E0503"),
    Mistake(
        "a compaction strategy by its nickname",
        'rows = kw.bind(Order, kw.CqlTable(metrics, "orders", partition="user_id", compaction="TWCS"))',
        "E0503",
    ),
    Mistake(
        "a time as a number",
        'copied = kw.bind(Order, kw.RedisHash(cache, key="order:{order_id}", ttl=86_400))',
        "E0503",
    ),
    Mistake("index keys as in the shell", 'by_author = kw.Index({"author_id": 1, "created_at": -1})', "E0503"),
    Mistake(
        "clustering order as in cql",
        'rows = kw.bind(Order, kw.CqlTable(metrics, "orders", partition="user_id", clustering={"placed_at": "desc"}))',
        "E0503",
    ),
    Mistake("field names in a tuple", 'orders = kw.Get(Order, eq=("user_id", "order_id"))', "E0503"),
    Mistake(
        "a waiver that says yes",
        'copied = kw.bind(Order, kw.Collection(content, "orders", kind="event", keep_forever=True))',
        "E0503",
    ),
    Mistake("a rate without its period", "put_order = kw.Put(Order, rate=100)", "E0503"),
    Mistake("a rate in words", 'put_order = kw.Put(Order, rate="50k per day")', "E0604"),
    Mistake("a limit as text", 'orders = kw.Read(Order, eq="user_id", limit="50")', "E0503"),
    Mistake(
        "a partial index over all but one",
        """
        copied = kw.bind(
            Order,
            kw.Collection(
                content,
                "orders",
                id="{order_id}",
                indexes=[kw.Index("user_id", where={"status": kw.Not("placed")})],
            ),
        )
        """,
        "MDB011",
    ),
    Mistake("a window that is no number of minutes", "windows = kw.TimeWindow(window=timedelta(seconds=90))", "E0503"),
)

TEMPLATES = (
    Mistake(
        "a key names a field that the model lacks",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="USER#{user_idd}", sk="CART")

            user_id: str


        cart = kw.Get(Cart, eq="user_id")
        """,
        "E0303",
    ),
    Mistake(
        "a filter that does not exist",
        'copied = kw.bind(Order, kw.Item(shop, pk="DAY#{placed_at:days}", sk="ORDER#{order_id}"))',
        "E0302",
    ),
    Mistake(
        "a filter without its number",
        'copied = kw.bind(Order, kw.Item(shop, pk="SHARD#{user_id:shard}", sk="ORDER#{order_id}"))',
        "E0315",
    ),
    Mistake(
        "a brace is not closed",
        'copied = kw.bind(Order, kw.Item(shop, pk="COPY#{user_id", sk="ORDER#{order_id}"))',
        "E0301",
    ),
    Mistake(
        "two placeholders touch",
        'copied = kw.bind(Order, kw.Item(shop, pk="COPY#{user_id}{order_id}", sk="X"))',
        "GEN101",
    ),
    Mistake(
        "a time filter on text",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#{user_id:date}", sk="CART")

            user_id: str


        cart = kw.Get(Cart, eq="user_id")
        """,
        "E0304",
    ),
    Mistake(
        "a time without a form",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#{user_id}", sk="CART#{at}")

            user_id: str
            at: AwareDatetime


        put_cart = kw.Put(Cart)
        """,
        "E0305",
    ),
    Mistake(
        "a field name without braces",
        """
        class Note(BaseModel):
            __store__: ClassVar = kw.Collection(content, "notes", id="note_id")

            note_id: str


        put_note = kw.Put(Note)
        """,
        "E0306",
    ),
    Mistake(
        "a number that is not padded",
        """
        class Page(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="BOOK#{book}", sk="PAGE#{number}")

            book: str
            number: int


        pages = kw.Read(Page, eq="book", order="number", limit=10, rate="1/s")
        """,
        "GEN102",
    ),
    Mistake(
        "two entities with one key",
        """
        class Profile(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="PERSON#{user_id}", sk="PROFILE")

            user_id: str


        class Preferences(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="PERSON#{user_id}", sk="PROFILE")

            user_id: str
        """,
        "GEN104",
    ),
    Mistake(
        "a field in the key that an update changes",
        """
        class Ticket(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="TICKET#{ticket_id}", sk="STATUS#{status}")

            ticket_id: str
            status: str


        close_ticket = kw.Update(Ticket, sets="status", rate="1/s")
        """,
        "",
        "DDB022",
    ),
)

KEYS = (
    Mistake(
        "an index that the table does not have",
        'copied = kw.bind(Order, kw.Item(shop, pk="COPY#{order_id}", sk="COPY", gsis=[elsewhere.key(pk="A", sk="B")]))',
        "E0310",
    ),
    Mistake("an index key without its sort key", 'key = lookup.key(pk="ORDER#{order_id}")', "E0314"),
    Mistake(
        "a template for an index over fields", 'key = by_region.key(pk="T#{tenant}", sk="{placed_at:iso}")', "E0313"
    ),
    Mistake(
        "the sort key is missing",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#{user_id}")

            user_id: str


        put_cart = kw.Put(Cart)
        """,
        "E0307",
    ),
    Mistake(
        "a column twice in the key",
        """
        class Reading(BaseModel):
            __store__: ClassVar = kw.CqlTable(metrics, "readings", partition=["sensor_id", "day"], clustering="-day")

            sensor_id: str
            day: date
        """,
        "CAS102",
    ),
    Mistake(
        "a clustering column that the model lacks",
        """
        class Reading(BaseModel):
            __store__: ClassVar = kw.CqlTable(metrics, "readings", partition="sensor_id", clustering="-taken_at")

            sensor_id: str
            at: AwareDatetime


        put_reading = kw.Put(Reading)
        """,
        "E0303",
    ),
    Mistake(
        "a computed attribute that is a field too",
        """
        class Reading(BaseModel):
            __store__: ClassVar = kw.CqlTable(
                metrics,
                "readings",
                partition=["sensor_id", "day"],
                clustering="-at",
                computed={"day": "{at:date}"},
            )

            sensor_id: str
            day: str
            at: AwareDatetime


        put_reading = kw.Put(Reading)
        """,
        "E0208",
    ),
    Mistake("new keys without the source of the data", 'events = kw.DynamoTable("events", generation=2)', "E0506"),
    Mistake(
        "an upgrade beyond the version",
        'copied = kw.bind(Order, kw.Collection(content, "orders", upgrades={1: kw.Upgrade(rename={"sum": "total"})}))',
        "E0507",
    ),
    Mistake(
        "an index that no pattern uses",
        """
        class Note(BaseModel):
            __store__: ClassVar = kw.Collection(content, "notes", id="{note_id}", indexes=[kw.Index("colour")])

            note_id: str
            colour: str


        note = kw.Get(Note, eq="note_id", rate="1/s", p99_ms=10)
        """,
        "",
        "GEN001",
    ),
)

FACTS = (
    Mistake(
        "a field fact inside none",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#{user_id}", sk="CART")

            user_id: str
            expires_at: Annotated[AwareDatetime, kw.Ttl()] | None = None
        """,
        "E0201",
    ),
    Mistake(
        "a field fact inside a list",
        """
        class Author(BaseModel):
            __store__: ClassVar = kw.Collection(content, "authors", id="{author_id}")

            author_id: str
            names: list[Annotated[str, kw.RenamedFrom("pen_names")]]
        """,
        "E0201",
    ),
    Mistake(
        "a fact without parentheses",
        """
        class Person(BaseModel):
            __store__: ClassVar = kw.Collection(content, "people", id="{name}")

            name: Annotated[str, kw.Pii]
        """,
        "E0202",
    ),
    Mistake("an option of a fact is misspelt", "Name = Annotated[str, kw.Size(average=10)]", "E0501"),
    Mistake("a word that a fact does not take", 'OrderRef = Annotated[str, kw.Ref(Order, on_missing="skip")]', "E0503"),
    Mistake(
        "a copy of a field that its source lacks",
        """
        class Invoice(BaseModel):
            __store__: ClassVar = kw.Collection(content, "invoices", id="{number}")

            number: str
            amount: Annotated[int, kw.CopiedFrom(Order, "amount", sync="never")]
        """,
        "E0203",
    ),
    Mistake(
        "a reference to a model that does not exist",
        """
        class Person(BaseModel):
            __store__: ClassVar = kw.Collection(content, "people", id="{name}")

            name: str
            order_id: Annotated[str, kw.Ref("Ordr", on_missing="hide")]
        """,
        "E0107",
    ),
    Mistake(
        "an expiry that is text",
        """
        class Login(BaseModel):
            __store__: ClassVar = kw.Collection(content, "logins", id="{token}")

            token: str
            expires_at: Annotated[str, kw.Ttl()]
        """,
        "MDB013",
    ),
    Mistake(
        "a list without bound",
        """
        class Post(BaseModel):
            __store__: ClassVar = kw.Collection(content, "posts", id="{slug}")

            slug: str
            comments: list[Line]
        """,
        "",
        "MDB001",
    ),
    Mistake(
        "money as a binary float",
        """
        class Invoice(BaseModel):
            __store__: ClassVar = kw.Collection(content, "invoices", id="{number}")

            number: str
            total: float
        """,
        "",
        "GEN107",
    ),
)

PATTERNS = (
    Mistake("a pattern with an unknown field", 'orders = kw.Read(Order, eq="user", limit=10)', "E0601"),
    Mistake("a pattern with an unknown inner field", 'orders = kw.Read(Order, eq="lines.skuu", limit=10)', "E0601"),
    Mistake(
        "an order by an unknown field", 'orders = kw.Read(Order, eq="user_id", order="-placed", limit=10)', "E0601"
    ),
    Mistake("a list operator on text", 'orders = kw.Read(Order, contains="status", limit=10)', "E0603"),
    Mistake("a limit on a pattern of one item", 'order = kw.Get(Order, eq="order_id", limit=10)', "E0501"),
    Mistake("an increment of text", 'count_up = kw.Increment(Order, "user_id")', "E0603"),
    Mistake("an instance in place of the class", 'line = kw.Get(Line(sku="a"), eq="sku")', "E0503"),
    Mistake("a pattern about a model without store", 'line = kw.Get(Line, eq="sku")', "E0602"),
    Mistake(
        "a read among the writes of a transaction",
        'both = kw.Transact([place_order, order_by_id], rate="1/s")',
        "E0503",
    ),
    Mistake(
        "a consistency level of one engine",
        'orders = kw.Read(Order, eq="user_id", limit=10, consistency="quorum")',
        "E0503",
    ),
    Mistake("a pattern without rate", 'orders = kw.Get(Order, eq="user_id")', "", "GEN002"),
    Mistake(
        "a list without limit", 'orders = kw.Read(Order, eq="user_id", order="-placed_at", rate="1/s")', "", "GEN021"
    ),
    Mistake("a pattern that nothing serves", 'orders = kw.Read(Order, eq="total", limit=10, rate="1/s")', "", "GEN004"),
    Mistake(
        "a strong read of an index",
        'order = kw.Get(Order, eq="order_id", consistency="strong", rate="1/s")',
        "",
        "DDB017",
    ),
)

WAIVERS = (
    Mistake("a waiver without reason", 'accepted = kw.ignore("DDB011")', "E0502"),
    Mistake(
        "a waiver of a rule that does not exist",
        'accepted = kw.ignore("DDB999", reason="too strict here")',
        "",
        "SUP004",
    ),
    Mistake(
        "the end of a waiver as text",
        'accepted = kw.ignore("DDB011", reason="two indexes only", until="2027-03-01")',
        "E0503",
    ),
    Mistake(
        "a waiver whose time is over",
        'accepted = kw.ignore("DDB011", reason="two indexes only", until=date(2020, 1, 1))',
        "",
        "SUP002",
    ),
)

MISTAKES = (*OPTIONS, *VALUES, *TEMPLATES, *KEYS, *FACTS, *PATTERNS, *WAIVERS)
