"""What a preview of Pulumi would do that a policy, or the guard, objects to: the lines of a review."""

from keywright.report.review import Violation

from .guard import judge
from .policed import Policed, policed


def violations(preview: str) -> tuple[Violation, ...]:
    """What policies and the guard say of a streaming preview, the mandatory first, each once.

    UsageError if the text is none: in the plain form nothing stands of policies.
    """
    said = [_of_policy(one) for one in policed(preview)]
    said += (Violation(one.code, "mandatory", _name(one.urn), one.problem, one.help, one.urn) for one in judge(preview))
    return tuple(sorted(dict.fromkeys(said), key=lambda one: not one.is_mandatory))


def _of_policy(one: Policed) -> Violation:
    level = one.enforcement if one.is_known else "unknown"
    return Violation(one.code or f"{one.pack}/{one.name}", level, one.resource, one.message, one.help, one.urn)


def _name(urn: str) -> str:
    return urn.rpartition("::")[2]
