"""Times of other clients in sampled items: as text and as numbers, in fields and in keys."""

from typing import Any

import pytest
from tests.adopt.test_single_tables import ADOPTION, ENVIRONMENT, KEYS, assert_reads_every_item, source
from tests.projects import codes_of

from keywright.engines.contract.adoption import Adopted, Sample
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget

MILLISECONDS = 'Annotated[datetime, kw.Precision("milliseconds")]'
SECONDS = 'Annotated[datetime, kw.Precision("seconds")]'

TEXTS = [f"2026-01-0{day}T03:04:05.{day}23Z" for day in range(1, 6)]
NUMBERS = [1_767_323_045_123 + day * 86_400_000 for day in range(5)]


def table_of(items: list[dict[str, Any]], *indexes: IndexTarget, ttl: str | None = None) -> tuple[Adopted, Sample]:
    """Declarations for a table with these items, and the items."""
    natives = [
        {name: {"N": str(value)} if isinstance(value, int) else {"S": value} for name, value in item.items()}
        for item in items
    ]
    sample = Sample(natives)
    target = TableTarget("app", 1, KEYS, indexes, ttl=ttl)
    return ADOPTION.adopt(target, {"app": sample}, ENVIRONMENT), sample


def field(text: str, name: str) -> str:
    """The annotation of a field in a model file."""
    return next(line for line in text.splitlines() if line.strip().startswith(f"{name}: ")).partition(": ")[2]


def users(**values: list[Any]) -> list[dict[str, Any]]:
    return [
        {"PK": f"USER#u{number}", "SK": "PROFILE", "userId": f"u{number}",
         **{name: column[number] for name, column in values.items()}}
        for number in range(5)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "annotation"),
    [
        (TEXTS, MILLISECONDS),
        ([text[:19] + "Z" for text in TEXTS], SECONDS),
        ([text[:23] + "000Z" for text in TEXTS], "datetime"),
        ([*TEXTS[:4], "2026-01-05T03:04:05Z"], "str"),
        ([*TEXTS[:4], "2026-01-05T03:04:05.123+00:00"], "str"),
        ([*TEXTS[:4], "2026-13-05T03:04:05.123Z"], "str"),
        ([*TEXTS[:4], "2026-01-05T03:04:60.123Z"], "str"),
        ([text[:21] + "Z" for text in TEXTS], "str"),
        ([text.replace("T", " ") for text in TEXTS], "str"),
    ],
)
def test_text_is_a_time_if_all_items_have_one_form(values: list[str], annotation: str) -> None:
    tables, sample = table_of(users(createdAt=values))
    assert field(source(tables), "createdAt") == annotation
    assert_reads_every_item(tables, sample)


@pytest.mark.parametrize(
    ("name", "values", "annotation"),
    [
        ("createdAt", NUMBERS, MILLISECONDS),
        ("updated_at", [number // 1000 for number in NUMBERS], SECONDS),
        ("login_ts", NUMBERS, MILLISECONDS),
        ("timestamp", NUMBERS, MILLISECONDS),
        ("lastSeen", NUMBERS, MILLISECONDS),
        ("number", NUMBERS, "int"),
        ("beat", NUMBERS, "int"),
        ("accounts", NUMBERS, "int"),
        ("createdAt", [*NUMBERS[:4], 17], "int"),
        ("createdAt", [*NUMBERS[:4], NUMBERS[4] // 1000], "int"),
        ("createdAt", [number * 1000 for number in NUMBERS], "int"),
        ("latency_ms", [12, 5, 99, 1000, 7], "int"),
    ],
)
def test_a_number_is_a_time_if_its_name_and_all_sizes_say_so(name: str, values: list[int], annotation: str) -> None:
    tables, sample = table_of(users(**{name: values}))
    text = source(tables)
    assert f": {annotation}" in text
    assert ("types=" in text) == (annotation != "int")
    assert_reads_every_item(tables, sample)


@pytest.mark.parametrize(
    ("keys", "values", "template"),
    [
        (TEXTS, TEXTS, "ORDER#{createdAt:iso}"),
        ([text[:10] for text in TEXTS], TEXTS, "ORDER#{createdAt:date}"),
        (["".join(filter(str.isdigit, text[:10])) for text in TEXTS], TEXTS, "ORDER#{createdAt:strftime(%Y%m%d)}"),
        ([text[:13].replace("T", "-") for text in TEXTS], TEXTS, "ORDER#{createdAt:strftime(%Y-%m-%d-%H)}"),
        ([f"2026010{day}T030405Z" for day in range(1, 6)], [f"{text[:19]}Z" for text in TEXTS],
         "ORDER#{createdAt:strftime(%Y%m%dT%H%M%SZ)}"),
        ([text[:10].replace("-", "/") for text in TEXTS], TEXTS, "ORDER#{createdAt:strftime(%Y/%m/%d)}"),
        (list(map(str, NUMBERS)), NUMBERS, "ORDER#{createdAt:pad(13)}"),
        ([f"{number:015}" for number in NUMBERS], NUMBERS, "ORDER#{createdAt:pad(15)}"),
        (["2026-01-02T03:04:05.123Z", "2026-01-03T03:04:05.123Z"] * 2 + ["2026-01-06T03:04:05.123Z"],
         [NUMBERS[0], NUMBERS[1]] * 2 + [NUMBERS[4]], "ORDER#{createdAt:iso}"),
    ],
)  # fmt: skip
def test_times_in_keys_are_those_of_their_fields(keys: list[str], values: list[Any], template: str) -> None:
    items = [
        {"PK": f"USER#u{number}", "SK": f"ORDER#{key}#{number}", "userId": f"u{number}", "createdAt": value,
         "orderId": str(number)}
        for number, (key, value) in enumerate(zip(keys, values, strict=True))
    ]  # fmt: skip
    tables, sample = table_of(items)
    assert [(binding.spec.pk, binding.spec.sk) for binding in tables.design.bindings] == [
        ("USER#{userId}", f"{template}#{{orderId}}")
    ]
    assert_reads_every_item(tables, sample)


def test_an_index_by_numbers_is_one_by_times(tmp_path: Any) -> None:
    keys = (KeyPart("orgId", "S", "HASH"), KeyPart("createdAt", "N", "RANGE"))
    items = [{**item, "orgId": "o1", "expiresAt": 1_900_000_000} for item in users(createdAt=NUMBERS)]
    tables, sample = table_of(items, IndexTarget("by_org", keys), ttl="expiresAt")
    text = source(tables)
    assert 'types={"createdAt": "N"}' in text
    assert field(text, "expiresAt") == "Annotated[datetime, kw.Ttl()]"
    assert not tables.not_expressed
    assert codes_of(tmp_path, text) == []
    assert_reads_every_item(tables, sample)


def test_a_mixed_field_in_a_key_stays_text() -> None:
    forms = [*TEXTS[:4], "2026-01-05T03:04:05Z"]
    items = [
        {"PK": f"USER#u{number}", "SK": f"ORDER#{text}", "userId": f"u{number}", "at": text}
        for number, text in enumerate(forms)
    ]
    tables, sample = table_of(items)
    assert field(source(tables), "at") == "str"
    assert [binding.spec.sk for binding in tables.design.bindings] == ["ORDER#{at}"]
    assert_reads_every_item(tables, sample)
