"""GEN043: production follows the models instead of approved migrations."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

_PRODUCTION = frozenset(("prod", "production", "prd", "live"))
_OTHERS = frozenset(("non", "not", "pre", "like"))
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_STAGES = ("env", "environment", "stage", "tier")
"""Names of tags and labels whose value is the kind of environment."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report an environment with `mode: dev` that is production by its name, a tag or a label."""
    environment = context.environment
    reasons = {f'named "{environment.name}"': environment.name}
    reasons |= {
        f'labelled "{name}: {text}"': text for name, text in environment.labels.items() if name.lower() in _STAGES
    }
    reason = next((reason for reason, text in reasons.items() if _is_production(text)), None)
    if environment.mode == "dev" and reason:
        yield FindingDraft(
            problem=f"the environment is {reason}, and has mode: dev: a change of a model alters its stores at once, "
            "without an approved migration",
            help="write mode: gated, with history: for engines that need it",
            subject=environment.name,
            at=environment.mode_at,
        )


def _is_production(text: str) -> bool:
    words = frozenset(word.rstrip("0123456789") for word in _BETWEEN_WORDS.split(text.lower()))
    return bool(words & _PRODUCTION) and not words & _OTHERS
