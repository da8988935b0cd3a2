"""What the rules say of tables and collections whose entities are unknown, each finding reviewed."""

import json
from pathlib import Path

import pytest
from tests.corpora.modelfile import CORPORA, NEEDED
from tests.corpora.test_evolution import native
from tests.corpora.test_mongodb import dumped, stored

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.findings.context import TargetInEnvironment
from keywright.rules.models import rules_about
from keywright.rules.run import is_about

pytestmark = NEEDED

WORKBENCH = CORPORA / "dynamodb" / "workbench"
DUMPS = CORPORA / "mongodb"

REVIEWED: dict[str, set[tuple[str, str, str]]] = {
    # They repeat the key of the table among the attributes of the index.
    "schema-examples/RecurringPaymentsSchema.json": {
        ("DDB107", "ReoccuringPayments.GSI-1", "warning"),
        ("DDB107", "ReoccuringPayments.GSI-2", "warning"),
    },
    # Both of its entities are read there, which the table alone does not tell.
    "schema-examples/SessionManagementSchema.json": {("DDB108", "session_store.GSI1_inverse", "info")},
    # One index is the beginning of another one.
    "documentdb-index-tool/test-too-many-keys/idxtest/tmc.metadata.json": {
        ("MDB106", "things.five_three_four", "warning")
    },
    "documentdb-index-tool/test1/idxtest/tmc.metadata.json": {("MDB106", "things.five_three_four", "warning")},
}
"""(code, what it is about, severity in production) by file."""


@pytest.mark.parametrize("file", sorted(WORKBENCH.rglob("*.json")), ids=lambda file: file.stem)
def test_a_workbench_model_raises_what_was_reviewed(file: Path) -> None:
    document = json.loads(file.read_text(encoding="utf-8"))
    tables = [native(table) for table in document.get("DataModel", ())]
    placed = [ENGINE.place(table, ENGINE.localise(None, "3.3.1")) for table in tables]
    targets = (
        TargetInEnvironment("dynamodb", *both, DynamoEnvironment(flavour="dynamodb"))
        for both in zip(tables, placed, strict=True)
    )
    assert findings(*targets) == REVIEWED.get(str(file.relative_to(WORKBENCH)), set())


@pytest.mark.parametrize("file", sorted(DUMPS.rglob("*.metadata.json")), ids=lambda file: file.stem)
def test_a_dump_raises_what_was_reviewed(file: Path) -> None:
    assert findings(stored(*dumped(file))) == REVIEWED.get(str(file.relative_to(DUMPS)), set())


def findings(*targets: TargetInEnvironment) -> set[tuple[str, str, str]]:
    """What the rules of stored objects find in production."""
    return {
        (rule.code, f"{draft.subject}.{draft.part}" if draft.part else draft.subject, draft.severity or rule.severity)
        for target in targets
        for rule in rules_about({target.engine})
        if (finder := rule.finder("stored")) and is_about(rule, target.engine)
        for draft in finder(target)
    }
