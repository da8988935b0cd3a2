"""Entities of single tables: as a person writes them, and true to every sampled item."""

import sys
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.adopt.laws import assert_is_as_a_person_writes
from tests.corpora.modelfile import CORPORA, NEEDED
from tests.projects import codes_of

from keywright import runtime
from keywright.edit.create.model_file import ModelFile, source_of
from keywright.engines.contract.adoption import Adopted, Adoption, Sample
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.dynamodb.schema.target import KeyPart, TableTarget
from keywright.engines.registry import part_of

ADOPTION = part_of("dynamodb", "adoption", "ADOPTION", Adoption)
ENVIRONMENT = DynamoEnvironment(flavour="dynamodb")
WORKBENCH = CORPORA / "dynamodb" / "workbench"
GOLDENS = Path(__file__).parents[1] / "golden" / "adopted"
KEYS = (KeyPart("PK", "S", "HASH"), KeyPart("SK", "S", "RANGE"))


def adopted(path: Path) -> list[tuple[Adopted, Sample]]:
    read = ADOPTION.read_schema({str(path): path.read_text(encoding="utf-8")})
    assert read is not None
    samples = [Sample() if target.name not in read.samples else read.samples[target.name] for target in read.targets]
    return [
        (ADOPTION.adopt(target, {target.name: sample}, ENVIRONMENT), sample)
        for target, sample in zip(read.targets, samples, strict=True)
    ]


def models(text: str) -> dict[str, Any]:
    """The classes of a model file."""
    module = ModuleType("adopted")
    sys.modules["adopted"] = module  # where Pydantic looks for names in annotations
    exec(compile(text, "adopted.py", "exec"), vars(module))
    del sys.modules["adopted"]
    return {name: value for name, value in vars(module).items() if hasattr(value, "__store__")}


def plain(value: Any) -> Any:
    """A native value without the order of sets and the form of numbers."""
    ((kind, inner),) = value.items()
    match kind:
        case "N":
            return Decimal(inner)
        case "M":
            return {name: plain(element) for name, element in inner.items()}
        case "L":
            return [plain(element) for element in inner]
        case "SS" | "NS":
            return sorted(inner)
        case _:
            return inner


def written_again(model: type[Any], item: dict[str, Any]) -> dict[str, Any] | None:
    """An item decoded and encoded by a model; None if it does not fit."""
    try:
        item = runtime.to_item(runtime.from_item(model, item))
    except (ValueError, KeyError, TypeError):
        return None
    return {name: plain(value) for name, value in item.items()}


def assert_reads_every_item(tables: Adopted, sample: Sample) -> None:
    classes = models(source_of(ModelFile("Adopted.", tables.design, tables.comments)))
    for item in sample.items:
        expected = {name: plain(value) for name, value in item.items()}
        assert any(written_again(model, item) == expected for model in classes.values()), item


@NEEDED
@pytest.mark.parametrize("path", sorted(WORKBENCH.glob("schema-examples/*Schema.json")), ids=lambda path: path.stem)
def test_entities_are_those_that_a_person_finds(path: Path, is_golden: Any, tmp_path: Path) -> None:
    ((tables, _),) = adopted(path)
    text = assert_is_as_a_person_writes(tables, tmp_path)
    assert is_golden(GOLDENS / f"{path.stem}.py.txt", text)


@NEEDED
@pytest.mark.parametrize("path", sorted(WORKBENCH.glob("*/*.json")), ids=lambda path: path.stem)
def test_every_sampled_item_is_read_and_written_again(path: Path, tmp_path: Path) -> None:
    if path.name in ("access_patterns.json", "OneTable.json"):
        return
    for tables, sample in adopted(path):
        assert not tables.not_expressed
        assert_reads_every_item(tables, sample)
        text = source_of(ModelFile("Adopted.", tables.design, tables.comments))
        assert codes_of(tmp_path, text) == []


def table_of(*items: dict[str, str]) -> Adopted:
    """Declarations for a table with these items of texts."""
    sample = Sample([{name: {"S": value} for name, value in item.items()} for item in items])
    return ADOPTION.adopt(TableTarget("app", 1, KEYS), {"app": sample}, ENVIRONMENT)


def source(tables: Adopted) -> str:
    return source_of(ModelFile("Adopted.", tables.design, tables.comments))


