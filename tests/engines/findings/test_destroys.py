"""DS: what is gone afterwards, and what only looks so."""

from pathlib import Path

import pytest

from .judged import errors, found, model, report, the

ENGINES = ("dynamodb", "mongodb", "cassandra", "redis")
OTHER = """
class Visit(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "visits", id="{visit_id}")
    visit_id: str
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_field_that_goes_is_told_once_in_every_engine(engine: str, tmp_path: Path) -> None:
    made = report(tmp_path, model(engine, "note: str | None = None"), model(engine))
    assert the("DS103", made).object == "shop/Order/note"


def test_an_embedded_model_that_goes_is_told_as_one(tmp_path: Path) -> None:
    above = "class Place(BaseModel):\n    street: str\n    city: str\n"
    before = model("dynamodb", "place: Place | None = None", above=above)
    assert the("DS103", report(tmp_path, before, model("dynamodb"))).object == "shop/Order/place"


def test_a_collection_that_goes_takes_its_entity_and_indexes_along(tmp_path: Path) -> None:
    tail = OTHER.replace('id="{visit_id}"', 'id="{visit_id}", indexes=[kw.Index("at")]') + "    at: str\n"
    assert errors(tmp_path, model("mongodb", tail=tail), model("mongodb")) == ["DS102"]


def test_an_entity_of_a_shared_table_leaves_its_items_behind(tmp_path: Path) -> None:
    tail = """
class Visit(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="VISIT#{visit_id}", sk="VISIT")
    visit_id: str
"""
    one = the("DS102", report(tmp_path, model("dynamodb", tail=tail), model("dynamodb")))
    assert (one.object, one.severity) == ("shop/Visit", "error")


def test_a_former_generation_goes_with_a_warning_once_its_model_says_so(tmp_path: Path) -> None:
    rebuilt = model("cassandra", store=', clustering="line", generation=2, rebuild=kw.Rebuild(from_generation=1)',
                    fields="line: str")  # fmt: skip
    dropped = rebuilt.replace("from_generation=1", "from_generation=1, drops_old=True")
    one = the("DS102", report(tmp_path, model("cassandra", "line: str"), rebuilt, dropped))
    assert (one.object, one.severity) == ("shop/orders", "warning")


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [(None, 30, ["DS104"]), (90, 30, ["DS104"]), (30, 90, []), (30, 30, [])],
)
def test_an_expiry_counts_where_it_begins_or_comes_sooner(
    before: int | None, after: int, code: list[str], tmp_path: Path
) -> None:
    def at(days: int | None) -> str:
        field = f"Annotated[AwareDatetime, kw.Ttl(after=timedelta(days={days}))]" if days else "AwareDatetime"
        return model("mongodb", f"placed_at: {field}")

    assert errors(tmp_path, at(before), at(after)) == code


def test_an_expiry_of_a_redis_structure_is_told(tmp_path: Path) -> None:
    before, after = (model("redis", store=f", ttl=timedelta(days={days})") for days in (9, 3))
    one = the("DS104", report(tmp_path, before, after))
    assert one.message.startswith('expiry of "shop/Order/structure" is after 777600 s and becomes after 259200 s')


def test_an_expiry_of_dynamodb_that_begins_is_told(tmp_path: Path) -> None:
    before = model("dynamodb", "ends_at: AwareDatetime")
    after = model("dynamodb", "ends_at: Annotated[AwareDatetime, kw.Ttl()]")
    assert "DS104" in errors(tmp_path, before, after)


def test_a_name_from_the_graveyard_under_another_type_is_an_error(tmp_path: Path) -> None:
    with_note = (model("mongodb", f"note: {kind} | None = None") for kind in ("str", "int"))
    first, last = with_note
    one = the("DS106", report(tmp_path, first, model("mongodb"), last))
    assert one.severity == "error"
    assert one.message.startswith('"note" was dropped in 0002 as string and comes back as long')


def test_eviction_of_less_is_no_loss(tmp_path: Path) -> None:
    before, after = (model("redis", head=f', eviction="{policy}"') for policy in ("volatile-lru", "noeviction"))
    assert "DS105" not in found(tmp_path, before, after)
