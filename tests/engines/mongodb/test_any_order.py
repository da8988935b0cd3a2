"""Orders of values of any type: a page cannot begin after a value, because `$gt` finds values of one type only."""

from typing import Any

import pytest
from pydantic import BaseModel
from tests.engines.mongodb.designs import design_of, shop, stored_in

import keywright as kw
from keywright.access.path import AccessPath
from keywright.access.search import plan
from keywright.engines.mongodb.access.calls import Find
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.lower import lower

FIELDS: dict[str, Any] = {"key": str, "state": str, "at": Any}


def path_of(order: str | None, limit: int | None) -> Any:
    index = kw.Index(["state", "-at"])
    thing: type[BaseModel] = stored_in(kw.Collection(shop, "things", id="{key}", indexes=[index]), FIELDS)
    pattern = kw.Read(thing, eq="state", limit=limit, **({"order": order} if order else {}))
    design = design_of(thing, pattern)
    (target,) = lower(design)
    return plan(ENGINE, target, design.bindings[0], design.patterns[0]).path


def test_pages_in_such_an_order_are_not_served() -> None:
    path = path_of("-at", 20)
    assert '"at" has values of any type, in whose order no next page can begin' in path.rejected[0].reason


@pytest.mark.parametrize("order", ["-at", None])
def test_all_documents_and_pages_in_another_order_are_served(order: str | None) -> None:
    path = path_of(order, None if order else 20)
    assert isinstance(path, AccessPath)
    assert isinstance(path.call, Find)
    assert [key.path for key in path.call.sort] == (["at"] if order else [])
