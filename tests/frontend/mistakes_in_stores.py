"""Mistakes in stores: their options, values, templates and keys."""

from .mistake import Mistake

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
    Mistake(
        "an index key without its sort key",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#{user_id}", sk="CART", gsis=[lookup.key(pk="CART#{user_id}")])

            user_id: str
        """,
        "E0314",
    ),
    Mistake("an index key of nothing", "key = lookup.key()", "E0314"),
    Mistake(
        "a key of an index that the table fills",
        """
        inverted = kw.Gsi("inverted", pk="sk", sk="pk")
        teams = kw.DynamoTable("teams", gsis=[inverted])


        class Member(BaseModel):
            __store__: ClassVar = kw.Item(
                teams, pk="USER#{user_id}", sk="TEAM#{team}", gsis=[inverted.key(pk="T#{team}", sk="U#{user_id}")]
            )

            user_id: str
            team: str
        """,
        "E0317",
    ),
    Mistake(
        "a discriminator with braces",
        'copied = kw.bind(Order, kw.Item(shop, pk="COPY#{order_id}", sk="COPY", discriminator="{order_id}"))',
        "E0319",
    ),
    Mistake(
        "former discriminators in an index that the discriminator fills",
        """
        kinds = kw.DynamoTable("kinds", gsis=[kw.Gsi("of_kind", pk="entity_type", sk="pk")])


        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(kinds, pk="CART#{user_id}", sk="CART", former_discriminators=["cart"])

            user_id: str
        """,
        "E0319",
    ),
    Mistake(
        "two keys of one index",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(
                shop,
                pk="CART#{user_id}",
                sk="CART",
                gsis=[lookup.key(pk="CART#{user_id}", sk="A"), lookup.key(pk="CART#{user_id}", sk="B")],
            )

            user_id: str
        """,
        "E0317",
    ),
    Mistake(
        "a computed attribute that overwrites the sort key",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#{user_id}", sk="CART", computed={"sk": "CART#{user_id}"})

            user_id: str
        """,
        "E0317",
    ),
    Mistake(
        "two indexes that fill one attribute",
        """
        first = kw.Gsi("first", pk="gsi1pk")
        second = kw.Gsi("second", pk="gsi1pk", sk="gsi1sk")
        teams = kw.DynamoTable("teams", gsis=[first, second])


        class Member(BaseModel):
            __store__: ClassVar = kw.Item(
                teams,
                pk="USER#{user_id}",
                sk="MEMBER",
                gsis=[first.key(pk="TEAM#{team}"), second.key(pk="ROLE#{role}", sk="USER#{user_id}")],
            )

            user_id: str
            team: str
            role: str
        """,
        "E0317",
    ),
    Mistake(
        "the placeholder of a shell",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#${user_id}", sk="CART")

            user_id: str
        """,
        "E0318",
    ),
    Mistake(
        "the placeholder of an SQL driver",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#%(user_id)s", sk="CART")

            user_id: str
        """,
        "E0306",
    ),
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
    Mistake("an upgrade with a broken template", 'upgrade = kw.Upgrade(set={"label": "{total"})', "E0301"),
    Mistake("an upgrade with an unknown filter", 'upgrade = kw.Upgrade(set={"label": "{total:cents}"})', "E0302"),
    Mistake("an upgrade that does nothing", "upgrade = kw.Upgrade()", "E0503"),
    Mistake("an upgrade of a field and of its part", 'upgrade = kw.Upgrade(copy={"a": "x", "a.b": "y"})', "E0503"),
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
