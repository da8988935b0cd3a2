"""Naive answers on MongoDB."""

from .answer import Answer

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
        findings=("MDB001", "MDB006", "MDB016"),
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
""",
        findings=("GEN020", "MDB004", "MDB005"),
    ),
    Answer(
        "fifty thousand comments in a post",
        """
content = kw.MongoDatabase("content")


class Comment(BaseModel):
    text: Annotated[str, Field(max_length=2_000)]


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(content, "posts", id="{slug}")

    slug: Annotated[str, Field(max_length=80)]
    comments: Annotated[list[Comment], Field(max_length=50_000)]


post = kw.Get(Post, rate="10/s")
""",
        findings=("GEN011", "MDB002"),
    ),
    Answer(
        "an e-mail in every collection",
        """
content = kw.MongoDatabase("content")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(content, "users", id="{user_id}")

    user_id: str
    email: str


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(content, "posts", id="{post_id}")

    post_id: str
    user_email: str


class Comment(BaseModel):
    __store__: ClassVar = kw.Collection(content, "comments", id="{comment_id}")

    comment_id: str
    user_email: str


class Vote(BaseModel):
    __store__: ClassVar = kw.Collection(content, "votes", id="{vote_id}")

    vote_id: str
    user_email: str


class Report(BaseModel):
    __store__: ClassVar = kw.Collection(content, "reports", id="{report_id}")

    report_id: str
    user_email: str
""",
        findings=("GEN006", "GEN007"),
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
