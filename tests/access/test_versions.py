"""Versions of an item that a partial write accepts, by the fields that upgrades touch."""

from pathlib import Path

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.access.partial_write import Versions
from keywright.access.path import AccessPath

MODELS = """
table = kw.DynamoTable("shop")

class Thing(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="T#{{k}}", sk="T", {more})
    k: str
    state: str = "new"
    label: Annotated[str, Field(alias="l")] = "a"
    home: Optional["Home"] = None
    mail: Annotated[str, kw.RenamedFrom("email")] = ""
    count: int = 0

class Home(BaseModel):
    city: str = ""

change = {call}
"""

STATE, LABEL = 'kw.Upgrade(map={"state": {"a": "b"}})', 'kw.Upgrade(set={"label": "{state}"})'

CASES = [
    ("schema_version=1", 'kw.Update(Thing, sets="state")', Versions(1, 1)),
    ("schema_version=2", 'kw.Update(Thing, sets="state")', Versions(2, 2)),
    (f"schema_version=2, upgrades={{1: {STATE}}}", 'kw.Update(Thing, sets="state")', Versions(2, 2)),
    (f"schema_version=2, upgrades={{1: {STATE}}}", 'kw.Update(Thing, unset="label")', Versions(1, 2)),
    (f"schema_version=2, upgrades={{1: {STATE}}}", 'kw.Increment(Thing, "count")', Versions(1, 2)),
    # Fields that are read are touched too: the label would be computed from a state that then changes.
    (f"schema_version=2, upgrades={{1: {LABEL}}}", 'kw.Update(Thing, sets="state")', Versions(2, 2)),
    (f"schema_version=2, upgrades={{1: {LABEL}}}", 'kw.Update(Thing, sets="label")', Versions(2, 2)),
    # A condition would be checked on the old form.
    (
        f"schema_version=2, upgrades={{1: {STATE}}}",
        'kw.Update(Thing, sets="label", where={"state": "new"})',
        Versions(2, 2),
    ),
    # the key is never converted
    (
        'schema_version=2, upgrades={1: kw.Upgrade(set={"label": "{k}"})}',
        'kw.Update(Thing, sets="state")',
        Versions(1, 2),
    ),
    ('schema_version=2, upgrades={1: kw.Upgrade(unset="home.city")}', 'kw.Update(Thing, sets="home")', Versions(2, 2)),
    # The upgrade renames fields with a former name.
    (f"schema_version=2, upgrades={{1: {STATE}}}", 'kw.Update(Thing, sets="mail")', Versions(2, 2)),
    (f"schema_version=3, upgrades={{1: {STATE}, 2: {LABEL}}}", 'kw.Increment(Thing, "count")', Versions(1, 3)),
    (f"schema_version=3, upgrades={{1: {LABEL}, 2: {STATE}}}", 'kw.Update(Thing, sets="label")', Versions(2, 3)),
    (f"schema_version=3, upgrades={{1: {STATE}}}", 'kw.Increment(Thing, "count")', Versions(3, 3)),
    (f"schema_version=3, upgrades={{2: {STATE}}}", 'kw.Increment(Thing, "count")', Versions(2, 3)),
]


@pytest.mark.parametrize(("more", "call", "versions"), CASES)
def test_a_write_accepts_versions_whose_upgrades_do_not_touch_its_fields(
    tmp_path: Path, more: str, call: str, versions: Versions
) -> None:
    with imported_alone(tmp_path):
        a_project(tmp_path, with_imports(MODELS.format(more=more, call=call)))
        (row,) = api.plan_access(api.compile(api.load(str(tmp_path)), "dev")).rows
    assert isinstance(row.planned.path, AccessPath)
    assert row.planned.path.call.versions == versions  # type: ignore[attr-defined]


def test_a_field_with_the_name_of_the_version_is_not_a_version(tmp_path: Path) -> None:
    models = MODELS.format(more="schema_version=1", call='kw.Update(Thing, sets="state")').replace('"l"', '"_kw_v"')
    with imported_alone(tmp_path):
        a_project(tmp_path, with_imports(models))
        (row,) = api.plan_access(api.compile(api.load(str(tmp_path)), "dev")).rows
    assert isinstance(row.planned.path, AccessPath)
    assert row.planned.path.call.versions is None  # type: ignore[attr-defined]
