"""Consequences of an error are not reported beside it; independent errors are."""

from pathlib import Path

import pytest
from tests.projects import errors_of, with_imports

CASES = {
    "an index without its key": (
        """
        by_email = kw.Gsi("by_email")
        shop = kw.DynamoTable("shop", gsis=[by_email])


        class User(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="U#{email}", sk="P", gsis=[by_email.key(pk="E#{email}")])

            email: str


        user = kw.Get(User, eq="email")
        """,
        ["E0502"],
    ),
    "a table with a misspelt option": (
        """
        by_email = kw.Gsi("by_email", pk="gsi1pk")
        shop = kw.DynamoTable("shop", gsi=[by_email])


        class User(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="U#{email}", sk="P", gsis=[by_email.key(pk="E#{email}")])

            email: str
        """,
        ["E0501"],
    ),
    "a store without its table": (
        """
        class User(BaseModel):
            __store__: ClassVar = kw.Item("shop", pk="U#{email}", sk="P")

            email: str


        user = kw.Get(User, eq="email")
        both = kw.Transact([kw.Put(User)])
        """,
        ["E0503"],
    ),
    "a condition that was rejected": (
        """
        content = kw.MongoDatabase("content")


        class User(BaseModel):
            __store__: ClassVar = kw.Collection(
                content, "users", indexes=[kw.Index("email", where={"status": kw.OneOf("open")})]
            )

            email: str
            status: str
        """,
        ["E0503"],
    ),
    "a model that others refer to": (
        """
        shop = kw.DynamoTable("shop")


        class User(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="U#{emai}", sk="P")

            email: str


        class Order(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="O#{email}", sk="P")

            email: Annotated[str, kw.Ref(User, on_missing="hide")]
        """,
        ["E0303"],
    ),
    "two mistakes that have nothing to do with each other": (
        """
        shop = kw.DynamoTable("shop", generation=2)


        class User(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="U#{emai}", sk="P")

            email: str


        user = kw.Get(User, eq="mail")
        """,
        ["E0303", "E0506", "E0601"],
    ),
    "a placeholder that is no single value": (
        """
        shop = kw.DynamoTable("shop")


        class User(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="U#{names}#{email}", sk="P")

            email: str
            names: list[str]
        """,
        ["E0309"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_only_independent_errors_are_reported(case: str, tmp_path: Path) -> None:
    source, codes = CASES[case]
    assert sorted(error.code for error in errors_of(tmp_path, with_imports(source))) == codes
