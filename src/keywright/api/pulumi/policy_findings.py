"""What a policy pack said in a preview of Pulumi: read from its stream of events, the only place where it is told.

`PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json --policy-pack policies` writes one event a line; the plain
form of `--json` has no findings.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.project.policies import rules
from keywright.rules.rule import Severity

STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW"
"""The variable by which a preview writes its events."""

_SEVERITIES: dict[str, Severity] = {"critical": "error", "high": "error", "medium": "warning", "low": "info"}

_UNKNOWN = "during preview"
"""What Pulumi says where a policy has asked for a value that is not known yet ends in this, or goes on behind it."""


@dataclass(frozen=True, slots=True)
class Policed:
    """One thing that a policy found."""

    name: str
    """The policy's name, which is that of a rule in a pack of keywright's."""
    code: str
    """The rule's code; empty for a policy of somebody else."""
    pack: str
    """The pack that has the policy."""
    enforcement: Literal["advisory", "mandatory", "remediate"]
    """Whether the update was stopped by it."""
    severity: Severity
    """How bad it is."""
    urn: str
    """The resource; empty for what is about the whole stack."""
    message: str
    """What is wrong."""
    help: str
    """What to do."""
    is_known: bool = True
    """Whether it was judged: else a value was not known yet."""

    @property
    def resource(self) -> str:
        """What the program calls the resource."""
        return self.urn.rpartition("::")[2]


def policed(preview: str) -> list[Policed]:
    """What policies found, mandatory first; UsageError if the text is no stream of events."""
    codes = {rule.name: rule.code for rule in rules()}
    try:
        found = list(_findings(preview, codes))
    except (AttributeError, ValueError, KeyError, TypeError):
        how = f"write one with `{STREAMING}=1 pulumi preview --json > preview.json`"
        raise UsageError("the file is no stream of a preview's events", how) from None
    ranks = {"error": 0, "warning": 1, "info": 2}
    return sorted(
        found, key=lambda one: (one.enforcement != "mandatory", ranks[one.severity], one.code, one.name, one.urn)
    )  # fmt: skip


def described(found: list[Policed]) -> list[Json]:
    """Findings as a document has them."""
    return [
        {
            "code": one.code, "policy": one.name, "pack": one.pack, "enforcement": one.enforcement,
            "severity": one.severity, "urn": one.urn, "message": one.message, "help": one.help, "known": one.is_known,
        }
        for one in found
    ]  # fmt: skip


def _findings(preview: str, codes: Mapping[str, str]) -> Iterator[Policed]:
    events = [json.loads(line) for line in preview.splitlines() if line.startswith('{"')]
    if not events or any("steps" in event for event in events):
        raise ValueError
    for event in events:
        if (told := event.get("policyEvent")) is not None:
            yield _finding(told, codes)


def _finding(told: Any, codes: Mapping[str, str]) -> Policed:
    name = str(told["policyName"])
    summary, _, rest = str(told["message"]).strip().partition("\n")
    message, _, help = (rest or summary).partition("\n  help: ")
    return Policed(
        name=name,
        code=codes.get(name, ""),
        pack=str(told.get("policyPackName", "")),
        enforcement=told["enforcementLevel"],
        severity=_SEVERITIES.get(str(told.get("severity") or ""), "warning"),
        urn=str(told.get("resourceUrn") or ""),
        message=message.strip(),
        help=help.strip(),
        is_known=not (message.startswith("can't run") and _UNKNOWN in message),
    )
