"""Suppressions of migration findings in models, and owners of declarations."""

from pathlib import Path

import pytest
from tests.projects import a_project, imported_alone, with_imports
from tests.rules.migrations import TODAY

from keywright import api
from keywright.api.author.diff import difference, next_migration
from keywright.api.author.lint import judged
from keywright.api.author.owners import owners_of
from keywright.api.author.suppressions import ignored_by_models
from keywright.compiler import Compiled
from keywright.ir.json import Json
from keywright.migrations.checksums import Checksums
from keywright.migrations.migration import Migration
from keywright.migrations.snapshot import EMPTY
from keywright.project.migrations.folder import Folder
from keywright.record import replace
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


def step(folder: Path, source: str, migrations: tuple[Migration, ...]) -> tuple[Compiled, Migration, Report]:
    """A migration to a model, and its findings."""
    settings = a_project(folder, source)
    with imported_alone(folder):
        compiled = api.compile(api.load(str(settings.root)), "dev")
        so_far = Folder(folder, migrations, Checksums(()))
        model_difference = difference(compiled, so_far)
        migration = next_migration(model_difference, so_far, f"step {len(migrations)}")
        before = migrations[-1].snapshot if migrations else EMPTY
        return (
            compiled,
            migration,
            judged(migration, before, TODAY, hints=model_difference.draft.hints, owners=owners_of(compiled)),
        )


def accepted(folder: Path, before: str, after: str) -> tuple[dict[str, Json], ...]:
    """Suppressions of the second model."""
    _, first, _ = step(folder / "before", before, ())
    compiled, migration, report = step(folder / "after", after, (first,))
    entries = ignored_by_models(compiled, report)
    left = judged(replace(migration, ignore=entries), first.snapshot, TODAY)
    assert {finding.code for finding in left.findings} <= {finding.code for finding in report.findings}
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
    assert [finding.code for finding in report.findings] == ["OW101"]


ROWS = """
shop = kw.Keyspace("shop")


class Order(BaseModel):
    __store__: ClassVar = kw.CqlTable(shop, "orders", partition="order_id")

    order_id: str
    {field}
"""


@pytest.mark.parametrize(
    ("field", "is_accepted"),
    [
        ("note: str | None = None", True),
        ("note: Annotated[str | None, Field()] = None", True),
        ("note: Optional[str] = Field(default=None, max_length=20)", True),
        ('note: str = "web"', False),
        ('note: str | None = "web"', False),
        ("note: list[str] = Field(default_factory=list)", False),
        ("note: bool = False", False),
    ],
)
def test_null_is_accepted_of_a_field_whose_default_it_is(field: str, is_accepted: bool, tmp_path: Path) -> None:
    before, after = (with_imports(ROWS.format(field=declaration)) for declaration in ("", field))
    _, first, _ = step(tmp_path / "before", before, ())
    _, _, report = step(tmp_path / "after", after, (first,))
    assert [finding.code for finding in report.findings] == ["MF106"]
    entry = {"code": "MF106", "object": "shop/Order/note", "reason": "null is the default of the model"}
    assert accepted(tmp_path / "both", before, after) == ((entry,) if is_accepted else ())
