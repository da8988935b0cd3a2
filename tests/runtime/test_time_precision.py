"""Times with a declared precision without a server: their forms, and where they are refused."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import AwareDatetime, BaseModel
from tests.projects import a_project, errors_of, imported_alone, with_imports

import keywright as kw
from keywright import api, runtime
from keywright.engines.contract.classes import row_of
from keywright.engines.contract.diff import diff
from keywright.engines.contract.shape import describe
from keywright.engines.contract.shape import parse as shape_parse
from keywright.engines.dynamodb.migrate import transform as dynamodb
from keywright.engines.dynamodb.schema.lower import entity_shape
from keywright.engines.redis.migrate import transform as redis
from keywright.frontend.lower import binding_of
from keywright.ir.apply_transform import apply
from keywright.ir.template import TemplateError, parse
from keywright.ir.text_form import UnsupportedValue, fill
from keywright.ir.upgrades import upgrade_of
from keywright.sample.generate import generate

Millisecond = Annotated[AwareDatetime, kw.Precision("milliseconds")]
Second = Annotated[AwareDatetime, kw.Precision("seconds")]

AT = datetime(2026, 1, 2, 4, 4, 5, 123999, tzinfo=timezone(timedelta(hours=1)))
CUT = datetime(2026, 1, 2, 3, 4, 5, 123000, tzinfo=UTC)


class Job(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(
        kw.RedisServer("jobs", role="primary"), key="jobs:{queue}", member="{made_at:iso}#{number:pad(3)}",
        score="due_at",
    )  # fmt: skip

    queue: str
    made_at: Second
    number: int
    due_at: Millisecond


def test_scores_are_whole_milliseconds_and_members_have_seconds() -> None:
    item: Any = runtime.to_item(Job(queue="q", made_at=AT, number=7, due_at=AT))
    assert (item.value.member, item.value.score) == ("2026-01-02T03:04:05Z#007", 1_767_323_045_123.0)
    read = runtime.from_item(Job, item)
    assert (read.made_at, read.due_at) == (CUT.replace(microsecond=0), CUT)


@pytest.mark.parametrize(
    ("template", "value", "text"),
    [
        ("{at:iso(milliseconds)}#", "2026-01-02T03:04:05.123999Z", "2026-01-02T03:04:05.123Z#"),
        ("{at:iso(seconds)}#", "2026-01-02T04:04:05.1+01:00", "2026-01-02T03:04:05Z#"),
        ("{at:iso(milliseconds)}#", 1_767_323_045_123, "2026-01-02T03:04:05.123Z#"),
        ("{at:pad(13,milliseconds)}", AT, "1767323045123"),
        ("{at:pad(12,seconds)}", "2026-01-02T03:04:05.123Z", "001767323045"),
        ("{at:pad(13,milliseconds)}", 1_767_323_045_123, "1767323045123"),
        ("{at:pad(13,milliseconds)}", Decimal(1_767_323_045_123), "1767323045123"),
    ],
)
def test_a_template_alone_gives_the_text_of_a_stored_time(template: str, value: Any, text: str) -> None:
    assert fill(parse(template), {"at": value}.get) == text
    assert parse(str(parse(template).placeholders[0])).placeholders == parse(template).placeholders


def test_a_time_before_1970_has_no_digits() -> None:
    with pytest.raises(UnsupportedValue):
        fill(parse("{at:pad(13,milliseconds)}"), {"at": "1969-01-02T03:04:05.123Z"}.get)


@pytest.mark.parametrize("word", ["iso()", "iso(3)", "pad(3,)", "pad(seconds)", "date(seconds)", "shard(8,seconds)"])
def test_only_iso_and_pad_have_a_precision(word: str) -> None:
    with pytest.raises(TemplateError):
        parse(f"{{at:{word}}}")


@pytest.mark.parametrize(
    ("type", "value", "stored"),
    [
        ("S(milliseconds)", "2026-01-02T04:04:05.1239+01:00", "2026-01-02T03:04:05.123Z"),
        ("S(seconds)", AT, "2026-01-02T03:04:05Z"),
        ("N(milliseconds)", AT, 1_767_323_045_123),
        ("N(seconds)", "2026-01-02T03:04:05Z", 1_767_323_045),
        ("N(milliseconds)", 1_767_323_045_123, 1_767_323_045_123),
        ("S", AT, "2026-01-02T03:04:05.123999Z"),
    ],
)
def test_a_pass_writes_the_form_of_the_type(type: str, value: Any, stored: Any) -> None:
    assert dynamodb.form("at", value, type) == stored


def test_a_pass_rejects_a_text_that_is_no_time() -> None:
    with pytest.raises(UnsupportedValue):
        dynamodb.form("at", "soon", "S(milliseconds)")
    assert redis.form("at", AT, "iso time(seconds)", is_json=True) == "2026-01-02T03:04:05Z"


STORES = {
    "dynamodb": ('kw.DynamoTable("things")', 'kw.Item(place, pk="{id}", sk="THING"MORE)'),
    "mongodb": ('kw.MongoDatabase("things")', 'kw.Collection(place, "things", id="{id}"MORE)'),
    "cassandra": ('kw.Keyspace("things")', 'kw.CqlTable(place, "things", partition="id"MORE)'),
    "redis": ('kw.RedisServer("things", role="primary")', 'kw.RedisHash(place, key="t:{id}"MORE)'),
}  # fmt: skip
MODEL = """
place = PLACE


