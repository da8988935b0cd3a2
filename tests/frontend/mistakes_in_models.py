"""Mistakes in facts, patterns and waivers."""

from .mistake import Mistake

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
    Mistake(
        "a fact as the default of a field",
        """
        class Person(BaseModel):
            __store__: ClassVar = kw.Collection(content, "people", id="{name}")

            name: str
            email: str = kw.Pii()
            kept_until: AwareDatetime = kw.Ttl()
        """,
        "E0211",
    ),
    Mistake(
        "an index in the annotation of a field",
        """
        class Person(BaseModel):
            __store__: ClassVar = kw.Collection(content, "people", id="{name}")

            name: str
            email: Annotated[str, kw.Index(["email"], unique=True)]
        """,
        "E0212",
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
        "services of a part of a transaction",
        'both = kw.Transact([kw.Put(Order, used_by="web"), kw.Put(Order)], rate="1/s")',
        "E0605",
    ),
    Mistake(
        "a read among the writes of a transaction",
        'both = kw.Transact([place_order, order_by_id], rate="1/s")',
        "E0503",
    ),
    Mistake(
        "a write among the reads of several entities",
        'both = kw.ReadTogether(kw.Read(Order, eq="user_id"), kw.Put(Order), limit=10, rate="1/s")',
        "E0503",
    ),
    Mistake(
        "a list of reads in place of several",
        'both = kw.ReadTogether([kw.Read(Order, eq="user_id"), kw.Read(Order, eq="order_id")], limit=10, rate="1/s")',
        "E0503",
    ),
    Mistake(
        "a limit of one of several reads",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="CART")

            user_id: str


        both = kw.ReadTogether(
            kw.Read(Cart, eq="user_id"), kw.Read(Order, eq="user_id", limit=10), limit=10, rate="1/s"
        )
        """,
        "E0605",
    ),
    Mistake(
        "one entity twice in one request",
        'both = kw.ReadTogether(kw.Read(Order, eq="user_id"), kw.Read(Order, eq="user_id"), limit=10, rate="1/s")',
        "E0611",
    ),
    Mistake("a transaction of one get", 'one = kw.TransactGet(kw.Get(Order), rate="1/s")', "E0611"),
    Mistake(
        "several entities of several partitions",
        """
        class Cart(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="CART#{user_id}", sk="CART")

            user_id: str


        cart = kw.Put(Cart, rate="1/s")
        both = kw.ReadTogether(kw.Read(Cart, eq="user_id"), kw.Read(Order, eq="user_id"), limit=10, rate="1/s")
        """,
        "",
        "GEN004",
    ),
    Mistake(
        "an excluded end without a range",
        'orders = kw.Read(Order, eq="user_id", excludes="last", limit=10, rate="1/s")',
        "E0612",
    ),
    Mistake("segments without a scan", 'orders = kw.Count(Order, segments=2, rate="1/day")', "E0614"),
    Mistake(
        "more segments than a scan has",
        'orders = kw.Count(Order, scan=True, segments=1_000_001, rate="1/day")',
        "E0614",
    ),
    Mistake(
        "an order of a scan", 'orders = kw.Read(Order, scan=True, order="placed_at", limit=9, rate="1/day")', "E0614"
    ),
    Mistake(
        "a scan of a collection",
        """
        shelf = kw.MongoDatabase("shelf")


        class Book(BaseModel):
            __store__: ClassVar = kw.Collection(shelf, "books", id="{isbn}")

            isbn: str


        book = kw.Put(Book, rate="1/s")
        number_of_books = kw.Count(Book, scan=True, rate="1/day")
        """,
        "E0614",
    ),
    Mistake(
        "a scan by a field with the name of an argument",
        """
        class Part(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="PART#{name}", sk="PART")

            name: str
            segment: int


        part = kw.Put(Part, rate="1/s")
        parts = kw.Read(Part, eq="segment", scan=True, limit=9, rate="1/day")
        """,
        "E0614",
    ),
    Mistake(
        "a part of a text in a write",
        'pay = kw.Update(Order, sets="total", where={"tenant": kw.Contains("a")}, rate="1/s")',
        "E0615",
    ),
    Mistake(
        "one alternative", 'orders = kw.Read(Order, eq="user_id", any_of=[{"total": 1}], limit=9, rate="1/s")', "E0615"
    ),
    Mistake(
        "alternatives in another engine",
        """
        shelf = kw.MongoDatabase("shelf")


        class Book(BaseModel):
            __store__: ClassVar = kw.Collection(shelf, "books", id="{isbn}")

            isbn: str


        book = kw.Put(Book, rate="1/s")
        books = kw.Count(Book, any_of=[{"isbn": "a"}, {"isbn": kw.StartsWith("b")}], rate="1/day")
        """,
        "E0615",
    ),
    Mistake(
        "a length of no list",
        'orders = kw.Read(Order, eq="user_id", where={"lines": kw.Length(at_least=3, at_most=2)}, limit=9, rate="1/s")',
        "E0615",
    ),
    Mistake(
        "a length of a text",
        'orders = kw.Read(Order, eq="user_id", where={"tenant": kw.Length(at_least=3)}, limit=9, rate="1/s")',
        "E0603",
    ),
    Mistake(
        "a format that begins with the day",
        """
        class Visit(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="VISIT#{at:strftime(%d%m%Y)}")

            user_id: str
            at: AwareDatetime
        """,
        "E0320",
    ),
    Mistake(
        "a format that cuts a time",
        """
        class Visit(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="VISIT#{at:strftime(%Y%m%d%H%M%S)}")

            user_id: str
            at: AwareDatetime
        """,
        "E0320",
    ),
    Mistake("a time to live of a put", 'place = kw.Put(Order, ttl=timedelta(days=1), rate="1/s")', "E0613"),
    Mistake("a time of a put", 'place = kw.Put(Order, timestamp="placed_at", rate="1/s")', "E0613"),
    Mistake(
        "an excluded end that does not exist",
        'orders = kw.Read(Order, eq="user_id", range="placed_at", excludes="end", limit=10, rate="1/s")',
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
