"""What a branch does to a project, for who reviews it: as the document that other tools read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from keywright.ir.json import Json
from keywright.rules.rule import Report

from .document import long_document
from .lint import finding

Row: TypeAlias = Mapping[str, Any]
"""A finding as in the document of `check`, or a pattern as in that of `patterns`."""

Became: TypeAlias = Literal["unserved", "not served", "given up", "removed", "path", "served", "added", "cost"]
"""What becomes of an access pattern: the first two hurt."""

BECAME: Mapping[Became, str] = {
    "unserved": "no longer served",
    "not served": "new, and not served",
    "given up": "not served, for a reason",
    "removed": "gone",
    "path": "served another way",
    "served": "served now",
    "added": "new",
    "cost": "at another cost",
}
"""The same in words, the worst first."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A change of the models, as an engine sees it."""

    store: str
    """Where."""
    object: str
    """The part, as a path."""
    classes: str
    """Letters of `engines.classes.Class`."""
    what: str
    """In a few words: `add index "by_status" of "shop"`."""
    why: str
    """What it does to a running system."""


@dataclass(frozen=True, slots=True)
class Added:
    """A version that the base does not have."""

    folder: str
    """Its name."""
    file: str
    """Its `migration.yaml`."""
    classes: Sequence[str]
    """Those of its changes, one for each."""
    steps: int
    """How many there are."""
    gates: Sequence[str]
    """What it waits for."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """An access pattern that is served otherwise than before."""

    became: Became
    """What has become of it."""
    before: Row | None
    """As it was; None if it is new."""
    after: Row | None
    """As it is; None if it is gone."""

    @property
    def row(self) -> Row:
        """It as it is, or was last."""
        found = self.after or self.before
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Violation:
    """What a preview of Pulumi does that a policy, or the guard, objects to."""

    policy: str
    """The code of the rule; of a policy of somebody else its pack and name."""
    level: str
    """`mandatory`, which stops an update, `advisory`, `remediate`, or `unknown` where a value is not known yet."""
    resource: str
    """What the program calls the resource; empty if it is about the stack."""
    message: str
    """What is wrong."""
    help: str = ""
    """What to do."""
    urn: str = ""
    """The resource."""

    @property
    def is_mandatory(self) -> bool:
        """Whether an update would be stopped."""
        return self.level == "mandatory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What a branch does; paths are relative to the repository."""

    reference: str
    """The base, as it was named."""
    commit: str
    """Hash of the last commit that it has in common with the branch."""
    project: str
    """The project's folder in the repository, such as `services/shop/`; empty where it is the repository itself."""
    environment: str
    """The environment in which models are compared."""
    is_dirty: bool
    """Whether something is not committed yet, and is reviewed all the same."""
    is_new: bool
    """Whether the base has no project."""
    is_compiled: bool
    """Whether the models compile."""
    problem: str
    """Why the base cannot be compared with; empty if it can."""
    changes: Sequence[Changed]
    """What changes in the models, the worst first."""
    ahead: Sequence[str]
    """What the models say that no version says yet."""
    versions: Sequence[Added]
    """New versions, in order."""
    lint: Report
    """What is to be said of them."""
    served: tuple[Mapping[str, int], Mapping[str, int]]
    """How many patterns are `served`, `unserved` for a reason, or `not served`: before and now."""
    patterns: Sequence[Pattern]
    """Patterns that are served otherwise, the worst first."""
    added: Sequence[Row]
    """Findings that the base does not have."""
    healed: Sequence[Row]
    """Findings that the base alone has."""
    accepted: Sequence[Row]
    """Findings that are accepted now, and were not before, each with its reason."""
    left: int
    """How many findings both have."""
    violations: Sequence[Violation] | None
    """What policies say of a preview; None if there was none."""

    @property
    def is_objectionable(self) -> bool:
        """Whether something in it must not be merged as it is."""
        errors = [one for one in self.added if one["severity"] == "error"]
        return bool(errors or self.lint.count("error") or any(one.is_mandatory for one in self.violations or ()))


def document(one: Review) -> str:
    """The document of `keywright pr --format json`."""
    before, after = one.served
    is_compared = one.is_compiled and not one.problem
    body: dict[str, Json] = {
        "base": {"reference": one.reference, "commit": one.commit, "new": one.is_new, "problem": one.problem or None},
        "project": one.project,
        "environment": one.environment,
        "uncommitted": one.is_dirty,
        "compiles": one.is_compiled,
        "changes": [_changed(it) for it in one.changes] if is_compared else None,
        "ahead": list(one.ahead),
        "versions": [_version(it) for it in one.versions],
        "lint": {
            "findings": [finding(it) for it in one.lint.findings],
            "suppressed": [{**finding(it.finding), "reason": it.reason, "until": it.until} for it in one.lint.accepted],
        },
        "coverage": {"before": dict(before), "after": dict(after)} if is_compared else None,
        "patterns": [_pattern(it) for it in one.patterns] if is_compared else None,
        "findings": {
            "added": [dict(it) for it in one.added],
            "healed": [dict(it) for it in one.healed],
            "accepted": [dict(it) for it in one.accepted],
            "left": one.left,
        },
        "policies": None if one.violations is None else [_violation(it) for it in one.violations],
    }
    return long_document("pr/1", body)


def _changed(one: Changed) -> Json:
    return {"store": one.store, "object": one.object, "class": one.classes, "change": one.what, "why": one.why}


def _version(one: Added) -> Json:
    classes: list[Json] = list(one.classes)
    gates: list[Json] = list(one.gates)
    return {"folder": one.folder, "file": one.file, "classes": classes, "steps": one.steps, "gates": gates}


def _pattern(one: Pattern) -> Json:
    before, after = (None if row is None else dict(row) for row in (one.before, one.after))
    return {"name": one.row["name"], "became": one.became, "before": before, "after": after}


def _violation(one: Violation) -> Json:
    return {
        "policy": one.policy, "level": one.level, "resource": one.resource or None, "urn": one.urn or None,
        "message": one.message, "help": one.help or None,
    }  # fmt: skip