class Thing(BaseModel):
    __store__: ClassVar = STORE
    id: Annotated[str, Field(pattern="^[a-z]+$")]
    at: TYPE


thing = kw.Get(Thing, eq="id")
"""
FACT = 'kw.Precision("milliseconds")'
TIME = f"Annotated[AwareDatetime, {FACT}]"


def problems(folder: Path, engine: str, type: str, more: str = "") -> list[tuple[str, str]]:
    place, store = STORES[engine]
    source = MODEL.replace("PLACE", place).replace("STORE", store).replace("MORE", more).replace("TYPE", type)
    return [(error.code, error.help) for error in errors_of(folder, with_imports(source))]


@pytest.mark.parametrize("type", [TIME, f"list[{TIME}] = []"])
@pytest.mark.parametrize("engine", STORES)
def test_a_precision_is_refused_where_times_have_one_form(engine: str, type: str, tmp_path: Path) -> None:
    found = problems(tmp_path, engine, type)
    refused = engine in ("mongodb", "cassandra")
    assert found == (
        [("E0214", "remove kw.Precision, or bind another class with the same fields to this store")] if refused else []
    )


@pytest.mark.parametrize(
    ("type", "more", "code", "help"),
    [
        (f"Annotated[int, {FACT}]", "", "E0214", f"list[Annotated[datetime, {FACT}]]"),
        (f"Annotated[list[AwareDatetime], {FACT}]", "", "E0214", f"list[Annotated[datetime, {FACT}]]"),
        (f"Annotated[date, {FACT}]", "", "E0214", "remove it"),
        (f"Annotated[AwareDatetime, {FACT}, kw.Ttl()]", "", "E0214", f"remove {FACT}"),
        (TIME, ', computed={"x": "{at:iso(milliseconds)}#"}', "E0315", "write {at:iso}"),
        (TIME, ', computed={"x": "{at:pad(13,milliseconds)}#"}', "E0315", "write {at:pad(13)}"),
        ("AwareDatetime", ', computed={"x": "{at:pad(13)}#"}', "E0304", f"Annotated[datetime, {FACT}]"),
        (TIME, ', computed={"x": "{at:pad(12)}#"}', "E0315", "write {at:pad(13)}"),
    ],
)
def test_a_misplaced_precision_is_refused_with_the_way_out(
    type: str, more: str, code: str, help: str, tmp_path: Path
) -> None:
    ((found, text),) = problems(tmp_path, "dynamodb", type, more)
    assert found == code
    assert help in text


@pytest.mark.parametrize(
    ("type", "more"),
    [
        (f"list[{TIME}] = []", ""),
        ("Annotated[AwareDatetime, kw.Ttl()]", ""),
        (f"Annotated[AwareDatetime, {FACT}, kw.Ttl(after=timedelta(days=1))]", ""),
        (TIME, ', computed={"x": "{at:iso}#"}'),
        (TIME, ', computed={"x": "{at:pad(13)}#"}, types={"at": "N"}'),
        (f"Annotated[{TIME} | None, Field()] = None", ""),
        (f"dict[{TIME}, str] = {{}}", ""),
    ],
)
def test_the_ways_out_compile(type: str, more: str, tmp_path: Path) -> None:
    assert problems(tmp_path, "dynamodb", type, more) == []


def test_generated_times_have_the_precision_and_are_recent(tmp_path: Path) -> None:
    fields = 'TIME\n    second: Annotated[AwareDatetime, kw.Precision("seconds")]'.replace("TIME", TIME)
    place, store = STORES["dynamodb"]
    more = ', computed={"x": "{at:pad(13)}#{second:pad(10)}"}'
    source = MODEL.replace("PLACE", place).replace("STORE", store).replace("MORE", more).replace("TYPE", fields)
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/case.py": with_imports(source)})
        design = api.load(str(tmp_path)).design
        things: list[dict[str, Any]] = [instance.value for instance in generate(design, scale=50)]
    assert all(thing["second"].microsecond == 0 for thing in things)
    assert all(thing["at"].year == thing["second"].year == 2026 for thing in things)
    assert any(thing["at"].microsecond for thing in things)


SHAPE = {
    "S(milliseconds)": "at", "N(seconds)": "second", "L(seconds)": "many", "SS(milliseconds)": "several",
}  # fmt: skip


def test_the_shape_of_a_table_has_the_precision() -> None:
    class Thing(BaseModel):
        __store__: ClassVar = kw.Item(
            kw.DynamoTable("things"), pk="{id}", sk="T#{at:iso}#{second:pad(10)}", types={"second": "N"}
        )

        id: str
        at: Millisecond
        second: Second
        many: list[Second] = []
        several: set[Millisecond] = set()

    binding: Any = binding_of("Thing", Thing)
    shape = entity_shape(binding)
    assert {field.type: field.name for field in shape.fields if field.name != "id"} == SHAPE
    assert dict(shape.keys)["sk"] == "T#{at:iso(milliseconds)}#{second:pad(10,seconds)}"
    assert shape_parse(describe((shape,))) == (shape,)


def test_an_upgrade_writes_the_key_text_of_the_precision() -> None:
    class Thing(BaseModel):
        __store__: ClassVar = kw.Item(
            kw.DynamoTable("things"), pk="{id}", sk="T", computed={"x": "{at:iso}#"}, schema_version=2,
            upgrades={1: kw.Upgrade(cast={"at": "datetime"}, set={"x": "{at:iso}#"})},
        )  # fmt: skip

        id: str
        at: Second

    binding: Any = binding_of("Thing", Thing)
    transform = upgrade_of(binding, 1)
    types = {field.stored: field.type for field in entity_shape(binding).fields}
    assert transform is not None
    changed = apply(
        transform,
        {"id": "a", "at": "2026-01-02T04:04:05.5+01:00"},
        lambda path, value: dynamodb.form(path, value, types.get(path)),
    )
    assert changed == {"at": "2026-01-02T03:04:05Z", "x": "2026-01-02T03:04:05Z#"}


@pytest.mark.parametrize("engine", ["dynamodb", "redis"])
def test_another_precision_is_another_stored_type(engine: str, tmp_path: Path) -> None:
    place, store = STORES[engine]
    placed: list[Any] = []
    for number, type in enumerate(("AwareDatetime", TIME)):
        source = MODEL.replace("PLACE", place).replace("STORE", store).replace("MORE", "").replace("TYPE", type)
        folder = tmp_path / str(number)
        folder.mkdir()
        with imported_alone(folder):
            a_project(folder, {"models/case.py": with_imports(source)})
            placed += api.compile(api.load(str(folder))).targets
    before = placed[0]
    described = [target.engine.describe(target.declared) for target in placed]
    (change,) = diff(engine, before.engine.facts.parts, *described, ("t",))
    row = row_of(before.engine.facts.classes, change)
    assert (change.path[-1], row.classes) == ("at", "BK")
