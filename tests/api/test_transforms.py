"""The passes over stored items that a change of the models needs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright.api.author.transforms import ItemForm, passes_between
from keywright.compiler import load
from keywright.ir.binding import Binding

MODELS = with_imports(
    """
    shop = kw.DynamoTable("shop")

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(
            shop,
            pk="O#{order_id}",
            sk="O",
            computed={"label": "{state}#{city}"},
            schema_version=2,
            upgrades={1: kw.Upgrade(set={"label": "{state}#{city}"})},
        )
        order_id: str
        state: Literal["open", "paid"]
        city: Annotated[str, Field(pattern="^[a-z]+$")] = "ulm"
    """
)


@pytest.fixture
def order(tmp_path: Path) -> Iterator[Binding]:
    with imported_alone(tmp_path):
        yield load(a_project(tmp_path, MODELS)).design.bindings[0]


def passes(order: Binding, old: ItemForm, new: ItemForm) -> list[Any]:
    return list(passes_between(order, old, new, {"order_id", "state", "city"}))


def test_an_upgrade_that_writes_a_template_is_the_only_pass(order: Binding) -> None:
    label = {"label": "{state}#{city}"}
    assert passes(order, ItemForm(1, {"label": "{state}"}), ItemForm(2, label)) == [
        {"transform": {"set": label}, "version": 2}
    ]


def test_a_template_that_no_upgrade_writes_has_a_pass_of_its_own(order: Binding) -> None:
    old, new = ItemForm(1, {"label": "{state}"}), ItemForm(2, {"label": "{state}#{city}", "group": "{city}"})
    assert [words["transform"] for words in passes(order, old, new)] == [
        {"set": {"label": "{state}#{city}"}},
        {"set": {"group": "{city}"}},
    ]
    assert passes(order, ItemForm(2, old.templates), ItemForm(2, {"label": "{state}#{city}"})) == [
        {"transform": {"set": {"label": "{state}#{city}"}}}
    ]
