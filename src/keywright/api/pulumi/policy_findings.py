"""Findings of policy packs in a Pulumi preview, parsed from its stream of events, which alone contains them.

`PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json --policy-pack policies` writes one event a line; the plain
form of `--json` has no findings.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.project.environments.policies import rules
from keywright.record import Record
from keywright.rules.rule import SEVERITIES, Severity

STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW"
"""Variable that makes a preview write its events."""

_OF_PULUMI_SEVERITY: dict[str, Severity] = {"critical": "error", "high": "error", "medium": "warning", "low": "info"}

_UNKNOWN = "during preview"
"""Text in Pulumi's message for a policy that needs a value that is not known yet."""


class PackFinding(Record):
    """A finding of a policy."""

    name: str
    """Name of the policy, which in a pack of keywright is the name of a rule."""
    code: str
    """Code of the rule; empty for a policy of another pack."""
    pack: str
    """Pack of the policy."""
    enforcement: Literal["advisory", "mandatory", "remediate"]
    """Enforcement level; a mandatory finding stops the update."""
    severity: Severity
    """Severity of the finding."""
    urn: str
    """URN of the resource; empty for a finding about the whole stack."""
    message: str
    """Message of the finding."""
    help: str
    """Help text."""
    is_known: bool = True
    """Whether the policy was evaluated; False if a value was not known yet."""

    @property
    def resource(self) -> str:
        """Name of the resource in the program."""
        return self.urn.rpartition("::")[2]


def policed(preview: str) -> list[PackFinding]:
    """Findings of policies, mandatory first; UsageError if the text is not a stream of events."""
    codes = {rule.name: rule.code for rule in rules()}
    try:
        findings = list(_findings(preview, codes))
    except (AttributeError, ValueError, KeyError, TypeError):
        help = f"write one with `{STREAMING}=1 pulumi preview --json > preview.json`"
        raise UsageError("the file is not a stream of preview events", help) from None

    def rank(finding: PackFinding) -> tuple[bool, int, str, str, str]:
        is_advisory = finding.enforcement != "mandatory"
        return is_advisory, SEVERITIES.index(finding.severity), finding.code, finding.name, finding.urn

    return sorted(findings, key=rank)


def described(findings: list[PackFinding]) -> list[Json]:
    """Findings as JSON."""
    return [
        {
            "code": finding.code, "policy": finding.name, "pack": finding.pack, "enforcement": finding.enforcement,
            "severity": finding.severity, "urn": finding.urn, "message": finding.message, "help": finding.help,
            "known": finding.is_known,
        }
        for finding in findings
    ]  # fmt: skip


def _findings(preview: str, codes: Mapping[str, str]) -> Iterator[PackFinding]:
    events = [json.loads(line) for line in preview.splitlines() if line.startswith('{"')]
    if not events or any("steps" in event for event in events):
        raise ValueError
    for event in events:
        if (policy_event := event.get("policyEvent")) is not None:
            yield _finding(policy_event, codes)


def _finding(event: Any, codes: Mapping[str, str]) -> PackFinding:
    name = str(event["policyName"])
    summary, _, rest = str(event["message"]).strip().partition("\n")
    message, _, help = (rest or summary).partition("\n  help: ")
    return PackFinding(
        name=name,
        code=codes.get(name, ""),
        pack=str(event.get("policyPackName", "")),
        enforcement=event["enforcementLevel"],
        severity=_OF_PULUMI_SEVERITY.get(str(event.get("severity") or ""), "warning"),
        urn=str(event.get("resourceUrn") or ""),
        message=message.strip(),
        help=help.strip(),
        is_known=not (message.startswith("can't run") and _UNKNOWN in message),
    )
