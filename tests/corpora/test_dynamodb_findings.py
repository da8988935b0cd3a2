"""What the rules of DynamoDB say of public designs, each finding reviewed; of all others nothing."""

from pathlib import Path

import pytest
from tests.corpora import electrodb, mcp, workbench
from tests.corpora.modelfile import NEEDED, table
from tests.corpora.seed_forms import FORMS
from tests.projects import findings_of

REVIEWED: dict[str, set[tuple[str, str]]] = {
    # The authors scan the table.
    "mcp gaming_leaderboard": {("DDB002", "list_games")},
    # The index keeps the order of session ids; the newest session is found among all.
    "workbench SessionManagement": {("DDB015", "last_login")},
    # Three statuses are three partitions; orders of a day are kept by day, and wanted by time.
    "seed a shop in one table": {("DDB010", "Order.GSI1"), ("DDB015", "orders_for_user_by_time")},
    # ORDER#id has no time; orders of today are under no key.
    "seed a lesson on keys": {
        ("DDB002", "orders_today"),
        ("DDB010", "Order.GSI1"),
        ("DDB015", "list_orders_by_time"),
        ("DDB015", "shipped_orders_by_time"),
    },
    # The time of the last message is in the key, and changes with each.
    "seed messages and conversations": {("DDB022", "touch"), ("DDB022", "touch_knowing_it")},
}
"""(code, what it is about) by design."""

DESIGNS = {
    **{f"mcp {name}": lambda name=name: mcp.design(name, dated=True) for name in table("mcp")},
    **{f"workbench {name}": lambda name=name: workbench.design(name) for name in table("workbench")},
    **{
        f"electrodb {name}": lambda name=name: electrodb.design(electrodb.read(name))
        for name in ("customkeys", "localsecondaryindexes", "multiattributekeys", "projection-include", "reverseindex")
    },
}
SEEDS = [name for name, form in FORMS.items() if "Dynamo" in str(form)]


@pytest.mark.parametrize("name", DESIGNS)
@NEEDED
def test_a_public_design_raises_what_was_reviewed(name: str, tmp_path: Path) -> None:
    assert said(tmp_path, str(DESIGNS[name]())) == REVIEWED.get(name, set())


@pytest.mark.parametrize("name", SEEDS)
def test_a_design_of_the_guides_raises_what_was_reviewed(name: str, tmp_path: Path) -> None:
    assert said(tmp_path, str(FORMS[name])) == REVIEWED.get(f"seed {name}", set())


def said(folder: Path, source: str) -> set[tuple[str, str]]:
    """What the rules of DynamoDB find."""
    return {(finding.code, finding.object) for finding in findings_of(folder, source) if finding.code.startswith("DDB")}
