"""Findings of policies and of the guard in a Pulumi preview, as lines of a review."""

from keywright.report.review import PolicyFinding

from ..pulumi.guard import evaluate
from ..pulumi.policy_findings import PackFinding, policed


def violations(preview: str) -> tuple[PolicyFinding, ...]:
    """Findings of policies and of the guard in a streaming preview, mandatory first, without duplicates.

    Raises UsageError for another text: the plain form of a preview contains no findings of policies.
    """
    findings = [_of_policy(finding) for finding in policed(preview)]
    findings += (
        PolicyFinding(finding.code, "mandatory", _name(finding.urn), finding.problem, finding.help, finding.urn)
        for finding in evaluate(preview)
    )
    return tuple(sorted(dict.fromkeys(findings), key=lambda finding: not finding.is_mandatory))


def _of_policy(finding: PackFinding) -> PolicyFinding:
    level = finding.enforcement if finding.is_known else "unknown"
    return PolicyFinding(
        finding.code or f"{finding.pack}/{finding.name}",
        level,
        finding.resource,
        finding.message,
        finding.help,
        finding.urn,
    )


def _name(urn: str) -> str:
    return urn.rpartition("::")[2]
