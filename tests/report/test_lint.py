"""Findings of a lint in each of its forms."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from keywright import __version__
from keywright.errors import Place
from keywright.pages.catalogue import page
from keywright.record import replace
from keywright.report import github, lint, sarif
from keywright.rules.catalogue import BY_CODE
from keywright.rules.rule import Finding, Report, SuppressedFinding

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "lint.json"

LOST = Finding(
    rule=BY_CODE["DS103"],
    severity="error",
    message='field "coupon" of Order is removed: what is stored stays | and nobody reads it',
    help="stop its writers, 100 % of them",
    store="dynamodb",
    object="shop/Order/coupon",
    version="0002_after",
    at=Place("migrations/0002_after/migration.yaml", 9),
)
UNNAMED = replace(LOST, rule=BY_CODE["NM103"], severity="warning", object="shop/Order/soldBy", at=Place("", 0))
REPORT = Report(
    (LOST, UNNAMED), (SuppressedFinding(replace(LOST, object="shop/Order/note"), "no reader", "2026-12-31"),)
)


def test_the_document_is_as_its_schema_says() -> None:
    document = json.loads(lint.document(("0002_after",), REPORT))
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    assert (document["keywright"], document["schema"]) == (__version__, "lint/2")
    assert document["summary"] == {"migrations": 1, "errors": 1, "warnings": 1, "suppressed": 1}
    assert document["findings"][0] == {
        "code": "DS103",
        "name": "stored-field-removed",
        "severity": "error",
        "confidence": "declared",
        "engine": "dynamodb",
        "store": "dynamodb",
        "object": "shop/Order/coupon",
        "migration": "0002_after",
        "message": LOST.message,
        "help": LOST.help,
        "url": "https://keywright.dev/codes/DS103",
        "fingerprint": LOST.fingerprint,
        "at": {"file": "migrations/0002_after/migration.yaml", "line": 9, "column": 1},
    }
    (accepted,) = document["suppressed"]
    assert (accepted["reason"], accepted["until"]) == ("no reader", "2026-12-31")


def test_sarif_has_a_result_for_each_finding_and_a_rule_for_each_code() -> None:
    document = json.loads(sarif.document(REPORT))
    assert (document["version"], document["$schema"]) == ("2.1.0", sarif.SCHEMA)
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("keywright", __version__)
    assert [rule["id"] for rule in driver["rules"]] == ["DS103", "NM103"]
    assert [(result["ruleId"], result["ruleIndex"], result["level"]) for result in run["results"]] == [
        ("DS103", 0, "error"), ("NM103", 1, "warning"), ("DS103", 0, "error"),
    ]  # fmt: skip


def test_a_rule_of_sarif_brings_its_page_along() -> None:
    rule = json.loads(sarif.document(REPORT))["runs"][0]["tool"]["driver"]["rules"][0]
    text = page("DS103").text
    assert rule == {
        "id": "DS103",
        "name": "StoredFieldRemoved",
        "shortDescription": {"text": "A stored field is no longer declared; running code may still read it."},
        "fullDescription": {"text": "A stored field is no longer declared; running code may still read it."},
        "help": {"text": text, "markdown": text},
        "helpUri": "https://keywright.dev/codes/DS103",
        "defaultConfiguration": {"level": "error"},
        "properties": {"precision": "very-high"},
    }


def test_a_result_of_sarif_is_placed_and_told_again_by_its_fingerprint() -> None:
    first, second, third = json.loads(sarif.document(REPORT))["runs"][0]["results"]
    assert first["message"] == {"text": f"dynamodb shop/Order/coupon: {LOST.message}\nhelp: {LOST.help}"}
    assert first["partialFingerprints"] == {"keywright/v1": LOST.fingerprint}
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "migrations/0002_after/migration.yaml"},
                "region": {"startLine": 9, "startColumn": 1},
            }
        }
    ]
    assert "locations" not in second
    assert third["suppressions"] == [{"kind": "external", "justification": "no reader"}]


def test_sarif_of_nothing_is_a_run_without_results() -> None:
    (run,) = json.loads(sarif.document(Report()))["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


def test_annotations_are_one_line_each_with_what_ends_them_escaped() -> None:
    first, second = github.document(REPORT).splitlines()
    assert first == (
        "::error file=migrations/0002_after/migration.yaml,line=9,title=DS103 stored-field-removed::"
        'dynamodb shop/Order/coupon: field "coupon" of Order is removed: what is stored stays | and nobody reads it'
        "%0Ahelp: stop its writers, 100 %25 of them"
    )
    assert second.startswith("::warning line=1,title=NM103 attribute-name::dynamodb shop/Order/soldBy: ")


def test_a_file_with_a_comma_does_not_end_the_word() -> None:
    (line,) = github.document(Report((replace(LOST, at=Place("a,b:c.yaml", 2)),))).splitlines()
    assert line.startswith("::error file=a%2Cb%3Ac.yaml,line=2,")


def test_markdown_is_a_table_whose_cells_stay_cells() -> None:
    assert lint.markdown(("0002_after",), REPORT) == (
        "## keywright migrate lint\n\n"
        "Migrations: `0002_after`\n\n"
        "**1 error, 1 warning**\n\n"
        "| severity | code | where | finding and help |\n"
        "|---|---|---|---|\n"
        "| error | DS103 stored-field-removed "
        "| `dynamodb shop/Order/coupon`<br>`migrations/0002_after/migration.yaml:9` "
        '| field "coupon" of Order is removed: what is stored stays &#124; and nobody reads it'
        "<br>help: stop its writers, 100 % of them |\n"
        "| warning | NM103 attribute-name | `dynamodb shop/Order/soldBy` "
        '| field "coupon" of Order is removed: what is stored stays &#124; and nobody reads it'
        "<br>help: stop its writers, 100 % of them |\n\n"
        "### Suppressed\n\n"
        "| code | where | reason | until |\n"
        "|---|---|---|---|\n"
        "| DS103 | `dynamodb shop/Order/note`<br>`migrations/0002_after/migration.yaml:9` | no reader | 2026-12-31 |\n"
    )


def test_markdown_of_nothing_says_so() -> None:
    assert lint.markdown((), Report()) == (
        "## keywright migrate lint\n\nMigrations: none\n\n**0 errors, 0 warnings**\n"
    )
