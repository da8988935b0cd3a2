"""Model files by bounded context, for stores with many classes."""

from pathlib import Path

import pytest
from tests.cli.conftest import Keywright
from tests.cli.conftest import keywright as keywright


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def schema(*tables: str, types: str = "") -> None:
    """A keyspace with these tables; each has an identifier, and the columns after its name."""
    statements = []
    for table in tables:
        name, *columns = table.split()
        fields = "".join(f", {column}" if " " in column else f", {column} uuid" for column in columns)
        statements.append(f"CREATE TABLE shop.{name} (id uuid PRIMARY KEY{fields});")
    Path("shop.cql").write_text("\n".join((types, *statements)))


def files() -> dict[str, set[str]]:
    """Classes by file."""
    return {
        path.name: {line[6:].partition("(")[0] for line in path.read_text().splitlines() if line.startswith("class ")}
        for path in sorted(Path("models").glob("*.py"))
        if path.name != "__init__.py"
    }


BILLING = ("billing_account", "billing_invoice", "billing_payment", "billing_refund", "billing_tax")
STOCK = ("stock_item", "stock_place", "stock_move", "stock_count")
OTHERS = ("users", "settings", "events billing_invoice_id", "notes users_id", "tags")


def test_tables_with_the_same_first_word_have_a_file_of_their_own(keywright: Keywright) -> None:
    schema(*BILLING, *STOCK, *OTHERS)
    assert "14 new entities" in keywright("adopt", "shop.cql").out
    assert files() == {
        "shop.py": {"User", "Settings", "Note", "Tag"},
        "shop_billing.py": {
            "BillingAccount", "BillingInvoice", "BillingPayment", "BillingRefund", "BillingTax", "Event",
        },
        "shop_stock.py": {"StockItem", "StockPlace", "StockMove", "StockCount"},
    }  # fmt: skip
    text = Path("models/shop_billing.py").read_text()
    assert text.startswith('"""Cassandra keyspace shop: billing."""\n')
    assert "from models.shop import shop\n" in text
    assert "kw.Keyspace" not in text
    assert "billing_tax_by_id = kw.Get(BillingTax" in text
    assert keywright("compile").code == 0
    assert "0 new entities; 14 declared already" in keywright("adopt", "shop.cql").out


def test_new_tables_of_a_divided_store_import_it(keywright: Keywright) -> None:
    schema(*BILLING, *STOCK, *OTHERS)
    keywright("adopt", "shop.cql")
    schema(*BILLING, *STOCK, *OTHERS, "coupons")
    keywright("adopt", "shop.cql")
    assert files()["shop_adopted.py"] == {"Coupon"}
    assert keywright("compile").code == 0


def test_twelve_classes_stay_in_one_file(keywright: Keywright) -> None:
    schema(*BILLING, *STOCK, *OTHERS[:3])
    keywright("adopt", "shop.cql")
    assert list(files()) == ["shop.py"]


def test_tables_without_groups_stay_in_one_file(keywright: Keywright) -> None:
    schema(*(f"{letter * 4}" for letter in "abcdefghijklmn"))
    keywright("adopt", "shop.cql")
    assert list(files()) == ["shop.py"]


def test_tables_that_refer_to_each_other_are_a_context(keywright: Keywright) -> None:
    pets = ("owner", "pet owner_id", "visit pet_id", "vaccine pet_id")
    books = ("book", "loan book_id reader_id", "reader", "author book_id", "fine loan_id")
    schema(*pets, *books, "weather", "holiday", "banner", "theme")
    keywright("adopt", "shop.cql")
    assert files() == {
        "shop.py": {"Weather", "Holiday", "Banner", "Theme"},
        "shop_books.py": {"Book", "Loan", "Reader", "Author", "Fine"},
        "shop_pets.py": {"Owner", "Pet", "Visit", "Vaccine"},
    }
    assert keywright("compile").code == 0


def test_a_word_of_all_tables_is_no_context(keywright: Keywright) -> None:
    schema(*(f"app_{name}" for name in (*BILLING, *STOCK, "users", "tags", "notes", "events")))
    keywright("adopt", "shop.cql")
    assert list(files()) == ["shop.py", "shop_billing.py", "shop_stock.py"]
    assert files()["shop.py"] == {"AppUser", "AppTag", "AppNote", "AppEvent"}


def test_an_embedded_model_keeps_its_classes_together(keywright: Keywright) -> None:
    types = "CREATE TYPE shop.money (amount decimal, currency text);"
    Path("shop.cql").write_text("")
    schema(*BILLING[1:], *STOCK[1:], *OTHERS, types=types)
    text = Path("shop.cql").read_text()
    shared = "CREATE TABLE shop.{} (id uuid PRIMARY KEY, price frozen<money>);\n"
    Path("shop.cql").write_text(text + "\n" + shared.format("billing_account") + shared.format("coupons"))
    keywright("adopt", "shop.cql")
    assert {"BillingAccount", "Coupon", "Money"} <= files()["shop_billing.py"]
    assert keywright("compile").code == 0
    Path("models/shop.py").unlink()
    Path("models/shop_billing.py").unlink()
    Path("models/shop_stock.py").unlink()
    Path("shop.cql").write_text(Path("shop.cql").read_text() + shared.format("stock_item"))
    keywright("adopt", "shop.cql")
    assert list(files()) == ["shop.py"]


def test_collections_and_families_of_keys_are_divided_too(keywright: Keywright) -> None:
    Path("sales").mkdir()
    for name in (*BILLING, *STOCK, "users", "tags", "notes", "events", "flags"):
        Path(f"sales/{name}.metadata.json").write_text('{"indexes": [], "options": {}}')
    families = [
        f"{word}:{name}" for word in ("cart", "game") for name in ("orders", "users", "items", "jobs", "events")
    ]
    keys = [f"{family}:{number}" for family in (*families, "online", "cache", "session") for number in range(1, 30)]
    Path("keys.redis").write_text("".join(f"HSET {key} count 5 total 7\n" for key in keys))
    keywright("adopt", "sales", "keys.redis")
    assert list(files()) == [
        "redis.py", "redis_cart.py", "redis_game.py", "sales.py", "sales_billing.py", "sales_stock.py"
    ]  # fmt: skip
    stack = Path("stacks/Pulumi.dev.yaml")
    assert "mongodb:" in stack.read_text()
    assert keywright("compile").code == 0
