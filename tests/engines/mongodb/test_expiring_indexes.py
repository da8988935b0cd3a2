"""Indexes that expire documents, beside the expiry of a field: several, partial, named, over embedded times."""

from datetime import datetime, timedelta
from typing import Annotated, Any

import pytest
from pydantic import BaseModel
from tests.engines.mongodb.designs import (
    SIX,
    codes_of,
    collection_of,
    database_of,
    design_of,
    refusals_of,
    shop,
    stored_in,
)

import keywright as kw
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.codec import describe_index
from keywright.frontend.check import check as check_design
from keywright.sample.narrow import narrowed

DAY = timedelta(days=1)


class Step(BaseModel):
    done_at: datetime | None = None
    number: int


FIELDS: dict[str, Any] = {
    "key": str,
    "state": str,
    "at": datetime,
    "seen_at": datetime | None,
    "text_at": datetime,
    "times": list[datetime],
    "step": Step,
    "steps": list[Step],
    "thing": Any,
    "number": int,
}


def things(*indexes: Any, **options: Any) -> type[BaseModel]:
    options = {"id": "{key}", "types": {"text_at": "string"}, **options}
    return stored_in(kw.Collection(shop, "things", indexes=list(indexes), **options), FIELDS)


SEVERAL = (
    kw.Index("at", expire_after=2 * DAY, name="drafts", where={"state": "draft"}),
    kw.Index("at", expire_after=3 * DAY, name="sent", where={"state": "sent"}),
    kw.Index("-seen_at", expire_after=timedelta(0), sparse=True),
    kw.Index("step.done_at", expire_after=DAY),
    kw.Index("steps.done_at", expire_after=DAY, unique=True, hidden=True),
    kw.Index("times", expire_after=DAY),
    kw.Index("thing", expire_after=DAY),
)


def test_a_collection_has_several_expiries() -> None:
    assert codes_of(things(*SEVERAL)) == []
    indexes = {index.name: describe_index(index) for index in collection_of(things(*SEVERAL)).indexes}
    assert indexes["drafts"] == {
        "key": [["at", 1]],
        "partialFilterExpression": {"state": "draft"},
        "expireAfterSeconds": 172_800,
    }
    assert indexes["seen_at_-1"] == {"key": [["seen_at", -1]], "sparse": True, "expireAfterSeconds": 0}
    assert indexes["step.done_at_1"] == {"key": [["step.done_at", 1]], "expireAfterSeconds": 86_400}


@pytest.mark.parametrize(
    ("index", "problem", "help"),
    [
        (
            kw.Index(["state", "at"], expire_after=DAY),
            "it has 2 fields, and only an index of one field expires documents",
            'write kw.Index("at", expire_after=...) beside it',
        ),
        (kw.Index("key", expire_after=DAY), 'documents do not expire by an index on "_id"', "use another field"),
        (
            kw.Index("number", expire_after=DAY),
            '"number" has the type integer, so that nothing would ever expire',
            "index a datetime, stored as a date",
        ),
        (
            kw.Index("text_at", expire_after=DAY),
            '"text_at" is stored as string, so that nothing would ever expire',
            "index a datetime, stored as a date",
        ),
        (
            kw.Index("step", expire_after=DAY),
            '"step" is no single time, so that nothing would ever expire',
            "index a datetime, stored as a date",
        ),
        (
            kw.Index("at", expire_after=25_000 * DAY),
            "documents expire after 2160000000 seconds, MongoDB allows 0 to 2147483647",
            "choose a time within 68 years",
        ),
        (
            kw.Index("at", expire_after=-DAY),
            "documents expire after -86400 seconds, MongoDB allows 0 to 2147483647",
            "choose a time within 68 years",
        ),
    ],
)
def test_an_index_that_would_expire_nothing_is_an_error(index: Any, problem: str, help: str) -> None:
    refusal = next(refusal for refusal in refusals_of(things(index)) if refusal.code == "MDB013")
    assert refusal.problem.partition(": ")[2] == problem
    assert refusal.help == help


def test_the_ways_out_of_errors_compile() -> None:
    assert codes_of(things(kw.Index(["state", "at"]), kw.Index("at", expire_after=DAY))) == []
    by_time = stored_in(
        kw.Collection(shop, "days", id="{at}", indexes=[kw.Index("at", expire_after=DAY)]), {"at": datetime}
    )
    helps = {refusal.code: refusal.help for refusal in refusals_of(by_time)}
    assert helps["MDB013"] == "write clustered=True, and mark the field with kw.Ttl()"
    fields = {"at": Annotated[datetime, kw.Ttl(after=DAY)]}
    assert codes_of(stored_in(kw.Collection(shop, "days", id="{at}", clustered=True), fields)) == []


def test_neither_capped_collections_nor_time_series_have_such_indexes() -> None:
    index = kw.Index("at", expire_after=DAY)
    assert codes_of(things(index, settings={"capped": True, "size": 4096})) == ["MDB013"]
    series = kw.TimeSeries(shop, "readings", time="at", meta="state", indexes=[kw.Index("seen_at", expire_after=DAY)])
    assert codes_of(stored_in(series, FIELDS)) == ["MDB013"]
    assert codes_of(stored_in(kw.TimeSeries(shop, "readings", time="at", meta="state", ttl=DAY), FIELDS)) == []


def test_an_index_expires_beside_the_expiry_of_another_field_only() -> None:
    fields = {"key": str, "at": Annotated[datetime, kw.Ttl()], "seen_at": datetime}
    both = [kw.Index("seen_at", expire_after=DAY), kw.Index("at", expire_after=DAY, name="again")]
    assert codes_of(stored_in(kw.Collection(shop, "things", id="{key}", indexes=both), fields)) == ["MDB105"]
    assert codes_of(stored_in(kw.Collection(shop, "things", id="{key}", indexes=both[:1]), fields)) == []


def test_generated_items_have_not_expired() -> None:
    (binding,) = design_of(things(*SEVERAL)).bindings
    entity = narrowed(binding.entity, [binding])
    lifetimes = {attribute.name: attribute.ttl_after_seconds for attribute in entity.attributes}
    assert lifetimes["at"] == 172_800  # of the index that expires first
    assert (lifetimes["seen_at"], lifetimes["number"]) == (0, None)
    step: Any = entity.attribute("step")
    assert {part.name: part.ttl_after_seconds for part in step.type.parts} == {"done_at": 86_400, "number": None}


def test_a_second_expiry_is_an_index() -> None:
    fields = {"key": str, "at": Annotated[datetime, kw.Ttl()], "until": datetime}
    model = stored_in(kw.Collection(shop, "things", indexes=[kw.Index("until", expire_after=DAY)]), fields)
    assert not [*check_design(design_of(model), {}), *codes_of(model)]


def test_placed_databases_keep_them() -> None:
    database = database_of(things(*SEVERAL))
    assert ENGINE.parse(ENGINE.describe(ENGINE.place(database, SIX))) == ENGINE.place(database, SIX)
