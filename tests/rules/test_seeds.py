"""Naive models, those of the guides first, a file each: every mistake is named by its rule, or refused, at its line."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from tests.projects import IMPORTS, SOUND, a_project, imported_alone

from keywright import api
from keywright.api.check.evaluate import evaluate_models
from keywright.errors import DeclarationError

NAIVE = Path(__file__).parent / "seeds" / "naive"
GOLDEN = Path(__file__).parents[1] / "golden" / "seeds"

RAISED = {
    "shop_five_patterns": "DDB015 GEN002 GEN004",
    "single_table": "DDB010 DDB014 DDB015 DDB016 DDB023",
    "pending_orders": "DDB008 DDB010 GEN021",
    "key_analyser": "DDB004 DDB005 DDB020",
    "orders_today": "DDB002 DDB005",
    "high_write": "DDB007 DDB009 DDB019",
    "posts_and_comments": "MDB001 MDB002",
    "sensor_buckets": "GEN008 MDB015",
    "login_sessions": "MDB013",
    "active_orders": "MDB011",
    "active_orders_asked": "MDB012",
    "relations": "GEN020 MDB004 MDB005",
    "student_teachers": "MDB006",
    "category_tree": "MDB006",
    "user_versions": "GEN019",
    "revenue_by_category": "MDB019 MDB020",
    "sql_to_nosql": "GEN005 GEN013",
    "copied_email": "GEN006 GEN007",
    "sensor_readings": "CAS002 GEN008",
    "messaging": "DDB022 GEN001",
    "iot_wide_partition": "CAS002 CAS004",
    "ten_million_sessions": "RED002 RED003 RED006 RED015",
    "flash_sale": "DDB020 DDB026",
    "netflix": "CAS004 CAS006 CAS009",
    "viewing_twcs": "CAS007",
    "events_cleanup": "CAS005 CAS011 CAS012",
    "balances": "CAS016 DDB017 GEN010 MDB018",
    "things_in_redis": "RED002 RED008 RED009 RED011",
    "rate_limiter": "RED012",
    "order_events": "RED010",
    "product_cache": "RED004",
    "five_full_indexes": "DDB011 DDB012",
    "everywhere_the_same": "DDB002 GEN012",
    "email_key": "DDB014",
    "orders_joined": "GEN005",
    "wallet_by_index": "DDB017 GEN010",
    "one_settings_item": "DDB019",
    "time_in_the_key": "DDB022",
    "page_numbers": "GEN102",
    "price_as_float": "E0309",
    "two_arrays": "MDB007",
    "fifty_thousand_comments": "MDB002",
    "viewing_for_ever": "CAS002 CAS012 CAS013",
    "daily_windows": "CAS009",
    "profile_as_text": "RED008",
    "endless_board": "GEN008 RED011",
}
"""The essential codes of a case, by its file; its golden file has all findings."""


@pytest.mark.parametrize("case", sorted(RAISED))
def test_every_mistake_is_named(case: str, tmp_path: Path, is_golden: Callable[[Path, str], bool]) -> None:
    report = report_of(tmp_path, case)
    missing = set(RAISED[case].split()) - {line.split()[1] for line in report.splitlines() if not line.startswith(" ")}
    assert missing == set()
    assert is_golden(GOLDEN / f"{case}.txt", report)


def test_every_case_is_tried() -> None:
    assert sorted(file.stem for file in NAIVE.glob("*.py")) == sorted(RAISED)
    assert sorted(file.stem for file in GOLDEN.glob("*.txt")) == sorted(RAISED)


def report_of(folder: Path, case: str) -> str:
    """The findings of a case: line, code, message and help of each."""
    source = (NAIVE / f"{case}.py").read_text(encoding="utf-8")
    shift = len(IMPORTS.splitlines())
    stack = NAIVE / f"{case}.yaml"
    files = {
        "models/case.py": IMPORTS + source,
        "stacks/Pulumi.dev.yaml": stack.read_text(encoding="utf-8") if stack.is_file() else SOUND,
    }
    with imported_alone(folder):
        settings = a_project(folder, files)
        project, errors = api.try_load(settings)
        compiled, more = (None, errors) if errors else api.try_compile(project, "dev")
        if compiled is None or more:
            return "".join(map(_error, more))
        findings = evaluate_models(compiled, date(2026, 11, 22)).findings
    return "".join(
        f"{finding.at.line - shift if finding.at.file.endswith('case.py') else 'stack'} {finding.code} "
        f"{finding.severity} "
        f"{finding.object}: {finding.message}\n    help: {finding.help}\n"
        for finding in findings
    )


def _error(error: DeclarationError) -> str:
    line = error.at.line - len(IMPORTS.splitlines())
    return f"{line} {error.code} error {error.subject}: {error.problem}\n    help: {error.help}\n"
