"""Verdicts that should be others: each with the smallest model that shows it."""

from pathlib import Path

import pytest
from tests.corpora.modelfile import verdicts
from tests.projects import with_imports

_TOP = 'by_state = kw.Gsi("by_state", pk="gpk", sk="gsk")\ntable = kw.DynamoTable("things", gsis=[by_state])'
_THING = """
class Thing(BaseModel):
    __store__: ClassVar = kw.Item(
        table, pk="T#{group}", sk="T#{thing}", gsis=[by_state.key(pk="S#{state}", sk="{at:iso}")]
    )
    group: str
    thing: Annotated[str, Field(pattern=r"^[a-z]+$")]
    at: datetime
    state: str
    number: int
"""


@pytest.mark.parametrize(
    "pattern",
    [
        'kw.Update(Thing, eq=["group", "thing"], sets="state")',
        pytest.param(
            'kw.Read(Thing, eq=["group", "thing", "number"], order="at", limit=1)',
            marks=pytest.mark.xfail(strict=True, reason="the order of at most one item is looked for in the key"),
        ),
    ],
)
def test_it_is_served_by_the_key_of_the_table(tmp_path: Path, pattern: str) -> None:
    result = verdicts(tmp_path, with_imports(_TOP, _THING, f"asked = {pattern}"))
    assert result["asked"].startswith("table things")


@pytest.mark.parametrize(
    "store",
    [
        'kw.Item(kw.DynamoTable("things"), pk="T#{thing}", sk="T")',
        'kw.Collection(kw.MongoDatabase("things"), "things", id="{thing}")',
    ],
)
def test_an_update_that_changes_nothing_is_not_served(tmp_path: Path, store: str) -> None:
    model = f"class Thing(BaseModel):\n    __store__: ClassVar = {store}\n    thing: str\n    number: int"
    assert verdicts(tmp_path, with_imports(model, "asked = kw.Update(Thing)")) == {"asked": "not served"}
