"""GEN105: an update changes one field of an index key without the other fields of this key."""

from collections.abc import Iterator

from keywright.access.path import NotServed, Rejected
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.errors import quoted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every such update, including those in transactions."""
    for plan in context.plans:
        for part in plan.parts or (plan,):
            lacks = next((rejected.lacks for rejected in _rejected(part.path) if rejected.lacks), ())
            if lacks and plan.pattern.unserved is None:
                yield FindingDraft(
                    problem=f"it changes a part of an index key without {quoted(lacks)}, which the key contains too",
                    help=f"add {quoted(lacks)} to sets=, so that the caller passes the complete key",
                    subject=plan.pattern.name,
                    at=part.pattern.at,
                )


def _rejected(path: object) -> tuple[Rejected, ...]:
    return path.rejected if isinstance(path, NotServed) else ()