PEOPLE = [
    [{"PK": f"{name}#{number}", "SK": "x", "n": "1"} for name in ("alice", "bob") for number in range(4)],
    [{"PK": name, "SK": other} for name, other in (("alice", "bob"), ("bob", "carol"), ("carol", "alice"))],
    [{"PK": f"{name}@example.org", "SK": "PROFILE", "n": "1"} for name in ("alice", "bob", "carol")],
    [{"PK": f"room#{number}#{name}", "SK": "x"} for name in ("alice", "bob") for number in range(4)],
    [{"PK": "USER#1", "SK": f"{name}", "n": "1"} for name in ("alice", "bob", "carol")],
    [{"PK": f"ORDER#{number}", "SK": f"STATE#{name}", "by": name} for number, name in enumerate(("ALICE", "BOB"))],
    [{"PK": "alice#1", "SK": "x", "n": "1"}, {"PK": "bob#1", "SK": "x", "n": "1", "nick": "y"}],
]
"""Items with the names of people in their keys."""


@pytest.mark.parametrize("items", PEOPLE)
def test_no_name_of_a_person_becomes_a_constant(items: list[dict[str, str]]) -> None:
    text = source(table_of(*items)).lower()
    assert not [name for name in ("alice", "bob", "carol") if name in text], text


def test_single_items_with_attributes_of_their_own_are_entities() -> None:
    tables = table_of(
        {"PK": "USER#1", "SK": "PROFILE", "id": "1", "name": "x"},
        {"PK": "USER#1", "SK": "ORDER#2026-01-01#77", "date": "2026-01-01", "number": "77"},
        {"PK": "USER#2", "SK": "ORDER#2026-01-02#78", "date": "2026-01-02", "number": "78"},
    )
    assert [(binding.name, binding.spec.pk, binding.spec.sk) for binding in tables.design.bindings] == [
        ("Order", None, None),
        ("Profile", None, "PROFILE"),
    ]


def test_items_without_words_in_their_keys_are_counted_and_not_shown() -> None:
    users = [{"PK": f"USER#{number}", "SK": "PROFILE"} for number in range(30)]
    orders = [{"PK": f"USER#{number}", "SK": f"ORDER#{number}", "total": "1"} for number in range(30)]
    tables = table_of(*users, *orders, {"PK": "ann@example.org", "SK": "+4917"})
    assert [binding.name for binding in tables.design.bindings] == ["Order", "Profile"]
    assert [(part.object, part.reason) for part in tables.not_expressed] == [
        ("items", '1 sampled item without words in "PK" and "SK": no entity')
    ]


def test_fields_of_a_key_with_two_separated_values_exclude_the_separator() -> None:
    notes = [
        {"PK": f"USER#u{number}", "SK": f"NOTE#2026-01-0{number}#n{number}", "user": f"u{number}", "id": f"n{number}",
         "day": f"2026-01-0{number}"}
        for number in range(1, 5)
    ]  # fmt: skip
    text = source(table_of(*notes))
    assert 'kw.Item(app, pk="USER#{user}", sk="NOTE#{day}#{id}")' in text
    assert 'day: Annotated[str, Field(pattern="^[0-9T:.Z+-]+$")]' in text


def test_a_discriminator_has_any_values() -> None:
    kinds = {"customer": {"name": "Ann"}, "order-line": {"sku": "s1", "amount": "2"}}
    tables = table_of(
        *(
            {"PK": f"{kind[0]}#{n}", "SK": f"S{n}", "EntityType": kind, **fields}
            for n in range(6)
            for kind, fields in kinds.items()
        )
    )
    assert tables.design.physicals[0].spec.discriminator == "EntityType"
    assert {binding.name: binding.spec.discriminator for binding in tables.design.bindings} == {
        "Customer": "customer", "OrderLine": "order-line",
    }  # fmt: skip
    fields = {field.stored for entity in tables.design.entities for field in entity.attributes}
    assert "EntityType" not in fields


