"""Reports about migrations: by their net changes, not by their steps."""

from datetime import date
from pathlib import Path

import pytest
from tests.projects import with_imports
from tests.rules.migrations import TODAY, Case, case, codes, error_codes, overlaid

from keywright.engines.contract.change import AddField, DropField
from keywright.errors import Place
from keywright.migrations.migration import Migration, NumberedChange
from keywright.record import replace
from keywright.rules.run_migration import LintInputs, blocking, run

SHOP = """
    shop = kw.DynamoTable("shop")

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")

        order_id: str
        buyer: str
"""
COUPON = SHOP + "        coupon: str | None = None\n"


@pytest.fixture
def dropped(tmp_path: Path) -> Case:
    """A migration that drops a field."""
    return case(tmp_path, {"before": with_imports(COUPON), "after": with_imports(SHOP)})


def last(dropped: Case, **words: object) -> Migration:
    return overlaid(dropped.migrations, words)


def test_a_dropped_field_is_reported_with_its_object_and_help(dropped: Case) -> None:
    (finding,) = dropped.report.findings
    assert (finding.code, finding.severity, finding.store, finding.object) == (
        "DS103",
        "error",
        "dynamodb",
        "shop/Order/coupon",
    )
    assert finding.message == 'field "coupon" of Order is removed: stored values remain, but nothing reads them'
    assert finding.help
    assert (finding.version, str(finding.at)) == ("0002_after", "")


def test_a_field_that_one_migration_adds_and_drops_is_not_reported(dropped: Case) -> None:
    path = ("shop", "shape", "Order", "fields", "note")
    kind = {"type": "S", "required": True}
    both = (AddField("dynamodb", path, None, kind), DropField("dynamodb", path, kind, None))
    migration = dropped.migrations[0]
    undone = replace(migration, changes=tuple(NumberedChange(f"c{at}", change, "") for at, change in enumerate(both)))
    assert run(migration.snapshot, undone, TODAY).findings == ()


OF_TYPE = SHOP.replace('sk="ORDER")', 'sk="ORDER", %s)')


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('discriminator="order"', 'discriminator="sale"', ["BC107"]),
        ('discriminator="order"', 'discriminator="sale", former_discriminators=["order"]', []),
        ('discriminator="sale"', 'discriminator="sale", former_discriminators=["order"]', []),
        ('discriminator="sale", former_discriminators=["order"]', 'discriminator="sale"', ["BC107"]),
        ('discriminator="Order"', "schema_version=1", []),
    ],
)
def test_a_discriminator_breaks_readers_only_if_a_value_is_gone(
    tmp_path: Path, before: str, after: str, expected: list[str]
) -> None:
    sources = {"before": with_imports(OF_TYPE % before), "after": with_imports(OF_TYPE % after)}
    assert [finding.code for finding in case(tmp_path, sources).report.findings] == expected


def test_a_first_migration_loses_and_breaks_nothing(tmp_path: Path) -> None:
    assert error_codes(case(tmp_path, {"before": with_imports(COUPON)}).report) == []


def test_the_places_of_changes_are_those_of_the_file(dropped: Case) -> None:
    inputs = LintInputs(file="migrations/0002_after/migration.yaml", lines={"c1": 9})
    report = run(dropped.before, dropped.migrations[-1], TODAY, inputs)
    assert [finding.at for finding in report.findings] == [Place(inputs.file, 9)]


def test_a_fingerprint_stays_when_lines_move(dropped: Case) -> None:
    reports = [
        run(dropped.before, dropped.migrations[-1], TODAY, LintInputs(file="x", lines={"c1": line})) for line in (3, 9)
    ]
    assert len({finding.fingerprint for report in reports for finding in report.findings}) == 1


def test_fingerprints_of_two_objects_differ(tmp_path: Path) -> None:
    before = COUPON + "        note: int | None = None\n"
    report = case(tmp_path, {"before": with_imports(before), "after": with_imports(SHOP)}).report
    assert len({finding.fingerprint for finding in report.findings}) == 2


def test_errors_come_before_warnings(tmp_path: Path) -> None:
    before = SHOP + "        the_coupon_that_was_given_to_the_buyer: int | None = None\n"
    after = SHOP + "        the_voucher_that_was_given_to_the_buyer: str | None = None\n"
    report = case(tmp_path, {"before": with_imports(before), "after": with_imports(after)}).report
    assert [finding.severity for finding in report.findings] == ["error", "warning"]
    assert codes(report) == ["CO101", "DS103"]


def test_a_rename_that_nobody_declared_blocks_and_a_loss_does_not(tmp_path: Path, dropped: Case) -> None:
    renamed = SHOP + "        voucher: str | None = None\n"
    report = case(tmp_path / "renamed", {"before": with_imports(COUPON), "after": with_imports(renamed)}).report
    assert [finding.code for finding in blocking(report)] == ["RN101"]
    assert blocking(dropped.report) == ()


def test_a_grave_of_one_type_is_a_warning_and_does_not_block(tmp_path: Path) -> None:
    files = {"before": COUPON, "between": SHOP, "after": COUPON}
    report = case(tmp_path, {time: with_imports(text) for time, text in files.items()}).report
    assert [(finding.code, finding.severity) for finding in report.findings] == [("DS106", "warning")]
    assert blocking(report) == ()


def test_reports_add_up(dropped: Case) -> None:
    doubled = dropped.report + dropped.report
    assert (doubled.count("error"), doubled.count("warning")) == (2, 0)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"code": "DS103"}, "SUP001"),
        ({"code": "DS103", "reason": "  "}, "SUP001"),
        ({"code": "DS103", "reason": "why", "until": "2026-11-20"}, "SUP002"),
        ({"code": "DS103", "reason": "why", "until": "soon"}, "SUP002"),
        ({"code": "DS103", "object": "shop/Order/note", "reason": "why"}, "SUP003"),
        ({"code": "DS104", "reason": "why"}, "SUP003"),
        ({"code": "DS999", "reason": "why"}, "SUP004"),
        ({"reason": "why"}, "SUP004"),
        ({"code": "RN101", "reason": "why"}, "SUP005"),
        ({"code": "SUP003", "reason": "why"}, "SUP005"),
    ],
)
def test_an_invalid_suppression_is_a_finding_beside_the_other(
    dropped: Case, words: dict[str, object], code: str
) -> None:
    report = run(dropped.before, last(dropped, ignore=[words]), TODAY)
    assert [finding.code for finding in report.findings] == ["DS103", code]
    assert report.accepted == ()


@pytest.mark.parametrize("object", ["shop/Order/coupon", "dynamodb/shop/Order/coupon", None])
@pytest.mark.parametrize("until", [None, "2026-11-21", date(2026, 11, 21)])
def test_a_valid_suppression_removes_its_finding(dropped: Case, object: str | None, until: object) -> None:
    words = {"code": "DS103", "object": object, "reason": "no reader", "until": until}
    report = run(dropped.before, last(dropped, ignore=[words]), TODAY)
    assert report.findings == ()
    (suppressed,) = report.accepted
    assert (suppressed.finding.code, suppressed.reason) == ("DS103", "no reader")
    assert suppressed.until == (None if until is None else "2026-11-21")


def test_a_suppression_is_placed_in_its_line(dropped: Case) -> None:
    migration = last(dropped, ignore=[{"code": "DS103"}])
    report = run(dropped.before, migration, TODAY, LintInputs(file="m.yaml", lines={"ignore 0": 20}))
    assert str(report.findings[-1].at) == "m.yaml:20"
