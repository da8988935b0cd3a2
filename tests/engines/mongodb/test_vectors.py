"""Vectors in MongoDB: lists whose nearest values no index finds."""

from typing import Annotated, Any

import pytest
from tests.engines.mongodb.designs import SIX, design_of, shop, stored_in
from tests.engines.mongodb.patterned import verdict

import keywright as kw
from keywright.access.search import plan, smallest_fix
from keywright.engines.mongodb.engine import ENGINE

FIELDS: dict[str, Any] = {"key": str, "at": Annotated[list[float], kw.Vector(2)]}


@pytest.mark.parametrize("indexes", [[], [kw.Index("at")]], ids=str)
def test_no_index_finds_the_nearest_vectors(indexes: list[Any]) -> None:
    model = stored_in(kw.Collection(shop, "things", id="{key}", indexes=indexes), FIELDS)
    design = design_of(model, kw.Read(model, near="at", limit=9))
    (declared,), (binding,), (pattern,) = ENGINE.lower(design), design.bindings, design.patterns
    planned = plan(ENGINE, ENGINE.place(declared, SIX), binding, pattern)
    reason = 'no index finds the nearest vectors of "at": keep a copy in a CqlTable, by kw.bind(...)'
    assert verdict(planned) == reason
    assert smallest_fix(ENGINE, planned) is None
