"""RN: what might be one thing with two names."""

from pathlib import Path

import pytest

from .reports import errors, model, report, the


@pytest.mark.parametrize("engine", ["dynamodb", "mongodb", "cassandra", "redis"])
def test_a_pair_of_one_type_needs_a_hint(engine: str, tmp_path: Path) -> None:
    before, after = (model(engine, f"{name}: str | None = None") for name in ("buyer", "customer"))
    finding = the("RN101", report(tmp_path, before, after))
    assert finding.object == "shop/Order/customer"
    assert 'RenamedFrom("buyer")' in finding.help


def test_a_pair_of_two_types_is_a_drop_and_an_addition(tmp_path: Path) -> None:
    before, after = (model("dynamodb", f"{field} | None = None") for field in ("buyer: str", "customer: int"))
    assert errors(tmp_path, before, after) == ["DS103"]


def test_a_hint_that_is_used_is_neither(tmp_path: Path) -> None:
    after = 'customer: Annotated[str | None, kw.RenamedFrom("buyer")] = Field(default=None, alias="buyer")'
    assert errors(tmp_path, model("dynamodb", "buyer: str | None = None"), model("dynamodb", after)) == []


EMBEDDED = """
class Address(BaseModel):
    street: str
    town: str
"""


@pytest.mark.parametrize("engine", ["dynamodb", "mongodb", "cassandra", "redis"])
def test_a_hint_of_an_embedded_model_is_one_of_its_fields(engine: str, tmp_path: Path) -> None:
    before = model(engine, "home: Address | None = None", above=EMBEDDED)
    hint = the("RN101", report(tmp_path / "bare", before, before.replace("home:", "house:"))).help
    assert 'RenamedFrom("home")' in hint
    hinted = before.replace("home: Address | None", 'house: Annotated[Address | None, kw.RenamedFrom("home")]')
    assert not {"RN101", "RN102"} & {*errors(tmp_path / "hinted", before, hinted)}


@pytest.mark.parametrize("engine", ["dynamodb", "mongodb"])
def test_a_field_of_an_embedded_model_has_its_own_hint(engine: str, tmp_path: Path) -> None:
    before = model(engine, "home: Address | None = None", above=EMBEDDED)
    after = before.replace("street: str", "road: str")
    hint = the("RN101", report(tmp_path / "bare", before, after)).help
    assert 'RenamedFrom("street")' in hint
    hinted = after.replace("road: str", 'road: Annotated[str, kw.RenamedFrom("street")]')
    assert not {"RN101", "RN102"} & {*errors(tmp_path / "hinted", before, hinted)}


def test_a_spent_hint_may_stay(tmp_path: Path) -> None:
    hinted = 'customer: Annotated[str | None, kw.RenamedFrom("buyer")] = Field(default=None, alias="buyer")'
    later = model("dynamodb", f"{hinted}\nnote: str | None = None")
    assert errors(tmp_path, model("dynamodb", "buyer: str | None = None"), model("dynamodb", hinted), later) == []


def test_a_hint_of_an_entity_that_is_new_is_about_times_before(tmp_path: Path) -> None:
    tail = """
class Visit(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="VISIT#{visit_id}", sk="VISIT")
    visit_id: str
    by: Annotated[str | None, kw.RenamedFrom("visitor")] = None
"""
    assert errors(tmp_path, model("dynamodb"), model("dynamodb", tail=tail)) == []


def test_a_hint_of_an_unknown_name_is_reported(tmp_path: Path) -> None:
    after = model("mongodb", 'customer: Annotated[str | None, kw.RenamedFrom("byer")] = None')
    finding = the("RN102", report(tmp_path, model("mongodb", "total: int = 0"), after))
    assert finding.object == "shop/Order/customer"


def by_buyer(name: str, more: str = "") -> str:
    return model("dynamodb", "buyer: str", above=f'one = kw.Gsi("{name}", pk="buyer"{more})', head=", gsis=[one]")


def test_a_renamed_index_is_reported(tmp_path: Path) -> None:
    bare = report(tmp_path / "bare", by_buyer("by_buyer"), by_buyer("buyers"))
    help = the("RN101", bare).help
    assert help.startswith('keep the name "by_buyer": no server renames an index; or declare renamed_from="by_buyer"')
    hinted = by_buyer("buyers", ', renamed_from="by_buyer"')
    assert errors(tmp_path / "hinted", by_buyer("by_buyer"), hinted) == []
    assert (
        errors(
            tmp_path / "spent", by_buyer("by_buyer"), hinted, hinted.replace("buyer: str", "buyer: str\n    n: int = 0")
        )
        == []
    )
    misspelt = by_buyer("buyers", ', renamed_from="by_byer"')
    assert "RN102" in errors(tmp_path / "misspelt", by_buyer("by_buyer"), misspelt)


def test_a_table_keeps_its_name_and_a_hint_does_not_help(tmp_path: Path) -> None:
    before = model("dynamodb", "total: int = 0")
    bare = report(tmp_path / "bare", before, before.replace('kw.DynamoTable("shop"', 'kw.DynamoTable("store"'))
    assert 'for a rename, keep the name "shop"' in the("RN101", bare).help
    hinted = before.replace('kw.DynamoTable("shop"', 'kw.DynamoTable("store", renamed_from="shop"')
    finding = the("BC101", report(tmp_path / "hinted", before, hinted))
    assert finding.help.startswith('keep the name "shop"')


def test_a_class_with_another_name_needs_a_hint(tmp_path: Path) -> None:
    before = model("mongodb", "total: int = 0")
    after = before.replace("class Order(", "class Sale(")
    assert "RN101" in errors(tmp_path / "bare", before, after)
    hinted = after.replace('"orders"', '"orders", renamed_from="Order"')
    assert errors(tmp_path / "hinted", before, hinted) == []


def test_a_collection_with_another_name_is_a_copy(tmp_path: Path) -> None:
    before = model("mongodb", "total: int = 0")
    copied = report(tmp_path, before, before.replace('"orders"', '"sales"'))
    assert {"RN101", "BC101"} <= {finding.code for finding in copied.findings}


def test_a_column_of_an_unfrozen_type_is_dropped_by_a_new_generation(tmp_path: Path) -> None:
    before = model("cassandra", "home: Address | None = None", above=EMBEDDED, store=', unfrozen="home"')
    hinted = 'house: Annotated[Address | None, kw.RenamedFrom("home")] = None'
    assert "RB101" in errors(tmp_path / "dropped", before, model("cassandra", above=EMBEDDED))
    again = ', unfrozen="house", generation=2, rebuild=kw.Rebuild(from_generation=1)'
    rebuilt = model("cassandra", hinted, above=EMBEDDED, store=again)
    assert "RB101" not in errors(tmp_path / "rebuilt", before, rebuilt)
