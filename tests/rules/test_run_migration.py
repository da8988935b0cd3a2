"""Judging a version: by what it amounts to, not by the ways that it takes."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from tests.projects import with_imports
from tests.rules.versions import TODAY, Case, case, codes, error_codes, overlaid

from keywright.engines.change import AddField, DropField
from keywright.errors import Place
from keywright.history.version import Landing, Version
from keywright.rules.judge import Known, blocking, judge

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
    """A field goes."""
    return case(tmp_path, {"before": with_imports(COUPON), "after": with_imports(SHOP)})


def last(made: Case, **words: object) -> Version:
    return overlaid(made.versions[-1], words)


def test_a_field_that_goes_is_told_with_its_object_and_help(dropped: Case) -> None:
    (found,) = dropped.report.findings
    assert (found.code, found.severity, found.store, found.object) == (
        "DS103",
        "error",
        "dynamodb",
        "shop/Order/coupon",
    )
    assert found.message == 'field "coupon" of Order is removed: what is stored stays, and nobody reads it'
    assert found.help
    assert (found.version, str(found.at)) == ("0002_after", "")


def test_what_is_made_and_dropped_in_one_version_is_neither(dropped: Case) -> None:
    path = ("shop", "shape", "Order", "fields", "note")
    kind = {"type": "S", "required": True}
    both = (AddField("dynamodb", path, None, kind), DropField("dynamodb", path, kind, None))
    version = dropped.versions[0]
    made = replace(version, landings=tuple(Landing(f"c{at}", change, "") for at, change in enumerate(both)))
    assert judge(version.snapshot, made, TODAY).findings == ()


def test_a_first_version_loses_and_breaks_nothing(tmp_path: Path) -> None:
    assert error_codes(case(tmp_path, {"before": with_imports(COUPON)}).report) == []


def test_the_places_of_changes_are_those_of_the_file(dropped: Case) -> None:
    known = Known(file="migrations/0002_after/migration.yaml", lines={"c1": 9})
    report = judge(dropped.before, dropped.versions[-1], TODAY, known)
    assert [one.at for one in report.findings] == [Place(known.file, 9)]


def test_a_fingerprint_stays_when_lines_move(dropped: Case) -> None:
    reports = [
        judge(dropped.before, dropped.versions[-1], TODAY, Known(file="x", lines={"c1": line})) for line in (3, 9)
    ]
    assert len({one.fingerprint for report in reports for one in report.findings}) == 1


def test_fingerprints_of_two_objects_differ(tmp_path: Path) -> None:
    two = COUPON + "        note: int | None = None\n"
    report = case(tmp_path, {"before": with_imports(two), "after": with_imports(SHOP)}).report
    assert len({one.fingerprint for one in report.findings}) == 2


def test_errors_come_before_warnings(tmp_path: Path) -> None:
    before = SHOP + "        the_coupon_that_was_given_to_the_buyer: int | None = None\n"
    after = SHOP + "        the_voucher_that_was_given_to_the_buyer: str | None = None\n"
    report = case(tmp_path, {"before": with_imports(before), "after": with_imports(after)}).report
    assert [one.severity for one in report.findings] == ["error", "warning"]
    assert codes(report) == ["CO101", "DS103"]


def test_a_rename_that_nobody_declared_blocks_and_a_loss_does_not(tmp_path: Path, dropped: Case) -> None:
    renamed = SHOP + "        voucher: str | None = None\n"
    report = case(tmp_path / "renamed", {"before": with_imports(COUPON), "after": with_imports(renamed)}).report
    assert [one.code for one in blocking(report)] == ["RN101"]
    assert blocking(dropped.report) == ()


def test_a_grave_of_one_type_is_a_warning_and_does_not_block(tmp_path: Path) -> None:
    files = {"before": COUPON, "between": SHOP, "after": COUPON}
    report = case(tmp_path, {time: with_imports(text) for time, text in files.items()}).report
    assert [(one.code, one.severity) for one in report.findings] == [("DS106", "warning")]
    assert blocking(report) == ()


def test_reports_add_up(dropped: Case) -> None:
    twice = dropped.report + dropped.report
    assert (twice.count("error"), twice.count("warning")) == (2, 0)


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
def test_a_suppression_that_does_not_count_is_a_finding_beside_the_other(
    dropped: Case, words: dict[str, object], code: str
) -> None:
    report = judge(dropped.before, last(dropped, ignore=[words]), TODAY)
    assert [one.code for one in report.findings] == ["DS103", code]
    assert report.accepted == ()


@pytest.mark.parametrize("object", ["shop/Order/coupon", "dynamodb/shop/Order/coupon", None])
@pytest.mark.parametrize("until", [None, "2026-11-21", date(2026, 11, 21)])
def test_a_suppression_that_counts_sets_its_finding_aside(dropped: Case, object: str | None, until: object) -> None:
    words = {"code": "DS103", "object": object, "reason": "no reader", "until": until}
    report = judge(dropped.before, last(dropped, ignore=[words]), TODAY)
    assert report.findings == ()
    (one,) = report.accepted
    assert (one.finding.code, one.reason) == ("DS103", "no reader")
    assert one.until == (None if until is None else "2026-11-21")


def test_a_suppression_is_placed_in_its_line(dropped: Case) -> None:
    version = last(dropped, ignore=[{"code": "DS103"}])
    report = judge(dropped.before, version, TODAY, Known(file="m.yaml", lines={"ignore 0": 20}))
    assert str(report.findings[-1].at) == "m.yaml:20"
