"""What a rule is, and what it finds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from typing import Any, Literal, TypeAlias

from keywright.engines.flaws.fix import Fix, Spot
from keywright.errors import NOWHERE, Place
from keywright.pages.catalogue import page

Severity: TypeAlias = Literal["error", "warning", "info"]
"""Whether it must not be, had better not be, or is worth a look."""

Confidence: TypeAlias = Literal["declared", "estimated", "inferred"]
"""Follows from what was written, is arithmetic on it, or is guessed from names and shapes."""


Level: TypeAlias = Literal["models", "stored", "resource", "stack", "live"]
"""What a finder is told, and its name in the module of its rule: a `Whole` project; one `Stored` target, of models or
of a Pulumi program; one resource of a program; all resources of a program; a live store."""

LEVELS: tuple[Level, ...] = ("models", "stored", "resource", "stack", "live")
"""All of them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A code with what finds it; its name, its summary and its page are those of `pages`."""

    code: str
    """Such as `DS103`; never used for anything else."""
    check: Callable[[Any], Iterable[Any]] | None = None
    """What finds a `Hazard` in the `Context` of a migration; None for what others find: the chain of versions,
    suppressions, and flaws."""
    module: str = ""
    """Dotted name of the module whose functions find its flaws, each called by its level."""
    severity: Severity = "error"
    """How bad it is; a hazard may be milder."""
    in_dev: Severity | None = None
    """How bad it is where an environment follows its models; as everywhere by default."""
    confidence: Confidence = "declared"
    """How sure it is."""
    is_suppressible: bool = True
    """Whether it may be accepted for a reason."""
    strict: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Values of parameters in the profile `strict`, where a project says no others."""
    instead_of: tuple[str, ...] = ()
    """Codes of rules that need not say less exactly what it says of the same thing."""

    @property
    def name(self) -> str:
        """The problem in a few words, such as `stored-field-removed`."""
        return page(self.code).name

    @property
    def summary(self) -> str:
        """One sentence."""
        return page(self.code).summary

    @property
    def engine(self) -> str:
        """The engine in whose folder it is; empty if it is of all."""
        folders = self.module.split(".")
        return folders[2] if folders[1:2] == ["engines"] else ""

    def finder(self, level: Level) -> Callable[..., Iterable[Any]] | None:
        """What finds its flaws at a level; None if nothing does."""
        found: Callable[..., Iterable[Any]] | None = getattr(import_module(self.module), level, None)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a rule found."""

    rule: Rule
    """The rule."""
    severity: Severity
    """How bad it is here."""
    message: str
    """One sentence, with the actual and the allowed value."""
    help: str
    """What to do."""
    store: str = ""
    """Where; empty if it is about no store."""
    object: str = ""
    """What it is about, as people write it: `orders/by_status`."""
    version: str = ""
    """Folder of the version; empty for what is not written yet, and for models."""
    at: Place = NOWHERE
    """Where it stands: in `migration.yaml`, a model file or a stack file."""
    fix: Fix | None = None
    """What would heal it, where a program can write that."""
    spot: Spot | None = None
    """Where it would be written."""

    @property
    def code(self) -> str:
        """Code of its page."""
        return self.rule.code

    @property
    def fingerprint(self) -> str:
        """What stays the same when lines move and words change: made of the code and what it is about."""
        return sha256(f"{self.code}\n{self.store}\n{self.object or self.version}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that somebody took for a reason."""

    finding: Finding
    """What was found."""
    reason: str
    """Why it is right here."""
    until: str | None = None
    """Last day on which that counts, as ISO date; None for ever."""


@dataclass(frozen=True, slots=True)
class Report:
    """What judging came to."""

    findings: tuple[Finding, ...] = ()
    """What counts, in the order of places, errors first in each."""
    accepted: tuple[Accepted, ...] = ()
    """What does not."""

    def count(self, severity: Severity) -> int:
        """How many findings there are of a severity."""
        return sum(one.severity == severity for one in self.findings)

    def __add__(self, other: "Report") -> "Report":
        return Report((*self.findings, *other.findings), (*self.accepted, *other.accepted))
