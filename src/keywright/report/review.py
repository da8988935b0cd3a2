"""A branch's changes for reviewers, and their JSON document."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from keywright.ir.json import Json
from keywright.record import Record
from keywright.rules.rule import Report

from .document import long_document
from .lint import finding_json

TableRow: TypeAlias = Mapping[str, Any]
"""A finding of the document of `check`, or a pattern of the document of `patterns`."""

Became: TypeAlias = Literal["unserved", "not served", "given up", "removed", "path", "served", "added", "cost"]
"""The change of an access pattern; the first two break it."""

BECAME: Mapping[Became, str] = {
    "unserved": "no longer served",
    "not served": "new, not served",
    "given up": "now declared as unserved",
    "removed": "removed",
    "path": "another access path",
    "served": "now served",
    "added": "new",
    "cost": "another cost",
}
"""Texts of the changes, the worst first."""


class StoreChange(Record):
    """A change of a target between the base and the branch."""

    store: str
    """Name of the store."""
    object: str
    """Path of the changed part."""
    classes: str
    """Letters of `engines.classes.Class`."""
    what: str
    """Short text: `add index "by_status" of "shop"`."""
    why: str
    """Effect on a running system."""


class NewMigration(Record):
    """A migration that the base does not have."""

    folder: str
    """Name of the folder."""
    file: str
    """Path of `migration.yaml`."""
    classes: Sequence[str]
    """Class of each change."""
    steps: int
    """Number of steps."""
    gates: Sequence[str]
    """Texts of its gates."""


class PatternChange(Record):
    """An access pattern whose access path or cost changed."""

    became: Became
    """Kind of change."""
    before: TableRow | None
    """The pattern in the base; None if it is new."""
    after: TableRow | None
    """The pattern in the branch; None if it is removed."""

    @property
    def row(self) -> TableRow:
        """The pattern in the branch, or in the base if it is removed."""
        row = self.after or self.before
        assert row is not None
        return row

    @property
    def other_consistency(self) -> bool:
        """Whether it is served before and after, with another consistency."""
        if self.before is None or self.after is None or not (self.before["served"] and self.after["served"]):
            return False
        return bool(self.before["consistency"] != self.after["consistency"])


class PolicyFinding(Record):
    """A finding of a policy or of the guard in a Pulumi preview."""

    policy: str
    """Code of the rule; pack and name for a policy of another pack."""
    level: str
    """`mandatory`, which stops an update, `advisory`, `remediate`, or `unknown` if a value is not known yet."""
    resource: str
    """Name of the resource in the program; empty for a finding about the stack."""
    message: str
    """The problem."""
    help: str = ""
    """The correction."""
    urn: str = ""
    """URN of the resource."""

    @property
    def is_mandatory(self) -> bool:
        """Whether the finding stops an update."""
        return self.level == "mandatory"


class Review(Record, kw_only=True):
    """A branch's changes; paths are relative to the repository."""

    reference: str
    """The base, as given on the command line."""
    commit: str
    """Hash of the merge base."""
    project: str
    """Folder of the project in the repository, such as `services/shop/`; empty for the repository itself."""
    environment: str
    """Environment in which models are compared."""
    is_dirty: bool
    """Whether the review includes uncommitted changes."""
    is_new: bool
    """Whether the base has no project."""
    is_compiled: bool
    """Whether the models compile."""
    problem: str
    """Reason why the base cannot be compared; else empty."""
    changes: Sequence[StoreChange]
    """Changes of the stores, the worst first."""
    ahead: Sequence[str]
    """Changes of the models that no migration contains."""
    migrations: Sequence[NewMigration]
    """New migrations, in order."""
    lint: Report
    """Findings of the new migrations."""
    served: tuple[Mapping[str, int], Mapping[str, int]]
    """Counts of patterns that are `served`, `unserved` with a reason, or `not served`: before and after."""
    patterns: Sequence[PatternChange]
    """Changed access patterns, the worst first."""
    added: Sequence[TableRow]
    """Findings that the base does not have."""
    fixed: Sequence[TableRow]
    """Findings that only the base has."""
    accepted: Sequence[TableRow]
    """Findings that the branch suppresses, with their reasons."""
    left: int
    """Number of findings that both have."""
    policy_findings: Sequence[PolicyFinding] | None
    """Findings of policies and of the guard in a preview; None without a preview."""

    @property
    def has_errors(self) -> bool:
        """Whether the branch adds an error or a mandatory policy finding."""
        errors = [finding for finding in self.added if finding["severity"] == "error"]
        return bool(
            errors or self.lint.count("error") or any(finding.is_mandatory for finding in self.policy_findings or ())
        )


def document(review: Review) -> str:
    """JSON document of `keywright pr --format json`."""
    before, after = review.served
    is_compared = review.is_compiled and not review.problem
    body: dict[str, Json] = {
        "base": {
            "reference": review.reference,
            "commit": review.commit,
            "new": review.is_new,
            "problem": review.problem or None,
        },
        "project": review.project,
        "environment": review.environment,
        "uncommitted": review.is_dirty,
        "compiles": review.is_compiled,
        "changes": [_store_change(change) for change in review.changes] if is_compared else None,
        "ahead": list(review.ahead),
        "migrations": [_migration(migration) for migration in review.migrations],
        "lint": {
            "findings": [finding_json(finding) for finding in review.lint.findings],
            "suppressed": [
                {**finding_json(suppressed.finding), "reason": suppressed.reason, "until": suppressed.until}
                for suppressed in review.lint.accepted
            ],
        },
        "coverage": {"before": dict(before), "after": dict(after)} if is_compared else None,
        "patterns": [_pattern(change) for change in review.patterns] if is_compared else None,
        "findings": {
            "added": [dict(finding) for finding in review.added],
            "healed": [dict(finding) for finding in review.fixed],
            "accepted": [dict(finding) for finding in review.accepted],
            "left": review.left,
        },
        "policies": None if review.policy_findings is None else list(map(_policy_finding, review.policy_findings)),
    }
    return long_document("pr/2", body)


def _store_change(change: StoreChange) -> Json:
    return {
        "store": change.store,
        "object": change.object,
        "class": change.classes,
        "change": change.what,
        "why": change.why,
    }


def _migration(migration: NewMigration) -> Json:
    classes: list[Json] = list(migration.classes)
    gates: list[Json] = list(migration.gates)
    return {
        "folder": migration.folder,
        "file": migration.file,
        "classes": classes,
        "steps": migration.steps,
        "gates": gates,
    }


def _pattern(change: PatternChange) -> Json:
    before, after = (None if row is None else dict(row) for row in (change.before, change.after))
    return {"name": change.row["name"], "became": change.became, "before": before, "after": after}


def _policy_finding(finding: PolicyFinding) -> Json:
    return {
        "policy": finding.policy, "level": finding.level,
        "resource": finding.resource or None, "urn": finding.urn or None,
        "message": finding.message, "help": finding.help or None,
    }  # fmt: skip
