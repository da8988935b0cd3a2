"""Findings of policies in events of the command line 3.259.0."""

import json
from typing import Any

import pytest

from keywright.api.pulumi.policy_findings import PackFinding, described, policed
from keywright.errors import UsageError

URN = "urn:pulumi:prod::warehouse::aws:dynamodb/table:Table::orders"


def stream(*events: dict[str, Any]) -> str:
    rows = [
        {"sequence": 0, "preludeEvent": {"config": {}}},
        *({"sequence": 1, "policyEvent": event} for event in events),
    ]
    return "\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n"


def event(policy: str, message: str, **more: Any) -> dict[str, Any]:
    event = {
        "resourceUrn": URN, "message": message, "color": "never", "policyName": policy, "policyPackName": "keywright",
        "policyPackVersion": "0.1.0", "enforcementLevel": "advisory", "severity": "medium",
    }  # fmt: skip
    return {**event, **more}


PITR = event(
    "dynamodb-pitr-off", "INF101: A summary.\npointInTimeRecovery.enabled is false: it is lost\n  help: say it\n",
    enforcementLevel="mandatory", severity="high",
)  # fmt: skip


def test_a_finding_is_told_with_its_code_and_what_to_do() -> None:
    assert policed(stream(PITR)) == [
        PackFinding(
            name="dynamodb-pitr-off", code="INF101", pack="keywright", enforcement="mandatory", severity="error",
            urn=URN,
            message="pointInTimeRecovery.enabled is false: it is lost", help="say it",
        )
    ]  # fmt: skip
    assert policed(stream(PITR))[0].resource == "orders"


def test_what_was_not_known_is_no_finding_but_told() -> None:
    message = "can't run policy 'dynamodb-pitr-off' from policy pack 'keywright@v0.0.1' during preview: string value"
    (finding,) = policed(stream(event("dynamodb-pitr-off", message)))
    assert not finding.is_known
    assert policed(stream(PITR))[0].is_known


def test_policies_of_others_are_told_too_and_mandatory_ones_first() -> None:
    findings = policed(stream(event("s3-public", "Buckets are private.\nit is public", policyPackName="own"), PITR))
    assert [(finding.code, finding.pack, finding.message) for finding in findings] == [
        ("INF101", "keywright", "pointInTimeRecovery.enabled is false: it is lost"),
        ("", "own", "it is public"),
    ]


def test_a_preview_without_findings_has_none() -> None:
    assert policed(stream()) == []


@pytest.mark.parametrize("text", ["", "nothing", '{"steps": []}', '{"policyEvent": 3}'])
def test_what_is_no_stream_is_refused_with_how_to_write_one(text: str) -> None:
    with pytest.raises(UsageError, match="not a stream of preview events") as caught:
        policed(text)
    assert "PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1" in caught.value.help


def test_they_are_plain_data_in_a_document() -> None:
    (document,) = described(policed(stream(PITR)))
    assert json.loads(json.dumps(document)) == document
