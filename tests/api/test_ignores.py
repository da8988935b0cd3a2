"""What models accept of findings about a version, and who owns what they declare."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.projects import a_project, imported_alone, with_imports
from tests.rules.versions import TODAY

from keywright import api
from keywright.api.ignores import ignored_by_models
from keywright.api.lint import judged
from keywright.api.owners import owners_of
from keywright.api.versions import difference, next_version
from keywright.compiler import Compiled
from keywright.history.snapshot import EMPTY
from keywright.history.sums import Sums
from keywright.history.version import Version
from keywright.ir.json import Json
from keywright.project.migrations import Folder
from keywright.rules.rule import Report

TABLE = """
shop = kw.DynamoTable("shop"{table})


class Order(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="ORDER#{{order_id}}", sk="ORDER"{store})

    order_id: str
    {field}
"""
WAIVER = 'kw.ignore("{code}", reason="it is right here"{until})'


def model(field: str = "", *, table: str = "", store: str = "") -> str:
    return with_imports(TABLE.format(field=field, table=table, store=store))


def step(folder: Path, source: str, versions: tuple[Version, ...]) -> tuple[Compiled, Version, Report]:
    """A version that leads to a model, and what is to be said of it."""
    settings = a_project(folder, source)
    with imported_alone(folder):
        compiled = api.compile(api.load(str(settings.root)), "dev")
        so_far = Folder(folder, versions, Sums(()))
        found = difference(compiled, so_far)
        made = next_version(found, so_far, f"step {len(versions)}")
        before = versions[-1].snapshot if versions else EMPTY
        return compiled, made, judged(made, before, TODAY, hints=found.draft.hints, owners=owners_of(compiled))


def accepted(folder: Path, before: str, after: str) -> tuple[dict[str, Json], ...]:
    """What the second model accepts of the way to it."""
    _, first, _ = step(folder / "before", before, ())
    compiled, version, report = step(folder / "after", after, (first,))
    entries = ignored_by_models(compiled, report)
    left = judged(replace(version, ignore=entries), first.snapshot, TODAY)
    assert {one.code for one in left.findings} <= {one.code for one in report.findings}
    assert len(left.accepted) == len(entries)
    return entries


@pytest.mark.parametrize("where", ["table", "store"])
def test_what_is_accepted_above_counts_for_a_field(where: str, tmp_path: Path) -> None:
    waiver = f", ignores=[{WAIVER.format(code='DS103', until='')}]"
    after = model(table=waiver) if where == "table" else model(store=waiver)
    assert accepted(tmp_path, model("coupon: str | None = None"), after) == (
        {"code": "DS103", "object": "shop/Order/coupon", "reason": "it is right here"},
    )


def test_what_is_accepted_on_a_field_counts_for_it_until_its_day(tmp_path: Path) -> None:
    waiver = WAIVER.format(code="MF103", until=", until=date(2026, 12, 31)")
    after = model(f"channel: Annotated[str, {waiver}]")
    assert accepted(tmp_path, model(), after) == (
        {"code": "MF103", "object": "shop/Order/channel", "reason": "it is right here", "until": "2026-12-31"},
    )


def test_what_is_not_found_is_not_taken_over(tmp_path: Path) -> None:
    waiver = f", ignores=[{WAIVER.format(code='DS104', until='')}]"
    assert accepted(tmp_path, model("coupon: str | None = None"), model(store=waiver)) == ()


def test_owners_are_told_of_tables_and_entities(tmp_path: Path) -> None:
    compiled, _, _ = step(tmp_path, model(table=', owner="shop"', store=', owner="sales"'), ())
    assert owners_of(compiled) == {("dynamodb", "shop"): "shop", ("dynamodb", "shop/Order"): "sales"}


def test_a_change_of_an_owned_entity_is_told_once(tmp_path: Path) -> None:
    owned = ', owner="sales"'
    _, first, _ = step(tmp_path / "before", model(store=owned), ())
    fields = "note: int | None = None\n    mark: int | None = None"
    _, _, report = step(tmp_path / "after", model(fields, store=owned), (first,))
    assert [one.code for one in report.findings] == ["OW101"]
