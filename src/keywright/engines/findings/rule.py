"""A rule: a code, the code that reports its findings, and how severe they are."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Literal, TypeAlias, get_args

from keywright.pages.catalogue import page
from keywright.record import Record, field

Severity: TypeAlias = Literal["error", "warning", "info", "question"]
"""`error` fails a command, `warning` should be corrected, `info` is a hint, `question` asks for a fact that decides
whether something is wrong and that no declaration says."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""All, the worst first."""

Confidence: TypeAlias = Literal["declared", "estimated", "inferred"]
"""Follows from declarations, is computed from them, or is inferred from names and shapes."""

CONFIDENCES: tuple[Confidence, ...] = get_args(Confidence)
"""All, the highest first."""

Need: TypeAlias = Literal["rate", "expected"]
"""An option of access patterns or entities with a fact that a rule needs."""


Level: TypeAlias = Literal["models", "stored", "resource", "stack", "live"]
"""The input of a finder, and its name in the module of its rule: a project, one target of models or of a Pulumi
program, one resource of a program, all resources of a program, or a live store."""

LEVELS: tuple[Level, ...] = ("models", "stored", "resource", "stack", "live")
"""All levels."""


class Rule(Record):
    """A code with the functions that report it; its name and summary are those of its page."""

    code: str
    """Its code, such as `DS103`, which is never reused."""
    check: Callable[[Any], Iterable[Any]] | None = None
    """The check on the context of a migration; None for rules about the chain of migrations, suppressions, models and
    programs."""
    module: str = ""
    """Dotted name of the module with its finders, each named after its level."""
    engine: str = ""
    """Its engine; empty for a rule for every engine, and for a rule for Pulumi programs."""
    severity: Severity = "error"
    """Its severity; a single finding may be milder."""
    in_dev: Severity | None = None
    """Its severity in an environment that follows its models; None for the same severity."""
    confidence: Confidence = "declared"
    """Its confidence."""
    is_suppressible: bool = True
    """Whether it can be suppressed."""
    strict: Mapping[str, Any] = field(default_factory=dict)
    """Values of parameters in the profile `strict`, unless the project sets them."""
    needs: tuple[Need, ...] = ()
    """Facts without which it does not judge a declaration."""
    instead_of: tuple[str, ...] = ()
    """Codes of less specific rules, which are not reported for the same object."""

    def __hash__(self) -> int:
        """The hash of its code; a mapping of parameters has none."""
        return hash(self.code)

    @property
    def name(self) -> str:
        """Its name, such as `stored-field-removed`."""
        return page(self.code).name

    @property
    def summary(self) -> str:
        """Its summary in one sentence."""
        return page(self.code).summary

    def finder(self, level: Level) -> Callable[..., Iterable[Any]] | None:
        """Its finder for a level; None if it has none."""
        finder: Callable[..., Iterable[Any]] | None = getattr(import_module(self.module), level, None)
        return finder
