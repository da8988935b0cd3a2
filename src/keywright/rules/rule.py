"""Findings of rules, and reports; the rule itself is `engines.findings.rule`."""

from hashlib import sha256

from keywright.engines.findings.fix import Fix, FixLocation
from keywright.engines.findings.rule import CONFIDENCES as CONFIDENCES
from keywright.engines.findings.rule import LEVELS as LEVELS
from keywright.engines.findings.rule import SEVERITIES as SEVERITIES
from keywright.engines.findings.rule import Confidence as Confidence
from keywright.engines.findings.rule import Level as Level
from keywright.engines.findings.rule import Rule as Rule
from keywright.engines.findings.rule import Severity as Severity
from keywright.errors import NOWHERE, Place
from keywright.pages.catalogue import DOCUMENTATION, url_of
from keywright.record import Record, replace


class Finding(Record, kw_only=True):
    """A finding of a rule."""

    rule: Rule
    """The rule."""
    severity: Severity
    """Its severity in the environment."""
    message: str
    """One sentence, with the actual and the allowed value."""
    help: str
    """What to do."""
    store: str = ""
    """Its store; empty if it has none."""
    object: str = ""
    """Its object, such as `orders/by_status`."""
    version: str = ""
    """Folder of the migration; empty for an unwritten migration, and for models."""
    at: Place = NOWHERE
    """Its place in `migration.yaml`, a model file or a stack file."""
    calls_per_second: float | None = None
    """Declared calls per second of the access patterns that it affects; None if none are declared."""
    fix: Fix | None = None
    """The fix, if a program can make it."""
    location: FixLocation | None = None
    """The location of the fix."""
    documentation: str = DOCUMENTATION
    """Address of the published pages."""

    @property
    def code(self) -> str:
        """Code of its page."""
        return self.rule.code

    @property
    def url(self) -> str:
        """Address of the page of its code."""
        return url_of(self.code, self.documentation)

    @property
    def fingerprint(self) -> str:
        """A hash of code and object, which stays the same when lines move and messages change."""
        return sha256(f"{self.code}\n{self.store}\n{self.object or self.version}".encode()).hexdigest()[:16]


class SuppressedFinding(Record):
    """A finding that was accepted with a reason."""

    finding: Finding
    """The finding."""
    reason: str
    """The reason."""
    until: str | None = None
    """Last day of the suppression, as ISO date; None for no end."""


class Report(Record):
    """The result of a run of rules."""

    findings: tuple[Finding, ...] = ()
    """Findings in the order of places, errors first in each."""
    accepted: tuple[SuppressedFinding, ...] = ()
    """Suppressed findings."""

    def count(self, severity: Severity) -> int:
        """The number of findings of a severity."""
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def assertions(self) -> tuple[Finding, ...]:
        """The findings that are no questions."""
        return tuple(finding for finding in self.findings if finding.severity != "question")

    @property
    def questions(self) -> tuple[Finding, ...]:
        """The findings that ask for a fact."""
        return tuple(finding for finding in self.findings if finding.severity == "question")

    def most_important(self, count: int) -> tuple[Finding, ...]:
        """The most important findings: by the severity of their rules, then by calls, then by confidence."""

        def importance(finding: Finding) -> tuple[int, float, int]:
            confidence = CONFIDENCES.index(finding.rule.confidence)
            return SEVERITIES.index(finding.rule.severity), -(finding.calls_per_second or 0), confidence

        return tuple(sorted(self.assertions, key=importance)[:count])

    def with_documentation(self, documentation: str) -> "Report":
        """The report with another address of the published pages."""
        if documentation == DOCUMENTATION:
            return self
        findings = tuple(replace(finding, documentation=documentation) for finding in self.findings)
        accepted = tuple(
            replace(suppressed, finding=replace(suppressed.finding, documentation=documentation))
            for suppressed in self.accepted
        )
        return Report(findings, accepted)

    def __add__(self, other: "Report") -> "Report":
        return Report((*self.findings, *other.findings), (*self.accepted, *other.accepted))
