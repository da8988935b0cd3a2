"""The reads that sparse and partial indexes serve, and the requests that use them."""

from typing import Annotated, Any

import pytest
from pydantic import Field
from tests.engines.mongodb.designs import SIX, design_of, shop, stored_in
from tests.engines.mongodb.patterned import verdict

import keywright as kw
from keywright.access.search import Planned, plan
from keywright.engines.mongodb.engine import ENGINE

FIELDS: dict[str, Any] = {
    "key": str,
    "nick": str | None,
    "city": str,
    "age": int,
    "tags": Annotated[list[str], Field(max_length=9)],
    "gaps": Annotated[list[str | None], Field(max_length=9)],
}


def planned(index: Any, **read: Any) -> Planned[Any]:
    """The plan of a read of documents with one index."""
    model = stored_in(kw.Collection(shop, "things", id="{key}", indexes=[index]), FIELDS)
    design = design_of(model, kw.Read(model, limit=9, **read))
    (declared,), (binding,), (pattern,) = ENGINE.lower(design), design.bindings, design.patterns
    return plan(ENGINE, ENGINE.place(declared, SIX), binding, pattern)


SPARSE: list[tuple[Any, dict[str, Any], str]] = [
    (kw.Index("nick", sparse=True), {"eq": "nick"}, "index nick_1"),
    (kw.Index("nick", sparse=True), {"where": {"nick": "a"}}, "index nick_1"),
    (kw.Index("nick", sparse=True), {"range": "nick", "order": "nick"}, "index nick_1 index"),
    (kw.Index("nick", sparse=True), {"where": {"nick": kw.Present()}, "order": "nick"}, "index nick_1 index"),
    (kw.Index("nick", sparse=True), {"order": "nick"},
     'index "nick_1" is sparse, and the pattern may ask for documents without "nick"'),
    (kw.Index("nick", sparse=True), {"where": {"nick": None}},
     'index "nick_1" is sparse, and the pattern may ask for documents without "nick"'),
    (kw.Index(["nick", "city"], sparse=True), {"order": "nick"},
     'index "nick_1_city_1" is sparse, and the pattern may ask for documents without "nick" and "city"'),
    (kw.Index(["nick", "city"], sparse=True), {"eq": ["nick", "city"]}, "index nick_1_city_1"),
    (kw.Index("tags", sparse=True), {"contains": "tags"}, "index tags_1"),
    (kw.Index("gaps", sparse=True), {"contains": "gaps"},
     'index "gaps_1" is sparse, and the pattern may ask for documents without "gaps"'),
    (kw.HashedIndex("city", sparse=True), {"eq": "city"}, "index city_hashed"),
]  # fmt: skip


@pytest.mark.parametrize(("index", "read", "expected"), SPARSE)
def test_a_sparse_index_serves_what_asks_for_none_of_the_documents_left_out(
    index: Any, read: dict[str, Any], expected: str
) -> None:
    assert verdict(planned(index, **read)) == expected


def test_no_call_asks_a_sparse_index_for_null() -> None:
    call: Any = planned(kw.Index("nick", sparse=True), eq="nick").access_path.call
    assert call.selection.not_null == ("nick",)
