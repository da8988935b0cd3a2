"""DS: what is gone afterwards, and what only looks so."""

from pathlib import Path

import pytest

from .reports import codes_of, errors, model, report, the

ENGINES = ("dynamodb", "mongodb", "cassandra", "redis")
OTHER = """
class Visit(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "visits", id="{visit_id}")
    visit_id: str
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_dropped_field_is_reported_once_in_every_engine(engine: str, tmp_path: Path) -> None:
    dropped = report(tmp_path, model(engine, "note: str | None = None"), model(engine))
    assert the("DS103", dropped).object == "shop/Order/note"


def test_a_field_that_an_upgrade_unsets_does_not_stay(tmp_path: Path) -> None:
    options = ', schema_version=2, upgrades={1: kw.Upgrade(unset="note")}'
    dropped = report(tmp_path, model("mongodb", "note: str | None = None"), model("mongodb", store=options))
    assert "a backfill of this migration removes it from existing items" in the("DS103", dropped).message


def test_a_dropped_embedded_model_is_one_finding(tmp_path: Path) -> None:
    above = "class Place(BaseModel):\n    street: str\n    city: str\n"
    before = model("dynamodb", "place: Place | None = None", above=above)
    assert the("DS103", report(tmp_path, before, model("dynamodb"))).object == "shop/Order/place"


def test_a_dropped_collection_includes_its_entity_and_indexes(tmp_path: Path) -> None:
    tail = OTHER.replace('id="{visit_id}"', 'id="{visit_id}", indexes=[kw.Index("at")]') + "    at: str\n"
    assert errors(tmp_path, model("mongodb", tail=tail), model("mongodb")) == ["DS102"]


def test_an_entity_of_a_shared_table_leaves_its_items_behind(tmp_path: Path) -> None:
    tail = """
class Visit(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="VISIT#{visit_id}", sk="VISIT")
    visit_id: str
"""
    finding = the("DS102", report(tmp_path, model("dynamodb", tail=tail), model("dynamodb")))
    assert (finding.object, finding.severity) == ("shop/Visit", "error")


def test_a_declared_drop_of_a_former_generation_is_a_warning(tmp_path: Path) -> None:
    rebuilt = model("cassandra", store=', clustering="line", generation=2, rebuild=kw.Rebuild(from_generation=1)',
                    fields="line: str")  # fmt: skip
    dropped = rebuilt.replace("from_generation=1", "from_generation=1, drops_old=True")
    finding = the("DS102", report(tmp_path, model("cassandra", "line: str"), rebuilt, dropped))
    assert (finding.object, finding.severity) == ("shop/orders", "warning")


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [(None, 30, ["DS104"]), (90, 30, ["DS104"]), (30, 90, []), (30, 30, [])],
)
def test_a_new_or_earlier_expiry_is_reported(before: int | None, after: int, code: list[str], tmp_path: Path) -> None:
    def at(days: int | None) -> str:
        field = f"Annotated[AwareDatetime, kw.Ttl(after=timedelta(days={days}))]" if days else "AwareDatetime"
        return model("mongodb", f"placed_at: {field}")

    assert errors(tmp_path, at(before), at(after)) == code


def test_an_expiry_of_a_redis_structure_is_reported(tmp_path: Path) -> None:
    before, after = (model("redis", store=f", ttl=timedelta(days={days})") for days in (9, 3))
    finding = the("DS104", report(tmp_path, before, after))
    assert finding.message.startswith('items of "shop/Order/structure" expire after 259200 s instead of after 777600 s')


def test_a_new_expiry_of_dynamodb_is_reported(tmp_path: Path) -> None:
    before = model("dynamodb", "ends_at: AwareDatetime")
    after = model("dynamodb", "ends_at: Annotated[AwareDatetime, kw.Ttl()]")
    assert "DS104" in errors(tmp_path, before, after)


def test_a_name_from_the_graveyard_under_another_type_is_an_error(tmp_path: Path) -> None:
    with_note = (model("mongodb", f"note: {kind} | None = None") for kind in ("str", "int"))
    first, last = with_note
    finding = the("DS106", report(tmp_path, first, model("mongodb"), last))
    assert finding.severity == "error"
    assert finding.message.startswith('"note" was dropped in 0002 as string and is added again as long')


def test_eviction_of_less_is_no_loss(tmp_path: Path) -> None:
    before, after = (model("redis", head=f', eviction="{policy}"') for policy in ("volatile-lru", "noeviction"))
    assert "DS105" not in codes_of(tmp_path, before, after)
