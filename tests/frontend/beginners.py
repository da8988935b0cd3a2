"""Ten wrong models, as a beginner writes them."""

from keywright.record import Record


class Beginner(Record):
    """One wrong model."""

    title: str
    """What went wrong, as the beginner would say it."""
    code: str
    """The code of its error."""
    source: str
    """The model file, without its imports; other files follow `# file:` lines."""

    @property
    def slug(self) -> str:
        """The title as a file name."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.title.lower())


BEGINNERS = (
    Beginner(
        "The key is the name of the field",
        "E0306",
        """
shop = kw.DynamoTable("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="email", sk="PROFILE")

    email: str
    name: str
""",
    ),
    Beginner(
        "The key is an f-string",
        "E0101",
        """
shop = kw.DynamoTable("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk=f"USER#{email}", sk="PROFILE")

    email: str
""",
    ),
    Beginner(
        "The store is called store",
        "E0510",
        """
shop = kw.DynamoTable("shop")


class User(BaseModel):
    store: ClassVar = kw.Item(shop, pk="USER#{email}", sk="PROFILE")

    email: str
""",
    ),
    Beginner(
        "The sort key is left out",
        "E0307",
        """
shop = kw.DynamoTable("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{email}")

    email: str
""",
    ),
    Beginner(
        "The expiry is optional",
        "E0201",
        """
shop = kw.DynamoTable("shop")


class Cart(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="CART#{user_id}", sk="CART")

    user_id: str
    expires_at: Optional[Annotated[datetime, kw.Ttl()]] = None
""",
    ),
    Beginner(
        "Pages are sorted by their number",
        "GEN102",
        """
library = kw.DynamoTable("library")


class Page(BaseModel):
    __store__: ClassVar = kw.Item(library, pk="BOOK#{book}", sk="PAGE#{number}")

    book: str
    number: int
""",
    ),
    Beginner(
        "The pattern is declared above the class",
        "E0101",
        """
shop = kw.DynamoTable("shop")

user_by_email = kw.Get(User, eq="email", rate="10/s")


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{email}", sk="PROFILE")

    email: str
""",
    ),
    Beginner(
        "An index of another database",
        "E0503",
        """
shop = kw.DynamoTable("shop", gsis=[kw.Index("email", unique=True)])


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="PROFILE")

    user_id: str
    email: str
""",
    ),
    Beginner(
        "A field is called pk",
        "E0208",
        """
shop = kw.DynamoTable("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{pk}", sk="PROFILE")

    pk: str
""",
    ),
    Beginner(
        "Two files import each other",
        "E0104",
        """
from models.orders import Order

shop = kw.DynamoTable("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="PROFILE")

    user_id: str
    last_order: Annotated[str, kw.Ref(Order, on_missing="hide")]


# file: models/orders.py
from models.case import User, shop


class Order(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")

    order_id: str
    user_id: Annotated[str, kw.Ref(User, on_missing="hide")]
""",
    ),
)
