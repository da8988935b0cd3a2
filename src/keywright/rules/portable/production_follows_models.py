"""GEN043: production follows the models instead of approved migrations."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.environment_facts import production_sign


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report an environment with `mode: dev` that is production by its name, a tag or a label."""
    environment = context.environment
    sign = production_sign(environment.name, environment.labels)
    if environment.mode == "dev" and sign:
        yield FindingDraft(
            problem=f"the environment is {sign}, and has mode: dev: a change of a model alters its stores at once, "
            "without an approved migration",
            help="write mode: gated, with history: for engines that need it",
            subject=environment.name,
            at=environment.mode_at,
        )
