"""Reviews as Markdown: what they say where little or very much is to be said."""

from typing import Any

from keywright.record import replace
from keywright.report.review import NewMigration, PolicyFinding, Review, StoreChange
from keywright.report.review_markdown import LIMIT, markdown, marker
from keywright.rules.rule import Report

NONE = {"served": 0, "unserved": 0, "not served": 0}
QUIET = Review(
    reference="main", commit="1f" * 20, project="", environment="dev", is_dirty=False, is_new=False, is_compiled=True,
    problem="", changes=(), ahead=(), migrations=(), lint=Report(), served=(NONE, NONE), patterns=(),
    added=(), fixed=(),
    accepted=(), left=0, policy_findings=None,
)  # fmt: skip


def a_finding(**given: Any) -> dict[str, Any]:
    return {
        "code": "GEN107", "url": "https://keywright.dev/codes/GEN107", "severity": "warning", "confidence": "inferred",
        "calls_per_second": None, "entity": "Offer",
        "pattern": None, "message": "it is a float", "help": "make it a Decimal",
        "at": {"file": "models/shop.py", "line": 3, "column": 1}, **given,
    }  # fmt: skip


def test_a_branch_that_changes_nothing_is_told_in_few_lines() -> None:
    assert markdown(QUIET) == (
        "<!-- keywright pr . dev -->\n"
        "## keywright: dev\n"
        "\n"
        "The branch adds no errors. Compared with `main`, merge base 1f1f1f1f1f.\n"
        "\n"
        "- **Findings**: none added\n"
        "- **Access patterns**: 0 of 0 served, 0 of 0 before\n"
        "- **Stores**: no change\n"
    )


def test_the_marker_ends_where_it_is_to_end() -> None:
    assert marker("services/-->shop/", "a b") == "<!-- keywright pr services/-shop/ a-b -->"


def test_a_base_that_cannot_be_compared_with_is_said_first() -> None:
    shown = markdown(replace(QUIET, problem="the models of the base do not compile (1 error)", is_new=True))
    assert "- **The base cannot be compared**: the models of the base do not compile (1 error)." in shown
    assert "Stores" not in shown
    assert "`main`, which has no project yet." in shown


def test_a_document_holds_no_more_than_a_comment_does_and_says_what_is_left_out() -> None:
    worst = "&|<" * 200
    many = replace(
        QUIET,
        added=[a_finding(message=worst, help=worst) for _ in range(2_000)],
        changes=[StoreChange("mongodb/content", f"a/{at}", "S", worst, worst) for at in range(2_000)],
    )
    shown = markdown(many)
    assert LIMIT / 3 < len(shown) <= LIMIT
    assert (
        "more rows omitted because of the limit of a comment; `keywright pr --base main --format json` has all."
        in shown
    )
    assert "- **Findings**: 2000 warnings added" in shown
    assert "<details><summary>2000 rows</summary>\n\n| severity |" in shown
    assert shown.count("<details>") == shown.count("</details>") == 2


def test_links_lead_where_they_are_told() -> None:
    shown = markdown(replace(QUIET, added=[a_finding()]), "https://host/o/r/blob/1f/")
    assert "[models/shop.py:3](https://host/o/r/blob/1f/models/shop.py#L3)<br>`Offer`" in shown


def test_what_a_preview_would_do_is_told_by_its_level() -> None:
    mandatory = PolicyFinding("pack/no-scan", "mandatory", "role", "it may scan")
    shown = markdown(replace(QUIET, policy_findings=(mandatory, replace(mandatory, level="advisory"))))
    assert "- **Preview**: 1 mandatory finding, 1 advisory finding" in shown
    assert "| mandatory | `pack/no-scan` | `role` | it may scan |" in shown
    assert "- **Preview**: none" in markdown(replace(QUIET, policy_findings=()))
    assert replace(QUIET, policy_findings=(mandatory,)).has_errors
    assert "\n**The branch adds errors.** Compared" in shown


def test_versions_are_named_as_long_as_they_are_few() -> None:
    added = NewMigration(
        "0011_by_day", "migrations/0011_by_day/migration.yaml", ("O", "S", "S"), 3, ("a person: it is <read>",)
    )
    shown = markdown(replace(QUIET, migrations=(added,)))
    assert "- **Migrations**: `0011_by_day`; no findings\n" in shown
    row = "| [0011_by_day](migrations/0011_by_day/migration.yaml) | O S | 3 | a person: it is &#60;read&#62; |\n"
    assert row in shown
    assert "- **Migrations**: 2000 new migrations; no findings" in (
        many := markdown(replace(QUIET, migrations=(added,) * 2_000))
    )
    assert len(many) <= LIMIT