def with_kinds(*leftovers: dict[str, str], count: int = 100) -> Adopted:
    """Declarations for a table with tools and customers, and with items without a discriminator."""
    tools = [
        {"PK": f"TOOL#T-{n}", "SK": "META", "type": "Tool", "toolId": f"T-{n}", "model": "m", "storeNo": f"{n:03}"}
        for n in range(count)
    ]
    customers = [
        {"PK": f"CUST#C{n}", "SK": "PROFILE", "type": "Customer", "customerId": f"C{n}", "name": "x"} for n in range(20)
    ]
    return table_of(*tools, *customers, *leftovers)


LEFTOVERS = [
    ([{"PK": "CUST#C1", "SK": "#META", "customer_id": "C1"}, {"PK": "CUST#C2", "SK": "#META"}],
     ['2 sampled items without "type", with "PK" like "CUST#…" and "SK" like "#META": no entity']),
    ([*({"PK": f"LEGACY#{name}", "SK": "dave", "name": name} for name in ("erin", "bob", "carol")),
      {"PK": "erin@example.org", "SK": "bob:1"}, {"PK": "ERIN#1", "SK": "META"}],
     ['3 sampled items without "type", with "PK" like "LEGACY#…" and "SK" like "…": no entity',
      '1 sampled item without "type", with "PK" like "…" and "SK" like "…:…": no entity',
      '1 sampled item without "type", with "PK" like "…#…" and "SK" like "META": no entity']),
    ([{"PK": "carol" + "#1" * n, "SK": "bob"} for n in range(5)],
     [*('1 sampled item without "type", with "PK" like "…' + "#…" * n + '" and "SK" like "…": no entity'
        for n in (0, 1, 2)),
      '2 sampled items without "type", with other keys: no entity']),
]  # fmt: skip
"""Items without a discriminator, and how they are listed."""


@pytest.mark.parametrize(("leftovers", "reasons"), LEFTOVERS)
def test_few_items_without_the_discriminator_are_listed_by_their_keys(
    leftovers: list[dict[str, str]], reasons: list[str], tmp_path: Path
) -> None:
    tables = with_kinds(*leftovers, count=400)
    assert [binding.name for binding in tables.design.bindings] == ["Customer", "Tool"]
    assert tables.design.physicals[0].spec.discriminator == "type"
    assert sorted(part.reason for part in tables.not_expressed) == sorted(reasons)
    assert {part.object for part in tables.not_expressed} == {"items"}
    assert not [name for name in ("erin", "bob", "carol", "dave") if name in source(tables).lower()]
    assert codes_of(tmp_path, source(tables)) == []


def test_items_without_the_discriminator_are_leftovers_only_if_they_are_few() -> None:
    legacy = [{"PK": f"CUST#C{n}", "SK": "#META", "migrated": "1"} for n in range(20)]
    assert with_kinds(*legacy[:2], count=80).design.physicals[0].spec.discriminator == "type"
    assert with_kinds(*legacy[:3], count=80).design.physicals[0].spec.discriminator is None
    assert with_kinds(*legacy[:19], count=1000).design.physicals[0].spec.discriminator == "type"
    assert with_kinds(*legacy, count=1000).design.physicals[0].spec.discriminator is None


def test_the_expiry_of_leftovers_alone_stays_expressed() -> None:
    items: list[dict[str, Any]] = [
        {"PK": {"S": f"{kind}#{n}"}, "SK": {"S": "META"}, "type": {"S": kind}, "id": {"S": f"{n}"}, kind: {"S": "x"}}
        for kind in ("Tool", "Customer")
        for n in range(60)
    ]
    items.append({"PK": {"S": "LEGACY#1"}, "SK": {"S": "X"}, "expires": {"N": "4000000000"}})
    target = TableTarget("app", 1, KEYS, ttl="expires")
    tables = ADOPTION.adopt(target, {"app": Sample(items)}, ENVIRONMENT)
    assert any(entity.ttl for entity in tables.design.entities)
    assert not [part for part in tables.not_expressed if part.object == "ttl"]


def test_a_field_of_digits_in_a_key_with_two_values_has_a_pattern_of_digits() -> None:
    tools = [
        {"PK": f"TOOL#T-{n}", "SK": f"STORE#{n:03}#TOOL#T-{n}", "toolId": f"T-{n}", "storeNo": f"{n:03}"}
        for n in range(6)
    ]
    text = source(table_of(*tools))
    assert 'storeNo: Annotated[str, Field(pattern="^[0-9]+$")]' in text
